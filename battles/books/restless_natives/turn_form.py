"""The turn forms of Restless Natives, and the actions that come back from them."""

from collections.abc import Callable, Iterator, Mapping
from math import comb

from battles.books.restless_natives import actions as a
from battles.books.restless_natives import close_combat, firing, sequence
from battles.books.restless_natives.board import centre, foes, is_engaged, stands_at, stands_of
from battles.books.restless_natives.charging import Attack
from battles.books.restless_natives.form_answers import AHEAD, FIGHT, FIRE, TOWARDS
from battles.books.restless_natives.movement import Way, way_length
from battles.books.restless_natives.names import (
    CARDS,
    acting_commander,
    commander_name,
    inches,
    name_of,
    place_in_words,
    wind,
)
from battles.books.restless_natives.options import Options, options
from battles.books.restless_natives.state import State, Unit, acting_unit
from battles.contract.brief import Side
from battles.prose import agree, capital
from battles.turn_form import (
    Choice,
    LineUp,
    PickedAnswer,
    QuestionKind,
    Spot,
    TurnForm,
    about_unit,
    anywhere,
    chance_of_more,
    deployment_form,
    free,
    mean,
    per_cent,
    spot,
    zone_path,
)

_SIX, _FIVE_OR_SIX = 1 / 6, 1 / 3


def turn_form(state: State, side: Side, unit: int = 0) -> TurnForm | None:
    """Return the side's turn form; None when it is not its turn."""
    offered = options(state)
    if offered is None or offered.side is not side:
        return None
    return _ASKED[offered.asks](state, offered, unit)


def _title_of(state: State, unit: int) -> str:
    return capital(name_of(state, unit))


def _on(state: State, unit: int) -> Spot | None:
    placed_unit = state.units.get(unit)
    return spot(state.field, centre(placed_unit)) if placed_unit else None


def zones(state: State) -> dict[Side, str]:
    """Return where each side may place its units before the battle, as path data."""
    return {side: zone_path(state.field, outlines) for side, outlines in state.zones.items()}


def _set_up(state: State, offered: Options, unit: int) -> TurnForm:
    numbers = dict.fromkeys((*offered.movable, *offered.units))
    chosen = unit if unit in numbers else next(iter(numbers), 0)
    led = state.units.get(chosen) or state.waiting.get(chosen)
    choices = [
        Choice(
            a.Allot(chosen, number),
            f"{_title_of(state, chosen)} comes under {commander_name(state.commanders[number])}",
            QuestionKind.OTHER,
        )
        for number in offered.commanders
        if led is not None and led.command != number
    ]
    form = deployment_form(
        offered.side,
        tuple(PickedAnswer(number, _title_of(state, number)) for number in numbers),
        chosen,
        LineUp(len(offered.moved), a.Restore(), a.Done(), zones(state).get(offered.side, "")),
    )
    if chosen not in offered.movable:
        return form._replace(choices=(*choices, *form.choices))
    unit_there = state.units[chosen]
    title = _title_of(state, chosen)
    return form._replace(
        choices=(*choices, *form.choices),
        free=anywhere(
            state.field,
            unit_there,
            f"{title} {agree(title, 'stands')}",
            sequence.formations(unit_there),
            measure="inches",
        ),
    )


def _command(state: State, offered: Options, unit: int) -> TurnForm:
    commander = state.commanders[offered.commander]
    choices = [
        about_unit(
            a.Activate(number),
            _title_of(state, number),
            QuestionKind.NEXT,
            number,
            _on(state, number),
        )
        for number in offered.units
    ]
    at_once = [
        _at_once(state, state.units[number]) for number in offered.units if number in state.units
    ]
    choices += sorted(at_once, key=lambda choice: choice.chance is None)  # fights and fire first
    choices += [
        Choice(a.Rally(number), f"Rally {name_of(state, number)} with a card", QuestionKind.CARD)
        for number in offered.rallies
    ]
    choices += [
        Choice(
            a.PassOn(number),
            f"Pass the initiative on to {commander_name(state.commanders[number])}",
            QuestionKind.OTHER,
        )
        for number in offered.commanders
    ]
    return TurnForm(
        offered.side,
        f"{capital(acting_commander(state, commander))}: which unit acts on this card?",
        (*choices, Choice(a.Done(), "Activate nobody", QuestionKind.DONE)),
    )


def _at_once(state: State, unit: Unit) -> Choice:
    """Return the activation of a unit together with what it is most likely wanted for.

    A unit in close combat fights on, one with an enemy in range fires at the likeliest target, and
    any other marches straight ahead: as often as it may, so that its turn is over.
    """
    called = _title_of(state, unit.id)
    words, plan = f"marches straight ahead to the {wind(unit.facing)}, two moves at once", AHEAD
    detail, chance = "as far as the dice allow", None
    if is_engaged(state, unit):
        foe = foes(state, unit)[0]
        words, plan = f"fights on against {name_of(state, foe.id)}", f"{FIGHT}:{foe.id}"
        detail, chance = _melee(state, unit, foe, first=False)
    elif targets := firing.possible_targets(state, unit):
        shots = [_shot_choice(state, unit, (aim.target,), 2) for aim in targets]
        shot = max(shots, key=lambda choice: choice.chance or 0)
        words, plan = f"fires twice at {name_of(state, shot.target)}", f"{FIRE}:{shot.target}"
        detail, chance = shot.detail, shot.chance
    return Choice(
        a.Activate(unit.id),
        f"{called} {agree(called, words)}",
        QuestionKind.AT_ONCE,
        detail,
        chance=chance,
        then=plan,
    )


