"""The turn forms of Redcoats and Dervishes: the choices of each question."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import msgspec

from battles.books.redcoats import action_points
from battles.books.redcoats import actions as a
from battles.books.redcoats import events as e
from battles.books.redcoats.board import at, combat_of
from battles.books.redcoats.book import book
from battles.books.redcoats.commander.scene import charge_odds
from battles.books.redcoats.drawing import square_of
from battles.books.redcoats.ground import is_water
from battles.books.redcoats.movement import may_share
from battles.books.redcoats.names import name_of, names
from battles.books.redcoats.options import Options, options
from battles.books.redcoats.pieces import Formation
from battles.books.redcoats.set_up import placed_formations
from battles.books.redcoats.squares import OFF_FIELD, name, named
from battles.books.redcoats.state import State, Unit
from battles.books.redcoats.tale import HEROIC
from battles.books.redcoats.view import witnessed
from battles.contract.brief import Side
from battles.core.dice import Roll
from battles.drawing.squares import centre, outline
from battles.prose.narrative import COMPASS, capital
from battles.turn_form.form import (
    BUSY,
    Choice,
    InvalidForm,
    LineUp,
    PickedAnswer,
    Placing,
    QuestionKind,
    Several,
    Spot,
    TurnForm,
    deployment_form,
    number,
    per_cent,
)

__all__ = ["composed", "corrected", "hand", "overheard", "turn_form"]

FORMS = {
    Formation.LINE: "Form line",
    Formation.COLUMN: "Form column",
    Formation.MARCH_COLUMN: "Form march column",
    Formation.SQUARE: "Form square",
    Formation.EN_MASSE: "Form en masse",
    Formation.DEPLOYED: "Unlimber",
    Formation.LIMBERED: "Limber up",
}
FACINGS = tuple((str(way), f"facing {word}") for way, word in enumerate(COMPASS))


def turn_form(state: State, side: Side, unit: int = 0) -> TurnForm | None:
    """Return the form for a side; None when it is not asked."""
    offered = options(state)
    if offered is None or offered.side is not side:
        return None
    return _ASKED[offered.asks](state, offered, unit)


def composed(state: State, said: Mapping[str, Any]) -> a.AnyAction:
    """Return the action of a form with more than one answer. Raises Unclear."""
    offered = options(state)
    if offered is None:
        raise InvalidForm("The battle is over.")
    if offered.asks == "co-ordinate":
        several = said.getlist("several")  # type: ignore[attr-defined]
        if not several:
            raise InvalidForm("Tick units to share the card, or let each act on its own.")
        return a.Coordinate(tuple(map(_number, several)))
    square, facing = _number(said.get("place")), _number(said.get("facing"))
    if offered.asks == "set up":
        formation = str(said.get("formation", ""))
        if formation not in ("", *Formation):
            raise InvalidForm("Choose a formation of those that are offered.")
        drawn_up = Formation(formation) if formation else None
        return a.Deploy(_number(said.get("unit")), square, facing, drawn_up)
    return a.Enter(square, facing) if offered.entries else a.Unload(square, facing)


def corrected(state: State, said: Mapping[str, Any]) -> e.Corrected:
    """Return the event for the umpire's correction of a unit.

    Raises Unclear for an impossible one.
    """
    unit = state.units.get(number(said, "unit"))
    if unit is None or unit.brigade or unit.aboard or unit.square == OFF_FIELD:
        raise InvalidForm("Choose a unit that stands on the field by itself.")
    busy = combat_of(state, unit) is not None
    if busy or (state.acting is not None and unit.id in state.acting.units):
        raise InvalidForm(BUSY)
    left = number(said, "left")
    place = str(said.get("place", "")).strip()
    try:
        square = named(place) if place else unit.square
    except ValueError as error:
        raise InvalidForm(f"{str(error).capitalize()}.") from error
    looks = str(said.get("facing", "")).strip()
    now = msgspec.structs.replace(
        unit,
        figures=left,
        square=square,
        facing=number(said, "facing") // 45 % 8 if looks else unit.facing,
        disorganised="shaken" in said,
    )
    if not 0 <= left <= unit.full:
        raise InvalidForm(f"It has {unit.full} figures at most.")
    others = [one for one in at(state, square) if one is not unit]
    wet = state.field.holds(square) and is_water(state.field, square) is not unit.is_craft
    if not state.field.holds(square) or wet or not may_share(now, others) or _foes(now, others):
        raise InvalidForm(f"It cannot stand at {place}.")
    return e.Corrected(unit=unit.id, now=now)


def _foes(unit: Unit, others: Iterable[Unit]) -> bool:
    return any(one.side is not unit.side for one in others)


def hand(state: State, side: Side) -> tuple[str, ...]:
    """Return the Heroic Leadership cards that the side holds."""
    return tuple(HEROIC[card] for card in state.hands.get(side, ()))


def overheard(
    state: State, event: Any, rolls: Iterable[Roll], side: Side | None
) -> tuple[Any, tuple[Roll, ...]]:
    """Return the event and its rolls, as far as that side learns of them."""
    seen = witnessed(state, event, side)
    return seen, tuple(rolls) if seen is not None else ()


def _number(said: object) -> int:
    text = str(said if said is not None else "")
    if not (text.isascii() and text.isdigit() and len(text) < 6):
        raise InvalidForm("Choose a place and a facing of those that are offered.")
    return int(text)


def _spot(square: int) -> Spot:
    return centre(square_of(square))


def _at(state: State, number: int) -> Spot:
    piece = state.units.get(number) or state.leaders[number]
    return _spot(piece.square)


def _called(state: State, number: int) -> str:
    return capital(name_of(state, number))


def zones(state: State) -> dict[Side, str]:
    """Return where each side may place its units before the battle, as path data."""
    return {side: outline(map(square_of, found)) for side, found in state.set_up.items() if found}


def _set_up(state: State, offered: Options, unit: int) -> TurnForm:
    chosen = unit if unit in offered.units else next(iter(offered.units), 0)
    piece = state.units.get(chosen) or state.leaders[chosen]
    form = deployment_form(
        offered.side,
        tuple(PickedAnswer(one, _called(state, one)) for one in offered.units),
        chosen,
        LineUp(len(offered.moved), a.Restore(), a.Done(), zones(state).get(offered.side, "")),
    )
    facing = str(piece.facing) if isinstance(piece, Unit) else "0"
    may = placed_formations(piece) if isinstance(piece, Unit) else ()
    if not offered.squares[chosen]:
        return form
    return form._replace(
        placing=Placing(
            f"{_called(state, chosen)} stands at",
            _places(offered.squares[chosen]),
            FACINGS,
            facing,
            tuple(map(str, may)),
            str(piece.square),
        )
    )


def _places(squares: Iterable[int]) -> tuple[tuple[str, str, Spot], ...]:
    return tuple((str(square), name(square), _spot(square)) for square in sorted(squares))


def _coordinate(state: State, offered: Options, unit: int) -> TurnForm:
    led = names(state, offered.units)
    return TurnForm(
        offered.side,
        f"{_called(state, offered.unit)}: let one card serve for several?",
        (
            Choice(
                a.Coordinate(offered.units), f"Take all of them along: {led}", QuestionKind.NEXT
            ),
            Choice(a.Done(), "Each acts on its own card", QuestionKind.DONE),
        ),
        offered.unit,
        several=Several(
            "Take these along",
            tuple(PickedAnswer(one, _called(state, one)) for one in offered.units),
        ),
        together=offered.units,
    )


def _moor(state: State, offered: Options, unit: int) -> TurnForm:
    return TurnForm(
        offered.side,
        f"{_called(state, offered.unit)}: lie still this turn?",
        (
            Choice(a.Moor(), "Lie alongside, to load or unload", QuestionKind.OTHER),
            Choice(a.Done(), "Stay under way", QuestionKind.DONE),
        ),
        offered.unit,
    )


def _next(state: State, offered: Options, unit: int) -> TurnForm:
    found = tuple(
        Choice(
            a.Activate(one),
            _called(state, one),
            QuestionKind.NEXT,
            spot=_at(state, one),
            place=f"unit {one}",
            target=one,
        )
        for one in offered.units
    )
    return TurnForm(offered.side, "Who acts next?", found, offered.unit)


def _card(state: State, offered: Options, unit: int) -> TurnForm:
    plays = (
        Choice(a.PlayCard(card), f"Play “{HEROIC[card]}”", QuestionKind.CARD)
        for card in offered.cards
    )
    return TurnForm(
        offered.side,
        f"Play a card for {name_of(state, offered.unit)}?",
        (*plays, Choice(a.Done(), "Keep it", QuestionKind.DONE)),
        offered.unit,
    )


def _pursue(state: State, offered: Options, unit: int) -> TurnForm:
    whom = name_of(state, offered.units[0])
    return TurnForm(
        offered.side,
        f"{_called(state, offered.unit)} has driven {whom} back: pursue?",
        (
            Choice(
                a.Pursue(),
                f"Go after {whom}",
                QuestionKind.CHARGE,
                spot=_at(state, offered.units[0]),
                place=f"unit {offered.units[0]}",
                target=offered.units[0],
            ),
            Choice(a.Done(), "Stand", QuestionKind.DONE),
        ),
        offered.unit,
    )


def _act(state: State, offered: Options, unit: int) -> TurnForm:
    declared = state.acting.declared if state.acting else []
    said = "; ".join(_deed_in_words(state, act) for act in declared)
    state = offered.acts or state
    current = state.acting
    moving = action_points.movement_left(current) if current else 0
    firing = action_points.left(current) if current else 0
    whose = names(state, current.units) if current else name_of(state, offered.unit)
    who = "they" if current and len(current.units) > 1 else "it"
    squares = offered.entries or offered.landings
    verb = "Come on to the field at" if offered.entries else "Go ashore at"
    return TurnForm(
        offered.side,
        f"{capital(whose)}: declare what {who} will do",
        tuple(_deeds(state, offered)),
        offered.unit,
        hint=f"{f'Declared: {said}. ' if said else ''}"
        f"{_points(moving)} for moving, {_points(firing)} for firing. Nothing is done before all "
        "of it is declared.",
        placing=Placing(verb, _places(squares), FACINGS, "0") if squares else None,
        together=tuple(current.units) if current else (),
    )


def _deed_in_words(state: State, act: a.Deed) -> str:
    words = type(act).__name__.lower()
    match act:
        case a.Enter(square, _) | a.Unload(square, _):
            words = f"come on at {name(square)}"
        case a.Move(path, facing):
            way = f"move to {name(path[-1])}, facing" if path else "turn to the"
            words = f"{way} {COMPASS[facing]}"
        case a.Fire(target):
            words = f"fire at {name_of(state, target)}"
        case a.FormBrigade(middle):
            words = f"form a brigade Square round {name(middle)}"
        case a.Form(formation):
            words = FORMS.get(formation, f"Form {formation}")
            words = words[0].lower() + words[1:]
    return words


def _points(count: int) -> str:
    return f"{max(count, 0)} action point{'' if count == 1 else 's'}"


def _deeds(state: State, offered: Options) -> Iterator[Choice]:
    yield from _charges(state, offered)
    yield from _shots(state, offered)
    for card in offered.cards:
        yield Choice(a.PlayCard(card), f"Play “{HEROIC[card]}”", QuestionKind.CARD)
    yield from _forms(offered)
    yield from _ways(offered)
    for craft in offered.crafts:
        yield Choice(a.Load(craft), f"Go aboard {name_of(state, craft)}", QuestionKind.OTHER)
    if offered.leave:
        yield Choice(a.Leave(), "Leave the field", QuestionKind.OTHER)
    if offered.done:
        words = "Carry it out" if state.acting and state.acting.declared else "Do nothing"
        yield Choice(a.Done(), words, QuestionKind.DONE)


def _charges(state: State, offered: Options) -> Iterator[Choice]:
    for attack in offered.charges:
        enemy, mine = state.units[attack.target], state.units[offered.unit]
        faces = book().faces("charge", mine), book().faces("charge", enemy)
        odds = charge_odds(*faces, attack.plus - attack.against)
        yield Choice(
            a.Charge(attack.target),
            f"Charge {name_of(state, attack.target)} in {_side(attack.aspect)}",
            QuestionKind.CHARGE,
            f"gets in {per_cent(odds.enters)}: D{faces[0]}+{attack.plus} "
            f"against D{faces[1]}+{attack.against}",
            _at(state, attack.target),
            f"unit {attack.target}",
            attack.target,
            odds.enters,
        )


def _side(aspect: str) -> str:
    return {"front": "front", "flank": "the flank", "rear": "the rear"}[aspect]


def _shots(state: State, offered: Options) -> Iterator[Choice]:
    many = state.acting is not None and len(state.acting.units) > 1
    for shot in offered.targets:
        by = f" with {name_of(state, shot.firer)}" if many else ""
        weapon = f", {shot.weapon}" if shot.weapon else ""
        cover = "; cover may take the hit" if shot.cover else ""
        hits = min(shot.needs / shot.sides, 1)
        yield Choice(
            a.Fire(shot.unit, shot.firer if many else 0, shot.weapon),
            f"Fire at {name_of(state, shot.unit)}{by}{weapon}",
            QuestionKind.FIRE,
            f"hits {per_cent(hits)}: {shot.needs} or less with a D{shot.sides}{cover}",
            _at(state, shot.unit),
            f"unit {shot.unit}",
            shot.unit,
            hits,
        )


def _forms(offered: Options) -> Iterator[Choice]:
    for formation in offered.formations:
        words = FORMS.get(formation, f"Form {formation}")
        yield Choice(a.Form(formation), words, QuestionKind.FORM)
    for forming in offered.brigades:
        yield Choice(
            a.FormBrigade(forming.middle),
            f"Form a brigade Square of {len(forming.faces)} round {name(forming.middle)}",
            QuestionKind.FORM,
            _points(forming.cost),
            _spot(forming.middle),
            f"brigade {name(forming.middle)}",
        )
    if offered.mount:
        yield Choice(a.Mount(), "Mount", QuestionKind.FORM)
    if offered.dismount:
        yield Choice(a.Dismount(), "Dismount", QuestionKind.FORM)


def _ways(offered: Options) -> Iterator[Choice]:
    if offered.reach is None:
        return
    start = offered.reach.start >> 3
    for end in offered.reach.ends():
        path = offered.reach.path(end.square, end.facing)
        turns = end.square == start
        words = f"facing {COMPASS[end.facing]}" if turns else f"{name(end.square)}, facing "
        yield Choice(
            a.Move(path, end.facing),
            words.capitalize() if turns else f"{words}{COMPASS[end.facing]}",
            QuestionKind.TURN if turns else QuestionKind.GO,
            _points(end.cost),
            _spot(end.square),
            name(end.square),
        )


_ASKED: Mapping[str, Callable[[State, Options, int], TurnForm]] = {
    "set up": _set_up,
    "co-ordinate": _coordinate,
    "moor": _moor,
    "next": _next,
    "act": _act,
    "card": _card,
    "pursue": _pursue,
}
