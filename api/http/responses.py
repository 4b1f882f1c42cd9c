"""Encode and compress answers once, cache those of months, answer 304, page through lists."""

import re
import sys
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, date, datetime
from functools import lru_cache
from gzip import compress
from hashlib import sha256
from threading import Lock
from typing import Any, NamedTuple

import brotli
import zstandard
from csp.constants import HEADER as POLICY_HEADER
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseNotModified
from django.utils.cache import get_conditional_response
from django.utils.http import http_date
from django.views.defaults import server_error
from rest_framework.exceptions import NotFound
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request
from rest_framework.utils.urls import replace_query_param

from api.http.encoding import encode
from api.http.problems import (
    MEDIA_TYPE,
    TYPES,
    Problem,
    invalid_parameters,
    problem_of,
    unfit_parameters,
)
from api.models import Published
from campaign.rules.sight import Viewer
from campaign.services.errors import OUT_OF_REACH
from campaign.web.error_pages import out_of_reach
from ops.http_policy import DOCUMENT_POLICY

# Encode and compress answers once, and answer 304 when the client's copy is current.
#
# Errors raised outside any view, such as by the session middleware, become problem documents too.


FOR_EVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "public, no-cache"
ASK_AGAIN_ALONE = "private, no-cache"
WORTH_COMPRESSING = 200  # bytes; less is sent as it is by the middleware too
PLAIN = "identity"
IF_MATCH = "HTTP_IF_MATCH"
SAFE = ("GET", "HEAD")

_PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "br": lambda body: brotli.compress(body, quality=6),
    "zstd": lambda body: zstandard.ZstdCompressor(level=12).compress(body),
    "gzip": lambda body: compress(body, compresslevel=6, mtime=0),
}
"""The content encodings by preference: of two with equal weight, the first is sent.

From quality 9 on brotli takes ten times as long, for one byte in fifty: most answers are sent once.
"""
ENCODINGS = tuple(_PACKERS)
WEAK = "W/"
_ENCODED = re.compile(f'-({"|".join(ENCODINGS)})"$')


def version_tag(etag: str) -> str:
    """Return the ETag of the version, whatever encoding it was sent in, or however weakened."""
    return _ENCODED.sub('"', etag.strip().removeprefix(WEAK))


def names_version(header: str, etag: str) -> bool:
    """Return whether a list of ETags names the version of this one.

    The answer to a write has the tag without an encoding; its sender has the version all the same.
    """
    return header == etag or version_tag(etag) in map(version_tag, header.split(","))


class EncodedDocument:
    """An answer as bytes, compressed once for each encoding that clients ask for.

    Its ETag is weak: the bytes differ by encoding, the meaning does not. One that is replaced by a
    strong ETag, for If-Match, is sent with the name of the encoding (RFC 9110, 8.8.3).
    """

    def __init__(self, content: object) -> None:
        self._bytes = {PLAIN: encode(content)}
        self.etag = f'W/"{sha256(self._bytes[PLAIN]).hexdigest()[:32]}"'

    @classmethod
    def packed(cls, etag: str, encodings: Mapping[str, bytes]) -> "EncodedDocument":
        """Return a document from bytes compressed earlier; `zstd` must be among them."""
        document = cls.__new__(cls)
        document.etag, document._bytes = etag, dict(encodings)
        return document

    @property
    def body(self) -> bytes:
        """Return the uncompressed bytes."""
        if PLAIN not in self._bytes:
            self._bytes[PLAIN] = zstandard.ZstdDecompressor().decompress(self._bytes["zstd"])
        return self._bytes[PLAIN]

    def encoded(self, encoding: str) -> bytes:
        """Return the bytes in one of the ENCODINGS, or PLAIN."""
        if encoding == PLAIN:
            return self.body
        if encoding not in self._bytes:
            self._bytes[encoding] = _PACKERS[encoding](self.body)
        return self._bytes[encoding]

    def accepted(self, accepts: str) -> str:
        """Return the best encoding for the header Accept-Encoding."""
        encoding = encoding_for(accepts)
        return PLAIN if encoding != PLAIN and len(self.body) < WORTH_COMPRESSING else encoding

    def tag(self, accepts: str) -> str:
        """Return the ETag of the bytes that are sent for the header Accept-Encoding."""
        if self.etag.startswith(WEAK) or (encoding := self.accepted(accepts)) == PLAIN:
            return self.etag
        return f'{self.etag[:-1]}-{encoding}"'


