"""Connect a site with Redis: a cache that pages can do without, and wakes between processes.

It is imported only where a site has Redis, because that takes 6 MB of memory.
"""

import logging
import time
from collections.abc import Callable
from typing import Any, TypeVar

import redis
from django.core.cache.backends.redis import RedisCache

PAUSE = 5.0
"""Seconds before a Redis that did not answer is tried again."""
CHANNEL = "sirdar:wake:"
PATIENCE = 2.0  # seconds: the timeout of Redis, and the pause before it is tried again
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
        if time.monotonic() < self._asked_again:
            return fallback
        try:
            return operation()
        except redis.RedisError as gone:
            self._asked_again = time.monotonic() + PAUSE
            logger.warning("The cache is done without: %s", gone)
            return fallback


class RedisWire:
    """A transport by Redis' publish and subscribe."""

    def __init__(self, url: str) -> None:
        limits = {"socket_connect_timeout": PATIENCE, "socket_timeout": PATIENCE}
        self._redis = redis.Redis.from_url(url, decode_responses=True, **limits)

    def send(self, topic: str) -> None:
        try:
            self._redis.publish(CHANNEL + topic, "")
        except redis.RedisError as error:
            logger.warning("Nobody elsewhere was woken for %s: %s", topic, error)

    def hear(self, tell: Callable[[str | None], None], going_on: Callable[[], bool]) -> None:
        while going_on():
            try:
                self._subscribe(tell, going_on)
            except redis.RedisError as error:
                logger.warning("Wakes are not heard until Redis answers: %s", error)
                time.sleep(PATIENCE)

    def _subscribe(self, tell: Callable[[str | None], None], going_on: Callable[[], bool]) -> None:
        with self._redis.pubsub(ignore_subscribe_messages=True) as heard:
            heard.psubscribe(CHANNEL + "*")
            heard.get_message(timeout=PATIENCE)
            tell(None)
            while going_on():
                message = heard.get_message(timeout=PATIENCE / 2)
                if message:
                    tell(message["channel"].removeprefix(CHANNEL))
