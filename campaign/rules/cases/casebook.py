"""The case book: numbered positions with actions, dice and the expected result.

`cases` reads campaign/rules/cases, `run` plays one case by these rules, and `differences` lists the
differences from the expected result in words. docs/rules/casebook.md describes the files for other
programs.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec
from msgspec.structs import replace

from battles.core.decoding import decode, decoder_for, encode
from battles.core.dice import DiceExhausted, Roll, ScriptedDice
from battles.core.game import IllegalAction, Outcome
from battles.core.ledger import Ledger
from battles.core.tables import Source
from campaign.rules.cases.positions import CasePosition, PositionError, assemble, stack_of, units_of
from campaign.rules.core.actions import AnyAction
from campaign.rules.core.events import AgendaRecorded, AnyEvent
from campaign.rules.core.evolve import evolve
from campaign.rules.core.play import play
from campaign.rules.core.sequence import STEPS
from campaign.rules.core.state import State, Unit
from campaign.rules.map import HexId, MapError
from campaign.rules.trace import parts, trace

NOBODY = "nobody"
ANYTHING = "*"
_NOTHING: tuple[object, ...] = (NOBODY, "", 0, False, [], {})
"""Words in a case for an empty field, which documents leave out."""

Json = Mapping[str, Any]


class Expected(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Expected result of a case; fields left empty are not checked.

    `refused`: the clause that forbids the last action. `rolls` and `events`: these come in this
    order, with any others between them; only the named fields are compared. `never`: events that do
    not happen. `stands`: exactly these units stand in these hexes afterwards, or nobody. `state`:
    fields of the state afterwards. `*` matches anything, `nobody` the lack of a winner.
    """

    refused: str = ""
    rolls: tuple[dict[str, Any], ...] = ()
    events: tuple[dict[str, Any], ...] = ()
    never: tuple[str, ...] = ()
    stands: tuple[str, ...] = ()
    state: dict[str, Any] = {}


