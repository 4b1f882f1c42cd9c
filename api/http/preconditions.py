"""Preconditions by If-Match: a write succeeds only against the version its author has read."""

import re
from collections.abc import Callable, Mapping
from functools import wraps
from hashlib import sha256
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import UUID

import msgspec
from django.contrib.auth import get_user_model
from django.db import transaction
from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.views import APIView

from api.http.idempotency import Handler
from api.http.problems import Problem
from api.http.responses import ASK_AGAIN_ALONE, EncodedDocument, names_version, respond, version_tag
from battles.core.decoding import decoder_for
from battles.journal import Stale
from battles.models import Battle
from campaign.models import Campaign

if TYPE_CHECKING:
    from django.db.models import QuerySet

T = TypeVar("T")
UNKNOWN_TAG = "Nothing was done: `If-Match` names none of the ETags there were."
CHANGED_SINCE = "Nothing was done: it has changed since you read it."


BEFORE_ANY = "0"
"""The version of a campaign that has no entry yet."""


def version_named(request: Request) -> str | None:
    """Return the version that the request's If-Match names; None for `*`, which is any.

    Raises the problem `precondition-required` without the header, and `precondition-failed` for a
    malformed tag. Only the part before the hash is compared: the rest of the document may have
    changed since.
    """
    tag = _tag_named(request)
    if tag == "*":
        return None
    version, _, digest = tag.strip('"').rpartition(".")
    # The `version` of a fight, `0.3-...`, is no ETag: it would be taken for that of another entry.
    if not (re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", version) and digest.isalnum()):
        raise Problem("precondition-failed", UNKNOWN_TAG)
    return version


def revision_named(request: Request) -> int | None:
    """Return the revision that If-Match names; None for `*`. Raises as `version_named` does."""
    version = version_named(request)
    if version is None:
        return None
    if "." in version:
        raise Problem("precondition-failed", UNKNOWN_TAG)
    return int(version)


def _tag_named(request: Request) -> str:
    """Return the ETag in If-Match, or `*`; the problem `precondition-required` without one."""
    header: str | None = request.headers.get("If-Match")
    if header is None:
        raise Problem(
            "precondition-required",
            "Nothing was done: send `If-Match` with the ETag of what you have read, or `*` for any "
            "version.",
        )
    return version_tag(header)


def head_named(request: Request, campaign: Campaign) -> int | None:
    """Return the entry that If-Match names as the last; 0 before any, None for `*`."""
    version = version_named(request)
    if version is None:
        return None
    if version == BEFORE_ANY:
        return 0
    branch, _, number = version.partition(".")
    if not number:
        raise Problem("precondition-failed", UNKNOWN_TAG)
    entry = campaign.entries.filter(branch=int(branch), number=int(number)).first()
    if entry is None:
        raise Problem("precondition-failed", UNKNOWN_TAG)
    return entry.pk


def current_head_named(request: Request, campaign: Campaign) -> int | None:
    """Return the head that If-Match names. Raises `precondition-failed` if it is not the head now.

    The services check it once more, under the lock.
    """
    seen = head_named(request, campaign)
    if seen not in (None, campaign.head_id or 0):
        raise Problem("precondition-failed", "The campaign has gone on since you looked.")
    return seen


def check_unchanged(request: Request, content: object) -> None:
    """Raise the problem `precondition-failed` unless If-Match names the content as it is now."""
    tag = _tag_named(request)
    if tag != "*" and tag != version_tag(EncodedDocument(content).etag):
        raise Problem("precondition-failed", CHANGED_SINCE)


CHANGES = frozenset({"put", "patch", "delete"})
"""The methods that change or delete what GET of the same address reads."""


def unless_changed(handler: Handler) -> Handler:
    """Decorate a method that changes something, to refuse an If-Match that names another version.

    The present version is the ETag that GET of the address gives the caller. Comparison and change
    are one transaction, and of two writers the second waits until the first has finished, so they
    never both pass.
    """

    @wraps(handler)
    def checked(view: APIView, request: Request, *args: Any, **kwargs: Any) -> Any:
        header = request.headers.get("If-Match", "*")
        if header.strip() == "*" or not hasattr(view, "get"):
            return handler(view, request, *args, **kwargs)
        with transaction.atomic():
            _lock_owner(request, kwargs)
            tag = view.get(request, *args, **kwargs).headers.get("ETag", "")
            if not names_version(header, tag):
                raise Problem("precondition-failed", CHANGED_SINCE)
            return handler(view, request, *args, **kwargs)

    return checked


def _lock_owner(request: Request, url_kwargs: Mapping[str, Any]) -> None:
    """Lock the campaign, the battle or the account to which the address belongs.

    SQLite knows no locks of rows: there a transaction admits one writer from its beginning. The
    user was read before the lock, so is read again for an address of the account.
    """
    if "slug" in url_kwargs:
        _lock(Campaign.objects.filter(slug=url_kwargs["slug"]))
        return
    if isinstance(url_kwargs.get("id"), UUID) and _lock(
        Battle.objects.filter(uuid=url_kwargs["id"])
    ):
        return
    if _lock(get_user_model().objects.filter(pk=request.user.pk)):
        request.user.refresh_from_db()


def _lock(rows: "QuerySet[Any]") -> bool:
    """Lock the rows; return whether there are any."""
    return bool(rows.select_for_update().values_list("pk"))


class _Versioned(msgspec.Struct):
    """The field that a document's ETag is made from, besides a hash of the whole."""

    version: str | None = None
    cursor: str | None = None


def etag_of(body: bytes) -> str:
    """Return the ETag of a document: what If-Match compares, and a hash.

    It compares the `cursor` of what has a journal, and else the `version`.
    """
    fields = decoder_for(_Versioned).decode(body)
    return f'"{fields.cursor or fields.version or 0}.{sha256(body).hexdigest()[:8]}"'


def respond_with_version(request: Request, content: object) -> HttpResponse:
    """Return a document that has a `version`, with the ETag that If-Match takes."""
    document = EncodedDocument(content)
    document.etag = etag_of(document.body)
    return respond(request, document, ASK_AGAIN_ALONE)


def unless_stale(do: Callable[[], T]) -> T:
    """Return the result of `do`; raise the problem `precondition-failed` for a stale revision."""
    try:
        return do()
    except Stale as stale:
        raise Problem("precondition-failed", str(stale)) from stale
