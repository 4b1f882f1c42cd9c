"""The computer's commanders, which answer every question of a battle for either side.

They choose the units that Leaders command, and what each does with its actions. `answer` uses only
the state and its `options`, without chance or memory: the same state always has the same answer.
"""

from collections.abc import Callable, Mapping
from functools import cache, partial

from battles.books.redcoats import actions as a
from battles.books.redcoats import events as e
from battles.books.redcoats.book import book
from battles.books.redcoats.commander import deploying, dervishes, regulars
from battles.books.redcoats.commander.boldness import is_bold, presses
from battles.books.redcoats.commander.scene import (
    FAR,
    Scene,
    best_shot,
    best_walk,
    come_on,
    is_dervish,
    reach_of_fire,
    stay,
    turn_to,
    view_of,
    withdraw,
)
from battles.books.redcoats.evolve import evolve
from battles.books.redcoats.field import APART, OFF_FIELD, distance, towards
from battles.books.redcoats.movement import points_left
from battles.books.redcoats.options import Options, options
from battles.books.redcoats.pieces import Formation, Heroic, Kind
from battles.books.redcoats.state import Leader, State, Unit, current_activation
from battles.contract.brief import Side
from battles.core.decoding import decode, encode

__all__ = ["answer"]


# Leaders, cards, batteries and craft, as the commanders of both sides use them.


WORTH_A_CARD = 0.5
"""The chance of a hit from which a second shot is worth a card."""
HURRY = range(3, 6)
"""The distances at which two more points of movement bring Dervishes to the enemy."""
TOO_NEAR = 3
"""The distance from an enemy who may come within which a battery that moves up will not halt."""
BEARS, FIRES = 3.0, 3.0
"""The worth of a place from which it sees an enemy, and of points left there to fire at once."""
ON_THE_WAY = 1.0
"""The loss for each square to the nearest such place, for a battery that cannot reach one yet."""
BY_HAND = 3
"""The squares beyond its range within which a battery goes up deployed."""


def coordinate(state: State, offered: Options) -> a.AnyAction:
    """Co-ordinate all units for a rush, an advance or a Square; when holding, none.

    A bold side lets its Square go: its battalions leave it one by one and form line.
    """
    goes = offered.side is Side.MAHDIST or presses(state, offered.side)
    formed = any(state.units[number].brigade for number in offered.units)
    if formed and is_bold(state, offered.side):
        return a.Done()
    if offered.units and (goes or formed) and offered.side not in state.breaking_off:
        return a.Coordinate(offered.units)
    return a.Done()


def choose_next(state: State, offered: Options) -> a.AnyAction:
    """Choose units with firearms before the others, then the foremost; the Leader is last."""
    scene = view_of(state, offered.side)

    def rank(number: int) -> tuple[bool, bool, int, int]:
        unit = state.units.get(number)
        if unit is None:
            return True, True, 0, number
        return False, not reach_of_fire(unit), scene.to_foe(unit.square), number

    return a.Activate(min(offered.units, key=rank))


def play_card(state: State, offered: Options) -> a.AnyAction:
    """Play the card: the cards are kept for hand-to-hand combat and recovery."""
    return a.PlayCard(offered.cards[0])


def card_for_action(scene: Scene, unit: Unit, offered: Options) -> a.PlayCard | None:
    """Return a card for a second volley that should hit, or for movement towards the enemy."""
    if Heroic.FIREPOWER in offered.cards and _shoots_well(unit):
        return a.PlayCard(Heroic.FIREPOWER)
    if Heroic.MOVEMENT not in offered.cards or not (is_dervish(unit) and unit.can_fight):
        return None
    if scene.to_foe(unit.square) not in HURRY or offered.charges:
        return None
    slow, fast = dervishes.fight(scene, unit, offered), _act_with_more_movement(scene.state, unit)
    return a.PlayCard(Heroic.MOVEMENT) if fast != slow else None


def _act_with_more_movement(state: State, unit: Unit) -> a.AnyAction:
    """Return what a Dervish unit would do if “Faster movement!” had been played for it."""
    ahead = decode(encode(state), State)
    evolve(ahead, e.HeroicPlayed(side=unit.side, card=Heroic.MOVEMENT, unit=unit.id))
    offered = Options(unit.side, "act", unit=unit.id, acts=ahead)
    return dervishes.fight(view_of(ahead, unit.side), ahead.units[unit.id], offered)


def pursue(state: State, offered: Options) -> a.AnyAction:
    """Pursue with Dervishes and cavalry; infantry keeps its line."""
    unit = state.units[offered.unit]
    return a.Pursue() if is_dervish(unit) or unit.mounted else a.Done()


def ride(scene: Scene, leader: Leader, offered: Options) -> a.AnyAction:
    """Move a Leader on his own to steady troops amid his men, and keep him there."""
    hosts = {unit.square: unit for unit in scene.mine if unit.can_fight and not unit.disorganised}
    if leader.square in hosts or not hosts or offered.reach is None:
        return a.Done()

    def score(square: int) -> float:
        near = min(distance(square, host) for host in hosts)
        crowd = sum(distance(square, host) <= 2 for host in hosts)
        danger = 3.0 if scene.to_foe(square) < 3 and square not in hosts else 0.0
        return 0.2 * crowd - near - danger

    walk = best_walk(offered.reach, score, lambda square: 0)
    return walk or a.Done()


def _shoots_well(unit: Unit) -> bool:
    """Return whether a hit is more likely than not."""
    dice = 8 if is_dervish(unit) else 6
    strength = 2 * unit.figures if unit.is_gun else unit.figures
    return strength / dice >= WORTH_A_CARD


