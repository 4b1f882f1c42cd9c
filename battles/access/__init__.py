"""Permissions to see, command and report battles."""
