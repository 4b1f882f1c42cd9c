"""The pages of gazettes, statistics, dice and the debrief."""
