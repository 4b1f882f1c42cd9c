"""Wire the web program together: settings, URLs, task queue. No logic lives here."""

from sirdar.celery import app as celery_app

__all__ = ["celery_app"]