def _act(state: State, offered: Options, unit: int) -> TurnForm:
    called = _title_of(state, offered.unit)
    goes = f"{called} {agree(called, 'marches')}, as far as the dice allow,"
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
        yield about_unit(
            a.Fight(foe),
            f"Fight on against {name_of(state, foe)}",
            QuestionKind.CHARGE,
            foe,
            _on(state, foe),
            detail=detail,
            chance=chance,
        )
    yield from _shots(state, offered)
    for card in offered.cards:
        yield Choice(a.PlayCard(card), f"Play “{CARDS[card]}”", QuestionKind.CARD)
    for moves in range(1, offered.marches + 1):
        words = f"March straight ahead to the {wind(acting_unit(state).facing)}"
        words += ", two moves at once" if moves > 1 else ""
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
    numbers = tuple(target.unit for target in offered.targets)
    for volleys in range(offered.volleys, 0, -1):
        for first in numbers:
            rest = tuple(number for number in numbers if number != first)
            yield _shot_choice(state, unit, (first,), volleys)
            targets = tuple(
                volley.target
                for volley in firing.plan_volleys(state, unit, (first, *rest), volleys)
            )
            if len(targets) > 1:
                yield _shot_choice(state, unit, targets, volleys)


def _shot_choice(state: State, unit: Unit, targets: tuple[int, ...], volleys: int) -> Choice:
    first, *others = firing.plan_volleys(state, unit, targets, volleys)
    falls = _falls(first)
    destroys = 1 - falls.get(0, 0.0)
    also = f", and with the others at {', '.join(name_of(state, other.target) for other in others)}"
    dice = first.open_dice + first.covered_dice
    cover = ", cover halves the effect" if first.covered_dice else ""
    return about_unit(
        a.Fire(targets, volleys),
        f"Fire {'twice ' if volleys > 1 else ''}at {name_of(state, first.target)}"
        f"{also if others else ''}",
        QuestionKind.FIRE,
        first.target,
        _on(state, first.target),
        detail=f"{per_cent(destroys)} to destroy a stand; average {mean(falls):.1f} "
        f"({dice}D6{cover})",
        chance=destroys,
    )


def _falls(volley: firing.Volley) -> dict[int, float]:
    """Return the chance of every number of stands destroyed."""
    chances: dict[int, float] = {}
    covered = _destroyed(volley.covered_dice, _SIX, volley.covered, each=2)
    for count, chance in _destroyed(volley.open_dice, _SIX, volley.open).items():
        for other, too in covered.items():
            chances[count + other] = chances.get(count + other, 0.0) + chance * too
    return chances


def _destroyed(dice: int, hit: float, most: int, each: int = 1) -> dict[int, float]:
    """Return the chances of stands destroyed: one for `each` of the hits, `most` in all."""
    chances: dict[int, float] = {}
    for hits in range(dice + 1):
        chance = comb(dice, hits) * hit**hits * (1 - hit) ** (dice - hits)
        fallen = min(hits // each, most)
        chances[fallen] = chances.get(fallen, 0.0) + chance
    return chances


def _melee(
    state: State, unit: Unit, foe: Unit, *, first: bool, at: Attack | None = None
) -> tuple[str, float]:
    """Return the odds and the expected losses of the round in words, and the chance to win it."""
    stands = stands_of(unit) if at is None else stands_at(unit, at.at, at.facing)
    own_count, enemy_count = close_combat.involved_stands(stands, stands_of(foe))
    card = state.acting.card if state.acting else None
    dice = close_combat.dice(own_count, initiates=True, first=first, card=card)
    against = close_combat.dice(enemy_count, initiates=False, first=first)
    kills = _destroyed(dice, _FIVE_OR_SIX, foe.stands)
    losses = _destroyed(against, _FIVE_OR_SIX, unit.stands)
    chance = chance_of_more(kills, losses)
    detail = (
        f"{per_cent(chance)} to destroy more than it loses ({dice}D6 against {against}D6); average "
        f"{mean(kills):.1f} against {mean(losses):.1f} stands"
    )
    return detail, chance


def _move(state: State, offered: Options, unit: int) -> TurnForm:
    mover = state.units[offered.unit]
    reach = offered.reach
    most = reach.most if reach else 0
    called = _title_of(state, offered.unit)
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
        yield about_unit(
            a.Charge(attack.target),
            f"Close with {name_of(state, attack.target)}",
            QuestionKind.CHARGE,
            attack.target,
            _on(state, attack.target),
            detail=detail,
            chance=chance,
        )
    choices: dict[str, Choice] = {}
    for way in offered.reach.spots() if offered.reach else ():
        goes = _goes(state, unit, way)
        choices.setdefault(goes.label, goes)
    yield from choices.values()
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
