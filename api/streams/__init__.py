"""A campaign followed as it goes on: server-sent events, each once and in order."""

CAMPAIGNS = "campaigns"
"""The topic by which those are woken who wait for campaigns to go on."""
