"""Honour Idempotency-Key: a repeated request gets the first answer and takes effect once."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial, wraps
from hashlib import sha256
from typing import Any, Self

import msgspec
from django.db import IntegrityError, transaction
from django.http import HttpResponse
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.views import APIView

from api.http.encoding import encode
from api.http.problems import Problem, invalid_parameters
from api.models import Answered

ANSWER_KEPT_FOR = timedelta(days=1)
LONGEST_KEY = 100
REPLAYED = "Idempotency-Replayed"
"""The header that marks an answer as the one the request got the first time."""

Handler = Callable[..., Any]


class WriteResult:
    """The result of a request that writes: status, document and the address of a new resource.

    `tag` makes the ETag of the document, where it has one. `after` is work to do once the
    transaction is committed and no lock is held.
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
        self.after = after or _do_nothing
        self.kept = self.body

    def keep(self, document: object) -> Self:
        """Return the result; a repeated request gets this document, which is stored."""
        self.kept = encode(document)
        return self


def idempotent(handler: Handler) -> Handler:
    """Decorate a handler that returns a WriteResult so that a repeated request has no effect.

    A request is repeated if it comes from the same user with the same Idempotency-Key. It gets the
    first answer, even if the campaign or the user's seat has changed since.

    The effect and the answer are written in one transaction: neither is stored without the other,
    and of two simultaneous requests the second waits for the first. A failure is not stored,
    neither of the request nor of its `after`, so that it can be retried. Raises the problem
    `key-used` when the key was sent with another request.
    """

    @wraps(handler)
    def answer(view: APIView, request: Request, *args: Any, **kwargs: Any) -> HttpResponse:
        return _answer_once(request, partial(handler, view, request, *args, **kwargs))

    return answer


def is_repeated(request: Request) -> bool:
    """Return whether a request with the same key was answered before."""
    key = request.headers.get("Idempotency-Key")
    if key is None or not request.user.is_authenticated:
        return False
    kept = Answered.objects.filter(user=request.user, created__gte=timezone.now() - ANSWER_KEPT_FOR)
    return kept.filter(key=key[:LONGEST_KEY]).exists()


def _answer_once(request: Request, do: Callable[[], WriteResult]) -> HttpResponse:
    key = request.headers.get("Idempotency-Key")
    if key is None or not request.user.is_authenticated:
        done = do()
        done.after()
        return _answer(done)
    if not 1 <= len(key) <= LONGEST_KEY or not key.isprintable():
        raise invalid_parameters(
            **{"Idempotency-Key": f"Give 1 to {LONGEST_KEY} printable characters."}
        )
    try:
        with transaction.atomic():
            done = _remember_result(request, key, do)
    except IntegrityError:
        # The key is in use: the insert waited for the transaction of the first request.
        first = Answered.objects.filter(user=request.user, key=key).first()
        if first is None:
            raise
        return _again(request, first)
    return _finish_request(request, key, done)


def _remember_result(request: Request, key: str, do: Callable[[], WriteResult]) -> WriteResult:
    own_rows = Answered.objects.filter(user=request.user)
    own_rows.filter(created__lt=timezone.now() - ANSWER_KEPT_FOR).delete()
    row = own_rows.create(user=request.user, key=key, request=_fingerprint(request))
    done = do()
    row.status, row.location, row.etag, row.body = done.status, done.location, done.etag, done.kept
    row.save()
    return done


def _finish_request(request: Request, key: str, done: WriteResult) -> HttpResponse:
    try:
        done.after()
    except Exception:
        # The transaction is committed: without its answer, a retry repeats the request.
        Answered.objects.filter(user=request.user, key=key).delete()
        raise
    return _answer(done)


def _do_nothing() -> None:
    """Do nothing: the request leaves no work for later."""


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
    """Return a digest of the request, the same for any order of an object's members.

    The query counts where there is one, in any order of its parameters.
    """
    parts = [request.method, request.path, request.data, *sorted(request.query_params.lists())]
    return sha256(_in_order.encode(parts)).hexdigest()


_in_order = msgspec.json.Encoder(order="deterministic")


def _answer(result: WriteResult | Answered) -> HttpResponse:
    body = bytes(result.body)
    response = HttpResponse(body, status=result.status, content_type="application/json")
    if result.location:
        response["Location"] = result.location
    if result.etag:
        response["ETag"] = result.etag
    return response
