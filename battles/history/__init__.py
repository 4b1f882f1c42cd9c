"""The journal of battles, and what is read from it: logs, replays, states."""
