"""One march of one stack, from the first roll to the halt."""

from collections.abc import Iterable

from battles.core.dice import Roll
from campaign.rules.english.names import led_in_words, near, several, stack_in_words, where
from campaign.rules.english.sentence import NEWS, Draft
from campaign.rules.english.toll import Toll
from campaign.rules.english.words import capital, listed, pick
from campaign.rules.map import HexId
from campaign.rules.pieces import UNCOUNTED, Kind
from campaign.rules.state import Unit

FOOT, RAIL, RIVER = "on foot", "by rail", "by river"

_BY_FOOT = (
    ("marches from {a} to {b}", "march from {a} to {b}"),
    ("leaves {a} and marches to {b}", "leave {a} and march to {b}"),
    ("moves from {a} to {b}", "move from {a} to {b}"),
)
_BY_RAIL = (("goes by rail from {a} to {b}", "go by rail from {a} to {b}"),)
_BY_RIVER = (
    ("goes by river from {a} to {b}", "go by river from {a} to {b}"),
    ("makes the passage from {a} to {b}", "make the passage from {a} to {b}"),
)
_MIXED = (("goes {modes} from {a} to {b}", "go {modes} from {a} to {b}"),)
_VERBS: dict[tuple[str, ...], tuple[tuple[str, str], ...]] = {
    (FOOT,): _BY_FOOT,
    (RAIL,): _BY_RAIL,
    (RIVER,): _BY_RIVER,
}
_LARGE = 6


class Journey:
    """A stack on the march: who, from where, how far, and what it cost on the way."""

    def __init__(self, draft: Draft, units: Iterable[Unit], start: HexId) -> None:
        self.draft = draft
        self.units = list(units)
        self.start = self.here = start
        self.subject = led_in_words(self.units)
        self.modes: list[str] = []
        self.refused = False
        self.toll = Toll()
        self.left: list[str] = []

    def rolled(self, points: int, rolls: Iterable[Roll]) -> None:
        """The march table has given so many points; none: no march."""
        self.refused = not points and not self.modes
        self.draft.citing(rolls)

    def go(self, mode: str, to: HexId, rolls: Iterable[Roll]) -> None:
        """The stack has come to this hex."""
        self.draft.citing(rolls)
        self.here = to
        if mode not in self.modes:
            self.modes.append(mode)

    def leave(self, units: list[Unit]) -> None:
        """Units stay behind where the stack is."""
        self.left.append(f"{stack_in_words(units)} {self._there()}")

    def _there(self) -> str:
        return "behind" if self.here == self.start else f"at {where(self.here)}"

    def write(self) -> None:
        """The march as a sentence; nothing when the stack has not moved and lost nobody."""
        self.draft.about(hex_id=self.here, side=self.units[0].side if self.units else None)
        if self.here != self.start:
            self.draft.say(f"{capital(self.subject)} {self._goes()}{self._extras()}.")
            self._weigh()
        elif self.toll:
            self.draft.say(f"{capital(self._ready())}{self._extras()}.")

    def _ready(self) -> str:
        makes = "make" if several(self.units) else "makes"
        return f"{self.subject} {makes} ready at {where(self.here)}"

    def _goes(self) -> str:
        forms = pick_form(_VERBS.get(tuple(self.modes), _MIXED), self.here, self.draft.when.month)
        line = forms[several(self.units)]
        a, b = near(self.start), near(self.here)
        if a == b:
            a, b = where(self.start), where(self.here)
        return line.format(a=a, b=b, modes=listed(self.modes))

    def _extras(self) -> str:
        found = []
        if self.toll.hurt:
            found.append(f"{stack_in_words(self.toll.hurt)} falling out on the way")
        if self.toll.lost:
            found.append(f"{stack_in_words(self.toll.lost)} lost on the way")
        if self.left:
            found.append(f"leaving {listed(self.left)}")
        return "".join(f", {extra}" for extra in found)

    def _weigh(self) -> None:
        counted = [unit for unit in self.units if unit.kind not in UNCOUNTED]
        led = any(unit.kind is Kind.LEADER for unit in self.units)
        if len(counted) >= _LARGE or (led and counted):
            self.draft.weigh(NEWS)


def pick_form(forms: tuple[tuple[str, str], ...], *seeds: int) -> tuple[str, str]:
    """One of the pairs of singular and plural, always the same for the same numbers."""
    chosen = pick([one for one, _ in forms], *seeds)
    return next(form for form in forms if form[0] == chosen)
