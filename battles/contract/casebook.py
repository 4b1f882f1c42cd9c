"""Case books: positions with actions, dice and the expected result.

A book keeps its cases in cases.toml of its package; docs/rules/casebook.md describes the form.
`read_cases` reads such a file, `run` plays a case by the book's engine, and `differences` lists in
words how the result differs. The campaign's case book shares the expected results and their
comparison with what was played.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from inspect import isclass
from typing import Any, get_args, get_origin, get_type_hints

import msgspec

from battles.contract.brief import Brief
from battles.contract.brief_files import read_brief
from battles.contract.engine import Engine
from battles.core.decoding import convert_to, decode, decoder_for, encode
from battles.core.dice import Dice, DiceExhausted, Roll, ScriptedDice
from battles.core.game import IllegalAction, Outcome
from battles.core.tables import Source

# The result that a case expects, and its comparison with what was played.


NOBODY = "nobody"
ANYTHING = "*"
_NOTHING: tuple[object, ...] = (NOBODY, "", 0, False, [], {})
"""Words in a case for an empty field, which documents leave out."""

Json = Mapping[str, Any]


class ExpectedResult(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True
):
    """Expected result of a case; fields left empty are not checked.

    `refused`: the clause that forbids the last action. `rolls` and `events`: these come in this
    order, with any others between them; only the named fields are compared. `never`: events that do
    not happen. `state`: fields of the state afterwards. `*` matches anything, `nobody` the lack of
    a winner.
    """

    refused: str = ""
    rolls: tuple[dict[str, Any], ...] = ()
    events: tuple[dict[str, Any], ...] = ()
    never: tuple[str, ...] = ()
    state: dict[str, Any] = {}


class PlayedActions(msgspec.Struct):
    """The outcome of a case as it was played.

    `actions` are those of the case, `done` those carried out before one was refused.
    """

    state: Any
    events: Sequence[Any]
    rolls: Sequence[Roll]
    actions: int
    done: int
    refusal: IllegalAction | None = None
    broken_off: str = ""
    dice_left: int = 0


def result_differences(expected: ExpectedResult, played: PlayedActions) -> Iterator[str]:
    """Yield the differences between what was played and the expected result, in words."""
    if played.broken_off:
        yield f"the dice do not fit: {played.broken_off}"
        return
    if played.dice_left:
        yield f"{played.dice_left} dice were not thrown"
    yield from _refusal(expected.refused, played)
    yield from _missing_items("roll", expected.rolls, msgspec.to_builtins(played.rolls))
    events = msgspec.to_builtins(played.events, str_keys=True)
    yield from _missing_items("event", expected.events, events)
    for name in expected.never:
        if any(event["type"] == name for event in events):
            yield f"{name} happened and should not"
    now = decoder_for(Any).decode(encode(played.state))
    yield from unlike("state", expected.state, now)


def unlike(name: str, expectation: object, actual: object) -> Iterator[str]:
    """Yield the expected fields that are missing or different in what was found."""
    if isinstance(expectation, dict) and isinstance(actual, dict):
        for key, value in expectation.items():
            yield from unlike(f"{name}.{key}", value, actual.get(key))
    elif (
        isinstance(expectation, list)
        and isinstance(actual, list | tuple)
        and len(expectation) == len(actual)
    ):
        for place, (expected, other) in enumerate(zip(expectation, actual, strict=True)):
            yield from unlike(f"{name}[{place}]", expected, other)
    elif expectation not in (actual, ANYTHING) and not (actual is None and expectation in _NOTHING):
        yield f"{name} is {actual}, not {expectation}"


def _refusal(expected_clause: str, played: PlayedActions) -> Iterator[str]:
    got = played.refusal
    if got is None:
        if expected_clause:
            yield f"nothing was refused; {expected_clause} forbids the last action"
        return
    if played.done + 1 < played.actions:
        yield f"action {played.done + 1} was refused already, by {got.clause}: {got}"
    elif got.clause != expected_clause:
        yield f"refused by {got.clause}, not by {expected_clause or 'any clause'}: {got}"


def _missing_items(
    kind: str, expected_items: Sequence[Json], actual_items: Sequence[Any]
) -> Iterator[str]:
    """Yield the first expected item that does not come after the one before it."""
    place = 0
    for expected in expected_items:
        index = next(
            (
                n
                for n in range(place, len(actual_items))
                if not any(unlike("", expected, actual_items[n]))
            ),
            -1,
        )
        if index < 0:
            yield f"no {kind} like {expected}" + (" after the one before" if place else "")
            return
        place = index + 1


# The case books of the battle books.


AnyEngine = Engine[Any, Any, Any]
Procedure = Callable[[Dice], Any]


class BattlePosition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A state of a battle: that of a brief as it is drawn up, or one made from nothing.

    `state` has fields of the state by name. Pieces are tables of fields by name; `like` names a
    usual piece of the file whose fields they share.
    """

    brief: str = ""
    state: dict[str, Any] = {}


