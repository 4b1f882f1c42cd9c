"""A campaign followed as it goes on: server-sent events, each once and in order."""
