"""Advance the months, by sheets, by the staff or live."""
