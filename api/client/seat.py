"""A client for one seat: its order sheets, its receipts and its stacks' prospects."""

from collections.abc import Iterator, Sequence

from . import documents as d
from .orders import MonthOrders, PreviousSheet, SheetDocument
from .reading import reader
from .wire import Wire


class Seat:
    """A seat of yours that gives orders."""

    def __init__(self, wire: Wire, campaign: str, number: int) -> None:
        self.wire = wire
        self.number = number
        self.at = f"campaigns/{campaign}/seats/{number}/"

    def sheet(self, month: str) -> "SheetDraft":
        """Return the order sheet for the current or the next month."""
        return SheetDraft(self.wire, f"{self.at}sheets/{month}/")

    def prospects(self, units: Sequence[int], *, leader: int = 0) -> d.ProspectsDocument:
        """Return where three marches may take units that stand together; leader -1 is nobody."""
        named = ",".join(map(str, units))
        return self.wire.get(
            f"{self.at}prospects/", d.ProspectsDocument, units=named, leader=leader or None
        )

    def receipts(self) -> Iterator[d.ReceiptDocument]:
        """Yield the receipts of your submissions for the seat, the latest first."""
        return self.wire.pages(f"{self.at}receipts/", d.ReceiptDocument)


class SheetDraft:
    """An order sheet to edit; a write fails if somebody else has written since it was read."""

    def __init__(self, wire: Wire, at: str) -> None:
        self.wire = wire
        self.at = at
        self._tag = ""

    def read(self) -> SheetDocument:
        """Return the stored sheet."""
        document, self._tag = self.wire.look(self.at, SheetDocument)
        return document

    def previous(self) -> MonthOrders:
        """Return the seat's latest orders, to copy from."""
        return self.wire.get(f"{self.at}previous/", PreviousSheet).sheet

    def check(self, sheet: MonthOrders) -> d.CheckedSheet:
        """Return the sheet read back in sentences, with its faults; nothing is stored."""
        return self.wire.write("POST", f"{self.at}check/", d.CheckedSheet, {"sheet": sheet})

    def write(self, sheet: MonthOrders, *, salt: str = "") -> SheetDocument:
        """Save the whole sheet as a draft; `salt`, in hexadecimal, is mixed into the month's dice.

        Raises Stale if somebody has written since it was read.
        """
        return self._change("PUT", "", {"sheet": sheet} | ({"salt": salt} if salt else {}))

    def submit(self) -> SheetDocument:
        return self._change("PUT", "submission/")

    def take_back(self) -> SheetDocument:
        """Withdraw the sheet: it is a draft again."""
        return self._change("DELETE", "submission/")

    def ready(self) -> SheetDocument:
        """Mark the seat as ready, so that the month need not wait; this submits the sheet too."""
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
