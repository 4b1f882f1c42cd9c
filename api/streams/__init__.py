"""Server-sent events from campaigns, battles and jobs, each message once and in order."""

GOING_ON = "going-on"
"""The pub/sub topic that wakes the followers of campaigns and battles."""