@lru_cache(maxsize=256)
def encoding_for(accepts: str) -> str:
    """Return the best of ENCODINGS for an Accept-Encoding header (RFC 9110, 12.5.3), or PLAIN."""
    weights = dict(_parse_weight(part) for part in accepts.lower().split(",") if part.strip())
    others = weights.get("*", 0.0)
    best = max(ENCODINGS, key=lambda name: weights.get(name, others))
    weight = weights.get(best, others)
    return best if weight > 0 and weight >= weights.get(PLAIN, 0.0) else PLAIN


def _parse_weight(part: str) -> tuple[str, float]:
    """Return an encoding and its weight; 0 if the weight is not a number."""
    name, _, parameter = part.partition(";")
    _, separator, weight = parameter.partition("q=")
    try:
        return name.strip(), float(weight) if separator else 1.0
    except ValueError:
        return name.strip(), 0.0


def respond(
    request: Request | HttpRequest,
    document: EncodedDocument,
    caching: str,
    *,
    media: str = "",
    vary: str = "Accept-Encoding",
) -> HttpResponse:
    """Return the document in an encoding that the client accepts, or 304 if theirs is current.

    Preconditions are those of a GET: in a request that writes they are about what is written. Its
    media type is `media`, or without that the one that was negotiated.
    """
    response: HttpResponse | None = None
    accepts = request.META.get("HTTP_ACCEPT_ENCODING", "")
    tags, tag = request.META.get("HTTP_IF_NONE_MATCH", ""), document.tag(accepts)
    if request.method in SAFE and not request.META.get(IF_MATCH) and names_version(tags, tag):
        response = HttpResponseNotModified()
    elif request.method in SAFE:
        response = get_conditional_response(request, etag=tag)
    if response is None:
        encoding = document.accepted(accepts)
        body = document.encoded(encoding)
        response = HttpResponse(
            body,
            content_type=media or vars(request)["accepted_renderer"].media_type,
            headers={"Content-Length": str(len(body))},
        )
        if encoding != PLAIN:
            response.headers["Content-Encoding"] = encoding
    elif response.status_code == 412:
        raise Problem("precondition-failed", "What is here is not what `If-Match` names.")
    response.headers["ETag"] = tag
    response.headers["Cache-Control"] = caching
    response.headers["Vary"] = vary
    response.headers[POLICY_HEADER] = DOCUMENT_POLICY
    return response


def render_server_error(request: HttpRequest) -> HttpResponse:
    """Handle an uncaught error: a problem document for programs, a page for people."""
    failure = sys.exc_info()[1]
    if request.path.startswith("/api/"):
        return _problem(request, failure)
    if isinstance(failure, OUT_OF_REACH):
        return out_of_reach(failure)
    return server_error(request)


def _problem(request: HttpRequest, failure: BaseException | None) -> HttpResponse:
    problem = problem_of(failure if isinstance(failure, Exception) else Exception())
    return HttpResponse(
        encode(problem.document(request.path)),
        status=TYPES[problem.type].status,
        headers={"Cache-Control": "no-store", POLICY_HEADER: DOCUMENT_POLICY, **problem.headers},
        content_type=MEDIA_TYPE,
    )


# Announce the end of an operation: the headers Deprecation (RFC 9745) and Sunset (RFC 8594).


class Deprecation(NamedTuple):
    """The day on which an operation was deprecated, and the first day on which it may be gone."""

    since: date
    sunset: date
    instead: str
    """The operation to use instead, such as `PATCH /api/v1/campaigns/{slug}/`."""

    def announce(self, response: HttpResponseBase, policy: str) -> None:
        """Add the headers to the response; `policy` is the address that explains them."""
        response["Deprecation"] = f"@{_seconds(self.since)}"
        response["Sunset"] = http_date(_seconds(self.sunset))
        response["Link"] = f'<{policy}>; rel="deprecation"; type="text/html"'


