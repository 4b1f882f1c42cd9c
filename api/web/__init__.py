"""Pages for people about tokens and webhooks."""
