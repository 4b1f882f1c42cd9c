"""Idempotency-Key: a request that is sent again gets the answer of the first, done once."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial, wraps
from hashlib import sha256
from typing import Any

from django.db import IntegrityError, transaction
from django.http import HttpResponse
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.views import APIView

from api.http.encoding import encode
from api.http.problems import Problem, invalid
from api.models import Answered

KEPT = timedelta(days=1)
LONGEST_KEY = 100
REPLAYED = "Idempotency-Replayed"
"""The header that says that the answer is the one of the first time."""

Handler = Callable[..., Any]


class WriteResult:
    """What came of a request: its status, document and, where something was made, its address.

    `tag` makes the ETag of the document, where it has one. `after` is what is left to do
    when all that is kept and no lock is held any more.
    """

    def __init__(
        self,
        status: int,
        document: object,
        location: str = "",
        *,
        tag: Callable[[bytes], str] | None = None,
        after: Callable[[], None] | None = None,
    ) -> None:
        self.status = status
        self.body = encode(document)
        self.location = location
        self.etag = tag(self.body) if tag else ""
        self.after = after or _nothing


def idempotent(handler: Handler) -> Handler:
    """Return the handler of a request, whose Done is told; one that is sent again is not done
    again.

    Sent again is what comes from the same user with the same Idempotency-Key. It gets the first
    answer whatever has become of the campaign, and of his part in it, since.

    What is done and its answer are written in one transaction: neither is kept without the other,
    and of two that come at once the second waits for the first. What fails is not kept, so that it
    can be tried again; no more is it where what is left to do afterwards fails. Problem `key-used`
    when the key came with something else.
    """

    @wraps(handler)
    def answer(view: APIView, request: Request, *args: Any, **kwargs: Any) -> HttpResponse:
        return _answered(request, partial(handler, view, request, *args, **kwargs))

    return answer


def is_repeated(request: Request) -> bool:
    """Return whether a request with the same key was answered already: nothing will be done."""
    key = request.headers.get("Idempotency-Key")
    if key is None or not request.user.is_authenticated:
        return False
    kept = Answered.objects.filter(user=request.user, created__gte=timezone.now() - KEPT)
    return kept.filter(key=key[:LONGEST_KEY]).exists()


def _answered(request: Request, do: Callable[[], WriteResult]) -> HttpResponse:
    key = request.headers.get("Idempotency-Key")
    if key is None or not request.user.is_authenticated:
        done = do()
        done.after()
        return _answer(done)
    if not 1 <= len(key) <= LONGEST_KEY or not key.isprintable():
        raise invalid(**{"Idempotency-Key": f"Give 1 to {LONGEST_KEY} printable characters."})
    try:
        with transaction.atomic():
            done = _remembered(request, key, do)
    except IntegrityError:
        first = Answered.objects.filter(user=request.user, key=key).first()
        if first is None:
            raise
        return _again(request, first)
    return _finished(request, key, done)


def _remembered(request: Request, key: str, do: Callable[[], WriteResult]) -> WriteResult:
    mine = Answered.objects.filter(user=request.user)
    mine.filter(created__lt=timezone.now() - KEPT).delete()
    row = mine.create(user=request.user, key=key, request=_fingerprint(request))
    done = do()
    row.status, row.location, row.etag, row.body = done.status, done.location, done.etag, done.body
    row.save()
    return done


def _finished(request: Request, key: str, done: WriteResult) -> HttpResponse:
    try:
        done.after()
    except Exception:
        Answered.objects.filter(user=request.user, key=key).delete()
        raise
    return _answer(done)


def _nothing() -> None:
    """All is done."""


def _again(request: Request, first: Answered) -> HttpResponse:
    if first.request != _fingerprint(request):
        raise Problem(
            "key-used",
            f"The key {first.key!r} came before with another request; choose a new one for this.",
        )
    response = _answer(first)
    response[REPLAYED] = "true"
    return response


def _fingerprint(request: Request) -> str:
    said = [request.method, request.path, request.data]
    return sha256(encode(said)).hexdigest()


def _answer(given: WriteResult | Answered) -> HttpResponse:
    body = bytes(given.body)
    response = HttpResponse(body, status=given.status, content_type="application/json")
    if given.location:
        response["Location"] = given.location
    if given.etag:
        response["ETag"] = given.etag
    return response
