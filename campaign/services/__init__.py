"""Change campaigns: every change goes through one of these rooms."""
