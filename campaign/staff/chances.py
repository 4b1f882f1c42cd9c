"""How likely a stack is to march when it rolls (8.31)."""

from collections.abc import Sequence

from campaign.rules import actions as a
from campaign.rules.leaders import able_to_lead, strategic_value
from campaign.rules.march.procedure import column_modifiers
from campaign.rules.pieces import UnitId
from campaign.rules.rows import Column
from campaign.rules.stacking import counted
from campaign.rules.state import State, Unit
from campaign.staff.scene import Scene, ids

_FACES = range(1, 7)


def guide(state: State, units: Sequence[Unit]) -> UnitId:
    """The leader who helps the stack to march: the best of those who may; 0 for nobody."""
    able = able_to_lead(state, units)
    best = max(able, key=lambda unit: (strategic_value(state, unit), -unit.id), default=None)
    return best.id if best is not None else UnitId(0)


def held_up(scene: Scene, units: Sequence[Unit]) -> float:
    """The chance of No March for these units as they stand and are led."""
    state = scene.state
    order = a.March(ids(units), leader=guide(state, units))
    change = sum(one.value for one in column_modifiers(state, list(units), order))
    return _stuck(scene, slowest_column(scene, units, change), change)


def slowest_column(scene: Scene, units: Sequence[Unit], change: int) -> Column:
    """The column of the march table in which these units, so modified, are stuck most often."""
    columns = {scene.law.column_of(unit.nation) for unit in counted(units) or units}
    return max(sorted(columns), key=lambda column: _stuck(scene, column, change))


def _stuck(scene: Scene, column: Column, change: int) -> float:
    return sum(not scene.law.march(column, face + change).march for face in _FACES) / len(_FACES)
