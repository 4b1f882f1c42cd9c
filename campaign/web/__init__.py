"""Serve the campaign's pages for people."""
