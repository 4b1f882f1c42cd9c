"""A recorded month: the state before, every action with its dice and its outcome, the state after.

It is played by the recorded tables, whatever their digest is by now.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from battles.core.decoding import decode, encode
from battles.core.dice import ChainedDice, Dice, ScriptedDice, derive_key
from battles.core.game import Outcome
from campaign import rules, staff
from campaign.rules.core import actions as a
from campaign.rules.core import events as e
from campaign.rules.core.pieces import Month, month_slug
from campaign.rules.core.state import State
from campaign.rules.tables.editions import shipped_edition
from tests.conformance.player import RandomPlayer

FOLDER = Path(__file__).parent
SCENARIO = "siege-of-khartoum"
SEED = b"golden month"
WHIMS = {"1884-09": 287}
"""Months played at random, for what the computer's staff seldom does, and the seed of the whims."""

Player = Callable[[State], a.AnyAction]
AGAIN = "if that was the purpose: python -m tests.golden, or with the name of the month"


class Entry(msgspec.Struct):
    """One action: the faces its dice showed, and its outcome as it was."""

    action: a.AnyAction
    dice: list[int]
    events: msgspec.Raw
    rolls: msgspec.Raw


class RecordedMonth(msgspec.Struct):
    """A month as its folder holds it."""

    before: bytes
    entries: list[Entry]
    after: bytes


class NotedDice:
    """Dice that keep a note of every face they showed."""

    def __init__(self, dice: Dice) -> None:
        self._dice = dice
        self.shown: list[int] = []

    def throw(self, count: int, sides: int) -> tuple[int, ...]:
        faces = self._dice.throw(count, sides)
        self.shown += faces
        return faces


def folders() -> list[Path]:
    """Return the folder of every recorded month."""
    return sorted(path.parent for path in FOLDER.glob("*/entries.jsonl"))


def read(folder: Path) -> RecordedMonth:
    """Return the month that a folder holds."""
    lines = (folder / "entries.jsonl").read_bytes().splitlines()
    return RecordedMonth(
        _compact(folder / "before.json"),
        [msgspec.json.decode(line, type=Entry) for line in lines],
        _compact(folder / "after.json"),
    )


def write(folder: Path, month: RecordedMonth) -> None:
    """Write the month into its folder, one line for each action."""
    folder.mkdir(exist_ok=True)
    lines = [msgspec.json.encode(entry) for entry in month.entries]
    (folder / "entries.jsonl").write_bytes(b"\n".join([*lines, b""]))
    for name, state in (("before", month.before), ("after", month.after)):
        (folder / f"{name}.json").write_bytes(msgspec.json.format(state, indent=1) + b"\n")


def replayed(month: RecordedMonth) -> RecordedMonth:
    """Return the same month played again with its actions and dice."""
    state = _with_shipped_tables(month.before)
    entries = [_carry_out(state, entry.action, entry.dice) for entry in month.entries]
    return RecordedMonth(month.before, entries, without_digest(state))


def _carry_out(state: State, action: a.AnyAction, faces: list[int]) -> Entry:
    dice = ScriptedDice(*faces)
    outcome = rules.play(state, action, dice)
    assert not dice.left, f"{dice.left} dice were not thrown; {AGAIN}"
    return _entry(action, faces, outcome)


def record(wanted: Month) -> RecordedMonth:
    """Return the month as it is played now, from the start of the campaign."""
    state, player = rules.new_game(SCENARIO), _player(wanted)
    number = 0
    while state.month < wanted:
        number += 1
        rules.play(state, player(state), _dice(number))
    before = without_digest(state)
    entries = list(_played(state, player, number))
    return RecordedMonth(before, entries, without_digest(state))


def _player(wanted: Month) -> Player:
    whim = WHIMS.get(month_slug(wanted))
    return staff.answer if whim is None else RandomPlayer(whim).choose


def _played(state: State, player: Player, number: int) -> Iterator[Entry]:
    month = state.month
    while state.month == month and state.question is not None:
        number += 1
        dice = NotedDice(_dice(number))
        action = player(state)
        yield _entry(action, dice.shown, rules.play(state, action, dice))


def _dice(number: int) -> ChainedDice:
    return ChainedDice(derive_key(SEED, number))


def _entry(action: a.AnyAction, faces: list[int], outcome: Outcome) -> Entry:
    events, rolls = encode(list(outcome.events)), encode(list(outcome.rolls))
    return Entry(action, faces, msgspec.Raw(events), msgspec.Raw(rolls))


def without_digest(state: State) -> bytes:
    """Return the bytes of the state, whatever tables it names."""
    named, state.edition = state.edition, ""
    data = encode(state)
    state.edition = named
    return data


def _with_shipped_tables(data: bytes) -> State:
    state = decode(data, State)
    state.edition = shipped_edition().digest
    return state


def _compact(file: Path) -> bytes:
    return encode(msgspec.json.decode(file.read_bytes(), type=State))


def events_of(entry: Entry) -> list[e.AnyEvent]:
    """Return the events of an entry."""
    return decode(bytes(entry.events), list[e.AnyEvent])
