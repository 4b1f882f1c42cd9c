"""Draw a state of Redcoats and Dervishes as a scene."""

from battles.books.redcoats import events as e
from battles.books.redcoats.field import OFF_FIELD, Obstacle, Terrain, column, row, towards
from battles.books.redcoats.names import in_words
from battles.books.redcoats.pieces import Formation, Kind, Troops
from battles.books.redcoats.state import Leader, State, Unit
from battles.contract.brief import Nation, TroopKind
from battles.drawing.scene import (
    Barrier,
    Cover,
    DrawnScene,
    Hedge,
    Piece,
    Shape,
    Square,
    SquaresGround,
    Trails,
)

COVERS = {
    Terrain.OPEN: frozenset[Cover](),
    Terrain.SCRUB: frozenset({Cover.SCRUB}),
    Terrain.GRASS: frozenset({Cover.GRASS}),
    Terrain.CROPS: frozenset({Cover.CROPS}),
    Terrain.UNDERGROWTH: frozenset({Cover.SCRUB, Cover.GRASS}),
    Terrain.ROCKS: frozenset({Cover.ROCKS}),
    Terrain.WOOD: frozenset({Cover.TREES}),
    Terrain.FOREST: frozenset({Cover.TREES, Cover.GRASS}),
    Terrain.BUILT_UP: frozenset({Cover.HOUSES}),
    Terrain.HILL: frozenset({Cover.HILL}),
    Terrain.ROCKY_HILL: frozenset({Cover.HILL, Cover.ROCKS}),
    Terrain.WATER: frozenset({Cover.WATER}),
}
BARRIERS = {
    Obstacle.RAMPART: Barrier.WALL,
    Obstacle.WALL: Barrier.WALL,
    Obstacle.ZARIBA: Barrier.ZARIBA,
    Obstacle.FENCE: Barrier.FENCE,
    Obstacle.TRENCH: Barrier.TRENCH,
    Obstacle.WADI: Barrier.KHOR,
    Obstacle.GULLY: Barrier.KHOR,
    Obstacle.STREAM: Barrier.STREAM,
    Obstacle.FORD: Barrier.STREAM,
}
SHAPES = {
    Formation.LINE: Shape.LINE,
    Formation.MARCH_COLUMN: Shape.MARCH_COLUMN,
    Formation.COLUMN: Shape.COLUMN,
    Formation.SQUARE: Shape.SQUARE,
    Formation.EN_MASSE: Shape.MASS,
    Formation.DEPLOYED: Shape.DEPLOYED,
    Formation.LIMBERED: Shape.LIMBERED,
    Formation.TRANSPORT: Shape.TRAIN,
    Formation.AFLOAT: Shape.AFLOAT,
}
ARMS = {
    Kind.INFANTRY: TroopKind.INFANTRY,
    Kind.CAVALRY: TroopKind.CAVALRY,
    Kind.CAMELRY: TroopKind.CAMEL_CORPS,
    Kind.ARTILLERY: TroopKind.GUN,
    Kind.MACHINE_GUN: TroopKind.GUN,
    Kind.TRANSPORT: TroopKind.SUPPLY,
    Kind.GUNBOAT: TroopKind.GUNBOAT,
    Kind.RIVER_BOAT: TroopKind.BOAT,
}


def scene_of(state: State, since: "Marks | None" = None) -> DrawnScene:
    """Return the scene of a state, with the marks since the last picture."""
    units = [_piece(unit) for unit in state.units.values() if _is_seen(unit)]
    leaders = [_flag(leader) for leader in state.leaders.values() if _is_seen(leader)]
    fights = (state.units[combat.charged].square for combat in state.combats)
    return DrawnScene(
        ground_of(state),
        (*units, *leaders),
        since.tracks if since else (),
        since.shots if since else (),
        frozenset(map(square_of, fights)),
        since.losses if since else (),
    )


