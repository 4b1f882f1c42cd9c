"""The random events of phase I: an interpreter of what their tables say (5.2 I, 5.3 I)."""

from campaign.rules.random_events.phase import STEPS, event_phase

__all__ = ["STEPS", "event_phase"]