class Case(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A case of the book; `actions` are carried out one by one with `dice` in order.

    `says` describes the point of the case. `clause` is a part of the trace, such as `8.21 a`;
    `rulings` are the numbers of the rulings it depends on.
    """

    number: str
    title: str
    clause: str
    says: str
    position: CasePosition
    result: Expected
    actions: tuple[AnyAction, ...] = ()
    dice: tuple[int, ...] = ()
    rulings: tuple[int, ...] = ()

    @property
    def chapter(self) -> int:
        """Return the chapter of the book to which the case belongs."""
        return int(self.number.partition(".")[0])


class _Chapter(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file of the case book; its scenario applies to every position without one."""

    scenario: str
    case: tuple[Case, ...]

    def cases(self) -> tuple[Case, ...]:
        """Return the cases, each position with its scenario."""
        return tuple(
            replace(one, position=replace(one.position, scenario=self.scenario))
            if not one.position.scenario
            else one
            for one in self.case
        )


class CaseEntry(msgspec.Struct, frozen=True):
    """Outcome of one action; the first entry of a case may have no action, only its phase."""

    action: AnyAction | None
    outcome: Outcome


class PlayedCase(msgspec.Struct):
    """A case that has been played: its first state, its entries, and its last state."""

    start: bytes
    state: State
    entries: list[CaseEntry]
    refusal: IllegalAction | None = None
    broken_off: str = ""
    dice_left: int = 0

    @property
    def events(self) -> list[AnyEvent]:
        """Return all events in order."""
        return [event for entry in self.entries for event in entry.outcome.events]

    @property
    def rolls(self) -> list[Roll]:
        """Return all rolls in order."""
        return [roll for entry in self.entries for roll in entry.outcome.rolls]

    def beginning(self) -> State:
        """Return the first state as a new copy."""
        return decode(self.start, State)


@cache
def cases() -> tuple[Case, ...]:
    """Return all cases in the order of their numbers.

    Raise TableError with file and line of an invalid one.
    """
    folder = files("campaign.rules") / "cases"
    sources = [
        Source(file.name, file.read_text(encoding="utf-8"))
        for file in folder.iterdir()
        if file.name.endswith(".toml")
    ]
    found = [one for source in sources for one in read_cases(source)]
    return tuple(sorted(found, key=_order))


def _order(case: Case) -> tuple[int, int]:
    """Return the sort key of a case: 8.3.1 comes after 8.21.3, which comes after 8.2.11."""
    clauses = [clause.number.partition(" ")[0] for clause in trace()]
    clause, _, running = case.number.rpartition(".")
    return clauses.index(clause), int(running)


def find(number: str) -> Case:
    """Return the case of that number. Raise KeyError when there is none."""
    return {case.number: case for case in cases()}[number]


def read_cases(source: Source) -> tuple[Case, ...]:
    """Return the cases of one file. Raise TableError with the line of an invalid one."""
    read = source.convert(source.document(), _Chapter).cases()
    for place, one in enumerate(read):
        try:
            _check(one)
        except (PositionError, MapError) as error:
            remedy = "see docs/rules/casebook.md"
            raise source.error(f"$.case[{place}]", str(error), remedy) from error
    return read


def run(case: Case) -> PlayedCase:
    """Play the case by these rules; it ends early when an action is refused."""
    state = assemble(case.position)
    dice = ScriptedDice(*case.dice)
    played = PlayedCase(encode(state), state, [])
    try:
        if state.question is None:
            played.entries.append(CaseEntry(None, _begin(state, dice)))
        for action in case.actions:
            played.entries.append(CaseEntry(action, play(state, action, dice)))
    except IllegalAction as refusal:
        played.refusal = refusal
    except DiceExhausted as error:
        played.broken_off = str(error)
    played.dice_left = dice.left
    return played


def differences(case: Case, played: PlayedCase) -> Iterator[str]:
    """Yield the differences between the played case and its expected result, in words."""
    if played.broken_off:
        yield f"the dice do not fit: {played.broken_off}"
        return
    if played.dice_left:
        yield f"{played.dice_left} dice were not thrown"
    yield from _refusal(case, played)
    expected = case.result
    yield from _missing("roll", expected.rolls, msgspec.to_builtins(played.rolls))
    events = msgspec.to_builtins(played.events, str_keys=True)
    yield from _missing("event", expected.events, events)
    for name in expected.never:
        if any(event["is"] == name for event in events):
            yield f"{name} happened and should not"
    for words in expected.stands:
        yield from _standing(played.state, words)
    now = decoder_for(Any).decode(encode(played.state))
    yield from _unlike("state", expected.state, now)


def _begin(state: State, dice: ScriptedDice) -> Outcome:
    """Advance the phases of the position until a question is open."""
    ledger = Ledger(state, dice, evolve)
    ledger.advance(STEPS)
    return ledger.recorded(AgendaRecorded)


def _check(case: Case) -> None:
    """Raise PositionError or MapError for words in a case that have no meaning."""
    if case.clause not in parts() or not case.number.startswith(f"{case.clause.split()[0]}."):
        raise PositionError(f"case {case.number} names no part of its clause: {case.clause!r}")
    assemble(case.position)
    for words in case.result.stands:
        hex_id, what = stack_of(words)
        list(units_of(what, hex_id, 1)) if what != NOBODY else None


def _refusal(case: Case, played: PlayedCase) -> Iterator[str]:
    wanted, got = case.result.refused, played.refusal
    if got is None:
        if wanted:
            yield f"nothing was refused; {wanted} forbids the last action"
        return
    done = sum(entry.action is not None for entry in played.entries)
    if done + 1 < len(case.actions):
        yield f"action {done + 1} was refused already, by {got.clause}: {got}"
    elif got.clause != wanted:
        yield f"refused by {got.clause}, not by {wanted or 'any clause'}: {got}"


def _missing(kind: str, wanted: Sequence[Json], found: Sequence[Any]) -> Iterator[str]:
    """Yield the first expected item that does not come after the one before it."""
    place = 0
    for one in wanted:
        at = next((n for n in range(place, len(found)) if not any(_unlike("", one, found[n]))), -1)
        if at < 0:
            yield f"no {kind} like {one}" + (" after the one before" if place else "")
            return
        place = at + 1


def _unlike(name: str, wanted: object, found: object) -> Iterator[str]:
    """Yield the expected fields that are missing or different in what was found."""
    if isinstance(wanted, dict) and isinstance(found, dict):
        for key, value in wanted.items():
            yield from _unlike(f"{name}.{key}", value, found.get(key))
    elif isinstance(wanted, list) and isinstance(found, list | tuple) and len(wanted) == len(found):
        for place, (one, other) in enumerate(zip(wanted, found, strict=True)):
            yield from _unlike(f"{name}[{place}]", one, other)
    elif wanted not in (found, ANYTHING) and not (found is None and wanted in _NOTHING):
        yield f"{name} is {found}, not {wanted}"


def _standing(state: State, words: str) -> Iterator[str]:
    hex_id, what = stack_of(words)
    wanted = [] if what == NOBODY else list(units_of(what, hex_id, 1))
    want, have = Counter(map(_look, wanted)), Counter(map(_look, _at(state, hex_id)))
    if want != have:
        yield f"in hex {hex_id:04d}: {_told(have - want)} too many, {_told(want - have)} missing"


def _at(state: State, hex_id: HexId) -> list[Unit]:
    return [unit for unit in state.units.values() if unit.hex == hex_id]


def _look(unit: Unit) -> str:
    """Return the visible features of a unit: not its number, nor its origin."""
    worth = f"{unit.strength}{unit.quality}" if unit.quality else ""
    shaken = "disrupted" if unit.disrupted else ""
    parts = (unit.name, unit.kind, unit.nation, worth, shaken)
    return " ".join(part for part in parts if part)


def _told(units: Counter[str]) -> str:
    return ", ".join(f"{count} {look}" for look, count in units.items()) or NOBODY
