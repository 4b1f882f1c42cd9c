"""A brief as an open table: the ground it is fought over, and everybody's place on it."""

from itertools import combinations

import pytest

from battles.contract import Brief, Nation, Side, TroopKind
from battles.contract.brief import Bearing, BriefGround, Party, Troop
from battles.contract.brief_files import ready_battles
from battles.contract.set_up import EAST, NORTH, SOUTH, WEST, edge_of, interleave, share_flankers
from battles.tabletop.deployment import LaidOut, lay_out
from battles.tabletop.deployment_lines import LINE_OF, DeploymentBand, Role, extent
from battles.tabletop.field import Lying, TableTerrain, bounds, lies_in, lines_crossed, on_table
from battles.tabletop.formations import MovingUnit, TableFormation
from battles.tabletop.geometry import Stands, StandSize, TablePoint, between, distance, gap, overlap
from battles.tabletop.ground import TableFrame, TableScale, frame_of

INCHES = TableScale("inch", ((30, 4800, 3600), (60, 7200, 4800)), 1800, 60, StandSize(118, 59))
SMALL, LARGE = StandSize(118, 59), StandSize(118, 118)
HISTORY = {offer.slug: offer.brief for offer in ready_battles()}


def band(number: int, side: Side, role: Role, stands: int = 4) -> DeploymentBand:
    """Return a unit as a book might have it."""
    regular = side is Side.EGYPTIAN
    size = SMALL if role is Role.FOOT else LARGE
    formation = TableFormation.LINE if regular or role is not Role.FOOT else TableFormation.MASS
    beset = TableFormation.SQUARE if regular and role is Role.FOOT else None
    spears = not regular and number % 3 > 0
    return DeploymentBand(
        number, side, role, stands, size, formation, beset, regular, strength=stands, spears=spears
    )


ROLES = {
    TroopKind.GUN: Role.GUN,
    TroopKind.CAVALRY: Role.HORSE,
    TroopKind.CAMEL: Role.TRAIN,
    TroopKind.SUPPLY: Role.TRAIN,
    TroopKind.LEADER: Role.LEADER,
    TroopKind.GUNBOAT: Role.CRAFT,
    TroopKind.BOAT: Role.CRAFT,
}


def bands_of(brief: Brief) -> list[DeploymentBand]:
    """One unit for each of the campaign's."""
    found = []
    for number, troop in enumerate(brief.troops(), 1):
        side = brief.attacker.side if troop in brief.attacker.troops else brief.defender.side
        role = ROLES.get(troop.kind, Role.FOOT)
        found.append(band(number, side, role, 4 if role is Role.FOOT else 1))
    return found


def stands_of(laid: LaidOut, bands: list[DeploymentBand]) -> dict[int, Stands]:
    by_id = {one.id: one for one in bands}
    return {
        number: MovingUnit(post.formation, by_id[number].number, by_id[number].size).at(
            post.at, post.facing
        )
        for number, post in laid.posts.items()
    }


@pytest.mark.parametrize("slug", sorted(HISTORY))
def test_every_battle_of_history_is_laid_out_with_nobody_on_another(slug):
    brief = HISTORY[slug]
    bands = bands_of(brief)
    laid = lay_out(brief, bands, INCHES)
    assert set(laid.posts) | set(laid.late) == {one.id for one in bands}
    assert not laid.late
    standing = stands_of(laid, bands)
    for stands in standing.values():
        assert on_table(laid.field, stands)
        water = frozenset({TableTerrain.RIVER, TableTerrain.SEA})
        assert lies_in(laid.field, stands, water) is Lying.NONE
    for one, other in combinations(standing.values(), 2):
        assert not overlap(one, other)


@pytest.mark.parametrize("slug", sorted(HISTORY))
def test_the_sides_begin_out_of_reach_of_each_other_and_the_field_is_the_same_again(slug):
    brief = HISTORY[slug]
    bands = bands_of(brief)
    laid = lay_out(brief, bands, INCHES)
    assert laid == lay_out(brief, bands, INCHES)
    standing = stands_of(laid, bands)
    sides = {one.id: one.side for one in bands}
    mine = tuple(s for n, ss in standing.items() if sides[n] is brief.attacker.side for s in ss)
    theirs = tuple(s for n, ss in standing.items() if sides[n] is brief.defender.side for s in ss)
    assert gap(mine, theirs) >= 900
    if not brief.and_from:
        assert gap(mine, theirs) >= 1500


