"""'Eres to You Fuzzy Wuzzy: battles of the Sudan on an open table, a book like any other."""
