"""Write the journal, go back in it, and prove what it holds."""
