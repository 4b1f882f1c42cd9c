"""Who may see, command and report which battle."""
