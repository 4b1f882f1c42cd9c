"""Wire the web program together: settings, URLs, task queue. No logic lives here."""

import gc

# Imports create many objects and drop few: collecting every 700 took a sixth of a start. Rare full
# collections, on the other hand, let a worker grow by a tenth in a thousand months.
gc.set_threshold(50_000, 2, 2)

from sirdar.celery import app as celery_app  # noqa: E402

__all__ = ["celery_app"]
