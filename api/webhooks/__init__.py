"""Webhooks: signed requests to the addresses of programs when something happens."""
