"""Results that a case of a case book demands, and their comparison with what was played.

The campaign's case book and those of the battle books share them.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from battles.core.decoding import decoder_for, encode
from battles.core.dice import Roll
from battles.core.game import IllegalAction

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
        if any(event["is"] == name for event in events):
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
