"""A proxy that breaks connections in the middle of an answer."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit


@contextmanager
def breaking_proxy(url: str, *limits: int) -> Iterator[str]:
    """Yield the address of a proxy before the server.

    The first connections end after so many bytes of the server's answers, one limit for each; with
    0, when the answer begins. Those that follow last.
    """
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        threading.Thread(target=_serve, args=(listener, url, list(limits)), daemon=True).start()
        yield f"http://127.0.0.1:{port}"
        listener.shutdown(socket.SHUT_RDWR)


def _serve(listener: socket.socket, url: str, limits: list[int]) -> None:
    host, port = urlsplit(url).hostname, urlsplit(url).port
    with suppress(OSError):
        while True:
            program, _ = listener.accept()
            server = socket.create_connection((host, port))
            limit = limits.pop(0) if limits else None
            threading.Thread(target=_relay, args=(program, server, limit), daemon=True).start()


def _relay(program: socket.socket, server: socket.socket, limit: int | None) -> None:
    """Pass on requests, and answers up to the limit; then end both connections."""
    with program, server:
        requests = threading.Thread(target=_pass_on, args=(program, server, None), daemon=True)
        requests.start()
        _pass_on(server, program, limit)
        requests.join()


def _pass_on(source: socket.socket, target: socket.socket, limit: int | None) -> None:
    with suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data[:limit])
            if limit is not None and (limit := limit - len(data)) <= 0:
                break
    for each in (source, target):
        with suppress(OSError):
            each.shutdown(socket.SHUT_RDWR)
