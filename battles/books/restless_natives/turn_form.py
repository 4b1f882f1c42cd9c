"""The turn forms of Restless Natives, and the actions that come back from them."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from math import comb
from typing import Any

import msgspec

from battles.books.restless_natives import actions as a
from battles.books.restless_natives import close_combat, firing, sequence
from battles.books.restless_natives import events as e
from battles.books.restless_natives.board import centre, foes, is_engaged, stands_at, stands_of
from battles.books.restless_natives.charging import Attack
from battles.books.restless_natives.movement import Way, is_ground_for, way_length
from battles.books.restless_natives.names import (
    CARDS,
    commander_name,
    inches,
    name_of,
    place_in_words,
    wind,
)
from battles.books.restless_natives.options import Options, options
from battles.books.restless_natives.pieces import TableFormation
from battles.books.restless_natives.play import witnessed
from battles.books.restless_natives.state import State, Unit, acting_unit
from battles.contract.brief import Side
from battles.core.dice import Roll
from battles.prose import capital
from battles.tabletop.field import on_table
from battles.tabletop.geometry import TOUCH, TablePoint, ahead, bearing, gap, overlap
from battles.turn_form import (
    BUSY,
    Choice,
    InvalidForm,
    LineUp,
    PickedAnswer,
    QuestionKind,
    Spot,
    TurnForm,
    anywhere,
    deployed,
    deployment_form,
    free,
    length,
    mean,
    number,
    per_cent,
    placed,
    spot,
    spread,
    zone_path,
)

__all__ = ["composed", "corrected", "hand", "overheard", "sequel", "turn_form"]

AHEAD, TOWARDS = "ahead", "towards"
"""Plans of a march: straight ahead, or towards a place, as far as the dice allow."""
FIRE, FIGHT = "fire", "fight"
"""Plans of a unit that is activated for it: to fire at an enemy, or to fight it on."""

_FIVE_OR_SIX = (0, 0, 0, 0, 1, 1)


def turn_form(state: State, side: Side, unit: int = 0) -> TurnForm | None:
    """Return the side's turn form; None when it is not its turn."""
    offered = options(state)
    if offered is None or offered.side is not side:
        return None
    return _ASKED[offered.asks](state, offered, unit)


def composed(state: State, said: Mapping[str, Any]) -> a.AnyAction:
    """Return the action of a form with more than one answer. Raises Unclear."""
    offered = options(state)
    if offered is None:
        raise InvalidForm("The battle is over.")
    if offered.asks == "set up":
        return deployed(said, TableFormation)
    if offered.asks == "act":
        _goal(said)
        return a.March(1)
    to = TablePoint(length(said, "x"), length(said, "y"))
    unit = state.units.get(offered.unit)
    if unit is None:
        raise InvalidForm("The battle waits for something else now.")
    looks = str(said.get("facing", "")).strip()
    path = (*_waypoints(said), to)
    if path == (unit.at,):
        return a.Move((), number(said, "facing") % 360 if looks else unit.facing)
    way = bearing((unit.at, *path)[-2], to)
    return a.Move(path, number(said, "facing") % 360 if looks else way)


def _goal(said: Mapping[str, Any]) -> TablePoint:
    return TablePoint(length(said, "x"), length(said, "y"))


def sequel(state: State, action: a.AnyAction, plan: str) -> Callable[[State], a.AnyAction | None]:
    """Return the function that carries out a plan.

    A march goes AHEAD, or TOWARDS a place ("x,y"); a unit that is activated marches AHEAD, or does
    FIRE or FIGHT with the number of an enemy. Without a way in that direction the unit stays; where
    a plan cannot go on, the player is asked.
    """
    kind, _, place = plan.partition(":")
    offered = options(state)
    marches = isinstance(action, a.March) and offered is not None and offered.unit
    steps = [kind] if marches and kind in (AHEAD, TOWARDS) else []
    deeds = [kind] if isinstance(action, a.Activate) and kind in (AHEAD, FIRE, FIGHT) else []

    def deed(offered: Options) -> a.AnyAction | None:
        kind = deeds.pop()
        if kind == AHEAD and offered.marches:
            steps.append(AHEAD)
            return a.March(offered.marches)
        if kind == FIRE and int(place) in [one.unit for one in offered.targets]:
            return a.Fire((int(place),), offered.volleys)
        return a.Fight(int(place)) if kind == FIGHT and int(place) in offered.foes else None

    def following(now: State) -> a.AnyAction | None:
        offered = options(now)
        if deeds and offered is not None and offered.asks == "act":
            return deed(offered)
        if not steps or offered is None or offered.asks != "move" or offered.reach is None:
            return None
        unit = now.units[offered.unit]
        if steps.pop() == AHEAD:
            way = offered.reach.towards(ahead(unit.at, unit.facing, offered.reach.most))
        else:
            x, _, y = place.partition(",")
            way = offered.reach.towards(_goal({"x": x, "y": y}))
        return a.Move(way.path, way.facing) if way else None

    return following


