"""Show the rule book and the case book, and edit sets of tables."""
