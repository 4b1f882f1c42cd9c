"""What is looked at when the metrics are asked for, and the address where they are had."""

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
QUEUES = (settings.INTERACTIVE, settings.SIMULATION)
Value = Callable[[], float]


@require_safe
@never_cache
def metrics_page(request: HttpRequest) -> HttpResponse:
    """Return the metrics as text, for who has the token or, where none is set, asks from this
    machine.
    """
    if not _may_read(request):
        raise Http404
    return HttpResponse(generate_latest(registry()), content_type=CONTENT_TYPE_LATEST)


def registry() -> CollectorRegistry:
    """Return all there is: what the processes of this machine have counted, and what is so now."""
    found = CollectorRegistry()
    MultiProcessCollector(found)
    found.register(CurrentGauges())
    return found


def _may_read(request: HttpRequest) -> bool:
    """Behind a proxy everybody seems to ask from this machine: there it takes the token."""
    if settings.METRICS_TOKEN:
        given = request.headers.get("Authorization", "")
        return compare_digest(given.encode(), f"Bearer {settings.METRICS_TOKEN}".encode())
    return not settings.BEHIND_PROXY and request.META.get("REMOTE_ADDR") in HERE


class CurrentGauges(Collector):
    """Lengths of the queues, unfinished jobs and live campaigns at the moment of asking."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        yield _family("sirdar_queue_length", "Tasks that wait for a worker.", "queue", _queues())
        yield _family("sirdar_jobs", "Unfinished jobs of campaigns.", "status", _jobs())
        yield _family("sirdar_campaigns", "Campaigns there are.", "state", _campaigns())


def _family(name: str, said: str, label: str, values: dict[str, Value]) -> GaugeMetricFamily:
    """Return the gauge; what cannot be had just now is left out, so that a gap shows it."""
    family = GaugeMetricFamily(name, said, labels=[label])
    for value, count in values.items():
        try:
            family.add_metric([value], count())
        except (redis.RedisError, DatabaseError, OSError):
            return GaugeMetricFamily(name, said, labels=[label])
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
