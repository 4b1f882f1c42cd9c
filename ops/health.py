"""Health checks: liveness and readiness of this process."""

import logging
from functools import cache

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

GOOD = "in order"
logger = logging.getLogger(__name__)


@require_safe
@never_cache
def live(_request: HttpRequest) -> HttpResponse:
    """Answer without checking other services, so that their failure restarts no process."""
    return HttpResponse("in order\n", content_type="text/plain")


@require_safe
@never_cache
def ready(_request: HttpRequest) -> JsonResponse:
    """Return whether the process can serve: 503 without the database, or before it is migrated.

    Without Redis pages are shown and orders saved, but months wait: "impaired", with status 200.
    """
    parts = {"database": _database(), "redis": _redis()}
    usable = parts["database"] == GOOD
    is_ready = all(part == GOOD for part in parts.values())
    status = "ready" if is_ready else "impaired" if usable else "not ready"
    return JsonResponse({"status": status, **parts}, status=200 if usable else 503)


def _database() -> str:
    try:
        return GOOD if _is_migrated() else "not migrated: run manage.py migrate"
    except DatabaseError as error:
        logger.warning("The database is out of reach: %s", error)
        return "out of reach"


def _is_migrated() -> bool:
    """Return whether every migration has run; once it is known, only check the connection."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    try:
        return _has_all_migrations()
    except _MissingMigration:
        return False


class _MissingMigration(Exception):
    """A missing migration; an exception, so that only success is cached."""


@cache
def _has_all_migrations() -> bool:
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise _MissingMigration
    return True


def _redis() -> str:
    if not settings.REDIS_URL:
        return GOOD
    limits = {"socket_connect_timeout": 2.0, "socket_timeout": 2.0}
    try:
        with redis.Redis.from_url(settings.REDIS_URL, **limits) as connection_:
            connection_.ping()
    except redis.RedisError as error:
        logger.warning("Redis is out of reach: %s", error)
        return "out of reach"
    return GOOD
