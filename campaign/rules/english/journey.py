"""One march of one stack, from the first roll to the halt."""

from collections.abc import Iterable

from battles.core.dice import Roll
from campaign.rules.english.names import at, near, where
from campaign.rules.english.sentence import NEWS, Draft
from campaign.rules.english.stacks import alike, bare, led_in_words, several
from campaign.rules.english.toll import Toll
from campaign.rules.english.words import capital, in_words, listed, pick
from campaign.rules.map import HexId
from campaign.rules.pieces import UNCOUNTED, Kind
from campaign.rules.state import Unit

FOOT, RAIL, RIVER, SEA = "on foot", "by rail", "by river", "by sea"

_BY_FOOT = ("march~ from {a} to {b}", "leave~ {a} and march~ to {b}", "move~ from {a} to {b}")
_BY_RIVER = ("go~ by river from {a} to {b}", "make~ the passage from {a} to {b}")
_MIXED = ("go~ {modes} from {a} to {b}",)
_IN_BY_FOOT = ("march~ in from {a}", "come~ up from {a}", "arrive~ from {a}")
_IN_MIXED = ("arrive~ {modes} from {a}", "come~ {modes} from {a}")
LARGE = 6


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
        self._marching = {unit.id for unit in self.units}
        self._left: list[str] = []

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
        """Units stay behind where the stack is; when all of them do, it has halted."""
        self._marching -= {unit.id for unit in units}
        if not self._marching:
            return
        behind = "behind" if self.here == self.start else at(self.here)
        self._left.append(f"{self._part(units)} {behind}")

    @property
    def moved(self) -> bool:
        """Whether the stack has come to another hex."""
        return self.here != self.start

    @property
    def is_told(self) -> bool:
        """Whether there is anything to say of it: it has moved, or lost somebody."""
        return self.moved or bool(self.toll)

    @property
    def troops(self) -> list[Unit]:
        """Its units that count for its size."""
        return [unit for unit in self.units if unit.kind not in UNCOUNTED]

    def write(self, draft: Draft) -> None:
        """The march as a sentence in this draft: its own, or one of several to the same place."""
        draft.about(hex_id=self.here, side=self.units[0].side)
        if draft is not self.draft:
            draft.citing(self.draft.rolls)
        if not self.moved:
            makes = self._agree("make~ ready to march")
            draft.say(f"{capital(self.subject)} {makes} {at(self.here)}{self._extras()}.")
            return
        led = any(unit.kind is Kind.LEADER for unit in self.units)
        if len(self.troops) >= LARGE or (led and self.troops):
            draft.weigh(NEWS)
        draft.say(f"{capital(self.subject)} {self._goes(draft)}{self._extras()}.")

    def _goes(self, draft: Draft) -> str:
        """Where from and where to; a despatch that begins with the place leaves out the latter."""
        a, b = near(self.start), near(self.here)
        if a == b or a in b:
            a, b = where(self.start), where(self.here)
        lines = [line for line in self._lines(draft) if _fits(line, a)]
        line = pick(lines, self.here, draft.when.month, len(draft.parts))
        return self._agree(line).format(a=a, b=b, modes=listed(self.modes))

    def _lines(self, draft: Draft) -> tuple[str, ...]:
        on_foot = self.modes == [FOOT]
        if draft.weight >= NEWS:
            return _IN_BY_FOOT if on_foot else _IN_MIXED
        if on_foot:
            return _BY_FOOT
        return _BY_RIVER if self.modes == [RIVER] else _MIXED

    def _agree(self, line: str) -> str:
        """The line with its verbs in singular or plural."""
        if several(self.units):
            return line.replace("~", "")
        return line.replace("go~", "goes").replace("march~", "marches").replace("~", "s")

    def _extras(self) -> str:
        found = []
        way = " on the way" if self.here != self.start else ""
        fallen_out = [unit for unit in self.toll.hurt if unit not in self.toll.lost]
        if fallen_out:
            found.append(f"{self._part(fallen_out)} falling out{way}")
        if self.toll.lost:
            found.append(f"{self._part(self.toll.lost)} lost{way}")
        if self._left:
            found.append(f"leaving {listed(self._left)}")
        return "".join(f", {extra.strip()}" for extra in found)

    def _part(self, units: list[Unit]) -> str:
        """Some of the stack: `two of them`, or `a battalion and a gun`; nothing for a lone unit."""
        troops = self.troops
        if len(units) == len(troops):
            return "all" if len(units) > 1 else ""
        return f"{in_words(len(units))} of them" if alike(troops) else bare(units)


def _fits(line: str, start: str) -> bool:
    """Whether the line can be said of such a start: one does not leave `near Shendy`."""
    return not (line.startswith("leave") and start.startswith("near"))
