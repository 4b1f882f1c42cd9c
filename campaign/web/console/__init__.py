"""Serve the umpire's console."""
