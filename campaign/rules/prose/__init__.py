"""The campaign's events, questions and positions as English sentences."""
