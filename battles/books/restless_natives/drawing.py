"""A state of Restless Natives as a scene to draw."""

from battles.books.restless_natives import events as e
from battles.books.restless_natives.board import centre, stands_of
from battles.books.restless_natives.names import in_words
from battles.books.restless_natives.pieces import Exit, Hold, Kind, Troops, Weapon
from battles.books.restless_natives.state import State, Unit
from battles.contract.brief import Nation, TroopKind
from battles.drawing.scene import Block, OpenTable, TableScene, Trails
from battles.tabletop.geometry import TablePoint, in_contact, middle

ARMS = {
    Kind.INFANTRY: TroopKind.INFANTRY,
    Kind.CAVALRY: TroopKind.CAVALRY,
    Kind.CAMELRY: TroopKind.CAMEL_CORPS,
    Kind.ARTILLERY: TroopKind.GUN,
    Kind.MACHINE_GUNS: TroopKind.GUN,
    Kind.COMMANDER: TroopKind.LEADER,
    Kind.TRANSPORT: TroopKind.SUPPLY,
    Kind.TRAIN: TroopKind.SUPPLY,
    Kind.SAILING_VESSEL: TroopKind.BOAT,
    Kind.STEAMSHIP: TroopKind.GUNBOAT,
    Kind.GUNBOAT: TroopKind.GUNBOAT,
    Kind.CIVILIANS: TroopKind.CIVILIANS,
}
NATIONS = {
    Troops.BRITISH: Nation.BRITISH,
    Troops.AUSTRALIAN: Nation.AUSTRALIAN,
    Troops.INDIAN: Nation.INDIAN,
    Troops.EGYPTIAN: Nation.EGYPTIAN,
    Troops.SUDANESE: Nation.EGYPTIAN,
    Troops.IRREGULAR: Nation.EGYPTIAN,
    Troops.NATIVE: Nation.MAHDIST,
}


def scene_of(state: State, since: "Marks | None" = None) -> TableScene:
    """Return the scene of a state, with the moves and fire `since` the last picture."""
    return TableScene(
        OpenTable(state.field, _goals(state)),
        tuple(map(_block, state.units.values())),
        since.tracks if since else (),
        since.shots if since else (),
        tuple(_melees(state)),
        since.losses if since else (),
    )


def _goals(state: State) -> tuple[tuple[TablePoint, ...], ...]:
    if isinstance(state.goal, Hold):
        return state.goal.areas
    return (state.goal.area,) if isinstance(state.goal, Exit) else ()


def _block(unit: Unit) -> Block:
    return Block(
        unit.id,
        unit.side,
        NATIONS[unit.troops],
        arm_of(unit),
        in_words(unit),
        unit.at,
        unit.facing,
        unit.formation,
        stands_of(unit),
        unit.full,
        quick=unit.kind is Kind.MACHINE_GUNS,
    )


def arm_of(unit: Unit) -> TroopKind:
    """Return the arm as the campaign's counters show it; foot without firearms carry spears."""
    unarmed = unit.weapon in (Weapon.SPEARS, Weapon.NONE)
    return TroopKind.SPEARS if unit.kind is Kind.INFANTRY and unarmed else ARMS[unit.kind]


def _melees(state: State) -> list[TablePoint]:
    """Return the points where stands of enemies touch."""
    pairs = (
        (state.units.get(contact.one), state.units.get(contact.other)) for contact in state.contacts
    )
    return [_between(unit, other) for unit, other in pairs if unit and other]


def _between(unit: Unit, other: Unit) -> TablePoint:
    own_stands, enemy_stands = stands_of(unit), stands_of(other)
    touching = in_contact(own_stands, enemy_stands)
    if not touching:
        return middle((centre(unit), centre(other)))
    return middle(
        point for index, its in touching for point in (own_stands[index].at, enemy_stands[its].at)
    )


class Marks(Trails):
    """The moves, the fire and the losses since the last picture, gathered as events happen."""

    state: State

    def hear(self, event: e.AnyEvent) -> None:
        """Record an event that is about to happen to the state."""
        match event:
            case e.Moved():
                self._went(event.unit, *event.path)
            case e.Charged():
                self._went(event.unit, event.at)
            case e.FellBack():
                self._went(event.unit, event.at, back=True)
            case e.Fired():
                unit, target = self.state.units[event.unit], self.state.units[event.target]
                self.fired(unit.side, centre(unit), centre(target), hit=event.destroyed > 0)
            case e.StandsLost():
                self._fell(event.unit, event.stands)
            case e.Destroyed():
                self._fell(event.unit, 0, gone=True)

    def _went(self, number: int, *path: TablePoint, back: bool = False) -> None:
        unit = self.state.units.get(number)
        if unit is not None:
            self.went(number, unit.side, (unit.at, *path), back=back)

    def _fell(self, number: int, lost: int, *, gone: bool = False) -> None:
        unit = self.state.units.get(number)
        if unit is not None:
            self.fell(unit.side, unit.at, lost, gone=gone)
