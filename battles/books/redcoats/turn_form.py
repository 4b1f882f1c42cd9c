"""The turn forms of Redcoats and Dervishes: the choices of each question."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from battles.books.redcoats import actions as a
from battles.books.redcoats import movement
from battles.books.redcoats.book import book
from battles.books.redcoats.commander.scene import charge_odds
from battles.books.redcoats.drawing import square_of
from battles.books.redcoats.field import name
from battles.books.redcoats.form_answers import AT_ONCE, IN_ORDER, LINE
from battles.books.redcoats.names import figures_in_words, name_of, names
from battles.books.redcoats.options import Options, options
from battles.books.redcoats.pieces import Formation
from battles.books.redcoats.set_up import placed_formations
from battles.books.redcoats.state import State, Unit
from battles.books.redcoats.tale import HEROIC
from battles.contract.brief import Side
from battles.drawing.squares import centre, outline
from battles.prose import COMPASS, agree, capital
from battles.turn_form import (
    Choice,
    LineUp,
    PickedAnswer,
    Placing,
    QuestionKind,
    Spot,
    TurnForm,
    UnitSelection,
    about_unit,
    deployment_form,
    per_cent,
)

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


def _spot(square: int) -> Spot:
    return centre(square_of(square))


def _at(state: State, number: int) -> Spot:
    piece = state.units.get(number) or state.leaders[number]
    return _spot(piece.square)


def _title_of(state: State, number: int) -> str:
    return capital(name_of(state, number))


def zones(state: State) -> dict[Side, str]:
    """Return where each side may place its units before the battle, as path data."""
    return {
        side: outline(map(square_of, squares)) for side, squares in state.set_up.items() if squares
    }


def _set_up(state: State, offered: Options, unit: int) -> TurnForm:
    chosen = unit if unit in offered.units else next(iter(offered.units), 0)
    piece = state.units.get(chosen) or state.leaders[chosen]
    form = deployment_form(
        offered.side,
        tuple(PickedAnswer(number, _title_of(state, number)) for number in offered.units),
        chosen,
        LineUp(len(offered.moved), a.Restore(), a.Done(), zones(state).get(offered.side, "")),
    )
    facing = str(piece.facing) if isinstance(piece, Unit) else "0"
    may = placed_formations(piece) if isinstance(piece, Unit) else ()
    if not offered.squares[chosen]:
        return form
    title = _title_of(state, chosen)
    return form._replace(
        placing=Placing(
            f"{title} {agree(title, 'stands at')}",
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
    count = len(offered.units)
    return TurnForm(
        offered.side,
        f"{_title_of(state, offered.unit)} can lead several units on one card. Who moves together?",
        (
            Choice(
                a.Coordinate(offered.units),
                f"Lead all {count}" if count > 1 else f"Lead {name_of(state, offered.units[0])}",
                QuestionKind.NEXT,
                "on one card, one after another; nobody acts between them",
            ),
            Choice(
                a.Done(),
                "Don’t group",
                QuestionKind.DONE,
                "every unit draws its own card, so that the enemy may act between them",
            ),
        ),
        offered.unit,
        hint="They act on the Leader’s card instead of their own. Each still throws for its own "
        "action points.",
        several=UnitSelection(
            "Units to lead",
            tuple(
                PickedAnswer(number, _title_of(state, number), _as_it_stands(state.units[number]))
                for number in offered.units
            ),
        ),
        together=offered.units,
    )


def _as_it_stands(unit: Unit) -> str:
    count = figures_in_words(unit.full, unit)
    return f"{unit.formation} at {name(unit.square)}, {unit.figures} of {count}"


def _moor(state: State, offered: Options, unit: int) -> TurnForm:
    return TurnForm(
        offered.side,
        f"{_title_of(state, offered.unit)}: stop this turn?",
        (
            Choice(a.Moor(), "Lie alongside, to load or unload", QuestionKind.OTHER),
            Choice(a.Done(), "Stay under way", QuestionKind.DONE),
        ),
        offered.unit,
    )


def _next(state: State, offered: Options, unit: int) -> TurnForm:
    choices = tuple(
        about_unit(
            a.Activate(number),
            _title_of(state, number),
            QuestionKind.NEXT,
            number,
            _at(state, number),
        )
        for number in offered.units
    )
    in_order = Choice(
        a.Activate(offered.units[0]),
        "In this order",
        QuestionKind.NEXT,
        "each acts as soon as the one before it has finished",
        then=IN_ORDER,
        lasts=True,
    )
    return TurnForm(
        offered.side, "Who acts next?", (in_order, *choices), offered.unit, together=offered.units
    )


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
    enemy_name = name_of(state, offered.units[0])
    return TurnForm(
        offered.side,
        f"{_title_of(state, offered.unit)} has driven {enemy_name} back: pursue?",
        (
            about_unit(
                a.Pursue(),
                f"Pursue {enemy_name}",
                QuestionKind.CHARGE,
                offered.units[0],
                _at(state, offered.units[0]),
            ),
            Choice(a.Done(), "Stand", QuestionKind.DONE),
        ),
        offered.unit,
    )


_MOST_NAMED = 3
"""Units that the question names one by one."""


def _act(state: State, offered: Options, unit: int) -> TurnForm:
    declared = state.acting.declared if state.acting else []
    declarations = "; ".join(_deed_in_words(state, act) for act in declared)
    state = offered.acts or state
    current = state.acting
    moving = movement.movement_left(current) if current else 0
    firing = movement.points_left(current) if current else 0
    acting = current.units if current else (offered.unit,)
    subject = all_of_them = names(state, acting)
    if len(acting) > _MOST_NAMED:
        subject = f"{name_of(state, acting[0])} and {len(acting) - 1} others"
    squares = offered.entries or offered.landings
    verb = "Come on to the field at" if offered.entries else "Go ashore at"
    return TurnForm(
        offered.side,
        f"Choose an action for {subject}",
        tuple(_deeds(state, offered)),
        offered.unit,
        hint=f"{_points(moving)} to move, {_points(firing)} to fire. "
        f"{f'Declared: {declarations}. ' if declarations else ''}"
        "Press “+” to plan more than one action before the first is carried out."
        f"{f' Together: {all_of_them}.' if subject != all_of_them else ''}",
        placing=Placing(verb, _places(squares), FACINGS, "0") if squares else None,
        together=tuple(current.units) if current else (),
        line=LINE if state.queue and not declared and offered.unit in state.units else "",
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
        words = "Carry out the plan" if state.acting and state.acting.declared else "Do nothing"
        yield Choice(a.Done(), words, QuestionKind.DONE)


def _charges(state: State, offered: Options) -> Iterator[Choice]:
    for attack in offered.charges:
        enemy, unit = state.units[attack.target], state.units[offered.unit]
        faces = book().faces("charge", unit), book().faces("charge", enemy)
        odds = charge_odds(*faces, attack.plus - attack.against)
        yield about_unit(
            a.Charge(attack.target),
            f"Charge {name_of(state, attack.target)} in the {attack.aspect}",
            QuestionKind.CHARGE,
            attack.target,
            _at(state, attack.target),
            detail=f"{per_cent(odds.enters)} to break in, {per_cent(odds.is_beaten)} to be beaten "
            f"off (D{faces[0]}+{attack.plus} against D{faces[1]}+{attack.against})",
            chance=odds.enters,
        )


def _shots(state: State, offered: Options) -> Iterator[Choice]:
    is_group = state.acting is not None and len(state.acting.units) > 1
    for shot in offered.targets:
        firer = f" with {name_of(state, shot.firer)}" if is_group else ""
        weapon = f", {shot.weapon}" if shot.weapon else ""
        cover = "; cover may save" if shot.cover else ""
        hits = min(shot.needs / shot.sides, 1)
        yield about_unit(
            a.Fire(shot.unit, shot.firer if is_group else 0, shot.weapon),
            f"Fire at {name_of(state, shot.unit)}{firer}{weapon}",
            QuestionKind.FIRE,
            shot.unit,
            _at(state, shot.unit),
            detail=f"{per_cent(hits)} to hit ({shot.needs} or less on a D{shot.sides}){cover}",
            chance=hits,
            then=AT_ONCE,
            more=True,
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
    looks = offered.reach.start & 7
    for end in sorted(offered.reach.ends(), key=lambda end: end.facing != looks):
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
            then=AT_ONCE,
            more=True,
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
