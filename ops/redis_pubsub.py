"""Publish wakes by Redis; imported only where a site has Redis, because it takes 6 MB of memory."""

import logging
import time
from collections.abc import Callable

import redis

CHANNEL = "sirdar:wake:"
PATIENCE = 2.0  # seconds: the timeout of Redis, and the pause before it is tried again
logger = logging.getLogger(__name__)


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
