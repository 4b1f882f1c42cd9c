"""What a difference between two scores means, for charges and hand-to-hand combats alike."""

from typing import NamedTuple

from battles.books.redcoats.book import book


class Outcome(NamedTuple):
    """What is to happen. `loser`: "charger", "charged", "lower" or nobody.

    `back`: squares it falls back; `figures`: it loses; `enters`: the charger stands in the
    charged unit's square.
    """

    difference: int
    loser: str
    back: int
    figures: int
    disorganised: bool
    enters: bool

    @property
    def words(self) -> str:
        """The outcome as the record of the throws keeps it."""
        parts = [
            "goes in" if self.enters else "",
            f"{self.loser} falls back {self.back}" if self.back else "",
            f"loses {self.figures}" if self.figures else "",
            "disorganised" if self.disorganised else "",
        ]
        return ", ".join(part for part in parts if part) or "stands"


def looked_up(table: str, difference: int, *, further: bool) -> Outcome:
    """The row of a table for a difference; `further`: the loser was disorganised before."""
    row = book().outcome(table, difference)
    lost = row.figures + _further(table, difference, further=further)
    return Outcome(difference, row.loser, row.back, lost, row.disorganised, row.enters)


def _further(table: str, difference: int, *, further: bool) -> int:
    return int(further and difference >= book().number(f"{table} further loss"))
