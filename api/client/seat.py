"""A seat: its order sheets and receipts, and where its stacks may hope to come to."""

from collections.abc import Iterator, Sequence

from . import documents as d
from .orders import PreviousSheet, Sheet, SheetDocument
from .reading import reader
from .wire import Wire


class Seat:
    """A seat of yours that gives orders."""

    def __init__(self, wire: Wire, campaign: str, number: int) -> None:
        self.wire = wire
        self.number = number
        self.at = f"campaigns/{campaign}/seats/{number}/"

    def sheet(self, month: str) -> "Desk":
        """Return the order sheet for a month: the present one, or the next."""
        return Desk(self.wire, f"{self.at}sheets/{month}/")

    def prospects(self, units: Sequence[int], *, leader: int = 0) -> d.ProspectsDocument:
        """Where three marches may take units that stand together; leader -1 is nobody."""
        named = ",".join(map(str, units))
        return self.wire.get(
            f"{self.at}prospects/", d.ProspectsDocument, units=named, leader=leader or None
        )

    def receipts(self) -> Iterator[d.ReceiptDocument]:
        """Return the receipts of what you have written there, the latest first."""
        return self.wire.pages(f"{self.at}receipts/", d.ReceiptDocument)


class Desk:
    """An order sheet on the desk: what is written is what was read, or nothing is written."""

    def __init__(self, wire: Wire, at: str) -> None:
        self.wire = wire
        self.at = at
        self._tag = ""

    def read(self) -> SheetDocument:
        """Return the sheet as it is kept now."""
        document, self._tag = self.wire.look(self.at, SheetDocument)
        return document

    def previous(self) -> Sheet:
        """What the seat ordered last, to copy from."""
        return self.wire.get(f"{self.at}previous/", PreviousSheet).sheet

    def check(self, sheet: Sheet) -> d.CheckedSheet:
        """Return the sheet read back in sentences, and what is wrong in it; nothing is kept."""
        return self.wire.write("POST", f"{self.at}check/", d.CheckedSheet, {"sheet": sheet})

    def write(self, sheet: Sheet, *, salt: str = "") -> SheetDocument:
        """Keep the whole sheet as a draft; `salt`, in hexadecimal, goes into the month's dice.

        Raises Stale where somebody has written since it was read.
        """
        return self._change("PUT", "", {"sheet": sheet} | ({"salt": salt} if salt else {}))

    def submit(self) -> SheetDocument:
        return self._change("PUT", "submission/")

    def take_back(self) -> SheetDocument:
        """It is a draft again."""
        return self._change("DELETE", "submission/")

    def ready(self) -> SheetDocument:
        """Say that the month need not wait for you; that submits the sheet as well."""
        return self._change("PUT", "readiness/")

    def not_ready(self) -> SheetDocument:
        return self._change("DELETE", "readiness/")

    def _change(self, method: str, below: str, body: object = None) -> SheetDocument:
        if not self._tag:
            self.read()
        response = self.wire.done(method, f"{self.at}{below}", body, once=True, match=self._tag)
        self._tag = response.headers.get("ETag", "")
        told: SheetDocument = reader(SheetDocument).decode(response.content)
        return told
