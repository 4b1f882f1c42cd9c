"""Show the roster, invite players, brief a new holder of a seat."""