def _waypoints(said: Mapping[str, Any]) -> Iterator[TablePoint]:
    """Yield the points on the way, in inches: "29.5 28, 24 16". Raises InvalidForm."""
    for pair in str(said.get("via", "")).split(","):
        if not pair.strip():
            continue
        try:
            x, y = (length({"via": one}, "via") for one in pair.split())
        except ValueError as error:
            raise InvalidForm(
                "Give points on the way as east and south, such as 29.5 28, 24 16."
            ) from error
        yield TablePoint(x, y)


def corrected(state: State, said: Mapping[str, Any]) -> e.Corrected:
    """Return the umpire's correction of a unit from a form. Raises Unclear if impossible."""
    unit = state.units.get(number(said, "unit"))
    if unit is None:
        raise InvalidForm("Choose a unit that stands on the field.")
    if is_engaged(state, unit) or (state.acting is not None and state.acting.unit == unit.id):
        raise InvalidForm(BUSY)
    stands, to, facing = placed(said, unit)
    if not 0 <= stands <= unit.full:
        raise InvalidForm(f"It has {unit.full} stands at most.")
    now = msgspec.structs.replace(unit, stands=max(stands, 1), at=to, facing=facing)
    ours = stands_of(now)
    if not on_table(state.field, ours) or not is_ground_for(state.field, now, ours):
        raise InvalidForm("It cannot stand there.")
    for other in state.units.values():
        theirs = stands_of(other)
        near = gap(ours, theirs) <= TOUCH if other.side is not unit.side else overlap(ours, theirs)
        if other is not unit and near:
            raise InvalidForm(f"{_called(state, other.id)} stands in the way there.")
    return e.Corrected(unit=unit.id, now=msgspec.structs.replace(now, stands=stands))


def hand(state: State, side: Side) -> tuple[str, ...]:
    """Return the Special Event Cards that the side's commanders hold."""
    held = [one for one in state.commanders.values() if one.side is side]
    alone = len(held) < 2
    return tuple(
        CARDS[card] if alone else f"{commander_name(one)}: {CARDS[card]}"
        for one in held
        for card in one.hand
    )


def overheard(
    state: State, event: Any, rolls: Iterable[Roll], side: Side | None
) -> tuple[Any, tuple[Roll, ...]]:
    """Return the event and its rolls as far as that side learns of them."""
    seen = witnessed(state, event, side)
    return seen, tuple(rolls) if seen is not None else ()


def _called(state: State, unit: int) -> str:
    return capital(name_of(state, unit))


def _on(state: State, unit: int) -> Spot | None:
    found = state.units.get(unit)
    return spot(state.field, centre(found)) if found else None


def zones(state: State) -> dict[Side, str]:
    """Return where each side may place its units before the battle, as path data."""
    return {side: zone_path(state.field, found) for side, found in state.zones.items()}


def _set_up(state: State, offered: Options, unit: int) -> TurnForm:
    known = dict.fromkeys((*offered.movable, *offered.units))
    chosen = unit if unit in known else next(iter(known), 0)
    led = state.units.get(chosen) or state.waiting.get(chosen)
    choices = [
        Choice(
            a.Allot(chosen, one),
            f"{_called(state, chosen)} comes under {commander_name(state.commanders[one])}",
            QuestionKind.OTHER,
        )
        for one in offered.commanders
        if led is not None and led.command != one
    ]
    form = deployment_form(
        offered.side,
        tuple(PickedAnswer(one, _called(state, one)) for one in known),
        chosen,
        LineUp(len(offered.moved), a.Restore(), a.Done(), zones(state).get(offered.side, "")),
    )
    if chosen not in offered.movable:
        return form._replace(choices=(*choices, *form.choices))
    unit_there = state.units[chosen]
    return form._replace(
        choices=(*choices, *form.choices),
        free=anywhere(
            state.field,
            unit_there,
            f"{_called(state, chosen)} stands",
            sequence.formations(unit_there),
            measure="inches",
        ),
    )


