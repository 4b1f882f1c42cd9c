"""The journal of a campaign: write it, rewind it, and verify it."""
