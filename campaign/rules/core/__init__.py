"""Play the campaign: its state, questions, actions, events and sequence of play."""
