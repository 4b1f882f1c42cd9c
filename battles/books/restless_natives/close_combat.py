"""Close combat: the first round, further rounds, and who of either unit is involved."""

from collections.abc import Sequence

from battles.books.restless_natives import events as e
from battles.books.restless_natives import losses
from battles.books.restless_natives.board import near, stands_at, stands_of
from battles.books.restless_natives.book import book
from battles.books.restless_natives.pieces import Special
from battles.books.restless_natives.special import adds
from battles.books.restless_natives.state import State, Unit, acting
from battles.core.dice import Roll
from battles.core.ledger import Ledger
from battles.open_table.points import ahead, bearing
from battles.open_table.stands import TOUCH, Stands, gap, gaps, in_contact, overlap
from battles.open_table.travel import free_way

CAUSE = "close combat"


def dice(stands: int, *, initiates: bool, first: bool, card: Special | None = None) -> int:
    """The D6 that so many stands involved throw in a round.

    `initiates`: whether theirs is the unit that has moved into contact, or in a further round the
    one that is activated; `first`: whether it is the first round between the two.
    """
    row = book().combat(first=first)
    each = row.initiating if initiates else row.engaged
    return (each + adds(card, CAUSE)) * stands


def destroyed(scores: Sequence[int]) -> int:
    """The enemy stands that such scores destroy: one for each 5 or 6."""
    return sum(score >= book().number("hit in close combat") for score in scores)


def involved(ours: Stands, theirs: Stands) -> tuple[int, int]:
    """How many stands of either unit are involved in a close combat between them.

    Those in contact with an enemy stand, and those that touch such a stand of their own (ruling).
    """
    pairs = in_contact(ours, theirs) or (_nearest_pair(ours, theirs),)
    return (
        _with_neighbours(ours, {mine for mine, _ in pairs}),
        _with_neighbours(theirs, {other for _, other in pairs}),
    )


def fight(ledger: Ledger[State], unit: Unit, foe: Unit, *, first: bool) -> None:
    """One round between the unit that acts and an enemy it is in contact with.

    Both throw; the stands destroyed are removed together, and each unit that has lost any tests
    its morale at once, the enemy first (ruling). Who stays in contact closes up.
    """
    ours, theirs = involved(stands_of(unit), stands_of(foe))
    card = acting(ledger.state).card
    clause = "Close combat 2" if first else "Close combat 7"
    killed = _throw(ledger, foe, dice(ours, initiates=True, first=first, card=card), clause)
    against = "Close combat 3" if first else "Close combat 7"
    fallen = _throw(ledger, unit, dice(theirs, initiates=False, first=first), against)
    ledger.emit(
        e.CombatFought(unit=unit.id, target=foe.id, first=first, lost=fallen, destroyed=killed)
    )
    losses.lose(ledger, foe, killed, CAUSE)
    losses.lose(ledger, unit, fallen, CAUSE)
    losses.shaken(ledger, foe, killed)
    losses.shaken(ledger, unit, fallen)
    close_up(ledger, unit, foe)


def close_up(ledger: Ledger[State], unit: Unit, foe: Unit) -> None:
    """The unit that acts closes up to an enemy whose losses have opened a gap (ruling)."""
    state = ledger.state
    if not are_in_contact(state, unit, foe):
        return
    ours, theirs = stands_of(unit), stands_of(foe)
    if gap(ours, theirs) <= TOUCH:
        return
    mine, other = _nearest_pair(ours, theirs)
    way = bearing(ours[mine].at, theirs[other].at)
    far = gap(ours, theirs)
    met = free_way(ours, way, 2 * far, theirs)
    at = ahead(unit.at, way, met.length)
    stands = stands_at(unit, at, unit.facing)
    around = near(state, unit, at)
    if met.other is not None and not any(overlap(stands, stands_of(one)) for one in around):
        ledger.emit(e.ClosedUp(unit=unit.id, at=at))


def are_in_contact(state: State, unit: Unit, foe: Unit) -> bool:
    """Whether the two are engaged with one another."""
    pair = {unit.id, foe.id}
    return any({contact.one, contact.other} == pair for contact in state.contacts)


def _throw(ledger: Ledger[State], enemy: Unit, count: int, clause: str) -> int:
    """The stands of the enemy that so many dice destroy."""
    side = enemy.side.enemy
    roll = ledger.roll(Roll(CAUSE, clause, (0,) * count, table="close_combat", side=side))
    fallen = min(destroyed(roll.dice), enemy.stands)
    ledger.amend(roll, total=fallen, result=f"{fallen} destroyed")
    return fallen


def _nearest_pair(ours: Stands, theirs: Stands) -> tuple[int, int]:
    """The two stands that would touch if the units closed up."""
    rows = gaps(ours, theirs)
    return min(
        ((mine, other) for mine in range(len(ours)) for other in range(len(theirs))),
        key=lambda pair: (rows[pair[0]][pair[1]], pair),
    )


def _with_neighbours(stands: Stands, touching: set[int]) -> int:
    rows = gaps(stands, stands)
    return sum(any(rows[place][one] <= TOUCH for one in touching) for place in range(len(stands)))