def brief_of(ground: BriefGround, attackers: int = 6, **more: object) -> Brief:
    spears = tuple(Troop(n, TroopKind.SPEARS, Nation.MAHDIST, strength=1) for n in range(attackers))
    foot = tuple(Troop(50 + n, TroopKind.INFANTRY, Nation.EGYPTIAN, strength=3) for n in range(4))
    return Brief(
        "meeting",
        "A meeting",
        Party(Side.MAHDIST, spears),
        Party(Side.EGYPTIAN, foot),
        ground,
        **more,  # type: ignore[arg-type]
    )


def laid_of(brief: Brief) -> tuple[LaidOut, list[DeploymentBand]]:
    bands = bands_of(brief)
    return lay_out(brief, bands, INCHES), bands


def kinds_of(laid: LaidOut) -> set[TableTerrain]:
    return {feature.kind for feature in laid.field.features}


def test_the_attacker_stands_at_the_edge_he_comes_from():
    for bearing, edge in ((Bearing.NORTH, NORTH), (Bearing.SOUTH_WEST, WEST)):
        laid, bands = laid_of(brief_of(BriefGround(), comes_from=bearing))
        assert laid.homes[Side.MAHDIST] == edge == edge_of(bearing)
        frame = TableFrame(laid.field.width, laid.field.height, laid.homes[Side.EGYPTIAN])
        far = {one.side: laid.posts[one.id].at for one in bands}
        edge_point = frame.at(frame.wide / 2, 0)
        assert distance(far[Side.MAHDIST], edge_point) < distance(far[Side.EGYPTIAN], edge_point)


def test_a_beset_side_forms_a_box_that_looks_all_ways_and_a_stronger_one_a_line():
    laid, bands = laid_of(brief_of(BriefGround(), 14))
    foot = [laid.posts[one.id] for one in bands if one.side is Side.EGYPTIAN]
    assert len(foot) > LINE_OF
    assert {post.facing for post in foot} == {NORTH, EAST, SOUTH, WEST}
    assert {post.formation for post in foot} == {TableFormation.LINE}
    laid, bands = laid_of(brief_of(BriefGround(), 2))
    foot = [laid.posts[one.id] for one in bands if one.side is Side.EGYPTIAN]
    assert {post.facing for post in foot} == {SOUTH}


def test_few_beset_battalions_form_squares_of_their_own():
    brief = brief_of(BriefGround(), 14)
    few = [one for one in bands_of(brief) if one.side is Side.MAHDIST or one.id < 17]
    laid = lay_out(brief, few, INCHES)
    formed = {laid.posts[one.id].formation for one in few if one.side is Side.EGYPTIAN}
    assert formed == {TableFormation.SQUARE}


def test_a_share_comes_from_every_other_side():
    brief = brief_of(BriefGround(), 9, and_from=(Bearing.NORTH_WEST,))
    laid, bands = laid_of(brief)
    facings = [laid.posts[one.id].facing for one in bands if one.side is Side.MAHDIST]
    assert facings.count(NORTH) == 6
    assert facings.count(EAST) == 3


