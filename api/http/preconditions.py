"""Preconditions by If-Match: a write succeeds only against the version its author has read."""

from collections.abc import Callable
from hashlib import sha256
from typing import TypeVar

from rest_framework.request import Request

from api.http.problems import Problem
from battles.history.journal import Stale

T = TypeVar("T")


def revision_named(request: Request) -> int | None:
    """Return the revision that the request's If-Match names; None for `*`, which is any.

    Raises the problem `precondition-required` without the header, and `precondition-failed` for a
    malformed tag. Only the number before the full stop counts: a sheet that was submitted or made
    ready since has the same revision.
    """
    named = request.headers.get("If-Match", "").strip()
    if not named:
        raise Problem(
            "precondition-required",
            "Send `If-Match` with the ETag of the sheet as you have read it, or `*` for any.",
        )
    if named == "*":
        return None
    number = named.removeprefix("W/").strip('"').partition(".")[0]
    if not (number.isascii() and number.isdigit() and len(number) < 10):
        raise Problem("precondition-failed", "`If-Match` names none of the ETags there were.")
    return int(number)


def make_etag(version: str | int, body: bytes) -> str:
    """Return the ETag of a document: the version that If-Match compares, and a hash."""
    return f'"{version}.{sha256(body).hexdigest()[:8]}"'


def unless_stale(do: Callable[[], T]) -> T:
    """Return the result of `do`; the problem `precondition-failed` for a stale revision."""
    try:
        return do()
    except Stale as stale:
        raise Problem("precondition-failed", str(stale)) from stale
