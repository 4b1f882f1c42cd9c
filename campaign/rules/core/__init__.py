"""State, questions, actions, events and sequence of play of a campaign."""
