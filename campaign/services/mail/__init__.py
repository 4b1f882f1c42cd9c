"""Write to players."""
