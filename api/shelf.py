"""A cache of encoded pages of months, in this process and from the published ones."""

from collections import OrderedDict
from collections.abc import Callable
from hashlib import sha256
from threading import Lock
from typing import NamedTuple

from api.http.responses import ENCODINGS, EncodedDocument
from api.models import Published
from campaign.rules.sight import Viewer

KEPT = 256
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

    def __init__(self, size: int) -> None:
        self._size = size
        self._documents: OrderedDict[CacheKey, EncodedDocument] = OrderedDict()
        self._lock = Lock()

    def get(self, place: CacheKey) -> EncodedDocument | None:
        with self._lock:
            found = self._documents.get(place)
            if found is not None:
                self._documents.move_to_end(place)
            return found

    def put(self, place: CacheKey, document: EncodedDocument) -> EncodedDocument:
        """Store the document and return it."""
        with self._lock:
            self._documents[place] = document
            while len(self._documents) > self._size:
                self._documents.popitem(last=False)
        return document


shelf = DocumentCache(KEPT)


def document_at(place: CacheKey, make: Callable[[], object]) -> EncodedDocument:
    """Return the page: from the cache, as it was published, or made now and cached."""
    found = shelf.get(place)
    return found or shelf.put(place, _published_document(place) or EncodedDocument(make()))


def _published_document(place: CacheKey) -> EncodedDocument | None:
    row = Published.objects.filter(key=place.digest).first()
    if row is None:
        return None
    return EncodedDocument.packed(row.etag, {name: bytes(getattr(row, name)) for name in ENCODINGS})
