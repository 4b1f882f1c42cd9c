"""A combat in a march: leaders, fire, melee, its result and consequences (9.1 to 9.9).

Also gunboats against enemy craft without land units (6.1).
"""

from collections.abc import Callable, Sequence

from battles.contract.brief import RIVER_CRAFT, Nation, Quality, Side, TroopKind
from battles.core.dice import Modifier, Roll
from battles.core.game import IllegalAction, Ledger, Step
from campaign.rules.combat.losses import capture, check_share, quotas, share_out, units_to_test
from campaign.rules.combat.modifiers import fighters, fire_modifiers, melee_modifiers, shooters
from campaign.rules.core import actions as a
from campaign.rules.core import events as e
from campaign.rules.core.board import board, chart, is_land, laws
from campaign.rules.core.questions import CombatRound, Quota, ToLead, ToShareLosses
from campaign.rules.core.state import (
    Combat,
    CombatForce,
    State,
    Unit,
    current_combat,
    current_march,
    hands_over,
    open_question,
)
from campaign.rules.map import HexId
from campaign.rules.stacks import able_to_lead, countable_units, ids, keeps_alive, nations_lost_with
from campaign.rules.unit_losses import disrupt, remove


def craft_targets(state: State) -> list[HexId]:
    """Return the next river hexes with only enemy craft, for a stack with a gunboat (6.1)."""
    march = current_march(state)
    if not any(unit.kind is TroopKind.GUNBOAT for unit in board(state).named(march.units)):
        return []
    origin, ground = march.route[-1], chart(state)
    along = {move.to for move in ground.river_moves.get(origin, ())}
    return [
        hex_id
        for hex_id in ground.neighbours[origin]
        if hex_id in along and is_afloat(board(state).stack(state.side.enemy, hex_id))
    ]


def is_afloat(units: Sequence[Unit]) -> bool:
    """Return whether the units are boats or gunboats, with no land unit and no fleet."""
    craft = any(unit.kind in RIVER_CRAFT for unit in units)
    return craft and not any(is_land(unit) or unit.kind is TroopKind.FLEET for unit in units)


def is_shelled(state: State, combat: Combat, testers: CombatForce) -> bool:
    """Return whether the stack tests under fire of gunboats alone.

    That is so only in a fight for craft (6.1).
    """
    enemy = board(state).named(combat.force(testers.side.enemy).units)
    gunboat = any(unit.kind is TroopKind.GUNBOAT for unit in enemy)
    return gunboat and is_afloat(board(state).named(combat.defender.units))


def has_sunk(state: State, force: CombatForce) -> bool:
    """Return whether no hull is left of a stack in which nothing counts towards losing (9.8)."""
    return not any(unit.kind in RIVER_CRAFT for unit in board(state).named(force.units))


__all__ = ["attack", "check_attack", "check_lead", "check_share", "lead", "share", "targets"]

Modifiers = Callable[[State, Combat, CombatForce], tuple[Modifier, ...]]
QuotaRow = tuple[str, int, int]
"""A quota as a row of a step: quality, number eliminated, number disrupted."""
Taking = Callable[[Ledger[State], Sequence[Unit], HexId], None]
"""A function that captures destroyed units and puts their counters in a hex (9.9)."""


def targets(state: State) -> list[HexId]:
    """Return the hexes the marching stack may attack from where it stands (6.1, 9.1, 9.2, 9.12)."""
    march = state.march
    if march is None or not march.may_go_on or not march.marches:
        return []
    return [*(_land_targets(state) if _can_fight(state) else ()), *craft_targets(state)]


def _land_targets(state: State) -> list[HexId]:
    march = current_march(state)
    position, ground, origin = board(state), chart(state), march.route[-1]
    enemy = position.occupied[state.side.enemy]
    near = [hex_id for hex_id in ground.neighbours[origin] if hex_id in enemy]
    return [
        hex_id
        for hex_id in near
        if (origin, hex_id) not in ground.sides or _is_sortie(state, hex_id)
    ]


def _is_sortie(state: State, target: HexId) -> bool:
    """Return whether the stack attacks out of the siege in which its march began (9.12)."""
    route = current_march(state).route
    return set(route) == {route[0]} and board(state).is_sortie(state.side, route[0], target)


def _can_fight(state: State) -> bool:
    march = current_march(state)
    return bool(fighters(state, CombatForce(state.side, march.route[-1], list(march.units))))


