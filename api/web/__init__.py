"""Pages for people about the API: its reference, webhooks and channels."""
