"""The results phases: duties and choices after combat, retreats, and recovery (11 and 14)."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from battles.books.fuzzy_wuzzy import board, close_combat, firing, movement
from battles.books.fuzzy_wuzzy import events as e
from battles.books.fuzzy_wuzzy.actions import ToAdvance
from battles.books.fuzzy_wuzzy.book import SCALE, book, style_of
from battles.books.fuzzy_wuzzy.close_combat import Result
from battles.books.fuzzy_wuzzy.pieces import Combat, Compared, Does, Purpose, Rate, Style
from battles.books.fuzzy_wuzzy.state import State, Unit, tally
from battles.contract.brief import Side
from battles.core.dice import Roll
from battles.core.game import Ledger, Step
from battles.tabletop.field import on_table
from battles.tabletop.formations import TableFormation, free_way
from battles.tabletop.geometry import TablePoint, ahead, bearing_between, distance

# Casualty markers: placing and removing them, and rallying.


Markers = tuple[int, ...]


class Placed(NamedTuple):
    """The markers of each stand that is left, and the number of stands lost."""

    markers: Markers
    lost: int


def place_casualties(markers: Sequence[int], casualties: int, figures: int = 2) -> Placed:
    """Return the markers after more casualties on a unit with these markers.

    A marker wounds a figure. Each goes on the stand that has fewest, the foremost among equals;
    when every figure is wounded, each further casualty removes the rearmost stand with its markers.
    """
    left = list(markers)
    lost = 0
    for _ in range(casualties):
        fewest = min(left, default=figures)
        if fewest < figures:
            left[left.index(fewest)] += 1
        elif left:
            left.pop()
            lost += 1
    return Placed(tuple(left), lost)


def gather_casualties(casualties: int, stands: int, figures: int = 2) -> Markers:
    """Return the casualties gathered on as few stands as possible, the rearmost first."""
    full, over = divmod(casualties, figures)
    filled = (*([over] if over else []), *[figures] * full)
    return (*[0] * (stands - len(filled)), *filled)


def overrun(markers: Sequence[int], figures: int = 2) -> Placed:
    """Return the stands left of a unit that is overrun: spent stands are lost."""
    left = tuple(count for count in markers if count < figures)
    return Placed(left, len(markers) - len(left))


def needs_die(markers: int) -> bool:
    """Return whether rounding half of so many casualty markers needs a normal die."""
    return bool(markers % book().number("half"))


def recovered_markers(markers: int, die: int = 0) -> int:
    """Return the number of casualty markers removed; an even number needs no `die`.

    Raises StopIteration for a score that is not on a normal die.
    """
    half, odd = divmod(markers, book().number("half"))
    return half + (bool(odd) and book().rounding(die) == "up")


def dice_of(style: Style) -> str:
    """Return the kind of dice, one for each retreating stand: "AvD" or "D6"."""
    return book().rally(style)[0].dice


def rallies(style: Style, score: int) -> bool:
    """Return whether a stand rallies. Raises LookupError for a score not on such a die."""
    for row in book().rally(style):
        if row.low <= score <= row.high:
            return row.rallies
    raise LookupError(f"No {dice_of(style)} shows {score}.")


def rallied_stands(style: Style, scores: Iterable[int]) -> int:
    """Return the number of stands that rally, with a score for each."""
    return sum(rallies(style, score) for score in scores)


# Retreats: away from the enemy, at once or move after move (sections 11, 14 and 16).


_TURNS = (0, 45, -45, 90, -90)
_BROKEN = {
    TableFormation.UNLIMBERED: TableFormation.LIMBERED,
    TableFormation.SQUARE: TableFormation.LINE,
}
"""The formation of a retreating unit: guns limber up, squares break into line."""


def throw_pace(ledger: Ledger[State], unit: Unit, rate: Rate, reason: str) -> int:
    """Roll a unit's distance at a rate, and return it in hundredths."""
    style = style_of(unit.troops, Purpose.MOVE)
    count, kind = movement.dice_of(style, unit.moves_as, rate)
    scores = firing.throw(ledger, count, kind)
    ledger.keep(
        Roll(
            reason,
            "Movement 1",
            scores,
            total=sum(scores),
            result=f"{sum(scores)} cm for unit {unit.id}",
            side=unit.side,
        )
    )
    return movement.pace_thrown(scores)