def check_attack(state: State, action: a.Attack) -> None:
    """Raise IllegalAction when the stack may not attack that hex from here (9.1, 9.2)."""
    if action.hex in targets(state):
        return
    raise IllegalAction(
        "9.1",
        f"The marching stack cannot attack hex {action.hex:04d} from where it stands.",
        "Attack land units in a hex beside it, on the same bank, with units that can melee;"
        " craft alone with a gunboat, along the river.",
    )


def attack(ledger: Ledger[State], action: a.Attack) -> None:
    """Begin a combat of every unit of both stacks: fire, then melee (9.1, 9.4)."""
    state = ledger.state
    march = current_march(state)
    origin, side = march.route[-1], state.side
    ledger.emit(
        e.CombatBegan(
            origin,
            action.hex,
            tuple(march.units),
            ids(board(state).stack(side.enemy, action.hex)),
            side,
            sortie=_is_sortie(state, action.hex),
        )
    )
    steps = (Step("hand over"),) if hands_over(state) else by_table(side)
    ledger.then(*steps, Step("march goes on", (side,)))


def by_table(side: Side) -> tuple[Step, ...]:
    """Return the steps of a combat by the campaign's own table; `side` attacks (9.4)."""
    return (
        Step("lead", (side,)),
        Step("lead", (side.enemy,)),
        Step("fire"),
        Step("melee"),
        Step("decide combat"),
    )


def ask_for_leader(ledger: Ledger[State], side: str) -> None:
    """Ask the side in which round its leader helps, if it has a useful one (7.3)."""
    state = ledger.state
    force = current_combat(state).force(Side(side))
    able = able_to_lead(state, board(state).named(force.units))
    useful = [unit for unit in able if laws(state).leader(unit.name).tactical]
    if useful:
        ledger.ask(ToLead(Side(side), ids(useful)))


def check_lead(state: State, action: a.Lead) -> None:
    """Raise IllegalAction unless this leader may help, in fire or in melee (7.0, 7.3)."""
    question = open_question(state, ToLead)
    if not action.leader:
        return
    if action.leader not in question.leaders:
        raise IllegalAction("7.3", "He cannot lead here.", "A C-in-C’s values come first (7.0).")
    if action.combat_round is None:
        raise IllegalAction("7.3", "A leader helps in fire or in melee.", "Say which.")


def lead(ledger: Ledger[State], action: a.Lead) -> None:
    """Record the leader's help in the round named (7.3)."""
    question = open_question(ledger.state, ToLead)
    if action.leader and action.combat_round:
        ledger.emit(e.Guided(question.side, action.leader, action.combat_round))


def fire(ledger: Ledger[State]) -> None:
    """Resolve fire of both sides at once: each stack under fire tests (9.4)."""
    combat = current_combat(ledger.state)
    _round(ledger, CombatRound.FIRE, fire_modifiers, _fired_on(ledger.state, combat))


def melee(ledger: Ledger[State]) -> None:
    """Resolve melee of both sides at once, with the units that fire has left (9.4)."""
    combat = current_combat(ledger.state)
    if all(_alive(ledger.state, force) for force in (combat.attacker, combat.defender)):
        _round(ledger, CombatRound.MELEE, melee_modifiers, _forces_in_melee(ledger.state, combat))


def _fired_on(state: State, combat: Combat) -> list[CombatForce]:
    return [
        force
        for force in (combat.attacker, combat.defender)
        if shooters(state, combat.force(force.side.enemy)) or is_shelled(state, combat, force)
    ]


def _forces_in_melee(state: State, combat: Combat) -> list[CombatForce]:
    return [
        force
        for force in (combat.attacker, combat.defender)
        if fighters(state, combat.force(force.side.enemy))
    ]


def _round(
    ledger: Ledger[State],
    combat_round: CombatRound,
    modifiers: Modifiers,
    testers: list[CombatForce],
) -> None:
    """Roll for every stack before any suffers losses, as the round is simultaneous (9.3)."""
    combat = current_combat(ledger.state)
    steps = []
    for force in testers:
        roll = ledger.roll(
            Roll(
                f"{force.side.capitalize()} stack tests under {combat_round}",
                "9.6",
                (0, 0),
                modifiers=modifiers(ledger.state, combat, force),
                table="combat_results",
                side=force.side,
            )
        )
        units = units_to_test(board(ledger.state).named(force.units), combat_round)
        owed = quotas(laws(ledger.state), units, roll.total)
        out, hurt = sum(q.eliminated for q in owed), sum(q.disrupted for q in owed)
        ledger.amend(roll, result=_in_words(out, hurt))
        ledger.emit(e.Tested(force.side, combat_round, out, hurt))
        if owed:
            steps.append(Step("share losses", (force.side, combat_round, *map(_row, owed))))
    ledger.then(*steps)


