"""A state of 'Eres to You Fuzzy Wuzzy as a scene to draw."""

from collections.abc import Iterator

from battles.books.fuzzy_wuzzy import events as e
from battles.books.fuzzy_wuzzy.board import contacts, enemies, on_field, stands_of
from battles.books.fuzzy_wuzzy.names import in_words
from battles.books.fuzzy_wuzzy.pieces import Arm, Troops, Weapon
from battles.books.fuzzy_wuzzy.state import State, Unit
from battles.contract.brief import Nation, Side, TroopKind
from battles.drawing.scene import Block, OpenTable, TableScene, Trails
from battles.tabletop.geometry import TablePoint, middle

ARMS = {
    Arm.COMMAND: TroopKind.LEADER,
    Arm.INFANTRY: TroopKind.INFANTRY,
    Arm.CAVALRY: TroopKind.CAVALRY,
    Arm.ARTILLERY: TroopKind.GUN,
    Arm.MACHINE_GUN: TroopKind.GUN,
    Arm.TRANSPORT: TroopKind.SUPPLY,
}
NATIONS = {
    Troops.BRITISH: Nation.BRITISH,
    Troops.EGYPTIAN: Nation.EGYPTIAN,
    Troops.IRREGULAR: Nation.EGYPTIAN,
    Troops.INDIAN: Nation.INDIAN,
    Troops.MAHDIST: Nation.MAHDIST,
}


def scene_of(state: State, since: "Marks | None" = None) -> TableScene:
    """Return the scene of a state, with the moves and fire `since` the last picture."""
    return TableScene(
        OpenTable(state.field),
        tuple(_block(unit) for side in Side for unit in on_field(state, side)),
        since.tracks if since else (),
        since.shots if since else (),
        tuple(_melees(state)),
        since.losses if since else (),
    )


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
        shaken=unit.retreating or unit.wounded,
        quick=unit.arm is Arm.MACHINE_GUN,
        hidden=not unit.seen,
        wounds=unit.markers,
    )


def arm_of(unit: Unit) -> TroopKind:
    """Return the arm as the campaign's counters show it; foot without firearms carry spears."""
    if unit.arm is Arm.INFANTRY and unit.weapon is Weapon.NONE:
        return TroopKind.SPEARS
    if unit.arm is Arm.CAVALRY and unit.camels:
        return TroopKind.CAMEL_CORPS
    return ARMS[unit.arm]


def _melees(state: State) -> Iterator[TablePoint]:
    """Yield the points where stands of enemies touch."""
    for unit in on_field(state, Side.EGYPTIAN):
        for enemy in enemies(state, unit.side, seen=False):
            pairs = contacts(unit, enemy)
            if pairs:
                own_stands, enemy_stands = stands_of(unit), stands_of(enemy)
                yield middle(
                    point
                    for index, other in pairs
                    for point in (own_stands[index].at, enemy_stands[other].at)
                )


class Marks(Trails):
    """The moves, the fire and the losses since the last picture, gathered as events happen."""

    state: State

    def hear(self, event: e.AnyEvent) -> None:
        """Record an event that is about to happen to the state."""
        match event:
            case e.Moved():
                unit = self.state.units[event.unit]
                back = event.cause == "retreat"
                self.went(unit.id, unit.side, (unit.at, event.to), back=back)
            case e.Fired():
                unit, target = self.state.units[event.unit], self.state.units[event.target]
                hit = event.casualties > 0
                self.fired(unit.side, _centre(unit), _centre(target), hit=hit)
            case e.CasualtiesTaken() if event.casualties:
                self._fell(event.unit, event.casualties)
            case e.Lost():
                self._fell(event.unit, 0, gone=True)

    def _fell(self, number: int, lost: int, *, gone: bool = False) -> None:
        unit = self.state.units.get(number)
        if unit is not None:
            self.fell(unit.side, unit.at, lost, gone=gone)


def _centre(unit: Unit) -> TablePoint:
    return middle(stand.at for stand in stands_of(unit))