def _command(state: State, offered: Options, unit: int) -> TurnForm:
    commander = state.commanders[offered.commander]
    choices = [
        Choice(
            a.Activate(one),
            _called(state, one),
            QuestionKind.NEXT,
            spot=_on(state, one),
            place=f"unit {one}",
            target=one,
        )
        for one in offered.units
    ]
    at_once = [_at_once(state, state.units[one]) for one in offered.units if one in state.units]
    choices += sorted(at_once, key=lambda one: one.chance is None)  # fights and fire first
    choices += [
        Choice(a.Rally(one), f"Rally {name_of(state, one)} with a card", QuestionKind.CARD)
        for one in offered.rallies
    ]
    choices += [
        Choice(
            a.PassOn(one),
            f"Pass the initiative on to {commander_name(state.commanders[one])}",
            QuestionKind.OTHER,
        )
        for one in offered.commanders
    ]
    return TurnForm(
        offered.side,
        f"{capital(commander_name(commander))}: which unit acts on this card?",
        (*choices, Choice(a.Done(), "Activate nobody", QuestionKind.DONE)),
    )


def _at_once(state: State, unit: Unit) -> Choice:
    """Return the activation of a unit together with what it is most likely wanted for.

    A unit in close combat fights on, one with an enemy in range fires at the likeliest target, and
    any other marches straight ahead: as often as it may, so that its turn is over.
    """
    words, plan = "marches straight ahead, two moves at once", AHEAD
    detail, chance = "as far as the dice allow", None
    if is_engaged(state, unit):
        foe = foes(state, unit)[0]
        words, plan = f"fights on against {name_of(state, foe.id)}", f"{FIGHT}:{foe.id}"
        detail, chance = _melee(state, unit, foe, first=False)
    elif targets := firing.possible_targets(state, unit):
        shots = [_shot(state, unit, (one.target,), 2) for one in targets]
        shot = max(shots, key=lambda one: one.chance or 0)
        words, plan = f"fires twice at {name_of(state, shot.target)}", f"{FIRE}:{shot.target}"
        detail, chance = shot.detail, shot.chance
    return Choice(
        a.Activate(unit.id),
        f"{_called(state, unit.id)} {words}",
        QuestionKind.AT_ONCE,
        detail,
        chance=chance,
        then=plan,
    )


def _act(state: State, offered: Options, unit: int) -> TurnForm:
    called = _called(state, offered.unit)
    goes = f"{called} marches, as far as the dice allow,"
    return TurnForm(
        offered.side,
        f"Choose an action for {name_of(state, offered.unit)}",
        tuple(_deeds(state, offered)),
        offered.unit,
        hint="Touch a place on the field to march there." if offered.marches else "",
        free=free(state.field, acting_unit(state), goes, 0, measure="inches")._replace(
            reach=0, then=TOWARDS
        )
        if offered.marches
        else None,
    )


def _deeds(state: State, offered: Options) -> Iterator[Choice]:
    for foe in offered.foes:
        detail, chance = _melee(state, acting_unit(state), state.units[foe], first=False)
        yield Choice(
            a.Fight(foe),
            f"Fight on against {name_of(state, foe)}",
            QuestionKind.CHARGE,
            detail,
            _on(state, foe),
            f"unit {foe}",
            foe,
            chance,
        )
    yield from _shots(state, offered)
    for card in offered.cards:
        yield Choice(a.PlayCard(card), f"Play “{CARDS[card]}”", QuestionKind.CARD)
    for moves in range(1, offered.marches + 1):
        words = "March straight ahead" if moves == 1 else "March straight ahead, two moves at once"
        detail = "as far as the dice allow"
        yield Choice(a.March(moves), words, QuestionKind.GO, detail, then=AHEAD)
    for moves in range(1, offered.marches + 1):
        words = "Throw for a move" if moves == 1 else "Throw for two moves at once"
        yield Choice(a.March(moves), words, QuestionKind.OTHER, "then choose where to go")
    for formation in offered.formations:
        yield Choice(a.Form(formation), f"Form {formation}", QuestionKind.FORM)
    if offered.done:
        yield Choice(a.Done(), "End this unit’s turn", QuestionKind.DONE)


def _shots(state: State, offered: Options) -> Iterator[Choice]:
    if not offered.targets:
        return
    unit = acting_unit(state)
    numbers = tuple(one.unit for one in offered.targets)
    for volleys in range(offered.volleys, 0, -1):
        for first in numbers:
            rest = tuple(one for one in numbers if one != first)
            yield _shot(state, unit, (first,), volleys)
            many = tuple(
                one.target for one in firing.plan_volleys(state, unit, (first, *rest), volleys)
            )
            if len(many) > 1:
                yield _shot(state, unit, many, volleys)


