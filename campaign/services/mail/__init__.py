"""Mail to players."""
