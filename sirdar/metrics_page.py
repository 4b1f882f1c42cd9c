"""Serve the metrics page, with gauges that are read when it is requested."""

from collections.abc import Callable, Iterator
from functools import partial
from hmac import compare_digest
from pathlib import Path
from typing import Any

import redis
from django.conf import settings
from django.db import DatabaseError
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from campaign.models import Campaign, Job, Work

HERE = ("127.0.0.1", "::1")
QUEUES = (settings.INTERACTIVE, settings.SIMULATION, settings.GUESTS_QUEUE)
Value = Callable[[], float]


@require_safe
@never_cache
def metrics_page(request: HttpRequest) -> HttpResponse:
    """Return the metrics as text, for clients with the token or, without one, on this machine."""
    if not _may_read(request):
        raise Http404
    return HttpResponse(generate_latest(registry()), content_type=CONTENT_TYPE_LATEST)


def registry() -> CollectorRegistry:
    """Return the counters of all processes of this machine, with the current gauges."""
    collectors = CollectorRegistry()
    MultiProcessCollector(collectors)
    collectors.register(CurrentGauges())
    return collectors


def _may_read(request: HttpRequest) -> bool:
    """Return whether the client may read the metrics.

    Behind a proxy every request seems to come from this machine, so it needs the token there.
    """
    if settings.METRICS_TOKEN:
        header = request.headers.get("Authorization", "")
        return compare_digest(header.encode(), f"Bearer {settings.METRICS_TOKEN}".encode())
    return not settings.BEHIND_PROXY and request.META.get("REMOTE_ADDR") in HERE


class CurrentGauges(Collector):
    """The lengths of the queues, the unfinished jobs and the live campaigns at this moment."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        yield _family("sirdar_queue_length", "Tasks that wait for a worker.", "queue", _queues())
        yield _family("sirdar_jobs", "Unfinished jobs of campaigns.", "status", _jobs())
        yield _family("sirdar_campaigns", "Campaigns there are.", "state", _campaigns())


def _family(name: str, description: str, label: str, values: dict[str, Value]) -> GaugeMetricFamily:
    """Return the gauge, empty if a value cannot be read just now, so that a gap shows it."""
    family = GaugeMetricFamily(name, description, labels=[label])
    for value, count in values.items():
        try:
            family.add_metric([value], count())
        except (redis.RedisError, DatabaseError, OSError):
            return GaugeMetricFamily(name, description, labels=[label])
    return family


def _queues() -> dict[str, Value]:
    length = _length_in_redis if settings.REDIS_URL else _length_in_folder
    return {queue: partial(length, queue) for queue in QUEUES}


def _length_in_redis(queue: str) -> float:
    limits: dict[str, Any] = {"socket_connect_timeout": 2.0, "socket_timeout": 2.0}
    with redis.Redis.from_url(settings.REDIS_URL, **limits) as broker:
        return float(broker.llen(queue))


def _length_in_folder(queue: str) -> float:
    folder = Path(settings.CELERY_BROKER_TRANSPORT_OPTIONS["data_folder_in"])
    return float(len(list(folder.glob(f"*.{queue}.msg"))))


def _jobs() -> dict[str, Value]:
    jobs = Job.objects.order_by()
    return {str(status): jobs.filter(status=status).count for status in Work.UNFINISHED}


def _campaigns() -> dict[str, Value]:
    campaigns = Campaign.objects.order_by()
    return {
        "live": campaigns.filter(finished=False).count,
        "over": campaigns.filter(finished=True).count,
    }
