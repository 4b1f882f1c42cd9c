"""Deployment before the first move: units placed out of the enemy's sight."""

from battles.books.fuzzy_wuzzy import actions as a
from battles.books.fuzzy_wuzzy import board, orders
from battles.books.fuzzy_wuzzy import events as e
from battles.books.fuzzy_wuzzy.book import book
from battles.books.fuzzy_wuzzy.state import State, Unit
from battles.contract.brief import Side
from battles.contract.set_up import SetUp
from battles.core.game import Ledger
from battles.tabletop.deployment import Post, crowding, refusal
from battles.tabletop.field import Lying
from battles.tabletop.formations import TableFormation, places


def check_deploy(state: State, action: a.Deploy) -> None:
    """Raise IllegalAction unless the side can place the unit there."""
    set_up.check(state, action.unit, action.post)


def deploy(ledger: Ledger[State], action: a.Deploy) -> None:
    """Place the unit there."""
    set_up.deploy(ledger, action.unit, action.post)


def posts(state: State, side: Side) -> dict[int, Post]:
    """Return the units that the side may place, with their posts."""
    if not state.zones.get(side):
        return {}
    return {unit.id: post_of(unit) for unit in board.on_field(state, side)}


def post_of(unit: Unit) -> Post:
    """Return where and how the unit stands."""
    return Post(unit.at, unit.facing, unit.formation)


def formations(unit: Unit) -> tuple[TableFormation, ...]:
    """Return the formations in which the unit may be placed, its present one first."""
    ordered = (one for one in orders.changes(unit) if one in orders.FORMATIONS)
    after = (orders.formation_after(one, unit) for one in ordered)
    return tuple(dict.fromkeys((unit.formation, *after)))


def refusal_of(state: State, number: int, post: Post) -> str:
    """Return why the unit cannot take that post, "" when it can; it tells nothing of enemies."""
    unit = state.units[number]
    if not 0 <= post.facing < 360 or post.formation not in formations(unit):
        return "The unit cannot stand in that formation with that facing."
    stands = places(post.formation, unit.stands, post.at, post.facing, board.STAND)
    friends = [board.stands_of(one) for one in board.on_field(state, unit.side) if one is not unit]
    if post == state.line_up.get(number):
        return crowding(stands, friends, ())
    # Enemies are hidden: the zones keep the sides apart, and a refusal tells nothing of them.
    return refusal(
        state.field,
        state.zones.get(unit.side, ()),
        stands,
        (friends, ()),
        (book().barred, Lying.NONE),
    )


set_up: SetUp[State, Post] = SetUp(
    clause="Sequence 1",
    posts=posts,
    refusal=refusal_of,
    deployed=lambda unit, post: e.Deployed(
        unit=unit, at=post.at, facing=post.facing, formation=post.formation
    ),
    has_choice=lambda state, side: bool(posts(state, side)),
)
