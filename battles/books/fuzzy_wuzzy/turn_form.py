"""The turn forms of 'Eres to You Fuzzy Wuzzy, and the actions that come back from them."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from math import cos, radians, sin
from typing import Any

import msgspec

from battles.books.fuzzy_wuzzy import actions as a
from battles.books.fuzzy_wuzzy import board, close_combat, firing, orders, sequence
from battles.books.fuzzy_wuzzy import events as e
from battles.books.fuzzy_wuzzy.book import style_of
from battles.books.fuzzy_wuzzy.firing import AVERAGE, Shot
from battles.books.fuzzy_wuzzy.movement import LEAST, Contact, contact_at, stands_freely
from battles.books.fuzzy_wuzzy.names import centimetres, name_of, place_in_words, wind
from battles.books.fuzzy_wuzzy.observing import overheard as heard
from battles.books.fuzzy_wuzzy.observing import witnessed
from battles.books.fuzzy_wuzzy.options import Options, options
from battles.books.fuzzy_wuzzy.pieces import Purpose, Style
from battles.books.fuzzy_wuzzy.state import State, Unit
from battles.contract.brief import Side
from battles.core.dice import Roll
from battles.core.game import IllegalAction
from battles.prose import capital
from battles.tabletop.formations import TableFormation
from battles.tabletop.geometry import (
    TOUCH,
    TablePoint,
    ahead,
    bearing,
    distance,
    in_contact,
    middle,
)
from battles.turn_form import (
    BUSY,
    Choice,
    InvalidForm,
    LineUp,
    Ordering,
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

__all__ = ["composed", "corrected", "hand", "overheard", "repeated", "sequel", "turn_form"]

AHEAD, LINE, VOLLEY, RECOVER = "ahead", "line", "volley", "recover"
"""Plans: all go straight ahead, go with the unit that moves, fire, or recover casualties."""
_SHARES = (6, 5, 4, 3, 2, 1)
"""Sixths of a way that are tried, the longest first."""

_D6 = (1, 2, 3, 4, 5, 6)


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
    of = number(said, "unit")
    if offered.asks == "order":
        words = str(said.get("order", ""))
        first = _order(state, offered, of, words)
        others = _same(state, offered, of, words) if "every" in said else ()
        return a.Order((first, *others))
    unit = state.units.get(of)
    if unit is None or unit.side is not offered.side:
        raise InvalidForm("Choose one of your units.")
    to = TablePoint(length(said, "x"), length(said, "y"))
    looks = str(said.get("facing", "")).strip()
    way = unit.facing if to == unit.at else bearing(unit.at, to)
    return a.Move(of, to, number(said, "facing") % 360 if looks else way)


def sequel(state: State, action: a.AnyAction, plan: str) -> Callable[[State], a.AnyAction | None]:
    """Return the function that goes on with a plan of this phase, unit by unit."""
    if plan in (AHEAD, LINE) and isinstance(action, a.Move):
        return _march(state, action, plan)
    asks = {VOLLEY: "fire", RECOVER: "recover"}.get(plan)
    first = options(state)

    def following(now: State) -> a.AnyAction | None:
        offered = options(now)
        if offered is None or first is None or offered.side is not first.side:
            return None
        if offered.asks != asks or now.turn != state.turn:
            return None
        if asks == "recover":
            return a.Recover(offered.recovers[0]) if offered.recovers else None
        return _likeliest(now, offered)

    return following


def _march(state: State, action: a.Move, plan: str) -> Callable[[State], a.AnyAction | None]:
    """Return the plan by which all others go the same way as a unit, or each straight ahead."""
    first = state.units[action.unit]
    offered = options(state)
    others = [one for one in (offered.paces if offered else ()) if one != action.unit]
    dx, dy = action.to.x - first.at.x, action.to.y - first.at.y
    way = bearing(TablePoint(0, 0), TablePoint(dx, dy))

    def step(unit: Unit, far: int) -> tuple[int, int, int]:
        """Return the facing of a unit's move, its length and its direction."""
        if plan == LINE:
            return action.facing, distance(first.at, action.to), way
        return unit.facing, far, unit.facing

    def ahead_first(number: int) -> float:
        """Sort units by their place along their way: those in front make room."""
        unit = state.units[number]
        turned = radians(unit.facing if plan == AHEAD else way)
        return unit.at.y * cos(turned) - unit.at.x * sin(turned)

    waiting = sorted(others, key=ahead_first)

    def following(now: State) -> a.AnyAction | None:
        offered = options(now)
        while waiting and offered is not None and offered.asks == "move":
            number = waiting.pop(0)
            if number not in offered.paces:
                continue
            unit, far = now.units[number], offered.paces[number]
            facing, length, direction = step(unit, far)
            for share in _SHARES:
                to = ahead(unit.at, direction, min(length, far) * share // 6)
                if distance(unit.at, to) >= LEAST and offered.may_stand(number, to, facing):
                    return a.Move(number, to, facing)
        return None

    return following


def _ahead(state: State, offered: Options, number: int) -> a.Move | None:
    """Return the longest legal move of a unit straight ahead; None for none."""
    unit, far = state.units[number], offered.paces[number]
    for share in _SHARES:
        to = ahead(unit.at, unit.facing, far * share // 6)
        if distance(unit.at, to) >= LEAST and offered.may_stand(number, to, unit.facing):
            return a.Move(number, to, unit.facing)
    return None


def _likeliest(state: State, offered: Options) -> a.Fire | None:
    """Return the shot of the first unit that can fire, at its likeliest target."""
    shots = offered.shots_of_first()
    if not shots:
        return None
    best = max(shots, key=lambda shot: mean(_hits(state.units[shot.unit], shot)))
    return a.Fire(best.unit, best.target)


def repeated(state: State, actions: Iterable[a.AnyAction]) -> a.Order | None:
    """Return last turn's orders for the units that may be given them and have none yet."""
    offered = options(state)
    if offered is None or offered.asks != "order":
        return None
    before = {
        order.unit: order
        for action in actions
        if isinstance(action, a.Order)
        for order in action.orders
    }
    fresh = [one for one in offered.orders if one in before and one not in state.orders]
    found = tuple(before[one] for one in fresh if _is_allowed(state, before[one]))
    return a.Order(found) if found else None


def _is_allowed(state: State, order: a.UnitOrder) -> bool:
    try:
        orders.check(state, order)
    except IllegalAction:
        return False
    return True


def corrected(state: State, said: Mapping[str, Any]) -> e.Corrected:
    """Return the umpire's correction of a unit from a form. Raises Unclear if impossible."""
    unit = state.units.get(number(said, "unit"))
    if unit is None or unit.id in state.waiting:
        raise InvalidForm("Choose a unit that stands on the field.")
    asked = getattr(state.question, "unit", 0)
    if board.in_contact(state, unit) or unit.id in (*state.engaged, asked):
        raise InvalidForm(BUSY)
    left, to, facing = placed(said, unit)
    if not 0 <= left <= unit.stands:
        raise InvalidForm(f"It has {unit.stands} stands at most.")
    runs = "shaken" in said
    now = msgspec.structs.replace(
        unit, markers=unit.markers[: max(left, 1)], at=to, facing=facing, retreating=runs
    )
    ours = board.stands_of(now)
    near = any(
        board.come_within(ours, board.stands_of(one), TOUCH)
        for one in board.enemies(state, unit.side, seen=False)
    )
    if near or not stands_freely(state, now, to, facing):
        raise InvalidForm("It cannot stand there: the ground is not for it, or somebody is there.")
    return e.Corrected(unit=unit.id, now=msgspec.structs.replace(now, markers=unit.markers[:left]))


def hand(state: State, side: Side) -> tuple[str, ...]:
    """Return an empty hand: the book has no cards."""
    return ()


def overheard(
    state: State, event: Any, rolls: Iterable[Roll], side: Side | None
) -> tuple[Any, tuple[Roll, ...]]:
    """Return the event and its rolls as far as that side learns of them."""
    seen = witnessed(state, event, side)
    return seen, heard(rolls, event, side) if seen is not None else ()


def _order(state: State, offered: Options, unit: int, words: str) -> a.UnitOrder:
    """Return the legal set of orders in these words. Raises Unclear."""
    if unit not in offered.orders:
        raise InvalidForm("Choose one of your units that can be given orders.")
    for order in orders.together(state, state.units[unit]):
        if _in_words(order) == words:
            return order
    raise InvalidForm("Choose one of the orders that are offered.")


def _same(state: State, offered: Options, but: int, words: str) -> tuple[a.UnitOrder, ...]:
    """Return the same orders for every other unit that has none yet and may be given them."""
    fresh = [one for one in offered.orders if one != but and one not in state.orders]
    found = (
        order
        for unit in fresh
        for order in orders.together(state, state.units[unit])
        if _in_words(order) == words
    )
    return tuple(found)


def _called(state: State, unit: int) -> str:
    return capital(name_of(state, unit))


def _on(state: State, unit: int) -> Spot:
    return spot(state.field, middle(stand.at for stand in board.stands_of(state.units[unit])))


def _picks(state: State, units: Iterable[int]) -> tuple[PickedAnswer, ...]:
    return tuple(PickedAnswer(one, _called(state, one)) for one in units)


def _chosen(units: Iterable[int], wanted: int) -> int:
    known = list(units)
    return wanted if wanted in known else next(iter(known), 0)


def zones(state: State) -> dict[Side, str]:
    """Return where each side may place its units before the battle, as path data."""
    return {side: zone_path(state.field, found) for side, found in state.zones.items()}


def _set_up(state: State, offered: Options, unit: int) -> TurnForm:
    chosen = _chosen(offered.movable, unit)
    mine = zones(state).get(offered.side, "")
    of = LineUp(len(offered.moved), a.Restore(), a.Done(), mine, hidden=True)
    placed_unit = state.units[chosen]
    return deployment_form(offered.side, _picks(state, offered.movable), chosen, of)._replace(
        free=anywhere(
            state.field,
            placed_unit,
            f"{_called(state, chosen)} stands",
            sequence.formations(placed_unit),
            measure="cm",
        )
    )


def _orders(state: State, offered: Options, unit: int) -> TurnForm:
    allowed = offered.orders
    fresh = [one for one in allowed if one not in state.orders]
    chosen = unit if unit in allowed else _chosen(fresh or allowed, unit)
    may = allowed[chosen]
    now = state.orders.get(chosen) or a.UnitOrder(chosen)
    sorts = (
        ("movement", tuple(one.value for one in may.rates), str(now.movement or "")),
        ("change", tuple(one.value for one in may.changes), str(now.change or "")),
        ("combat", tuple(one.value for one in may.combats), str(now.combat or "")),
    )
    return TurnForm(
        offered.side,
        "Give your orders for this turn",
        (Choice(a.Done(), "All orders are given", QuestionKind.DONE),),
        chosen,
        tuple(
            PickedAnswer(one, f"{_called(state, one)}: {_in_words(state.orders.get(one))}")
            for one in allowed
        ),
        "Units without orders stay where they are, and look out for nobody.",
        ordering=Ordering(
            chosen,
            f"Orders for {name_of(state, chosen)}",
            tuple(sort for sort in sorts if sort[1]),
            tuple(map(_in_words, orders.together(state, state.units[chosen]))),
            _in_words(now),
        ),
    )


def _in_words(order: a.UnitOrder | None) -> str:
    if order is None:
        return "no orders yet"
    given = [str(one) for one in (order.movement, order.change, order.combat) if one is not None]
    return ", ".join(given) or "stands"


def _moves(state: State, offered: Options, unit: int) -> TurnForm:
    paces = offered.paces
    chosen = unit if unit in paces else _chosen(paces, offered.unit)
    mover = state.units[chosen] if chosen else None
    what = "may follow up at once" if offered.asks == "advance" else "may move"
    far = paces.get(chosen, 0)
    done = "Stay where it is" if offered.asks == "advance" else "End the movement phase"
    several = len(paces) > 1
    return TurnForm(
        offered.side,
        f"{_called(state, chosen)} {what}: {centimetres(far)}" if chosen else "Nobody can move",
        (
            *_straight_on(state, offered),
            *_ways(state, offered, chosen),
            Choice(a.Done(), done, QuestionKind.DONE),
        ),
        chosen,
        _picks(state, paces) if several else (),
        "Touch any place on the field, or choose one here.",
        free(state.field, mover, f"{_called(state, mover.id)} goes", far, measure="cm")._replace(
            line=LINE if several else ""
        )
        if mover
        else None,
    )


def _straight_on(state: State, offered: Options) -> Iterator[Choice]:
    """Yield the move of all units straight ahead, begun by the first that can."""
    if len(offered.paces) < 2:
        return
    first = next(filter(None, (_ahead(state, offered, one) for one in offered.paces)), None)
    if first is not None:
        yield Choice(
            first,
            f"All {len(offered.paces)} go straight ahead",
            QuestionKind.ALL,
            "each in the direction it faces, as far as it may",
            then=AHEAD,
        )


def _ways(state: State, offered: Options, chosen: int) -> Iterator[Choice]:
    if not chosen:
        return
    unit = state.units[chosen]
    for target in offered.closes_of(chosen):
        enemy = state.units[target]
        found = contact_at(state, unit, enemy)
        detail, chance = _melee(state, unit, enemy, found) if found else ("", None)
        yield Choice(
            a.Close(chosen, target),
            f"Close with {name_of(state, target)}",
            QuestionKind.CHARGE,
            detail,
            _on(state, target),
            f"unit {target}",
            target,
            chance,
        )
    for to, facing in offered.spots(chosen):
        yield Choice(
            a.Move(chosen, to, facing),
            f"{centimetres(distance(unit.at, to))} {wind(facing)}, to {place_in_words(to)}",
            QuestionKind.GO,
            spot=spot(state.field, to),
            place=f"{to.x}-{to.y}",
        )
    for facing in range(0, 360, 45):
        if facing != unit.facing and offered.may_stand(chosen, unit.at, facing):
            yield Choice(a.Move(chosen, unit.at, facing), f"Face {wind(facing)}", QuestionKind.TURN)


def _melee(state: State, unit: Unit, enemy: Unit, found: Contact) -> tuple[str, float]:
    """Return the expected casualties of both in the first round, and the chance to cause more.

    They are known only as far as the side knows the enemy.
    """
    ours, theirs = board.stands_at(unit, found.at, found.facing), board.stands_of(enemy)
    pairs = in_contact(ours, theirs)
    mine = sum(board.fit(unit, place) for place in {one for one, _ in pairs})
    its = sum(board.fit(enemy, place) for place in {other for _, other in pairs})
    shelter = firing.defence_grading(close_combat.grading_of(state, unit, enemy))
    caused = _bout(unit, mine, shelter)
    suffered = _bout(enemy, its, firing.defence_grading())
    more = sum(
        chance * too
        for one, chance in caused.items()
        for other, too in suffered.items()
        if one > other
    )
    detail = (
        f"{per_cent(more)} to cause more casualties than it suffers; average "
        f"{mean(caused):.1f} against {mean(suffered):.1f}"
    )
    return detail, more


def _bout(unit: Unit, figures: int, defence: Any) -> dict[int, float]:
    style = style_of(unit.troops, Purpose.CLOSE_COMBAT)
    faces = _D6 if style is Style.REGULAR else AVERAGE
    return spread((close_combat.casualties(style, defence, face) for face in faces), figures)


def _fires(state: State, offered: Options, unit: int) -> TurnForm:
    shots = offered.shots
    firers = list(dict.fromkeys(shot.unit for shot in shots))
    chosen = _chosen(firers, unit)
    found = tuple(_shot(state, shot) for shot in shots if shot.unit == chosen)
    best = _likeliest(state, offered) if len(firers) > 1 else None
    volley = Choice(
        best,
        f"All {len(firers)} fire",
        QuestionKind.ALL,
        "each at the target to which it does most harm on average",
        then=VOLLEY,
    )
    return TurnForm(
        offered.side,
        f"Choose a target for {name_of(state, chosen)}" if chosen else "Nobody has a target",
        (
            *((volley,) if best else ()),
            *found,
            Choice(a.Done(), "End the firing", QuestionKind.DONE),
        ),
        chosen,
        _picks(state, firers) if len(firers) > 1 else (),
    )


def _shot(state: State, shot: Shot) -> Choice:
    unit = state.units[shot.unit]
    hits = _hits(unit, shot)
    some = 1 - hits.get(0, 0.0)
    return Choice(
        a.Fire(shot.unit, shot.target),
        f"Fire at {name_of(state, shot.target)} at {shot.band} range",
        QuestionKind.FIRE,
        f"{per_cent(some)} for a casualty; average {mean(hits):.1f} "
        f"({shot.dice} {'die' if shot.dice == 1 else 'dice'}, {_where(shot)})",
        _on(state, shot.target),
        f"unit {shot.target}",
        shot.target,
        some,
    )


def _where(shot: Shot) -> str:
    return "target in the open" if shot.where == "open" else f"target behind {shot.where}"


def _hits(unit: Unit, shot: Shot) -> dict[int, float]:
    """Return the chance of every number of casualties, with each stand at its own range."""
    style = style_of(unit.troops, Purpose.FIRE)
    faces = AVERAGE if style is Style.REGULAR else _D6
    attack, defence = (
        firing.attack_grading(unit.weapon),
        firing.defence_grading(shot.where),
    )
    sums = {0: 1.0}
    for place, band in zip(shot.stands, shot.bands, strict=True):
        less = firing.adjustment(unit.weapon, band)
        each = [firing.casualties(style, attack, defence, face + less) for face in faces]
        dice = firing.dice_of(unit.arm, board.fit(unit, place))
        after: dict[int, float] = {}
        for total, chance in sums.items():
            for more, too in spread(each, dice).items():
                after[total + more] = after.get(total + more, 0.0) + chance * too
        sums = after
    return sums


def _recovers(state: State, offered: Options, unit: int) -> TurnForm:
    found = tuple(
        Choice(
            a.Recover(one),
            f"{_called(state, one)} recovers casualties",
            QuestionKind.OTHER,
            spot=_on(state, one),
            place=f"unit {one}",
            target=one,
        )
        for one in offered.recovers
    )
    every = [
        Choice(one.action, "All recover", QuestionKind.ALL, then=RECOVER)
        for one in found[:1]
        if len(found) > 1
    ]
    return TurnForm(
        offered.side,
        "Who recovers casualties?",
        (
            *every,
            *found,
            Choice(a.Done(), "End the recovery", QuestionKind.DONE),
        ),
    )


_ASKED: Mapping[str, Callable[[State, Options, int], TurnForm]] = {
    "set up": _set_up,
    "order": _orders,
    "move": _moves,
    "fire": _fires,
    "advance": _moves,
    "recover": _recovers,
}