def ground_of(state: State) -> SquaresGround:
    """Return the field of the battle."""
    field = state.field
    goals = state.objective.squares if state.objective else ()
    return SquaresGround(
        field.width,
        field.height,
        {square_of(square): COVERS[terrain] for square, terrain in field.ground.items()},
        tuple(
            Hedge(square_of(edge.one), towards(edge.one, edge.other), BARRIERS[edge.obstacle])
            for edge in field.edges
        ),
        frozenset(map(square_of, goals)),
        {square_of(square): facing for square, facing in field.downstream.items()},
    )


def square_of(square: int) -> Square:
    """Return the square in the drawing's numbering."""
    return (column(square), row(square))


def _is_seen(piece: Unit | Leader) -> bool:
    return piece.square != OFF_FIELD and not piece.aboard


def _piece(unit: Unit) -> Piece:
    return Piece(
        unit.id,
        unit.side,
        nation_of(unit),
        arm_of(unit),
        in_words(unit),
        square_of(unit.square),
        unit.facing,
        _shape(unit),
        unit.figures,
        unit.full,
        unit.disorganised,
        unit.kind is Kind.MACHINE_GUN,
    )


def _shape(unit: Unit) -> Shape:
    """Return the shape of a unit; a face of a brigade Square is a line that looks outwards."""
    face = unit.brigade and unit.formation is Formation.SQUARE
    return Shape.LINE if face else SHAPES[unit.formation]


def arm_of(unit: Unit) -> TroopKind:
    """Return the arm on the campaign's counters; Dervishes without firearms carry spears."""
    spears = unit.kind is Kind.INFANTRY and not unit.armed
    return TroopKind.SPEARS if spears else ARMS[unit.kind]


def nation_of(piece: Unit | Leader) -> Nation:
    """Return the nation whose colours a piece wears, on either side."""
    if piece.troops is Troops.BRITISH:
        return Nation.BRITISH
    return Nation.MAHDIST if piece.troops is Troops.DERVISH else Nation.EGYPTIAN


def _flag(leader: Leader) -> Piece:
    return Piece(
        leader.id,
        leader.side,
        nation_of(leader),
        TroopKind.LEADER,
        leader.name or "Leader",
        square_of(leader.square),
        0,
        Shape.LEADER,
    )


class Marks(Trails):
    """The routes, the shots and the losses since the last picture, gathered from events."""

    state: State

    def hear(self, event: e.AnyEvent) -> None:
        """Take in an event that is about to be applied."""
        match event:
            case e.Moved():
                self._moved(event)
            case e.FellBack():
                self._went(event.unit, event.path, back=True)
            case e.WentIn() | e.Pursued():
                self._went(event.unit, (event.square,))
            case e.Fired():
                start, end = self._square(event.unit), self._square(event.target)
                side = self.state.units[event.unit].side
                self.fired(side, square_of(start), square_of(end), hit=event.hit)
            case e.FigureLost():
                self._fell(event.unit, 1)
            case e.Lost():
                self._fell(event.unit, 0, gone=True)

    def _moved(self, event: e.Moved) -> None:
        """Add the route of a unit with its Leader; units of a brigade Square have one each."""
        units = [number for number in event.units if number in self.state.units]
        if len(units) < 2:
            self._went(event.units[0], event.path)
            return
        for unit, square in zip(event.units, event.to, strict=True):
            self._went(unit, (square,))

    def _went(self, number: int, path: tuple[int, ...], *, back: bool = False) -> None:
        side = (self.state.units.get(number) or self.state.leaders[number]).side
        way = (square_of(self._square(number)), *map(square_of, path))
        self.went(number, side, way, back=back)

    def _fell(self, number: int, count: int, *, gone: bool = False) -> None:
        unit = self.state.units.get(number)
        if unit is not None and unit.square != OFF_FIELD:
            self.fell(unit.side, square_of(unit.square), count, gone=gone)

    def _square(self, number: int) -> int:
        return (self.state.units.get(number) or self.state.leaders[number]).square