def go_back(ledger: Ledger[State], unit: Unit, rate: Rate) -> None:
    """Make the unit retreat as far as its dice allow, off the field if it gets there.

    A unit that cannot move back at all is hemmed in: each of its stands has another casualty.
    """
    if unit.id in ledger.state.retreated:
        return
    length = throw_pace(ledger, unit, rate, "retreat")
    state = ledger.state
    if unit.formation in _BROKEN:
        broken = _BROKEN[unit.formation]
        ledger.emit(
            e.Formed(unit=unit.id, formation=broken, cause="retreat", dismounted=unit.dismounted)
        )
    way, free = _way_out(state, unit, length)
    if free < SCALE:
        _hemmed_in(ledger, unit)
        return
    end = somewhere_free(state, unit, way, free)
    if end is None:
        cause = "wounded" if unit.wounded else "retreat"
        ledger.emit(e.Left(unit=unit.id, cause=cause))
        return
    ledger.emit(
        e.Moved(
            unit=unit.id,
            to=end,
            facing=way,
            rate=rate,
            cost=distance(unit.at, end),
            cause="retreat",
        )
    )


def retreats(ledger: Ledger[State], side: str) -> None:
    """Continue the retreats of units not rallied; the wounded march (phase 8)."""
    for unit in board.on_field(ledger.state, Side(side)):
        if unit.wounded:
            go_back(ledger, unit, Rate.MARCH)
        elif unit.retreating:
            go_back(ledger, unit, Rate.CHARGE)


def _way_out(state: State, unit: Unit, length: int) -> tuple[int, int]:
    """Return the bearing of the retreat, and its length free of enemies."""
    enemies = board.enemies(state, unit.side, seen=False)
    others = board.stands_of_units(board.near(unit, enemies, length))
    best = (0, -1)
    for way in _bearings(state, unit):
        if movement.is_wet(state.field, unit.at, ahead(unit.at, way, length)):
            continue
        free = free_way(board.stands_at(unit, unit.at, way), way, length, others).length
        if free >= length:
            return way, free
        if free > best[1]:
            best = way, free
    return best


def _bearings(state: State, unit: Unit) -> Iterator[int]:
    """Yield bearings straight away from the threat, then further aside, then homewards."""
    home = state.homes[unit.side]
    threat = unit.threat or _nearest(state, unit)
    away = home if threat is None or unit.wounded else bearing_between(threat, unit.at)
    yield from ((away + turn) % 360 for turn in _TURNS)
    yield home


def _nearest(state: State, unit: Unit) -> TablePoint | None:
    places = [enemy.at for enemy in board.enemies(state, unit.side)]
    return min(places, key=lambda place: (distance(place, unit.at), place), default=None)


def somewhere_free(state: State, unit: Unit, way: int, length: int) -> TablePoint | None:
    """Return the first free place at `length` along a bearing, or further.

    None beyond the edge of the field.
    """
    for extra in range(0, state.field.width + state.field.height, board.SIDE):
        place = ahead(unit.at, way, length + extra)
        if not on_table(state.field, board.stands_at(unit, place, way)):
            return None
        if movement.stands_freely(state, unit, place, way):
            return place
    return None


def _hemmed_in(ledger: Ledger[State], unit: Unit) -> None:
    casualties = book().number("hemmed in") * unit.stands
    take_retreat(ledger, unit, casualties, "hemmed in")


def take_retreat(
    ledger: Ledger[State], unit: Unit, casualties: int, cause: str = "casualties"
) -> None:
    """Place casualties on a unit; it is destroyed when it has no stand left."""
    after = place_casualties(unit.markers, casualties, board.figures_of(unit))
    if not after.markers:
        ledger.emit(e.Lost(unit=unit.id, cause=cause))
        return
    ledger.emit(
        e.CasualtiesTaken(
            unit=unit.id, markers=after.markers, casualties=casualties, lost=after.lost
        )
    )


# The results phases: duties and choices of units after fire and close combat (11 and 14).


PURPOSES = {Combat.FIRE: Purpose.FIRE, Combat.CLOSE: Purpose.CLOSE_COMBAT}


def casualties(ledger: Ledger[State]) -> None:
    """Place the casualties of both sides, all those of one phase at once."""
    suffered: dict[int, int] = {}
    for volley in ledger.state.volleys:
        suffered[volley.target] = suffered.get(volley.target, 0) + volley.casualties
    for number, count in suffered.items():
        if count:
            take_retreat(ledger, ledger.state.units[number], count)


def fire_results(ledger: Ledger[State], side: str) -> None:
    """Judge each unit of the side that has fired or been fired at, by number."""
    ledger.then(
        *(Step("judge", (unit.id,)) for unit in _units_that_fought(ledger.state, Side(side)))
    )


def close_results(ledger: Ledger[State], side: str, *winners: str) -> None:
    """Judge units of the side: with `winners` those that caused more casualties, else the rest."""
    state = ledger.state
    # Winners come last: whether they may advance depends on who has retreated.
    judged = [
        unit.id
        for unit in _units_that_fought(state, Side(side))
        if (compare_casualties(state, unit) is Compared.MORE) is bool(winners)
    ]
    ledger.then(*(Step("judge", (number,)) for number in judged))


