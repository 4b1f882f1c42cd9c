"""Redcoats and Dervishes: battles of the Sudan on a gridded field."""
