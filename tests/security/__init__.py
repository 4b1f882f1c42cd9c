"""Attacks that must fail."""