def _in_words(eliminated: int, disrupted: int) -> str:
    if not eliminated and not disrupted:
        return "no effect"
    return f"{eliminated} eliminated, {disrupted} disrupted"


def _row(owed: Quota) -> QuotaRow:
    return (owed.quality, owed.eliminated, owed.disrupted)


def share_losses(ledger: Ledger[State], side: str, combat_round: str, *rows: QuotaRow) -> None:
    """Ask the owner to share the losses of a round, or apply them where there is no choice."""
    owed = tuple(Quota(Quality(quality), out, hurt) for quality, out, hurt in rows)
    force, tested = current_combat(ledger.state).force(Side(side)), CombatRound(combat_round)
    units = units_to_test(board(ledger.state).named(force.units), tested)
    fair = share_out(units, owed)
    if len(fair.eliminated) == len(units) or len(fair.disrupted) == len(units):
        share(ledger, fair)
    elif units:
        ledger.ask(ToShareLosses(Side(side), tested, owed))


def share(ledger: Ledger[State], action: a.Share) -> None:
    """Apply the losses as their owner, or the only way, shares them (9.4)."""
    remove(ledger, action.eliminated, "combat")
    disrupt(ledger, action.disrupted, "combat")


def decide_combat(ledger: Ledger[State]) -> None:
    """Give the combat to the side that alone has not lost half its stack (9.8)."""
    state = ledger.state
    combat = current_combat(state)
    beaten = [force for force in (combat.attacker, combat.defender) if _has_lost(state, force)]
    conclude(ledger, beaten[0].side.enemy if len(beaten) == 1 else None)


def conclude(ledger: Ledger[State], winner: Side | None, take: Taking = capture) -> None:
    """Carry out capture, retreat and the end of the march after the combat (9.8, 9.9)."""
    state = ledger.state
    combat = current_combat(state)
    attacker, defender = combat.attacker, combat.defender
    survivors = ids(board(state).named(defender.units))
    lost_here = tuple(defender.destroyed if winner is attacker.side else attacker.destroyed)
    ledger.emit(e.CombatEnded(winner, attacker.hex, defender.hex))
    if winner is Side.MAHDIST:
        take(ledger, lost_here, attacker.hex if attacker.side is winner else defender.hex)
    if winner is not attacker.side:
        ledger.emit(e.Stopped())
    if winner is defender.side:
        ledger.then(Step("marchers retreat"))
    elif winner is attacker.side and any(is_land(state.units[unit]) for unit in survivors):
        land = [unit for unit in survivors if not _is_craft(state, unit)]
        ledger.then(Step("defenders retreat", (defender.side, defender.hex, *land)))
    for force in (attacker, defender):
        if nations := nations_annihilated(state, force):
            ledger.then(Step("stack annihilated", (force.side, *nations)))


def _is_craft(state: State, unit_id: int) -> bool:
    unit = state.units[unit_id]  # type: ignore[index]
    return not is_land(unit) and unit.kind is not TroopKind.LEADER


def _has_lost(state: State, force: CombatForce) -> bool:
    """Return whether half of the stack is disrupted or dead, without craft and fleet (9.8)."""
    left = countable_units(board(state).named(force.units))
    total = len(left) + len(countable_units(force.destroyed))
    if not total:
        return has_sunk(state, force)
    bad = total - len([unit for unit in left if not unit.disrupted])
    return bad * 100 >= total * laws(state).number("combat.lost_at")


def nations_annihilated(state: State, force: CombatForce) -> tuple[Nation, ...]:
    """Return the nations by whose leaders' stack, now annihilated, the enemy wins (4.2).

    Civilians do not prevent it.
    """
    left = board(state).named(force.units)
    units = (*left, *force.destroyed)
    nations = nations_lost_with(state, units)
    if not any(is_land(unit) for unit in units):
        return nations if has_sunk(state, force) else ()
    return () if keeps_alive(left) else nations


def _alive(state: State, force: CombatForce) -> bool:
    return any(is_land(unit) for unit in board(state).named(force.units))
