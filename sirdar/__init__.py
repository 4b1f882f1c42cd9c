"""Wiring of the web program: settings, addresses, task queue. No logic lives here."""

from sirdar.celery import app as celery_app

__all__ = ["celery_app"]
