"""The web pages of campaigns."""