class ExpectedPieces(ExpectedResult, frozen=True, kw_only=True):
    """Expected result of a case of a battle.

    `pieces`: fields of pieces of the state afterwards, as `units.1`. `gives`: the result of the
    procedure. `told`: sentences of the tale of the battle.
    """

    pieces: dict[str, dict[str, Any]] = {}
    gives: Any = None
    told: tuple[str, ...] = ()


class BattleCase(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A case of a book; `actions` are carried out one by one with `dice` in order.

    `says` describes the point of the case. `clause` is a part of the book's trace, such as
    `Movement 5 a`; `rulings` are the numbers of the rulings it depends on. `procedure` names dice
    that are thrown before there is a battle, instead of a position and actions.
    """

    number: str
    title: str
    clause: str
    says: str
    result: ExpectedPieces
    position: BattlePosition = BattlePosition()
    actions: tuple[dict[str, Any], ...] = ()
    procedure: str = ""
    dice: tuple[int, ...] = ()
    rulings: tuple[int, ...] = ()


class _CaseFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A case book: usual pieces, the usual fields of the state, and the cases."""

    like: dict[str, dict[str, Any]]
    state: dict[str, Any]
    case: tuple[BattleCase, ...]


class PlayedBattleCase(msgspec.Struct):
    """A case that has been played: its first state, its outcomes, and its last state."""

    start: bytes
    state: Any
    actions: list[Any]
    outcomes: list[Outcome]
    refusal: IllegalAction | None = None
    broken_off: str = ""
    dice_left: int = 0
    given: Any = None
    told: tuple[str, ...] = ()

    @property
    def events(self) -> list[Any]:
        """Return all events in order."""
        return [event for outcome in self.outcomes for event in outcome.events]

    @property
    def rolls(self) -> list[Roll]:
        """Return all rolls in order."""
        return [roll for outcome in self.outcomes for roll in outcome.rolls]


class CaseBook:
    """The case book of one book, read from cases.toml of its package on first use.

    `tale` begins the book's story of a battle; `procedures` are those that cases name.
    """

    def __init__(
        self,
        package: str,
        engine: AnyEngine,
        tale: Callable[[Any], Any],
        procedures: Mapping[str, Procedure] | None = None,
    ) -> None:
        self._package, self._engine, self._tale = package, engine, tale
        self._procedures = procedures or {}

    @property
    def cases(self) -> tuple[BattleCase, ...]:
        """Return the cases in the order of the file. Raises TableError for an invalid file."""
        return _read_cases(self._package).case

    def run(self, case: BattleCase) -> PlayedBattleCase:
        """Play the case by the book; it ends early when an action is refused."""
        state = self.assemble(case.position)
        dice = ScriptedDice(*case.dice)
        actions = [convert_to(document, self._engine.actions) for document in case.actions]
        played = PlayedBattleCase(encode(state), state, actions, [])
        try:
            if case.procedure:
                played.given = self._procedures[case.procedure](dice)
            for action in actions:
                played.outcomes.append(self._engine.play(state, action, dice))
        except IllegalAction as refusal:
            played.refusal = refusal
        except DiceExhausted as error:
            played.broken_off = str(error)
        played.dice_left = dice.left
        if case.result.told:
            played.told = tuple(self._tell(played))
        return played

    def _tell(self, played: PlayedBattleCase) -> Iterator[str]:
        """Yield the sentences of the tale, which hears each event before it changes the state."""
        state = self.beginning(played)
        tale = self._tale(state)
        for outcome in played.outcomes:
            for event in outcome.events:
                tale.hear(event, [outcome.rolls[number] for number in event.rolls])
                self._engine.fold(state, (event,))
        yield from (sentence.text for sentence in tale.tell())

    def beginning(self, played: PlayedBattleCase) -> Any:
        """Return the first state of a played case as a new copy."""
        return decode(played.start, self._engine.state)

    def assemble(self, position: BattlePosition) -> Any:
        """Return the state that the position describes.

        Raises KeyError, TypeError or ValidationError for fields that the state does not have.
        """
        file = _read_cases(self._package)
        fields = {name: _fill_in_usual(value, file.like) for name, value in position.state.items()}
        if not position.brief:
            return _build_value(self._engine.state, file.state | fields)
        state = self._engine.drawn_up(_brief(position.brief))
        hints = get_type_hints(self._engine.state)
        for name, value in fields.items():
            setattr(state, name, _build_value(hints[name], value))
        return state


def differences(case: BattleCase, played: PlayedBattleCase) -> Iterator[str]:
    """Yield the differences between the played case and its expected result, in words."""
    outcome = PlayedActions(
        played.state,
        played.events,
        played.rolls,
        len(case.actions),
        len(played.outcomes),
        played.refusal,
        played.broken_off,
        played.dice_left,
    )
    yield from result_differences(case.result, outcome)
    for sentence in case.result.told:
        if sentence not in played.told:
            yield f"it is not told that {sentence!r}, but {' '.join(played.told)!r}"
    if case.result.gives is not None:
        yield from unlike("it gives", case.result.gives, msgspec.to_builtins(played.given))
    for path, fields in case.result.pieces.items():
        kind, _, number = path.partition(".")
        piece = getattr(played.state, kind).get(int(number))
        for name, value in fields.items():
            actual = msgspec.to_builtins(getattr(piece, name, None))
            yield from unlike(f"{path}.{name}", value, actual)


@cache
def _read_cases(package: str) -> _CaseFile:
    source = Source("cases.toml", (files(package) / "cases.toml").read_text(encoding="utf-8"))
    return source.convert(source.document(), _CaseFile)


@cache
def _brief(slug: str) -> Brief:
    path = files("battles") / "briefs" / f"{slug}.toml"
    return read_brief(Source(f"{slug}.toml", path.read_text(encoding="utf-8"))).brief


def _fill_in_usual(value: Any, usual: Mapping[str, Mapping[str, Any]]) -> Any:
    """Return the value with the fields of the usual pieces that its tables name."""
    if isinstance(value, list):
        return [_fill_in_usual(item, usual) for item in value]
    if isinstance(value, dict) and "like" in value:
        return dict(usual[value["like"]]) | {k: v for k, v in value.items() if k != "like"}
    return value


def _build_value(kind: Any, value: Any) -> Any:
    """Return the value as a type whose structs are tables of fields by name."""
    plain = isclass(kind) and issubclass(kind, msgspec.Struct) and isinstance(value, dict)
    if plain and kind.__struct_config__.tag_field is None:
        hints = get_type_hints(kind)
        return kind(**{name: _build_value(hints[name], item) for name, item in value.items()})
    if get_origin(kind) is list and isinstance(value, list):
        return [_build_value(get_args(kind)[0], item) for item in value]
    if get_origin(kind) is dict and isinstance(value, list):
        piece = get_args(kind)[1]
        return {item["id"]: _build_value(piece, item) for item in value}
    return convert_to(value, kind, str_keys=True)
