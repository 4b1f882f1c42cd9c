"""Arrange battles and enter their results."""
