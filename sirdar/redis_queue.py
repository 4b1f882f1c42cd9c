"""Redis as a broker: Kombu's own, with credit for the next message though one could not be told.

A worker takes so many messages at a time, and the next when one is acknowledged. Where Redis is
gone at that moment Kombu keeps the message among those at work, for ever: with none to be had the
worker reads the line no more, does not notice that it is broken, and does nothing again.
"""

from typing import Any

from kombu.transport import redis, virtual


class QoS(redis.QoS):
    """What has been taken, and how much more may be."""

    def ack(self, delivery_tag: str) -> None:
        """As Kombu's; where Redis is gone the message counts as done here, and comes again."""
        try:
            super().ack(delivery_tag)
        except self.channel.connection_errors:
            self._give_back(delivery_tag)
            raise

    def reject(self, delivery_tag: str, requeue: bool = False) -> None:
        """As Kombu's; where Redis is gone the message counts as done here."""
        try:
            super().reject(delivery_tag, requeue)
        except self.channel.connection_errors:
            self._give_back(delivery_tag)
            raise

    def _give_back(self, delivery_tag: str) -> None:
        virtual.QoS.ack(self, delivery_tag)


class Channel(redis.Channel):
    QoS = QoS


class Transport(redis.Transport):
    Channel: Any = Channel
