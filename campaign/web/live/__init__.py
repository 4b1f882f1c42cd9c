"""The pages of live play and of the initial deployment."""
