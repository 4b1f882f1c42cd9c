"""Parse the forms of live play into actions of the rules."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from django.http import QueryDict

from battles.contract.brief import RIVER_CRAFT
from campaign.rules.core import actions as a
from campaign.rules.core.board import board
from campaign.rules.core.options import Options
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.questions import CombatRound
from campaign.rules.core.state import State
from campaign.rules.map import HexId
from campaign.rules.march.river import voyages
from campaign.services.errors import UnfitRequest
from campaign.web.map.hex_pages import hex_named
from campaign.web.visitor import is_number

MOST_HEXES = 60


class AnswerForm(NamedTuple):
    """The submitted fields, with the state and the options they answer."""

    fields: QueryDict
    state: State
    options: Options

    def units(self, name: str = "unit") -> tuple[UnitId, ...]:
        """Return the ticked units."""
        numbers = dict.fromkeys(filter(is_number, self.fields.getlist(name)))
        return tuple(UnitId(int(number)) for number in numbers)

    def number(self, name: str) -> int:
        text = self.fields.get(name, "")
        return int(text) if is_number(text) else 0

    def hex(self, name: str = "hex") -> HexId:
        """Return the hex by number or name. Raises UnfitRequest."""
        return self.way(name)[-1]

    def way(self, name: str = "hex") -> tuple[HexId, ...]:
        """Return the hexes, which commas separate. Raises UnfitRequest."""
        places = [place.strip() for place in self.fields.get(name, "").split(",") if place.strip()]
        if not places:
            raise UnfitRequest(
                "No hex is given: press one on the map, or write its name or number."
            )
        return tuple(map(hex_named, places[:MOST_HEXES]))


def action_of(sent: AnswerForm) -> a.AnyAction:
    """Return the action in the form. Raises UnfitRequest if something is missing."""
    build = _BUILD.get(sent.fields.get("do", ""))
    if build is None:
        raise UnfitRequest("The form does not say what to do: load the page again.")
    return build(sent)


def _march(sent: AnswerForm) -> a.AnyAction:
    return a.March(_some(sent), UnitId(sent.number("leader")))


def _some(sent: AnswerForm) -> tuple[UnitId, ...]:
    """Return the units of the march: the ticked ones, or the stack on the march."""
    if sent.state.march is not None:
        return tuple(sent.state.march.units)
    if not sent.units():
        raise UnfitRequest("No units are ticked: tick those that are to go.")
    return sent.units()


def _rail(sent: AnswerForm) -> a.AnyAction:
    return a.Rail(_some(sent), sent.hex(), _landings(sent))


def _landings(sent: AnswerForm) -> tuple[a.Landing, ...]:
    """Return the units that are dropped off on the way, by the hex written beside each (8.3)."""
    left: dict[HexId, list[UnitId]] = {}
    for name in sent.fields:
        unit = name.removeprefix("landing-")
        if unit != name and is_number(unit) and sent.fields.get(name, "").strip():
            left.setdefault(sent.hex(name), []).append(UnitId(int(unit)))
    return tuple(a.Landing(tuple(units), hex_id) for hex_id, units in left.items())


def _sail(sent: AnswerForm) -> a.AnyAction:
    """Return the voyage along the hexes given, or the shortest to a single hex (8.23)."""
    units = tuple(dict.fromkeys((*_some(sent), *sent.units("hull"))))
    present = board(sent.state).named(units)
    hulls = [unit for unit in present if unit.kind in RIVER_CRAFT]
    if not hulls:
        raise UnfitRequest("No boat is ticked: tick those that are to carry the units.")
    way = sent.way()
    if len(way) > 1:
        return a.Sail(units, way, _landings(sent))
    ways, target = voyages(sent.state, hulls[0].hex, hulls), way[0]
    if target not in ways:
        raise UnfitRequest(
            f"These boats cannot steer for hex {target:04d}: keep to the river, one way."
        )
    return a.Sail(units, ways[target], _landings(sent))


def _move(sent: AnswerForm) -> a.AnyAction:
    """Return the march along the hexes given, or along a cheapest path to a single hex."""
    reach, way = sent.options.reach, sent.way()
    if len(way) > 1:
        return a.Move(way)
    target = way[0]
    if reach is None or target not in reach.before:
        raise UnfitRequest(
            f"The stack cannot reach hex {target:04d} in this march: choose a nearer one."
        )
    return a.Move(reach.path(target))


def _retreat(sent: AnswerForm) -> a.AnyAction:
    """Return the retreat: back along the way as far as one hex of it, or to a refuge (9.8)."""
    way = sent.way()
    if len(way) > 1:
        return a.Retreat(way)
    target, back = way[0], sent.options.back_along
    if target in back:
        return a.Retreat(back[: back.index(target) + 1])
    reach = sent.options.reach
    if reach is None or target not in reach.before:
        raise UnfitRequest(f"The stack cannot retreat to hex {target:04d}: choose another.")
    return a.Retreat(reach.path(target))


def _share(sent: AnswerForm) -> a.AnyAction:
    """Return the losses unit by unit, eliminated or disrupted."""
    fates = [(unit_id, sent.fields.get(f"fate-{unit_id}", "")) for unit_id in sent.options.units]
    return a.Share(
        tuple(unit_id for unit_id, fate in fates if fate == "eliminated"),
        tuple(unit_id for unit_id, fate in fates if fate == "disrupted"),
    )


def _lead(sent: AnswerForm) -> a.AnyAction:
    leader, _, combat_round = sent.fields.get("lead", "0").partition(" ")
    return a.Lead(UnitId(int(leader) if is_number(leader) else 0), _round_named(combat_round))


def _round_named(text: str) -> CombatRound | None:
    return CombatRound(text) if text in set(CombatRound) else None


_BUILD: Mapping[str, Callable[[AnswerForm], a.AnyAction]] = {
    "done": lambda sent: a.Done(),
    "place": lambda sent: a.Place(sent.number("group"), sent.hex(), sent.units()),
    "withdraw": lambda sent: a.Withdraw(sent.units()),
    "dismount": lambda sent: a.Dismount(sent.units()),
    "march": _march,
    "rail": _rail,
    "sail": _sail,
    "move": _move,
    "attack": lambda sent: a.Attack(sent.hex()),
    "drop": lambda sent: a.DropOff(sent.units()),
    "halt": lambda sent: a.Halt(),
    "pick": lambda sent: a.Pick(sent.units()),
    "share": _share,
    "lead": _lead,
    "retreat": _retreat,
    "stand fast": lambda sent: a.Retreat(()),
    "supply": lambda sent: a.Supply(UnitId(sent.number("source"))),
    "choose": lambda sent: a.Choose(sent.hex()),
}
