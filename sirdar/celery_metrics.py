"""Set the log context of every task of a worker, and measure its time."""

from collections.abc import Mapping
from typing import Any

from celery.signals import task_postrun, task_prerun, worker_ready
from django.conf import settings
from prometheus_client import start_http_server

from ops import logging_setup, metrics
from sirdar.metrics_page import registry

_around: dict[str, Mapping[str, str]] = {}
"""The log context outside each task, to restore it: a task may run inside something else."""


@task_prerun.connect
def begin(task_id: str, args: Any = (), **_options: Any) -> None:
    """Name the task's job in its log lines; the job is the task's first argument."""
    _around[task_id] = logging_setup.log_context()
    logging_setup.set_log_context(**{**logging_setup.NOTHING, "job": str(args[0]) if args else ""})
    metrics.task_began(task_id)


@task_postrun.connect
def end(task_id: str, task: Any, state: str | None = None, **_options: Any) -> None:
    metrics.task_ended(task_id, task.name, state)
    logging_setup.set_log_context(**_around.pop(task_id, logging_setup.NOTHING))


@worker_ready.connect
def offer_metrics(**_options: Any) -> None:
    """Serve the metrics from a worker on a machine without a web process."""
    if settings.METRICS_PORT:
        start_http_server(settings.METRICS_PORT, registry=registry())
