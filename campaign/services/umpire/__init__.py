"""Carry out what an umpire decides."""