def serve_battery(scene: Scene, unit: Unit, offered: Options) -> a.AnyAction:
    """Fire with a battery, bring its guns to bear, or follow the infantry.

    A battery has two shots where it stands deployed, so it moves only when it sees nobody, by hand
    when the place is near, and limbered when it is far.
    """
    shot = best_shot(scene, offered.targets)
    if shot is not None:
        return shot
    prey, moves_up = scene.aim(unit, unit.square), presses(scene.state, unit.side)
    if unit.formation is Formation.LIMBERED:
        walk = None if prey is not None else _move_up(scene, unit, offered)
        ready = Formation.DEPLOYED in offered.formations and (prey is not None or not moves_up)
        return walk or (a.Form(Formation.DEPLOYED) if ready else a.Done())
    if prey is not None:
        return turn_to(unit, offered, towards(unit.square, prey.square))
    if not moves_up or (unit.brigade and not is_bold(scene.state, unit.side)):
        return a.Done()
    far = scene.to_foe(unit.square) > reach_of_fire(unit) + BY_HAND
    if far and Formation.LIMBERED in offered.formations:
        return a.Form(Formation.LIMBERED)
    return _move_up(scene, unit, offered) or a.Done()


def _move_up(scene: Scene, unit: Unit, offered: Options) -> a.Move | None:
    """Return a move to where the battery sees an enemy, or behind the nearest infantry.

    From an enemy who stands still it needs neither shield nor distance.
    """
    reach = offered.reach
    if reach is None or not scene.foes:
        return None
    foot = [other for other in scene.mine if other.on_foot]
    range_, points = reach_of_fire(unit), points_left(current_activation(scene.state))
    by_hand = unit.formation is Formation.DEPLOYED
    price = book().points("fire" if by_hand else "limber")
    # Score and facing of a place ask for the same enemy.
    aim_from = cache(partial(scene.aim, unit))
    taken = {other.square for other in (*scene.mine, *scene.foes)}
    free = [square for square in scene.state.field.squares if square not in taken]
    spots = [square for square in free if scene.to_foe(square) > 1 and aim_from(square)]

    bold = is_bold(scene.state, unit.side)

    def score(square: int) -> float:
        value = 0.0
        if not bold:
            gap = scene.to_foe(square)
            near = min([distance(square, other.square) for other in foot], default=0)
            shielded = not foot or any(scene.to_foe(other.square) <= gap for other in foot)
            value = 0.0 if shielded else -4.0
            value -= 0.4 * abs(gap - range_ + 1) + 0.3 * near + 2.0 * max(0, TOO_NEAR - gap)
        value -= ON_THE_WAY * min([APART[square - spot] for spot in spots], default=0)
        foe = aim_from(square)
        if foe is not None:
            cost = reach.costs.get(square * 8 + towards(square, foe.square), FAR)
            value += BEARS + FIRES * (cost + price <= points)
        return value

    def look(square: int) -> int:
        foe = aim_from(square)
        return scene.looking(square, unit.facing) if foe is None else towards(square, foe.square)

    return best_walk(reach, score, look)


def serve_craft(scene: Scene, unit: Unit, offered: Options) -> a.AnyAction:
    """Fire both armaments of a gunboat, and steam to where it can fire."""
    shot = best_shot(scene, offered.targets)
    if shot is not None:
        return shot
    armed = unit.full > 4
    if not scene.foes or not armed or offered.reach is None:
        return a.Done()
    walk = best_walk(
        offered.reach,
        lambda square: -float(scene.to_foe(square)),
        lambda square: scene.looking(square, unit.facing),
    )
    return walk or a.Done()


# Choose the actions of an activated unit, by its orders, its arm and its style.


Way = Callable[[Scene, Unit, Options], a.AnyAction]


def act(state: State, offered: Options) -> a.AnyAction:
    """Return the next act to declare for the activated unit, brigade Square or Leader."""
    state = offered.acts or state
    scene = view_of(state, offered.side)
    unit = state.units.get(offered.unit)
    if unit is None:
        return ride(scene, state.leaders[offered.unit], offered)
    if unit.side in state.breaking_off:
        return withdraw(scene, unit, offered)
    if unit.square == OFF_FIELD:
        return come_on(scene, unit, offered)
    return card_for_action(scene, unit, offered) or _way_of(state, unit)(scene, unit, offered)


def _way_of(state: State, unit: Unit) -> Way:
    """Return the function that fights for such a unit."""
    if state.acting is not None and len(state.acting.units) > 1:
        return regulars.in_square
    if unit.is_craft:
        return serve_craft
    if unit.is_gun:
        return serve_battery
    if unit.kind is Kind.TRANSPORT:
        return stay
    return dervishes.fight if is_dervish(unit) else regulars.fight


def answer(state: State) -> a.AnyAction:
    """Return a legal answer to the open question.

    Raises ValueError when the battle is over.
    """
    if isinstance(state.question, a.ToSetUp):
        return deploying.place(state, state.question.side)
    # Vessels carry no unit.
    if isinstance(state.question, a.ToMoor):
        return a.Done()
    offered = options(state)
    if offered is None:
        raise ValueError("The battle is over: there is nothing to answer.")
    return _ANSWERS[type(state.question)](state, offered)


_ANSWERS: Mapping[type, Callable[[State, Options], a.AnyAction]] = {
    a.ToCoordinate: coordinate,
    a.ToChooseNext: choose_next,
    a.ToAct: act,
    a.ToPlayCard: play_card,
    a.ToPursue: pursue,
}
