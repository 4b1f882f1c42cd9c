"""Publish gazettes, statistics, the dice and the debrief."""
