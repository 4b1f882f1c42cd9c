"""The task queue. What it is spoken to through (folders or Redis) is settled in the settings."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "sirdar.settings")

app = Celery("sirdar")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