def judge(ledger: Ledger[State], number: int) -> None:
    """Judge one unit, with a die where its row needs one; make an immediate retreat now."""
    state = ledger.state
    unit = state.units.get(number)
    if unit is None or state.combat is None:
        return
    if state.combat is Combat.CLOSE and _is_overrun(state, unit):
        ledger.emit(e.Lost(unit=number, cause="overrun"))
        return
    style = style_of(unit.troops, PURPOSES[state.combat])
    done = _result(ledger, unit, style)
    caused, suffered = tally(state, number)
    ledger.emit(
        e.Judged(
            unit=number,
            combat=state.combat,
            caused=caused,
            suffered=suffered,
            does=done.does,
            rate=done.rate,
            until_rallied=done.until_rallied,
            threat=_threat(state, unit) if done.rate and done.forced else None,
        )
    )
    _carry_out(ledger, unit, done)


def compare_casualties(state: State, unit: Unit) -> Compared:
    """Return a unit's casualties caused against those suffered in the current combat."""
    return close_combat.compare(*tally(state, unit.id))


def enemy_retreats(state: State, unit: Unit) -> bool:
    """Return whether all enemies that the unit fought have retreated or are destroyed."""
    fought = {volley.target for volley in state.volleys if volley.unit == unit.id}
    return bool(fought) and all(
        number not in state.units or number in state.retreated for number in fought
    )


def _units_that_fought(state: State, side: Side) -> list[Unit]:
    numbers = {volley.unit for volley in state.volleys} | {
        volley.target for volley in state.volleys
    }
    return [unit for unit in board.on_field(state, side) if unit.id in numbers]


def _result(ledger: Ledger[State], unit: Unit, style: Style) -> Result:
    state = ledger.state
    combat = state.combat or Combat.FIRE
    retreats = combat is Combat.CLOSE and enemy_retreats(state, unit)
    case = close_combat.ResultCase(
        combat, compare_casualties(state, unit), style, unit.arm, retreats
    )
    if not close_combat.needs_die(case):
        return close_combat.result(case)
    clause = "Fire results 3" if combat is Combat.FIRE else "Close results 3"
    roll = ledger.roll(Roll(f"result of {combat}", clause, (0,), side=unit.side))
    done = close_combat.result(case, roll.dice[0])
    ledger.amend(roll, result=done.does, clause=done.clause)
    return done


def _carry_out(ledger: Ledger[State], unit: Unit, done: Result) -> None:
    state = ledger.state
    if done.does is Does.RETREATS:
        _fall_back(ledger, unit, done.rate or Rate.CHARGE)
    elif done.does is Does.MAY_ADVANCE and done.rate is not None:
        cause = "impulse" if state.combat is Combat.FIRE else "pursuit"
        if not unit.retreating and not board.in_contact(state, unit):
            ledger.then(Step("advance", (unit.id, cause, done.rate)))


def advance(ledger: Ledger[State], number: int, cause: str, rate: str) -> None:
    """Roll for an immediate advance and ask for its end, unless the unit is spent."""
    unit = ledger.state.units[number]
    if board.is_spent(unit) or not any(True for _ in board.enemies(ledger.state, unit.side)):
        return
    length = throw_pace(ledger, unit, Rate(rate), cause)
    ledger.emit(e.Paced(units=(number,), lengths=(length,)))
    ledger.ask(ToAdvance(unit.side, number, cause))


def _fall_back(ledger: Ledger[State], unit: Unit, rate: Rate) -> None:
    """Make a unit retreat; from close combat it leaves its spent stands behind."""
    if ledger.state.combat is Combat.CLOSE and board.in_contact(ledger.state, unit):
        after = overrun(unit.markers, board.figures_of(unit))
        if not after.markers:
            ledger.emit(e.Lost(unit=unit.id, cause="overrun"))
            return
        if after.lost:
            ledger.emit(
                e.CasualtiesTaken(
                    unit=unit.id, markers=after.markers, casualties=0, lost=after.lost
                )
            )
    go_back(ledger, unit, rate)


def _is_overrun(state: State, unit: Unit) -> bool:
    """Return whether the unit is spent and an enemy in contact is not."""
    return board.is_spent(unit) and any(
        not board.is_spent(enemy) for enemy in board.in_contact(state, unit)
    )


def _threat(state: State, unit: Unit) -> TablePoint | None:
    """Return the place of the nearest unit that hurt it, or None."""
    hurt = [
        volley.unit for volley in state.volleys if volley.target == unit.id and volley.casualties
    ]
    places = [state.units[number].at for number in hurt if number in state.units]
    return min(places, key=lambda place: (distance(place, unit.at), place), default=None)