def test_a_zariba_goes_all_round_the_defender():
    laid, bands = laid_of(brief_of(BriefGround(), zariba=True))
    theirs = [laid.posts[one.id].at for one in bands if one.side is Side.EGYPTIAN]
    outside = TablePoint(laid.field.width // 2, laid.field.height - 100)
    thorn = frozenset({TableTerrain.ZARIBA})
    assert all(lines_crossed(laid.field, outside, at, thorn) for at in theirs)
    assert TableTerrain.TRENCH not in kinds_of(laid)


def test_a_village_has_walls_open_behind_and_is_the_goal():
    laid, _ = laid_of(brief_of(BriefGround(settlement="village", place="Tokar")))
    assert {TableTerrain.BUILDINGS, TableTerrain.WALL} <= kinds_of(laid)
    assert [one.name for one in laid.field.features if one.kind is TableTerrain.BUILDINGS] == [
        "Tokar"
    ]
    wall = next(one for one in laid.field.features if one.kind is TableTerrain.WALL)
    assert set(wall.points) == set(laid.goal)
    middle = TablePoint(laid.field.width // 2, round(sum(point.y for point in laid.goal) / 4))
    walls = frozenset({TableTerrain.WALL})
    assert lines_crossed(laid.field, (middle.x, laid.field.height), middle, walls)
    assert not lines_crossed(laid.field, (middle.x, 0), middle, walls)


def test_a_navigable_river_carries_the_craft_and_a_seasonal_one_is_a_stream():
    river = BriefGround(river=(Bearing.NORTH,), river_class="navigable")
    brief = brief_of(river)
    bands = [*bands_of(brief), band(90, Side.EGYPTIAN, Role.CRAFT, 1)]
    laid = lay_out(brief, bands, INCHES)
    craft = MovingUnit(TableFormation.LINE, 1, LARGE).at(laid.posts[90].at, laid.posts[90].facing)
    assert lies_in(laid.field, craft, frozenset({TableTerrain.RIVER})) is Lying.WHOLLY
    assert laid.field.downstream == WEST
    dry = brief_of(BriefGround(river=(Bearing.NORTH,), river_class="seasonal"))
    laid = lay_out(dry, [*bands_of(dry), band(90, Side.EGYPTIAN, Role.CRAFT, 1)], INCHES)
    assert TableTerrain.STREAM in kinds_of(laid)
    assert 90 not in laid.posts


@pytest.mark.parametrize(
    ("ground", "kind"),
    [
        (BriefGround(relief="hill"), TableTerrain.HILL),
        (BriefGround(relief="mountain"), TableTerrain.MOUNTAIN),
        (BriefGround(cultivated=True), TableTerrain.CROPS),
        (BriefGround(settlement="oasis"), TableTerrain.WOOD),
        (BriefGround(sea=(Bearing.NORTH_EAST,)), TableTerrain.SEA),
    ],
)
def test_the_ground_is_what_the_hex_is(ground, kind):
    laid, _ = laid_of(brief_of(ground))
    assert kind in kinds_of(laid)


def test_more_units_fight_on_a_larger_table_and_water_is_room_besides():
    brief = brief_of(BriefGround(sea=(Bearing.NORTH_EAST,)))
    small, large = frame_of(brief, 30, INCHES), frame_of(brief, 31, INCHES)
    assert (small.width, small.height) == (4800 + 3 * 118, 3600)
    assert (large.width, large.height) == (7200 + 3 * 118, 4800)
    assert frame_of(brief, 900, INCHES) == large


def test_who_finds_no_room_comes_later():
    tiny = TableScale("inch", ((99, 120, 120),), 100, 60, StandSize(118, 59))
    brief = brief_of(BriefGround(), 12)
    bands = bands_of(brief)
    laid = lay_out(brief, bands, tiny)
    assert laid.late
    assert set(laid.posts) | set(laid.late) == {one.id for one in bands}


def test_rifles_stand_among_spears_and_flankers_are_shared_out():
    assert interleave(["r", "R"], ["a", "b", "c"]) == ["r", "a", "b", "R", "c"]
    assert interleave([], ["a", "b", "c"]) == ["a", "b", "c"]
    assert share_flankers(list(range(9)), 1) == []
    assert share_flankers(list(range(9)), 2) == [[0, 1, 2]]
    assert share_flankers(list(range(9)), 3) == [[0, 2], [1, 3]]


def test_a_frame_looks_into_the_field_from_each_edge():
    for ahead, at in ((0, (10, 80)), (180, (90, 20)), (90, (20, 10)), (270, (80, 90))):
        frame = TableFrame(100, 100, ahead)
        assert frame.at(10, 20) == at
        assert frame.opposite.at(90, 80) == at
        assert between(frame.from_edge(EAST).ahead, WEST) == 0


def test_the_extent_of_a_unit_is_as_wide_as_its_front():
    assert extent(MovingUnit(TableFormation.LINE, 4, SMALL)) == (4 * 118, 60)
    assert bounds(MovingUnit(TableFormation.LINE, 1, SMALL).at(TablePoint(0, 0), 90)) == (
        (-30, -59),
        (30, 59),
    )
