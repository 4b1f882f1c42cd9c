"""Send requests with retries, conditional GETs and idempotency keys, and decode the answers."""

import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Generic, NamedTuple, TypeVar
from urllib.parse import urljoin
from uuid import uuid4

import httpx
import msgspec

from .problems import Busy, Problem, Unreachable, problem_of
from .reading import reader

T = TypeVar("T")

BELOW = "/api/v1/"
TRY_AGAIN = frozenset({429, 503})
SILENCE = 90.0
"""The seconds without data after which a stream's connection is given up."""
KEPT = 200
"""The most answers that are cached by their ETags."""


class Terms(msgspec.Struct, frozen=True):
    """The time-out of an answer, the number of tries, and the total patience, in seconds."""

    timeout: float = 30.0
    tries: int = 6
    patience: float = 180.0
    first_pause: float = 0.5


class Kept(NamedTuple):
    """A cached answer with its ETag."""

    etag: str
    body: bytes


class Tagged(NamedTuple, Generic[T]):
    """A document and the ETag it was read with."""

    document: T
    etag: str


class Page(msgspec.Struct, Generic[T], frozen=True):
    """A part of a list, and the addresses of its neighbours."""

    results: list[T]
    next: str | None = None
    previous: str | None = None


class Wire:
    """A connection to one server, as one user."""

    def __init__(
        self,
        base: str,
        token: str = "",
        *,
        terms: Terms | None = None,
        transport: httpx.BaseTransport | None = None,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self.terms = terms or Terms()
        self.pause = pause
        self._kept: dict[str, Kept] = {}
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self.http = httpx.Client(
            base_url=base, headers=headers, timeout=self.terms.timeout, transport=transport
        )

    def close(self) -> None:
        self.http.close()

    def get(self, path: str, kind: type[T], **params: object) -> T:
        """Return the resource as that type; an unchanged one is not sent again."""
        return self.look(path, kind, **params).document

    def look(self, path: str, kind: type[T], **params: object) -> Tagged[T]:
        """Return the resource with its ETag."""
        kept = self.bytes_of(path, **params)
        return Tagged(reader(kind).decode(kept.body), kept.etag)

    def bytes_of(self, path: str, **params: object) -> Kept:
        """Return the undecoded resource."""
        asked = {name: str(value) for name, value in params.items() if value is not None}
        address = str(httpx.URL(self.address(path)).copy_merge_params(asked))
        known = self._kept.get(address)
        headers = {"If-None-Match": known.etag} if known else {}
        response = self.send("GET", address, headers=headers)
        if response.status_code == 304 and known:
            return known
        found = Kept(response.headers.get("ETag", ""), response.content)
        self._keep(address, found)
        return found

    def _keep(self, address: str, found: Kept) -> None:
        self._kept.pop(address, None)
        if found.etag:
            self._kept[address] = found
        while len(self._kept) > KEPT:
            del self._kept[next(iter(self._kept))]

    def pages(self, path: str, kind: type[T], **params: object) -> Iterator[T]:
        """Yield every line of a paged list, fetching the next page as needed."""
        page = self.get(path, Page[kind], **params)  # type: ignore[valid-type]
        yield from page.results
        while page.next:
            page = self.get(page.next, Page[kind])  # type: ignore[valid-type]
            yield from page.results

    def listed(self, path: str, kind: type[T], **params: object) -> list[T]:
        """Return a complete list."""
        return self.get(path, Page[kind], **params).results  # type: ignore[valid-type]

    def write(self, method: str, path: str, kind: type[T], body: object = None, **how: Any) -> T:
        """Send a request that writes, and return its answer; see `done` for the options."""
        response = self.done(method, path, body, **how)
        told: T = reader(kind).decode(response.content)
        return told

    def done(
        self, method: str, path: str, body: object = None, *, once: bool = False, match: str = ""
    ) -> httpx.Response:
        """Send a request that writes; with `once`, under an idempotency key for safe retries.

        `match` is the ETag of the resource to change.
        """
        headers = {"Idempotency-Key": uuid4().hex} if once else {}
        if match:
            headers["If-Match"] = match
        content = None if method == "DELETE" else msgspec.json.encode({} if body is None else body)
        return self.send(method, path, headers=headers, content=content)

    def send(
        self,
        method: str,
        path: str,
        *,
        headers: Mapping[str, str],
        content: bytes | None = None,
        kind: str = "application/json",
    ) -> httpx.Response:
        """Return a successful answer, retrying for as long as `terms` allow.

        Raises Problem if the server refuses, and Unreachable if there is no answer.
        """
        about = dict(headers) if content is None else {**headers, "Content-Type": kind}
        request = self.http.build_request(
            method, self.address(path), headers=about, content=content
        )
        # Only these may be sent again when the connection breaks before the answer.
        safe = method == "GET" or "Idempotency-Key" in about
        waited = 0.0
        for turn in range(self.terms.tries):
            found = self._once(request, safe)
            if isinstance(found, httpx.Response):
                return found
            wait = _pause_of(found) or self.terms.first_pause * 2**turn
            if turn + 1 == self.terms.tries or waited + wait > self.terms.patience:
                raise found
            self.pause(wait)
            waited += wait
        raise Unreachable(f"{method} {path}: not tried at all.")

    def _once(self, request: httpx.Request, safe: bool) -> httpx.Response | Problem | Unreachable:
        """Return the answer, or an error that may be retried; other errors are raised."""
        try:
            response = self.http.send(request)
        except httpx.ConnectError as error:
            return Unreachable(f"{request.url}: {type(error).__name__} {error}")
        except httpx.TransportError as error:
            lost = Unreachable(f"{request.url}: {type(error).__name__} {error}")
            if not safe:
                raise lost from error
            return lost
        if response.status_code < 400:
            return response
        problem = problem_of(response.status_code, response.content)
        if not isinstance(problem, Busy):
            raise problem
        problem.retry_after = _seconds(response.headers.get("Retry-After", ""))
        return problem

    def lines(self, path: str, headers: Mapping[str, str]) -> Iterator[str]:
        """Yield the lines of an answer as they come, for as long as it lasts.

        Raises Problem if the server refuses, and Unreachable if the connection breaks.
        """
        waits = httpx.Timeout(self.terms.timeout, read=SILENCE)
        try:
            with self.http.stream(
                "GET", self.address(path), headers=dict(headers), timeout=waits
            ) as response:
                if response.status_code >= 400:
                    raise problem_of(response.status_code, response.read())
                yield from response.iter_lines()
        except httpx.TransportError as error:
            raise Unreachable(f"{path}: {type(error).__name__} {error}") from error

    def address(self, path: str) -> str:
        """Return the absolute address of a link, or of a path below the API's root."""
        if path.startswith(("http:", "https:", "/")):
            return urljoin(str(self.http.base_url), path)
        return urljoin(str(self.http.base_url), BELOW + path)


def _pause_of(found: Problem | Unreachable) -> float:
    return found.retry_after if isinstance(found, Busy) else 0.0


def _seconds(text: str) -> float:
    return float(text) if text.isascii() and text.isdigit() else 0.0
