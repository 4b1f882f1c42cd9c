"""Pages for people about the API: its schema, tokens, webhooks and channels."""
