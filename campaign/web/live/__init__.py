"""Answer questions in live mode and deploy before the first turn."""
