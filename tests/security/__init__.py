"""What attackers try, and that it does not come to anything."""
