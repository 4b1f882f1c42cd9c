"""Serve pages and the REST interface by WSGI."""

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

from django.core.wsgi import get_wsgi_application

from sirdar.warm_up import warm_up

Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]
CHUNK = 65_536
"""Bytes that are read at once of a body that no view has read."""


def drain_requests(application: Application) -> Application:
    """Return the application with the rest of each request read before it is answered.

    A server that closes a connection with unread bytes in it resets it, and a proxy that is still
    sending then reports 502 in place of the answer. gunicorn itself reads 64 KB at most.
    """

    def answer(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        response = application(environ, start_response)
        # Only a server that marks the end of the body may be read to it without a wait.
        if environ.get("wsgi.input_terminated"):
            with suppress(Exception):  # a client that has gone is no failure of the answer
                while environ["wsgi.input"].read(CHUNK):
                    pass
        return response

    return answer


os.environ.setdefault("DJANGO_SETTINGS_MODULE", "sirdar.settings")

application = drain_requests(get_wsgi_application())
warm_up()
