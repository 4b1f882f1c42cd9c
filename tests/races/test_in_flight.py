"""The requests that a live server is still answering when a test is over."""

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.request import urlopen

from django.core.signals import request_started

from tests.in_flight import in_flight
from tests.patience import PATIENCE, wait_until


def test_a_request_is_in_flight_until_it_is_answered(live_server: Any) -> None:
    begun, may_answer = threading.Event(), threading.Event()

    def hold(**_: object) -> None:
        begun.set()
        assert may_answer.wait(PATIENCE)

    request_started.connect(hold)
    try:
        with ThreadPoolExecutor(1) as pool:
            answer = pool.submit(urlopen, f"{live_server.url}/health/live", timeout=PATIENCE)
            assert begun.wait(PATIENCE)
            assert in_flight() == ["/health/live"]
            may_answer.set()
            assert answer.result().status == 200
            wait_until(lambda: not in_flight(), "the end of the request")
    finally:
        request_started.disconnect(hold)
