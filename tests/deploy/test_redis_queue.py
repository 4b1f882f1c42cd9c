"""Redis as a broker: who cannot acknowledge a message goes on, and hears that Redis is gone."""

from typing import Any

import pytest
from kombu import Connection, Queue

import sirdar.celery  # noqa: F401  it says by what Redis is spoken to
from tests.patience import PATIENCE
from tests.servers import Redis

LINE = Queue("tried-in-a-test", durable=False)


@pytest.mark.parametrize("how", ["ack", "reject", "requeue"])
def test_a_message_that_cannot_be_acknowledged_takes_nothing_of_the_credit(
    own_redis: Redis, how: str
) -> None:
    with Connection(own_redis.url()) as connection:
        taken: list[Any] = []
        line = LINE(connection.default_channel)
        connection.Producer().publish("an order", routing_key=line.name, declare=[line])
        consumer = connection.Consumer([line], callbacks=[lambda _, message: taken.append(message)])
        consumer.qos(prefetch_count=1)
        with consumer:
            connection.drain_events(timeout=PATIENCE)
            (message,) = taken
            credit = consumer.channel.qos
            assert not credit.can_consume()
            own_redis.kill()
            with pytest.raises(connection.connection_errors):
                getattr(message, how)()
            assert credit.can_consume()
            with pytest.raises(connection.connection_errors):
                connection.drain_events(timeout=PATIENCE)
            own_redis.start()
