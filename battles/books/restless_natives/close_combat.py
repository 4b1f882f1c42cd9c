"""Close combat, losses and morale, and units that rally and come on again."""

from collections.abc import Sequence

from battles.books.restless_natives import events as e
from battles.books.restless_natives.board import (
    all_stands,
    centre,
    is_afloat,
    near,
    on_field,
    stands_at,
    stands_of,
)
from battles.books.restless_natives.book import book
from battles.books.restless_natives.movement import is_ground_for
from battles.books.restless_natives.pieces import Kind, Special, Troops
from battles.books.restless_natives.special import adds
from battles.books.restless_natives.state import Commander, State, Unit, current_activation
from battles.core.dice import Roll
from battles.core.game import Ledger
from battles.tabletop import formations
from battles.tabletop.field import edge_ahead, on_table, rough
from battles.tabletop.formations import FallBack, Obstacles, fall_back, free_way, move_stands
from battles.tabletop.geometry import (
    MEASURE,
    TOUCH,
    Stands,
    TablePoint,
    ahead,
    are_touching,
    bearing_between,
    gap,
    gaps,
    in_contact,
    nearest_to,
    overlap,
)

# Close combat, losses and morale.


def needs(troops: Troops) -> int:
    """Return the score that passes: 8 British, 12 British Allied, 16 Native (Morale 2 to 4)."""
    return book().troops(troops).passes


def passes(troops: Troops, scores: Sequence[int]) -> bool:
    """Return whether a unit passes with these dice, one for each stand that is left."""
    return sum(scores) >= needs(troops)


def test(ledger: Ledger[State], unit: Unit) -> bool:
    """Test a unit's morale, one die for each stand; return whether it passed.

    A unit that fails falls back or runs away at once.
    """
    threshold = needs(unit.troops)
    clause = book().troops(unit.troops).clause
    roll = ledger.roll(Roll("morale", clause, (0,) * unit.stands, table="troops", side=unit.side))
    passed = passes(unit.troops, roll.dice)
    ledger.amend(roll, result="passes" if passed else "fails")
    ledger.emit(e.MoraleTested(unit=unit.id, score=roll.total, needs=threshold, passed=passed))
    if not passed:
        give_way(ledger, unit)
    return passed


def nearest_enemy(state: State, unit: Unit) -> Unit | None:
    """Return the enemy unit whose stands are nearest to the unit's; None when there is none."""
    enemy_stands = {foe.id: stands_of(foe) for foe in on_field(state, unit.side.enemy)}
    number = nearest_to(stands_of(unit), enemy_stands)
    return None if number is None else state.units[number]


def give_way(ledger: Ledger[State], unit: Unit) -> None:
    """Make the unit fall back 4D6 inches directly away from the nearest enemy, or run away.

    It runs away where another unit or water blocks the way, or where it leaves the field.
    """
    state = ledger.state
    enemy = nearest_enemy(state, unit)
    if enemy is None:
        return
    roll = ledger.roll(
        Roll("fall back", "Morale 5", (0,) * book().number("fall back"), side=unit.side)
    )
    way = way_back(state, unit, enemy, roll.total * MEASURE)
    if way.blocked or way.off:
        place = edge_ahead(state.field, unit.at, way.facing)
        cause = "barred" if way.blocked else "off the field"
        ledger.emit(e.RanAway(unit=unit.id, at=place, cause=cause))
    else:
        ledger.emit(e.FellBack(unit=unit.id, at=way.end, bearing=way.facing, length=way.length))


def way_back(state: State, unit: Unit, enemy: Unit, length: int) -> FallBack:
    """Return the move of a unit that falls back `length` hundredths of an inch from an enemy.

    It may not go through another unit, nor into water, nor a vessel on to land.
    """
    stands = stands_of(unit)
    others = all_stands(other for other in state.units.values() if other is not unit)
    back = ahead(unit.at, bearing_between(centre(unit), centre(enemy)), MEASURE)
    way = fall_back(stands, unit.at, back, length, Obstacles(state.field, others))
    if way.blocked or way.off:
        return way
    ends = move_stands(stands, way.facing, way.length)
    wet = rough(state.field, unit.at, way.end, book().water)
    afloat = book().kind(unit.kind).afloat
    barred = not is_ground_for(state.field, unit, ends) or (wet > 0 and not afloat)
    return way._replace(blocked=barred)


