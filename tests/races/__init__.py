"""What is read or written while somebody else writes."""
