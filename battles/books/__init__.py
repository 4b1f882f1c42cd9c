"""The books of battles, one package each; they do not import one another."""