def _shot(state: State, unit: Unit, targets: tuple[int, ...], volleys: int) -> Choice:
    first, *others = firing.plan_volleys(state, unit, targets, volleys)
    falls = _falls(first)
    destroys = 1 - falls.get(0, 0.0)
    also = f", and with the others at {', '.join(name_of(state, one.target) for one in others)}"
    dice = first.open_dice + first.covered_dice
    cover = ", cover halves the effect" if first.covered_dice else ""
    return Choice(
        a.Fire(targets, volleys),
        f"Fire {'twice ' if volleys > 1 else ''}at {name_of(state, first.target)}"
        f"{also if others else ''}",
        QuestionKind.FIRE,
        f"{per_cent(destroys)} to destroy a stand; average {mean(falls):.1f} ({dice}D6{cover})",
        _on(state, first.target),
        f"unit {first.target}",
        first.target,
        destroys,
    )


def _falls(volley: firing.Volley) -> dict[int, float]:
    """Return the chance of every number of stands destroyed."""
    found: dict[int, float] = {}
    for one, chance in _sixes(volley.open_dice, 1, volley.open).items():
        for other, too in _sixes(volley.covered_dice, 2, volley.covered).items():
            found[one + other] = found.get(one + other, 0.0) + chance * too
    return found


def _sixes(dice: int, each: int, most: int) -> dict[int, float]:
    found: dict[int, float] = {}
    for sixes in range(dice + 1):
        chance = comb(dice, sixes) * (1 / 6) ** sixes * (5 / 6) ** (dice - sixes)
        fallen = min(sixes // each, most)
        found[fallen] = found.get(fallen, 0.0) + chance
    return found


def _melee(
    state: State, unit: Unit, foe: Unit, *, first: bool, at: Attack | None = None
) -> tuple[str, float]:
    """Return the odds and the expected losses of the round in words, and the chance to win it."""
    mine = stands_of(unit) if at is None else stands_at(unit, at.at, at.facing)
    ours, theirs = close_combat.involved(mine, stands_of(foe))
    card = state.acting.card if state.acting else None
    dice = close_combat.dice(ours, initiates=True, first=first, card=card)
    against = close_combat.dice(theirs, initiates=False, first=first)
    kills, losses = spread(_FIVE_OR_SIX, dice), spread(_FIVE_OR_SIX, against)
    more = sum(
        chance * too
        for one, chance in kills.items()
        for other, too in losses.items()
        if one > other
    )
    detail = (
        f"{per_cent(more)} to destroy more than it loses ({dice}D6 against {against}D6); average "
        f"{mean(kills):.1f} against {mean(losses):.1f} stands"
    )
    return detail, more


def _move(state: State, offered: Options, unit: int) -> TurnForm:
    mover = state.units[offered.unit]
    reach = offered.reach
    most = reach.most if reach else 0
    called = _called(state, offered.unit)
    rough = f", {inches(reach.rough)} over rough ground" if reach and reach.rough < most else ""
    return TurnForm(
        offered.side,
        f"{called} may go {inches(most)}",
        tuple(_ways(state, offered, mover)),
        offered.unit,
        hint=f"The dice gave {inches(most)}{rough}. Press any place on the field, or choose.",
        free=free(state.field, mover, f"{called} goes", most, measure="inches")._replace(
            bends=True
        ),
    )


def _ways(state: State, offered: Options, unit: Unit) -> Iterator[Choice]:
    for attack in offered.charges:
        foe = state.units[attack.target]
        detail, chance = _melee(state, unit, foe, first=True, at=attack)
        yield Choice(
            a.Charge(attack.target),
            f"Close with {name_of(state, attack.target)}",
            QuestionKind.CHARGE,
            detail,
            _on(state, attack.target),
            f"unit {attack.target}",
            attack.target,
            chance,
        )
    found: dict[str, Choice] = {}
    for way in offered.reach.spots() if offered.reach else ():
        goes = _goes(state, unit, way)
        found.setdefault(goes.label, goes)
    yield from found.values()
    if offered.leave:
        yield Choice(a.Leave(), "Leave the field by the exit", QuestionKind.OTHER)
    yield Choice(a.Done(), "Stand still after all", QuestionKind.DONE)


def _goes(state: State, unit: Unit, way: Way) -> Choice:
    """Return the move or turn as a choice, in words as exact as a ruler allows."""
    action = a.Move(way.path, way.facing)
    if not way.path:
        return Choice(action, f"Face {wind(way.facing)}", QuestionKind.TURN)
    end = way.path[-1]
    return Choice(
        action,
        f"{inches(way_length(unit, way.path))} {wind(way.facing)}, to {place_in_words(end)}",
        QuestionKind.GO,
        spot=spot(state.field, end),
        place=f"{end.x}-{end.y}",
    )


_ASKED: Mapping[str, Callable[[State, Options, int], TurnForm]] = {
    "set up": _set_up,
    "command": _command,
    "act": _act,
    "move": _move,
}
