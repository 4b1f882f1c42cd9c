"""The books of battles: a package each, which know nothing of one another."""
