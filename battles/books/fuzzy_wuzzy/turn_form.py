"""The turn forms of 'Eres to You Fuzzy Wuzzy, and the actions that come back from them."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from battles.books.fuzzy_wuzzy import actions as a
from battles.books.fuzzy_wuzzy import board, orders, sequence
from battles.books.fuzzy_wuzzy.firing import Shot
from battles.books.fuzzy_wuzzy.form_answers import (
    AHEAD,
    LINE,
    RECOVER,
    VOLLEY,
    move_ahead,
    order_in_words,
)
from battles.books.fuzzy_wuzzy.movement import contact_at
from battles.books.fuzzy_wuzzy.names import centimetres, name_of, place_in_words, wind
from battles.books.fuzzy_wuzzy.options import (
    Options,
    casualty_chances,
    likeliest_shot,
    melee,
    options,
)
from battles.books.fuzzy_wuzzy.state import State
from battles.contract.brief import Side
from battles.prose import agree, capital
from battles.tabletop.geometry import distance, middle
from battles.turn_form import (
    Choice,
    LineUp,
    OrderChoices,
    PickedAnswer,
    QuestionKind,
    Spot,
    TurnForm,
    about_unit,
    anywhere,
    deployment_form,
    free,
    mean,
    per_cent,
    spot,
    zone_path,
)


def turn_form(state: State, side: Side, unit: int = 0) -> TurnForm | None:
    """Return the side's turn form; None when it is not its turn."""
    offered = options(state)
    if offered is None or offered.side is not side:
        return None
    return _ASKED[offered.asks](state, offered, unit)


def _title_of(state: State, unit: int) -> str:
    return capital(name_of(state, unit))


def _on(state: State, unit: int) -> Spot:
    return spot(state.field, middle(stand.at for stand in board.stands_of(state.units[unit])))


def _picks(state: State, units: Iterable[int]) -> tuple[PickedAnswer, ...]:
    return tuple(PickedAnswer(number, _title_of(state, number)) for number in units)


def _chosen_unit(units: Iterable[int], unit_id: int) -> int:
    numbers = list(units)
    return unit_id if unit_id in numbers else next(iter(numbers), 0)


def zones(state: State) -> dict[Side, str]:
    """Return where each side may place its units before the battle, as path data."""
    return {side: zone_path(state.field, outlines) for side, outlines in state.zones.items()}


def _set_up(state: State, offered: Options, unit: int) -> TurnForm:
    chosen = _chosen_unit(offered.movable, unit)
    zone = zones(state).get(offered.side, "")
    line_up = LineUp(len(offered.moved), a.Restore(), a.Done(), zone, hidden=True)
    placed_unit = state.units[chosen]
    title = _title_of(state, chosen)
    return deployment_form(offered.side, _picks(state, offered.movable), chosen, line_up)._replace(
        free=anywhere(
            state.field,
            placed_unit,
            f"{title} {agree(title, 'stands')}",
            sequence.formations(placed_unit),
            measure="cm",
        )
    )


def _orders(state: State, offered: Options, unit: int) -> TurnForm:
    allowed = offered.orders
    fresh = [number for number in allowed if number not in state.orders]
    chosen = unit if unit in allowed else _chosen_unit(fresh or allowed, unit)
    may = allowed[chosen]
    now = state.orders.get(chosen) or a.UnitOrder(chosen)
    sorts = (
        ("movement", tuple(rate.value for rate in may.rates), str(now.movement or "")),
        ("change", tuple(change.value for change in may.changes), str(now.change or "")),
        ("combat", tuple(combat.value for combat in may.combats), str(now.combat or "")),
    )
    return TurnForm(
        offered.side,
        "Give your orders for this turn",
        (Choice(a.Done(), "All orders are given", QuestionKind.DONE),),
        chosen,
        tuple(
            PickedAnswer(
                number, f"{_title_of(state, number)}: {order_in_words(state.orders.get(number))}"
            )
            for number in allowed
        ),
        "Units without orders stay where they are, and look out for nobody.",
        ordering=OrderChoices(
            chosen,
            f"Orders for {name_of(state, chosen)}",
            tuple(sort for sort in sorts if sort[1]),
            tuple(map(order_in_words, orders.together(state, state.units[chosen]))),
            order_in_words(now),
        ),
    )