def lose(ledger: Ledger[State], unit: Unit, stands: int, cause: str) -> None:
    """Remove stands immediately; a unit that has lost its last one is destroyed.

    `cause`: fire, or close combat. Its morale is tested by `shaken`.
    """
    if not stands:
        return
    ledger.emit(e.StandsLost(unit=unit.id, stands=stands, cause=cause))
    if not unit.stands:
        ledger.emit(e.Destroyed(unit=unit.id, cause=cause))
        if unit.kind is Kind.COMMANDER:
            _commander_falls(ledger, unit)


def test_morale_after_losses(ledger: Ledger[State], unit: Unit, stands: int) -> None:
    """Test the morale of a unit that has lost stands and has some left."""
    if stands and unit.id in ledger.state.units:
        test(ledger, unit)


def successor(state: State, fallen: Commander) -> Commander:
    """Return the commander who takes over: the Commander-in-Chief, or else the next in line.

    The last commander of a side succeeds himself, without a stand on the field (ruling).
    """
    others = [
        other
        for other in state.commanders.values()
        if other.side is fallen.side and other is not fallen
    ]
    return min(others, key=lambda other: (not other.chief, other.id), default=fallen)


def _commander_falls(ledger: Ledger[State], unit: Unit) -> None:
    state = ledger.state
    for commander in list(state.commanders.values()):
        if commander.unit == unit.id:
            heir = successor(state, commander)
            ledger.emit(e.CommandTaken(commander=commander.id, successor=heir.id))


CAUSE = "close combat"


def dice(stands: int, *, initiates: bool, first: bool, card: Special | None = None) -> int:
    """Return the D6 that so many stands involved throw in a round.

    `initiates`: whether their unit has moved into contact, or in a further round is the activated
    one; `first`: whether it is the first round between the two.
    """
    row = book().combat(first=first)
    per_stand = row.initiating if initiates else row.engaged
    return (per_stand + adds(card, CAUSE)) * stands


def destroyed_stands(scores: Sequence[int]) -> int:
    """Return the enemy stands that these scores destroy: one for each 5 or 6."""
    return sum(score >= book().number("hit in close combat") for score in scores)


def involved_stands(own_stands: Stands, enemy_stands: Stands) -> tuple[int, int]:
    """Return the number of stands of either unit that are involved in their close combat.

    These are stands in contact with an enemy stand, and stands that touch those (ruling).
    """
    pairs = in_contact(own_stands, enemy_stands) or (_nearest_pair(own_stands, enemy_stands),)
    return (
        _with_neighbours(own_stands, {index for index, _ in pairs}),
        _with_neighbours(enemy_stands, {other for _, other in pairs}),
    )


def fight(ledger: Ledger[State], unit: Unit, foe: Unit, *, first: bool) -> None:
    """Fight one round between the acting unit and an enemy it is in contact with.

    Both throw; the stands destroyed are removed together, and each unit that has lost any tests its
    morale at once, the enemy first (ruling). If they stay in contact, the acting unit closes up.
    """
    own_count, enemy_count = involved_stands(stands_of(unit), stands_of(foe))
    card = current_activation(ledger.state).card
    clause = "Close combat 2" if first else "Close combat 7"
    killed = _throw(ledger, foe, dice(own_count, initiates=True, first=first, card=card), clause)
    against = "Close combat 3" if first else "Close combat 7"
    fallen = _throw(ledger, unit, dice(enemy_count, initiates=False, first=first), against)
    ledger.emit(
        e.CombatFought(unit=unit.id, target=foe.id, first=first, lost=fallen, destroyed=killed)
    )
    lose(ledger, foe, killed, CAUSE)
    lose(ledger, unit, fallen, CAUSE)
    test_morale_after_losses(ledger, foe, killed)
    test_morale_after_losses(ledger, unit, fallen)
    close_up(ledger, unit, foe)


