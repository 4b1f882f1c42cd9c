"""A program that listens: what it was sent, and how it answers."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from api import webhooks
from campaign.models import Campaign


class Heard:
    """A real HTTP server on this machine that keeps every request."""

    def __init__(self) -> None:
        self.requests: list[tuple[dict[str, str], bytes]] = []
        self.paths: list[str] = []
        self.status, self.headers = 200, {}  # type: int, dict[str, str]
        heard = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                heard.requests.append((dict(self.headers), body))
                heard.paths.append(self.path)
                self.send_response(heard.status)
                for name, value in heard.headers.items():
                    self.send_header(name, value)
                self.end_headers()

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
                """Nothing needs to be said."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.origin = f"http://127.0.0.1:{self.server.server_port}"
        self.url = f"{self.origin}/told?by=sirdar"
        threading.Thread(target=self.server.serve_forever, args=[0.01], daemon=True).start()

    def bodies(self) -> list[Any]:
        return [json.loads(body) for _, body in self.requests]

    def end(self) -> None:
        self.server.shutdown()
        self.server.server_close()


def tell(campaign: Campaign) -> None:
    """Send the webhooks what has happened in the campaign."""
    webhooks.queue_deliveries([campaign.pk])
    webhooks.deliver_due()
