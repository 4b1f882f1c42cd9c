"""The Celery application; the settings choose its broker, folders or Redis."""

import os
import sys
from types import TracebackType
from typing import Any

from celery import Celery
from celery.signals import setup_logging
from django.core.exceptions import ImproperlyConfigured

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "sirdar.settings")

app = Celery("sirdar")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.autodiscover_tasks(["sirdar"], related_name="celery_metrics")


@setup_logging.connect
def keep_log_settings(**_options: Any) -> None:
    """Do nothing: a receiver of this signal stops Celery from configuring the logs itself."""


def print_uncaught(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    """Print the error that ends the process: wrong settings are one line and no traceback."""
    if isinstance(error, ImproperlyConfigured):
        sys.stderr.write(f"{error}\n")
    else:
        sys.__excepthook__(kind, error, trace)


sys.excepthook = print_uncaught