def close_up(ledger: Ledger[State], unit: Unit, foe: Unit) -> None:
    """Move the acting unit up to an enemy whose losses have opened a gap (ruling).

    It stays where it is if it would leave the table or lie upon another unit.
    """
    state = ledger.state
    if not are_in_contact(state, unit, foe):
        return
    own_stands, enemy_stands = stands_of(unit), stands_of(foe)
    if are_touching(own_stands, enemy_stands):
        return
    index, other = _nearest_pair(own_stands, enemy_stands)
    way = bearing_between(own_stands[index].at, enemy_stands[other].at)
    far = gap(own_stands, enemy_stands)
    met = free_way(own_stands, way, 2 * far, enemy_stands)
    destination = ahead(unit.at, way, met.length)
    stands = stands_at(unit, destination, unit.facing)
    around = near(state, unit, destination)
    if met.other is None or not on_table(state.field, stands):
        return
    if not any(overlap(stands, stands_of(other)) for other in around):
        ledger.emit(e.ClosedUp(unit=unit.id, at=destination))


def are_in_contact(state: State, unit: Unit, foe: Unit) -> bool:
    """Return whether the two are engaged with one another."""
    pair = {unit.id, foe.id}
    return any({contact.one, contact.other} == pair for contact in state.contacts)


def _throw(ledger: Ledger[State], enemy: Unit, count: int, clause: str) -> int:
    """Roll the dice, and return the enemy's stands that they destroy."""
    side = enemy.side.enemy
    roll = ledger.roll(Roll(CAUSE, clause, (0,) * count, table="close_combat", side=side))
    fallen = min(destroyed_stands(roll.dice), enemy.stands)
    ledger.amend(roll, total=fallen, result=f"{fallen} destroyed")
    return fallen


def _nearest_pair(own_stands: Stands, enemy_stands: Stands) -> tuple[int, int]:
    """Return the indices of the two stands that would touch first if the units closed up."""
    rows = gaps(own_stands, enemy_stands)
    return min(
        ((index, other) for index in range(len(own_stands)) for other in range(len(enemy_stands))),
        key=lambda pair: (rows[pair[0]][pair[1]], pair),
    )


def _with_neighbours(stands: Stands, touching: set[int]) -> int:
    rows = gaps(stands, stands)
    return sum(
        any(rows[place][other] <= TOUCH for other in touching) for place in range(len(stands))
    )


# Units that come on at the edge of the field, late or rallied (Morale 6 and 7).


def place(state: State, unit: Unit) -> TablePoint | None:
    """Return the free place nearest to where the unit left or was to come on; None for none."""
    point = formations.free_place(
        formations.MovingUnit(unit.formation, unit.stands, book().size(unit.kind)),
        unit.at,
        facing_to_middle(state, unit),
        formations.Obstacles(state.field, all_stands(state.units.values())),
        frozenset() if is_afloat(unit) else book().water,
    )
    if point is None or not is_ground_for(
        state.field, unit, stands_at(unit, point, facing_to_middle(state, unit))
    ):
        return None
    return point


def facing_to_middle(state: State, unit: Unit) -> int:
    """Return the facing towards the middle of the field."""
    return bearing_between(unit.at, TablePoint(state.field.width // 2, state.field.height // 2))


def come_on(ledger: Ledger[State], unit: Unit, cause: str) -> None:
    """Bring the unit on where there is room. `cause`: entered, or rallied."""
    point = place(ledger.state, unit) or unit.at
    looks = facing_to_middle(ledger.state, unit)
    ledger.emit(e.CameOn(unit=unit.id, at=point, facing=looks, cause=cause))


def rally(ledger: Ledger[State], commander: Commander, unit: Unit) -> None:
    """Play Rally Once Again!, and bring the unit back at the edge of the field."""
    ledger.emit(e.SpecialPlayed(commander=commander.id, card=Special.RALLY, unit=unit.id))
    come_on(ledger, unit, "rallied")


def can_rally(state: State, commander: Commander) -> tuple[int, ...]:
    """Return the commander's units that ran away and can return, if the hand holds the card."""
    if Special.RALLY not in commander.hand:
        return ()
    return tuple(
        unit.id
        for unit in state.away.values()
        if unit.command == commander.id and place(state, unit) is not None
    )