def _seconds(day: date) -> int:
    return int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp())


# Split long lists into pages by cursor.


PAGES = frozenset({"page", "limit"})
"""The query parameters of a paged list."""


class Newest(CursorPagination):
    """Cursor pagination, the newest first; pages stay stable while items are added."""

    cursor_query_param = "page"
    ordering = "-id"
    page_size = 25
    max_page_size = 100
    page_size_query_param = "limit"

    def get_page_size(self, request: Request) -> int:
        return limit_of(request, default=self.page_size, most=self.max_page_size)

    def decode_cursor(self, request: Request) -> Any:
        try:
            cursor = super().decode_cursor(request)
        except NotFound as error:
            raise _no_page() from error
        if cursor is not None and cursor.position is None and not cursor.offset:
            raise _no_page()
        return cursor

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any]:
        try:
            page: list[Any] = super().paginate_queryset(queryset, request, view)
        except ValueError as error:
            raise _no_page() from error
        self.base_url = request.get_full_path()
        return page

    def document(self, results: Iterable[object]) -> dict[str, object]:
        """Return the page with the addresses of its neighbours."""
        return {
            "results": list(results),
            "next": self.get_next_link(),
            "previous": self.get_previous_link(),
        }


def limit_of(request: Request, *, default: int, most: int) -> int:
    """Return the number of results asked for; Problem unless it is from 1 to `most`."""
    text = request.query_params.get("limit", str(default))
    if not (text.isascii() and text.isdigit() and len(text) < 9 and 1 <= int(text) <= most):
        raise invalid_parameters(
            limit=f"{text!r} will not do: give a whole number from 1 to {most}."
        )
    return int(text)


def page_link(request: Request, cursor: str) -> str:
    """Return the address of the page of the same list that begins at the cursor."""
    return str(replace_query_param(request.get_full_path(), "page", cursor))


def _no_page() -> Problem:
    return unfit_parameters(
        page="That is no page of this list: follow `next` or `previous` as they are given."
    )


# Cache the pages of months in this process; published ones were encoded when the month turned.


CACHED_DOCUMENTS = 256
"""The most documents that a process caches: some megabytes."""


class CacheKey(NamedTuple):
    """The key of a month's page: its kind, the campaign's version, the month and the viewer.

    Two keys are equal only if the bytes of their pages are.
    """

    kind: str
    version: tuple[object, ...]
    month: int
    eyes: Viewer

    @property
    def digest(self) -> str:
        return sha256(repr(tuple(map(str, self))).encode()).hexdigest()


class DocumentCache:
    """A thread-safe LRU cache of documents."""

    def __init__(self) -> None:
        self._documents: OrderedDict[CacheKey, EncodedDocument] = OrderedDict()
        self._lock = Lock()

    def get(self, place: CacheKey) -> EncodedDocument | None:
        with self._lock:
            document = self._documents.get(place)
            if document is not None:
                self._documents.move_to_end(place)
            return document

    def put(self, place: CacheKey, document: EncodedDocument) -> EncodedDocument:
        """Store the document and return it."""
        with self._lock:
            self._documents[place] = document
            while len(self._documents) > CACHED_DOCUMENTS:
                self._documents.popitem(last=False)
        return document


shelf = DocumentCache()


def document_at(place: CacheKey, make: Callable[[], object]) -> EncodedDocument:
    """Return the page: from the cache, as it was published, or made now and cached."""
    document = shelf.get(place)
    return document or shelf.put(place, _published_document(place) or EncodedDocument(make()))


def _published_document(place: CacheKey) -> EncodedDocument | None:
    row = Published.objects.filter(key=place.digest).first()
    if row is None:
        return None
    return EncodedDocument.packed(row.etag, {name: bytes(getattr(row, name)) for name in ENCODINGS})