def _moves(state: State, offered: Options, unit: int) -> TurnForm:
    paces = offered.paces
    chosen = unit if unit in paces else _chosen_unit(paces, offered.unit)
    mover = state.units[chosen] if chosen else None
    phrase = "may follow up at once" if offered.asks == "advance" else "may move"
    far = paces.get(chosen, 0)
    done = "Stay where it is" if offered.asks == "advance" else "End the movement phase"
    several = len(paces) > 1
    return TurnForm(
        offered.side,
        f"{_title_of(state, chosen)} {phrase}: {centimetres(far)}" if chosen else "Nobody can move",
        (
            *_straight_on(state, offered),
            *_ways(state, offered, chosen),
            Choice(a.Done(), done, QuestionKind.DONE),
        ),
        chosen,
        _picks(state, paces) if several else (),
        "Touch any place on the field, or choose one here.",
        free(state.field, mover, f"{_title_of(state, mover.id)} goes", far, measure="cm")._replace(
            line=LINE if several else ""
        )
        if mover
        else None,
    )


def _straight_on(state: State, offered: Options) -> Iterator[Choice]:
    """Yield the move of all units straight ahead, begun by the first that can."""
    if len(offered.paces) < 2:
        return
    first = next(
        filter(None, (move_ahead(state, offered, number) for number in offered.paces)), None
    )
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
        contact = contact_at(state, unit, enemy)
        detail, chance = melee(state, unit, enemy, contact) if contact else ("", None)
        yield about_unit(
            a.Close(chosen, target),
            f"Close with {name_of(state, target)}",
            QuestionKind.CHARGE,
            target,
            _on(state, target),
            detail=detail,
            chance=chance,
        )
    for place, facing in offered.spots(chosen):
        yield Choice(
            a.Move(chosen, place, facing),
            f"{centimetres(distance(unit.at, place))} {wind(facing)}, to {place_in_words(place)}",
            QuestionKind.GO,
            spot=spot(state.field, place),
            place=f"{place.x}-{place.y}",
        )
    for facing in range(0, 360, 45):
        if facing != unit.facing and offered.may_stand(chosen, unit.at, facing):
            yield Choice(a.Move(chosen, unit.at, facing), f"Face {wind(facing)}", QuestionKind.TURN)


def _fires(state: State, offered: Options, unit: int) -> TurnForm:
    shots = offered.shots
    firers = list(dict.fromkeys(shot.unit for shot in shots))
    chosen = _chosen_unit(firers, unit)
    choices = tuple(_shot_choice(state, shot) for shot in shots if shot.unit == chosen)
    best = likeliest_shot(state, offered) if len(firers) > 1 else None
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
            *choices,
            Choice(a.Done(), "End the firing", QuestionKind.DONE),
        ),
        chosen,
        _picks(state, firers) if len(firers) > 1 else (),
    )


def _shot_choice(state: State, shot: Shot) -> Choice:
    unit = state.units[shot.unit]
    hits = casualty_chances(unit, shot)
    some = 1 - hits.get(0, 0.0)
    return about_unit(
        a.Fire(shot.unit, shot.target),
        f"Fire at {name_of(state, shot.target)} at {shot.band} range",
        QuestionKind.FIRE,
        shot.target,
        _on(state, shot.target),
        detail=f"{per_cent(some)} for a casualty; average {mean(hits):.1f} "
        f"({shot.dice} {'die' if shot.dice == 1 else 'dice'}, {_where(shot)})",
        chance=some,
    )


def _where(shot: Shot) -> str:
    return "target in the open" if shot.where == "open" else f"target behind {shot.where}"


def _recovers(state: State, offered: Options, unit: int) -> TurnForm:
    choices = tuple(
        about_unit(
            a.Recover(number),
            f"{_title_of(state, number)} recovers casualties",
            QuestionKind.OTHER,
            number,
            _on(state, number),
        )
        for number in offered.recovers
    )
    every = [
        Choice(choice.action, "All recover", QuestionKind.ALL, then=RECOVER)
        for choice in choices[:1]
        if len(choices) > 1
    ]
    return TurnForm(
        offered.side,
        "Who recovers casualties?",
        (*every, *choices, Choice(a.Done(), "End the recovery", QuestionKind.DONE)),
    )


_ASKED: Mapping[str, Callable[[State, Options, int], TurnForm]] = {
    "set up": _set_up,
    "order": _orders,
    "move": _moves,
    "fire": _fires,
    "advance": _moves,
    "recover": _recovers,
}
