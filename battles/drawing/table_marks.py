"""What has happened on an open table since the last picture."""

from battles.drawing.marks import blades, fire, stretch
from battles.drawing.table_plan import Plan
from battles.drawing.table_scene import Volley, Way
from battles.open_table.points import Point


def way(of: Way, plan: Plan) -> str:
    """A line along which a unit has gone, with a point where it ends."""
    return stretch([plan.at(point) for point in of.points], of.side, back=of.back, short=0)


def volley(of: Volley, plan: Plan) -> str:
    """A line of fire; it ends in a burst where it has hit."""
    return fire(plan.at(of.start), plan.at(of.end), of.side, hit=of.hit, short=10)


def melee(at: Point, plan: Plan) -> str:
    """Crossed blades where stands are in contact."""
    return blades(plan.at(at))
