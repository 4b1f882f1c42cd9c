"""Random events of phase I: an interpreter for the effects in their tables (5.2 I, 5.3 I)."""

from campaign.rules.random_events.phase import STEPS, event_phase

__all__ = ["STEPS", "event_phase"]
