"""A state of Redcoats and Dervishes as a scene."""

from battles.contract.troops import Kind as Arm
from battles.contract.troops import Nation
from battles.drawing.scene import Barrier, Cover, Ground, Hedge, Piece, Scene, Shape, Square
from battles.engines.redcoats.field import Edge, Field, Obstacle, Terrain
from battles.engines.redcoats.pieces import Formation, Kind, Troops
from battles.engines.redcoats.squares import OFF_FIELD, column, row, towards
from battles.engines.redcoats.state import Leader, State, Unit

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
    Kind.INFANTRY: Arm.INFANTRY,
    Kind.CAVALRY: Arm.CAVALRY,
    Kind.CAMELRY: Arm.CAMEL_CORPS,
    Kind.ARTILLERY: Arm.GUN,
    Kind.MACHINE_GUN: Arm.GUN,
    Kind.TRANSPORT: Arm.SUPPLY,
    Kind.GUNBOAT: Arm.GUNBOAT,
    Kind.RIVER_BOAT: Arm.BOAT,
}


def scene_of(state: State) -> Scene:
    """What the state looks like, as it stands."""
    units = [_piece(unit) for unit in state.units.values() if _is_seen(unit)]
    leaders = [_flag(leader) for leader in state.leaders.values() if _is_seen(leader)]
    fights = (state.units[combat.charged].square for combat in state.combats)
    return Scene(
        ground_of(state),
        (*units, *leaders),
        melees=frozenset(map(square_of, fights)),
    )


def ground_of(state: State) -> Ground:
    """The field it is fought on."""
    field = state.field
    goals = state.objective.squares if state.objective else ()
    return Ground(
        field.width,
        field.height,
        {square_of(square): COVERS[terrain] for square, terrain in field.ground.items()},
        tuple(_hedge(edge) for edge in field.edges),
        frozenset(map(square_of, goals)),
        _streams(field),
    )


def square_of(square: int) -> Square:
    """The square as the drawing numbers it."""
    return (column(square), row(square))


def _streams(field: Field) -> dict[Square, int]:
    return {square_of(square): facing for square, facing in field.downstream.items()}


def _hedge(edge: Edge) -> Hedge:
    return Hedge(square_of(edge.one), towards(edge.one, edge.other), BARRIERS[edge.obstacle])


def _is_seen(piece: Unit | Leader) -> bool:
    return piece.square != OFF_FIELD and not piece.aboard


def _piece(unit: Unit) -> Piece:
    return Piece(
        unit.id,
        unit.side,
        nation_of(unit),
        arm_of(unit),
        unit.name,
        square_of(unit.square),
        unit.facing,
        SHAPES[unit.formation],
        unit.figures,
        unit.full,
        unit.disorganised,
        unit.kind is Kind.MACHINE_GUN,
    )


def arm_of(unit: Unit) -> Arm:
    """The arm as the campaign's counters show it; Dervishes without firearms carry spears."""
    spears = unit.kind is Kind.INFANTRY and not unit.armed
    return Arm.SPEARS if spears else ARMS[unit.kind]


def nation_of(piece: Unit | Leader) -> Nation:
    """The nation whose colours it wears."""
    if piece.troops is Troops.BRITISH:
        return Nation.BRITISH
    return Nation.EGYPTIAN if piece.side is Nation.EGYPTIAN.side else Nation.MAHDIST


def _flag(leader: Leader) -> Piece:
    return Piece(
        leader.id,
        leader.side,
        nation_of(leader),
        Arm.LEADER,
        leader.name,
        square_of(leader.square),
        0,
        Shape.LEADER,
    )
