"""The umpire's console."""
