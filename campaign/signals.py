"""Signals that the campaigns' services send."""

from django.dispatch import Signal

battle_moved_on = Signal()
"""Sent on commit with `campaign_id` and `battle`, when it is settled or its method is chosen."""

all_ready = Signal()
"""Sent on commit with `campaign_id` and `month`: every seat is ready for that month to run."""

work_over = Signal()
"""Sent on commit with `work`: a job of any kind is done or has failed."""

campaign_restored = Signal()
"""Sent with `campaign`, a deleted one that is back: its events were reported before."""

push_due = Signal()
"""Sent on commit with `subscriptions` (their numbers) and `notice`: title, body, path and tag."""
