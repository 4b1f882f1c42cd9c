"""Server-sent events from campaigns, battles and jobs, each message once and in order."""

NEWS_TOPIC = "going-on"
"""The pub/sub topic that wakes the followers of campaigns and battles."""
