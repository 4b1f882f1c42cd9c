"""An open table: the ground, stands and measuring that the books without squares share."""
