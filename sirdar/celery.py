"""The Celery application; the settings choose its broker, folders or Redis."""

import os
from typing import Any

from celery import Celery
from celery.signals import setup_logging

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "sirdar.settings")

app = Celery("sirdar")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.autodiscover_tasks(["sirdar"], related_name="celery_metrics")


@setup_logging.connect
def keep_log_settings(**_options: Any) -> None:
    """Do nothing: a receiver of this signal stops Celery from configuring the logs itself."""
