"""Channels: messages to Discord and Slack about a campaign, as far as the public may know it."""
