"""'Eres to You Fuzzy Wuzzy: a book for battles on an open table, in centimetres."""
