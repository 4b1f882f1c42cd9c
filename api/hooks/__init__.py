"""Webhooks: programs that are told of what happens, by a signed request to their address."""
