"""Log in while a program runs, retry requests that are safe to repeat, and raise refusals."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Literal, TypeVar
from uuid import uuid4

import httpx

from .api.access import delete_tokens, post_tokens
from .api.jobs import get_job
from .client import AuthenticatedClient, Client
from .models import Credentials, JobDocument, Problem, ProblemError
from .types import UNSET, Response

T = TypeVar("T")
Scope = Literal["read", "orders", "umpire"]

TIMEOUT = 30.0
"""The seconds to wait for an answer: a log-in may take some on a busy server."""
PATIENCE = 180.0
"""The seconds in all that a request waits before it is sent again for the last time."""
FIRST_PAUSE = 0.5
"""The seconds before the second attempt, if the server names none; doubled each time."""
POLL = 1.0
"""The seconds between two looks at a job."""


class Refused(Exception):
    """A request that the server refused, with its problem document (RFC 9457).

    `name` is the last part of the problem's type, such as "illegal-action". `clause` is the clause
    of the rules that forbids the action, `remedy` what to do instead. `errors` are the faults of
    the body, each with a JSON Pointer. `document` is the whole problem; it is empty if a proxy
    answered in place of the server.
    """

    def __init__(self, status: int, document: dict[str, Any], text: str = "") -> None:
        self.status = status
        self.document = document
        self.name = str(document.get("type", "")).rstrip("/").rpartition("/")[2]
        self.detail = str(document.get("detail", text))
        self.clause: str | None = document.get("clause")
        self.remedy: str | None = document.get("remedy")
        self.errors = [ProblemError.from_dict(error) for error in document.get("errors") or ()]
        clause = f"(clause {self.clause})" if self.clause else ""
        faults = (f"{fault.pointer or fault.parameter}: {fault.detail}" for fault in self.errors)
        parts = (str(status), self.detail, clause, *faults, self.remedy or "")
        super().__init__(" ".join(part for part in parts if part))


class JobFailed(Exception):
    """A job that has failed or was cancelled; its message says why."""


class Connection(httpx.Client):
    """An HTTP connection that sends requests again where this is safe, and raises refusals.

    After 429 and 503 it waits for as long as Retry-After says. After a connection that broke, it
    repeats a GET, and what has an idempotency key: the server carries that out only once.
    """

    def send(self, request: httpx.Request, **options: Any) -> httpx.Response:
        """Return a successful answer.

        Raises Refused, and httpx.TransportError if there is no answer.
        """
        request.read()  # so that a file can be sent again
        repeatable = request.method == "GET" or "Idempotency-Key" in request.headers
        waited, pause = 0.0, FIRST_PAUSE
        while True:
            failure: Exception
            try:
                response = super().send(request, **options)
            except httpx.TransportError as error:
                if not repeatable and not isinstance(error, httpx.ConnectError):
                    raise
                failure, wait = error, pause
            else:
                if response.status_code < 400:
                    return response
                failure = refusal(response)
                if response.status_code not in (429, 503):
                    raise failure
                wait = seconds(response.headers.get("Retry-After")) or pause
            if waited + wait > PATIENCE:
                raise failure
            time.sleep(wait)
            waited, pause = waited + wait, pause * 2


def refusal(response: httpx.Response) -> Refused:
    """Return the exception for an answer with an error status, and close the answer."""
    response.read()
    response.close()
    try:
        document = response.json()
    except ValueError:
        document = None
    return Refused(
        response.status_code, document if isinstance(document, dict) else {}, response.text[:200]
    )


def seconds(text: str | None) -> float:
    """Return the seconds of a Retry-After header; 0 if there is none."""
    return float(text) if text and text.isascii() and text.isdigit() else 0.0


def anonymous(url: str) -> Client:
    """Return a client without a user, for what is public."""
    return Client(base_url=url).set_httpx_client(Connection(base_url=url, timeout=TIMEOUT))


def with_token(url: str, token: str) -> AuthenticatedClient:
    """Return a client that sends a token."""
    headers = {"Authorization": f"Bearer {token}"}
    connection = Connection(base_url=url, headers=headers, timeout=TIMEOUT)
    return AuthenticatedClient(base_url=url, token=token).set_httpx_client(connection)


@contextmanager
def logged_in(
    url: str,
    username: str,
    password: str,
    *,
    scopes: Sequence[Scope] | None = None,
    name: str = "A program in Python",
) -> Iterator[AuthenticatedClient]:
    """Yield a client with a new token, which is revoked at the end.

    Without `scopes` the token may do everything that the user may do. Raises Refused.
    """
    credentials = Credentials(
        username=username,
        password=password,
        name=name,
        scopes=UNSET if scopes is None else list(scopes),
    )
    with anonymous(url) as visitor:
        token = body(post_tokens.sync(client=visitor, body=credentials)).token
    with with_token(url, token) as client:
        try:
            yield client
        finally:
            with suppress(Refused, httpx.HTTPError):
                delete_tokens.sync_detailed(client=client)


def body(parsed: T | Problem | None) -> T:
    """Return the document of an answer that has one: `body(get_account.sync(client=client))`."""
    if parsed is None or isinstance(parsed, Problem):
        raise TypeError("The answer has no document.")  # a refusal was raised before
    return parsed


def tagged(response: Response[T | Problem]) -> tuple[T, str]:
    """Return a document with its ETag, for If-Match when you change it.

    Call the operation by `sync_detailed`: `sheet, tag = tagged(get_sheet.sync_detailed(...))`.
    """
    return body(response.parsed), response.headers.get("ETag", "*")


def new_key() -> str:
    """Return an idempotency key: a request that has one is safely sent again."""
    return uuid4().hex


def wait_for(job: JobDocument, *, client: AuthenticatedClient) -> JobDocument:
    """Return the job when it has succeeded. Raises JobFailed."""
    while job.status in ("pending", "running"):
        time.sleep(POLL)
        job = body(get_job.sync(job.uuid, client=client))
    if job.status != "succeeded":
        raise JobFailed(job.message or job.status)
    return job
