"""The HTTP conventions that every endpoint shares."""
