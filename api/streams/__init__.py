"""What goes on followed as it goes on: server-sent events, each once and in order."""

GOING_ON = "going-on"
"""The topic by which those are woken who wait for campaigns and battles to go on."""
