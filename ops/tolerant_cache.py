"""A cache that pages can do without: while Redis is gone, its contents are drawn again."""

import logging
from collections.abc import Callable
from time import monotonic
from typing import Any, TypeVar

from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

PAUSE = 5.0
"""Seconds before a Redis that did not answer is tried again."""
T = TypeVar("T")
logger = logging.getLogger(__name__)


class TolerantCache(RedisCache):
    """A Redis cache for what can be drawn again; nothing in it is counted or must be kept."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._asked_again = 0.0

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        return self._tried(lambda: super(TolerantCache, self).get(key, default, version), default)

    def set(self, key: Any, value: Any, *about: Any, **more: Any) -> None:
        self._tried(lambda: super(TolerantCache, self).set(key, value, *about, **more), None)

    def delete(self, key: Any, version: int | None = None) -> bool:
        return self._tried(lambda: super(TolerantCache, self).delete(key, version), False)

    def _tried(self, operation: Callable[[], T], fallback: T) -> T:
        if monotonic() < self._asked_again:
            return fallback
        try:
            return operation()
        except RedisError as gone:
            self._asked_again = monotonic() + PAUSE
            logger.warning("The cache is done without: %s", gone)
            return fallback
