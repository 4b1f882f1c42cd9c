"""Pages for people about the API: its schema, tokens and webhooks."""
