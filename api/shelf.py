"""Pages of months that are encoded already: in this process, or since they were published."""

from collections import OrderedDict
from collections.abc import Callable
from hashlib import sha256
from threading import Lock
from typing import NamedTuple

from api.http.responses import ENCODINGS, EncodedDocument
from api.models import Published
from campaign.rules.sight import Viewer

KEPT = 256
"""Documents a process keeps encoded: some megabytes."""


class Place(NamedTuple):
    """Which page of a month it is, of which version of the campaign, and for whose eyes.

    Two are equal only when the bytes of the two pages are.
    """

    kind: str
    version: tuple[object, ...]
    month: int
    eyes: Viewer

    @property
    def digest(self) -> str:
        return sha256(repr(tuple(map(str, self))).encode()).hexdigest()


class Shelf:
    """The documents that were last asked for; it may be used by several threads at once."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._documents: OrderedDict[Place, EncodedDocument] = OrderedDict()
        self._lock = Lock()

    def get(self, place: Place) -> EncodedDocument | None:
        with self._lock:
            found = self._documents.get(place)
            if found is not None:
                self._documents.move_to_end(place)
            return found

    def put(self, place: Place, document: EncodedDocument) -> EncodedDocument:
        """Return the document, which lies there from now on."""
        with self._lock:
            self._documents[place] = document
            while len(self._documents) > self._size:
                self._documents.popitem(last=False)
        return document


shelf = Shelf(KEPT)


def document_at(place: Place, make: Callable[[], object]) -> EncodedDocument:
    """Return the page of that place: from the shelf, as it was published, or made now and laid
    there.
    """
    found = shelf.get(place)
    return found or shelf.put(place, _published(place) or EncodedDocument(make()))


def _published(place: Place) -> EncodedDocument | None:
    row = Published.objects.filter(key=place.digest).first()
    if row is None:
        return None
    return EncodedDocument.packed(row.etag, {name: bytes(getattr(row, name)) for name in ENCODINGS})
