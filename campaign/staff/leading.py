"""In which round a leader helps (7.3)."""

from campaign.rules import actions as a
from campaign.rules.board import board, laws
from campaign.rules.options import Options
from campaign.rules.state import State, fought
from campaign.staff.odds import host, leads_in_fire


def lead(state: State, offered: Options) -> a.AnyAction:
    """The best tactician helps where the enemy is the more dangerous."""
    law = laws(state)
    leaders = board(state).named(offered.leaders)
    best = min(leaders, key=lambda unit: (-law.leader(unit.name).tactical, unit.id))
    enemy = board(state).named(fought(state).force(offered.side.enemy).units)
    return a.Lead(best.id, "fire" if leads_in_fire(host(law, enemy)) else "melee")
