"""The case book: numbered positions with actions, dice and the expected result.

`cases` reads campaign/rules/cases, `run` plays one case by these rules, and `differences` lists the
differences from the expected result in words. docs/rules/casebook.md describes the files for other
programs.
"""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

import msgspec
from msgspec.structs import replace

from battles.contract.casebook import NOBODY, ExpectedResult, PlayedActions, result_differences
from battles.core.decoding import decode, encode
from battles.core.dice import DiceExhausted, Roll, ScriptedDice
from battles.core.game import IllegalAction, Ledger, Outcome
from battles.core.tables import Source
from campaign.rules.case_positions import CasePosition, PositionError, assemble, stack_of, units_of
from campaign.rules.core.actions import AnyAction
from campaign.rules.core.events import AgendaRecorded, AnyEvent
from campaign.rules.core.evolve import evolve
from campaign.rules.core.play import STEPS, play
from campaign.rules.core.state import State, Unit
from campaign.rules.map import MapError
from campaign.rules.trace import parts, trace


class Expected(ExpectedResult, frozen=True, kw_only=True):
    """Expected result of a case of the campaign.

    `stands`: exactly these units stand in these hexes afterwards, or nobody.
    """

    stands: tuple[str, ...] = ()


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
            replace(case, position=replace(case.position, scenario=self.scenario))
            if not case.position.scenario
            else case
            for case in self.case
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
    all_cases = [case for source in sources for case in read_cases(source)]
    return tuple(sorted(all_cases, key=_order))


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
    for place, case in enumerate(read):
        try:
            _check(case)
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
    done = sum(entry.action is not None for entry in played.entries)
    outcome = PlayedActions(
        played.state,
        played.events,
        played.rolls,
        len(case.actions),
        done,
        played.refusal,
        played.broken_off,
        played.dice_left,
    )
    yield from result_differences(case.result, outcome)
    for words in () if played.broken_off else case.result.stands:
        yield from _check_stacks(played.state, words)


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
        hex_id, description = stack_of(words)
        list(units_of(description, hex_id, 1)) if description != NOBODY else None


def _check_stacks(state: State, words: str) -> Iterator[str]:
    hex_id, description = stack_of(words)
    expected = [] if description == NOBODY else list(units_of(description, hex_id, 1))
    present = [unit for unit in state.units.values() if unit.hex == hex_id]
    want, have = Counter(map(_look, expected)), Counter(map(_look, present))
    if want != have:
        yield f"in hex {hex_id:04d}: {_tally(have - want)} too many, {_tally(want - have)} missing"


def _look(unit: Unit) -> str:
    """Return the visible features of a unit: not its number, nor its origin."""
    worth = f"{unit.strength}{unit.quality}" if unit.quality else ""
    shaken = "disrupted" if unit.disrupted else ""
    parts = (unit.name, unit.kind, unit.nation, worth, shaken)
    return " ".join(part for part in parts if part)


def _tally(units: Counter[str]) -> str:
    return ", ".join(f"{count} {look}" for look, count in units.items()) or NOBODY
