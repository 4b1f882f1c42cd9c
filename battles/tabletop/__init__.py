"""Ground, stands and measuring for the books that are played on an open table."""
