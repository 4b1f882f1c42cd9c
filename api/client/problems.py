"""The server's problem documents (RFC 9457) as exceptions."""

from typing import Any

import msgspec

from .reading import reader


class Problem(Exception):
    """A refusal by the server: its reason, its clause and its remedy.

    `name` is the last part of its type, such as "illegal-action"; members that the document lacks
    are empty.
    """

    def __init__(self, status: int, document: dict[str, Any]) -> None:
        self.status = status
        self.type = str(document.get("type", ""))
        self.name = self.type.rstrip("/").rpartition("/")[2]
        self.title = str(document.get("title", ""))
        self.detail = str(document.get("detail", ""))
        self.clause = document.get("clause") or ""
        self.remedy = document.get("remedy") or ""
        self.fields: dict[str, Any] = document.get("fields") or {}
        self.job = document.get("job") or ""
        self.cursor = document.get("cursor") or ""
        self.scope = document.get("scope") or ""
        super().__init__(self._said())

    def _said(self) -> str:
        clause = f" (clause {self.clause})" if self.clause else ""
        fields = "".join(f" {name}: {what}" for name, what in self.fields.items())
        return f"{self.status} {self.title}: {self.detail}{clause}{fields} {self.remedy}".strip()


class BadRequest(Problem):
    """The request is malformed or does not fit: 400, 413, 415 or 422."""


class NotLoggedIn(Problem):
    """The token is missing or no longer valid: 401."""


class NotAllowed(Problem):
    """Your seat, or your token's scopes, do not allow it: 403."""


class NotFound(Problem):
    """Nothing has that address, or nothing that you may know of: 404."""


class Refused(Problem):
    """It cannot be done as things stand: 409."""


class IllegalAction(Refused):
    """The rules forbid it: `clause` says which, `remedy` what to do instead."""


class Gone(Problem):
    """An invitation that is spent, or a cursor that the umpire has rewound past: 410.

    In the second case `cursor` is the last one that still holds.
    """


class Stale(Problem):
    """A precondition failed, as somebody has written since: nothing was done (409, 412, 428)."""


class Busy(Problem):
    """Too many requests, or a server that stayed down beyond our patience: 429, 503.

    `retry_after` is the number of seconds to wait.
    """

    retry_after: float = 0.0


class Broken(Problem):
    """The server has failed: 5xx."""


class Unreachable(Exception):
    """The server has not answered."""


class JobFailed(Exception):
    """A job has failed; its message says why."""


_BY_NAME: dict[str, type[Problem]] = {
    "illegal-action": IllegalAction,
    "stale": Stale,
    "precondition-failed": Stale,
    "precondition-required": Stale,
}
_BY_STATUS: dict[int, type[Problem]] = {
    401: NotLoggedIn,
    403: NotAllowed,
    404: NotFound,
    409: Refused,
    410: Gone,
    429: Busy,
    503: Busy,
}


def problem_of(status: int, body: bytes) -> Problem:
    """Return the exception for an answer with an error status."""
    document = _document(body)
    name = str(document.get("type", "")).rstrip("/").rpartition("/")[2]
    usual = Broken if status >= 500 else BadRequest
    kind = _BY_NAME.get(name) or _BY_STATUS.get(status, usual)
    return kind(status, document)


def _document(body: bytes) -> dict[str, Any]:
    """Return the problem document, or a substitute for a proxy's error page."""
    try:
        found: dict[str, Any] = reader(dict[str, Any]).decode(body)
    except msgspec.DecodeError:
        return {"title": "No problem document", "detail": body[:200].decode(errors="replace")}
    return found
