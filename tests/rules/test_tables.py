"""The tables of Dervish hold the figures of the book and of the tables sheet, to the letter."""

import pytest

from battles.contract.brief import Nation, Quality, Side, TroopKind
from battles.core.tables import TableError
from campaign.rules.core.pieces import month
from campaign.rules.map import Nav, Relief
from campaign.rules.tables.book import CampaignTables, book
from campaign.rules.tables.editions import own_edition, shipped
from campaign.rules.tables.event_effects import (
    DisruptEffect,
    Effect,
    EndGame,
    ForceEffect,
    GainEffect,
    LoseEffect,
    Quantity,
    RollModifier,
    quantity,
)
from campaign.rules.tables.rows import (
    Allowance,
    AttritionLine,
    CombatResult,
    Draw,
    MarchColumn,
    MarchResult,
    RecoveryResult,
)
from campaign.rules.tables.scenario_loader import scenario

RELIEF, SIEGE = "relief-of-el-obeid", "siege-of-khartoum"


def changed(name: str, wrong: str, right: str) -> CampaignTables:
    """Return the book with one change to one table."""
    text = book().toml(name)
    assert wrong in text, f"{wrong!r} is not in {name}"
    return book().replacing({name: text.replace(wrong, right, 1)})


def refusal(name: str, wrong: str, right: str) -> TableError:
    text = book().toml(name)
    assert wrong in text, f"{wrong!r} is not in {name}"
    with pytest.raises(TableError) as refused:
        own_edition({name: text.replace(wrong, right, 1)})
    assert refused.value.path == f"{name}.toml"
    said = book().toml(name).replace(wrong, right, 1).splitlines()
    assert 1 <= refused.value.line <= len(said)
    return refused.value


@pytest.mark.parametrize(
    ("kind", "nation", "movement", "melee", "fire", "gun"),
    [
        (TroopKind.INFANTRY, Nation.EGYPTIAN, 6, "strength", "strength", 0),
        (TroopKind.INFANTRY, Nation.MAHDIST, 6, "strength", "strength", 0),
        (TroopKind.SPEARS, Nation.EGYPTIAN, 6, "strength", 0, 0),
        (TroopKind.SPEARS, Nation.MAHDIST, 7, "strength", 0, 0),
        (TroopKind.CAVALRY, Nation.BRITISH, 8, "strength", 0, 0),
        (TroopKind.CAVALRY, Nation.MAHDIST, 9, "strength", 0, 0),
        (TroopKind.CAMEL_CORPS, Nation.BRITISH, 8, "strength", "strength", 0),
        (TroopKind.GUN, Nation.EGYPTIAN, 5, 1, 2, 2),
        (TroopKind.ENGINEERS, Nation.BRITISH, 6, "strength", "strength", 0),
        (TroopKind.NAVAL, Nation.BRITISH, 6, "strength", "strength", 0),
        (TroopKind.SUPPLY, Nation.BRITISH, 4, 0, 0, 0),
        (TroopKind.CAMEL, Nation.BRITISH, 8, 0, 0, 0),
        (TroopKind.CIVILIANS, Nation.EGYPTIAN, 4, 0, 0, 0),
        (TroopKind.LEADER, Nation.BRITISH, 8, 0, 0, 0),
        (TroopKind.BOAT, Nation.BRITISH, 0, 0, 0, 0),
        (TroopKind.GUNBOAT, Nation.EGYPTIAN, 0, 0, 0, 0),
        (TroopKind.FLEET, Nation.BRITISH, 0, 0, 2, 2),
    ],
)
def test_9_4_what_each_piece_can_do(  # noqa: PLR0917
    kind: TroopKind, nation: Nation, movement: int, melee: int | str, fire: int | str, gun: int
) -> None:
    piece = book().piece(kind, nation)
    assert (piece.movement, piece.melee, piece.fire, piece.gun) == (movement, melee, fire, gun)


def test_8_25_the_fleet_fires_as_veterans() -> None:
    assert book().piece(TroopKind.FLEET, Nation.BRITISH).fire_quality is Quality.VETERAN


@pytest.mark.parametrize(
    ("kind", "nation", "quality", "strength"),
    [
        (TroopKind.SPEARS, Nation.EGYPTIAN, Quality.RABBLE, 1),
        (TroopKind.SPEARS, Nation.MAHDIST, Quality.FANATIC, 1),
        (TroopKind.INFANTRY, Nation.MAHDIST, Quality.FANATIC, 1),
        (TroopKind.INFANTRY, Nation.BRITISH, Quality.VETERAN, 3),
        (TroopKind.GUN, Nation.EGYPTIAN, Quality.LINE, 1),
        (TroopKind.GUN, Nation.BRITISH, Quality.VETERAN, 1),
        (TroopKind.GUN, Nation.MAHDIST, Quality.FANATIC, 1),
        (TroopKind.CAVALRY, Nation.EGYPTIAN, Quality.RABBLE, 1),
        (TroopKind.CAVALRY, Nation.MAHDIST, Quality.FANATIC, 1),
        (TroopKind.CAMEL_CORPS, Nation.EGYPTIAN, Quality.LINE, 1),
        (TroopKind.SUPPLY, Nation.BRITISH, Quality.NONE, 1),
    ],
)
def test_2_2_quality_and_strength_where_the_set_up_gives_none(
    kind: TroopKind, nation: Nation, quality: Quality, strength: int
) -> None:
    standard = book().default(kind, nation)
    assert (standard.quality, standard.strength) == (quality, strength)


@pytest.mark.parametrize(
    ("name", "strategic", "tactical", "chief"),
    [
        ("Gordon", 2, 1, True),
        ("J. Stewart", 0, 0, False),
        ("Wolseley", 2, 0, True),
        ("H. Stewart", 1, 1, False),
        ("Earle", 0, 1, False),
        ("Graham", 1, 1, True),
        ("Hicks", 0, 0, True),
        ("Baker", 0, 1, False),
        ("Mahdi", 2, 1, True),
        ("Khalifa", 1, 1, True),
        ("Osman Digma", 1, 1, False),
    ],
)
def test_7_0_the_leaders(name: str, strategic: int, tactical: int, chief: bool) -> None:
    leader = book().leader(name)
    assert (leader.strategic, leader.tactical) == (strategic, tactical)
    assert leader.commander_in_chief is chief
    assert len(book().leaders()) == 11


def test_8_21_hills_cost_two_mountains_three_and_a_river_what_the_numbers_say() -> None:
    costs = [book().entry_cost(relief) for relief in (Relief.FLAT, Relief.HILL, Relief.MOUNTAIN)]
    assert costs == [1, 2, 3]
    assert book().crossing_cost() == book().number("river.crossing")


MARCH = {
    MarchColumn.MAHDIST: ["-", 50, 25, 0, 0, 0],
    MarchColumn.BRITISH: ["-", "-", 25, 0, 0, 0],
    MarchColumn.EGYPTIAN: ["-", "-", "-", 50, 25, 0],
}


@pytest.mark.parametrize("column", MarchColumn)
def test_8_31_the_march_table(column: MarchColumn) -> None:
    wanted = [
        MarchResult(cell != "-", cell if isinstance(cell, int) else 0) for cell in MARCH[column]
    ]
    assert [book().march(column, roll) for roll in range(6)] == wanted
    assert book().march(column, -3) == wanted[0]
    assert book().march(column, 11) == wanted[5]


def test_8_31_each_nation_reads_its_column() -> None:
    columns = {nation: book().column_of(nation) for nation in Nation}
    assert columns == {
        Nation.EGYPTIAN: MarchColumn.EGYPTIAN,
        Nation.BRITISH: MarchColumn.BRITISH,
        Nation.INDIAN: MarchColumn.BRITISH,
        Nation.AUSTRALIAN: MarchColumn.BRITISH,
        Nation.MAHDIST: MarchColumn.MAHDIST,
    }


COMBAT = {
    Quality.VETERAN: "50E50D 25E50D 25E50D 25E25D 50D 50D 25D 25D 25D - - - - -",
    Quality.LINE: "50E50D 50E50D 25E50D 25E50D 25E25D 25E25D 50D 50D 25D 25D - - - -",
    Quality.RABBLE: (
        "50E50D 50E50D 50E50D 50E50D 50E50D 25E50D 25E50D 25E25D 25E25D 50D 50D 25D 25D -"
    ),
    Quality.FANATIC: ("50E50D 50E50D 50E50D 25E50D 25E50D 25E25D 25E25D 50D 50D 50D 25D 25D - -"),
}


def combat_cell(text: str) -> CombatResult:
    eliminated, _, disrupted = text.rpartition("E")
    return CombatResult(int(eliminated or 0), int(disrupted.strip("D-") or 0))


@pytest.mark.parametrize("quality", COMBAT)
def test_9_6_the_combat_results(quality: Quality) -> None:
    wanted = [combat_cell(cell) for cell in COMBAT[quality].split()]
    assert [book().combat(quality, total) for total in range(-2, 12)] == wanted
    assert book().combat(quality, -9) == wanted[0]
    assert book().combat(quality, 20) == wanted[-1]


MODIFIERS = {
    "march.mounted": 1,
    "march.large": -1,
    "march.extension": -1,
    "fire.veterans": -1,
    "fire.rabble": 1,
    "fire.guns": -1,
    "fire.volume": -1,
    "fire.gunboat": -1,
    "fire.fleet": -1,
    "melee.fanatics": -2,
    "melee.odds2": 1,
    "melee.odds3": 2,
    "melee.odds4": 3,
    "melee.cavalry": 1,
    "terrain.hill": 1,
    "terrain.village": 1,
    "terrain.town": 2,
    "attrition.extension": -1,
    "attrition.mountain": -1,
    "attrition.gordon": 1,
    "recovery.town": 1,
    "recovery.enemy": -1,
    "railway.osman": -1,
    "railway.hill": -1,
    "draw.khartoum": 1,
    "draw.berber": -1,
}


@pytest.mark.parametrize("key", MODIFIERS)
def test_9_6_every_modifier_says_its_value_reason_and_clause(key: str) -> None:
    modifier = book().modifier(key)
    assert modifier.value == MODIFIERS[key]
    assert modifier.reason
    assert modifier.clause[0].isdigit()


MORE_NUMBERS = '[[row]]\nkey = "luck"\nnumber = 7\nmeaning = "luck"\n\n[[row]]'

NUMBERS = {
    "march.large": 12,
    "fire.veterans": 50,
    "fire.rabble": 50,
    "fire.guns": 2,
    "fire.volume": 6,
    "melee.odds2": 2,
    "melee.odds3": 3,
    "melee.odds4": 4,
    "melee.cavalry": 2,
    "draw.fewest": 7,
    "replacement.months": 2,
    "supply.monthly": 1,
    "march.marches": 3,
    "river.crossing": 3,
    "river.captured_from": 6,
    "river.capacity": 1,
    "camel.dismount": 2,
    "combat.lost_at": 50,
    "supply.chain": 6,
    "civilians.count": 2,
}


@pytest.mark.parametrize("key", NUMBERS)
def test_the_numbers_of_the_text(key: str) -> None:
    assert book().number(key) == NUMBERS[key]


ATTRITION = {
    AttritionLine.TOWN: [None] * 6,
    AttritionLine.BESIEGED: [4, 5, 6, 6, 8, 12],
    AttritionLine.DESERT: [0, 0, 2, 4, 6, 8],
    AttritionLine.CLEAR: [6, 6, 8, 8, 12, 16],
    AttritionLine.CULTIVATED: [8, 10, 12, 16, 20, 20],
}


@pytest.mark.parametrize("line", AttritionLine)
def test_10_3_the_attrition_table(line: AttritionLine) -> None:
    assert [book().attrition(line, roll) for roll in range(1, 7)] == ATTRITION[line]


def test_10_3_rolls_beyond_the_ends_read_the_end_columns() -> None:
    assert book().attrition(AttritionLine.CLEAR, -2) == 6
    assert book().attrition(AttritionLine.CLEAR, 9) == 16


@pytest.mark.parametrize(
    ("quality", "eliminated", "disrupted"),
    [
        (Quality.VETERAN, [0, -4], [1, 2]),
        (Quality.LINE, [0, -4], [1, 3]),
        (Quality.RABBLE, [1, -4], [2, 4]),
        (Quality.FANATIC, [0, -4], [1, 3]),
        (Quality.NONE, [], [2, 1, -4]),
    ],
)
def test_5_2_v_the_recovery_table(
    quality: Quality, eliminated: list[int], disrupted: list[int]
) -> None:
    assert all(book().recovery(quality, roll) is RecoveryResult.ELIMINATED for roll in eliminated)
    assert all(book().recovery(quality, roll) is RecoveryResult.DISRUPTED for roll in disrupted)
    best = max(disrupted) + 1
    assert book().recovery(quality, best) is RecoveryResult.RECOVERED
    assert book().recovery(quality, best + 5) is RecoveryResult.RECOVERED


def test_3_41_hexes_of_railway_built() -> None:
    assert [book().railway_hexes(roll) for roll in range(-1, 8)] == [0, 0, 1, 2, 2, 2, 3, 3, 3]


def test_3_21_the_mahdist_draw() -> None:
    drawn = [book().mahdist_draw(roll) for roll in (-1, 1, 2, 3, 4, 7)]
    assert drawn == [Draw.REMOVE, Draw.REMOVE, Draw.NONE, Draw.NONE, Draw.ADD, Draw.ADD]


def test_3_2_boats_found_in_towns() -> None:
    found = {name: book().boats_found(name) for name in ("Berber", "Abou Hamed", "Dongola")}
    assert found == {"Berber": 1, "Abou Hamed": 1, "Dongola": 1}
    assert book().boats_found("Khartoum") == 2
    assert book().boats_found("Tokar") == 0


def test_3_2_the_counter_mix_and_what_is_drawn_from() -> None:
    law = book()
    mix = {kind: law.counters(kind) for kind in TroopKind if law.counters(kind)}
    assert mix == {
        TroopKind.SPEARS: 70,
        TroopKind.CAVALRY: 8,
        TroopKind.INFANTRY: 14,
        TroopKind.GUN: 8,
        TroopKind.BOAT: 8,
        TroopKind.GUNBOAT: 4,
    }
    assert scenario(RELIEF).drawn == {
        TroopKind.SPEARS: 70,
        TroopKind.CAVALRY: 8,
    }
    assert scenario(SIEGE).drawn == {
        TroopKind.SPEARS: 70,
        TroopKind.CAVALRY: 8,
        TroopKind.INFANTRY: 6,
        TroopKind.GUN: 4,
    }


def test_9_9_captured_on_4_from_egyptians_on_6_from_british() -> None:
    taken = [die for die in range(1, 7) if book().captured(Nation.EGYPTIAN, die)]
    assert taken == [4, 5, 6]
    taken = [die for die in range(1, 7) if book().captured(Nation.BRITISH, die)]
    assert taken == [6]


ANY, NOT_AT_ALL = Allowance(0, 0, True), Allowance(0, 0, False)


@pytest.mark.parametrize(
    ("craft", "navigation", "nation", "down", "up"),
    [
        (TroopKind.BOAT, Nav.NAVIGABLE, Nation.BRITISH, ANY, Allowance(2, 6, False)),
        (TroopKind.BOAT, Nav.NAVIGABLE, Nation.MAHDIST, ANY, Allowance(2, 6, False)),
        (TroopKind.GUNBOAT, Nav.NAVIGABLE, Nation.EGYPTIAN, ANY, ANY),
        (TroopKind.BOAT, Nav.UNNAVIGABLE, Nation.MAHDIST, NOT_AT_ALL, NOT_AT_ALL),
        (TroopKind.BOAT, Nav.UNNAVIGABLE, Nation.BRITISH, ANY, Allowance(1, 6, False)),
        (TroopKind.GUNBOAT, Nav.UNNAVIGABLE, Nation.MAHDIST, ANY, Allowance(1, 6, False)),
        (TroopKind.GUNBOAT, Nav.UNNAVIGABLE, Nation.BRITISH, ANY, Allowance(1, 6, False)),
    ],
)
def test_8_23_how_far_boats_and_gunboats_go(
    craft: TroopKind, navigation: Nav, nation: Nation, down: Allowance, up: Allowance
) -> None:
    assert book().downstream(craft, navigation, nation) == down
    assert book().upstream(craft, navigation, nation) == up


def test_8_23_iii_seasonal_rivers_from_november_to_february() -> None:
    law = book()
    high = [n for n in range(1, 13) if law.navigable_now(Nav.SEASONAL, month(1884, n))]
    assert high == [1, 2, 11, 12]
    assert law.class_now(Nav.SEASONAL, month(1884, 3)) is Nav.UNNAVIGABLE
    assert law.navigable_now(Nav.NAVIGABLE, month(1884, 7))
    assert not law.navigable_now(Nav.UNNAVIGABLE, month(1884, 12))


def test_10_3_the_coast_is_hot_from_march_to_november() -> None:
    hot = [n for n in range(1, 13) if book().hot_on_the_coast(month(1884, n))]
    assert hot == list(range(3, 12))


def test_8_23_ii_wrecks_and_returns() -> None:
    law = book()
    assert [total for total in range(1, 8) if law.wrecked(TroopKind.GUNBOAT, total)] == [6, 7]
    assert [total for total in range(2, 13) if law.wrecked(TroopKind.BOAT, total)] == [12]
    boat = law.wreck(TroopKind.BOAT, Nation.BRITISH)
    assert (boat.dice, boat.months, boat.returns_to) == (2, "2", "Wady Halfa")
    british = law.wreck(TroopKind.GUNBOAT, Nation.BRITISH)
    assert (british.months, british.returns_to, british.lost_on_double) == (
        "2D6",
        "Wady Halfa",
        True,
    )
    for nation in (Nation.EGYPTIAN, Nation.MAHDIST):
        hull = law.wreck(TroopKind.GUNBOAT, nation)
        assert (hull.returns_to, hull.only_if_held) == ("Khartoum", True)


def titles(side: Side, slug: str) -> dict[str, list[int]]:
    """Return the titles of the events with the results that give them."""
    found: dict[str, list[int]] = {}
    for first in range(1, 7):
        for second in range(1, 7):
            event = shipped().events(slug, side)[10 * first + second]
            found.setdefault(event.title, []).append(10 * first + second)
    return found


def test_5_2_i_the_egyptian_events_of_the_relief() -> None:
    found = titles(Side.EGYPTIAN, RELIEF)
    assert len(found) == 16
    assert found["Quiet month"] == [31, 32, 33, 34, 35, 36]
    assert found["Mutiny over pay"] == [11, 12]
    assert found["Arrears paid"] == [65, 66]


def test_5_2_i_the_egyptian_events_of_the_siege() -> None:
    found = titles(Side.EGYPTIAN, SIEGE)
    assert found["The Cabinet wavers"] == [11, 12, 13]
    assert found["Souakim Field Force"] == [14, 15, 16, 21, 22]
    assert found["Indian brigade"] == [63, 64]
    assert len(found) == 14


def test_5_3_i_the_mahdist_events() -> None:
    for slug in (RELIEF, SIEGE):
        found = titles(Side.MAHDIST, slug)
        assert len(found) == 16
        assert found["Rails lifted"] == [55, 56]


def effects(side: Side, slug: str, result: int) -> tuple[Effect, ...]:
    return shipped().events(slug, side)[result].effects


def test_5_3_i_harvest_takes_more_in_the_first_scenario() -> None:
    (relief,) = effects(Side.MAHDIST, RELIEF, 21)
    (siege,) = effects(Side.MAHDIST, SIEGE, 21)
    assert isinstance(relief, LoseEffect)
    assert isinstance(siege, LoseEffect)
    assert (relief.count, siege.count) == ("1D6", "1D3")


def test_5_2_i_the_cabinet_recalls_on_six_and_after_penjdeh_on_four() -> None:
    before, recall, penjdeh = effects(Side.EGYPTIAN, SIEGE, 11)
    assert isinstance(before, RollModifier)
    assert before.when.month_after == month(1884, 11)
    assert isinstance(recall, EndGame)
    assert isinstance(penjdeh, EndGame)
    assert (recall.faces, penjdeh.faces) == ((6,), (4, 5, 6))
    assert (recall.when.first_month, recall.when.month_after) == (month(1884, 11), month(1885, 4))
    assert penjdeh.when.first_month == month(1885, 4)
    assert recall.winner is None


def test_2_3_the_field_forces_are_called_in_order() -> None:
    for result in (14, 15, 16, 21, 22):
        (force,) = effects(Side.EGYPTIAN, SIEGE, result)
        assert isinstance(force, ForceEffect)
        assert force.groups == ("souakim_1", "souakim_2")
        (later,) = force.afterwards
        assert isinstance(later, GainEffect)
        assert (later.unit, later.where.places) == (TroopKind.SUPPLY, ("Souakim",))


def test_5_2_i_a_quiet_month_has_no_effect_and_every_other_has_one() -> None:
    for side in Side:
        for slug in (RELIEF, SIEGE):
            for title, results in titles(side, slug).items():
                assert bool(effects(side, slug, results[0])) is (title != "Quiet month")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (3, Quantity(0, 0, 3)),
        ("1D3", Quantity(1, 3, 0)),
        ("2D6", Quantity(2, 6, 0)),
        ("2D6+6", Quantity(2, 6, 6)),
    ],
)
def test_numbers_of_units_are_read(text: str | int, wanted: Quantity) -> None:
    assert quantity(text) == wanted


@pytest.mark.parametrize("text", ["", "D6", "1D4", "2D6+", "many", "-1"])
def test_what_is_no_number_of_units_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no number of units"):
        quantity(text)


def test_every_table_can_be_shown_with_its_source() -> None:
    pages = book().tables()
    assert [page.id for page in pages] == list(book().names)
    for page in pages:
        assert page.title
        assert page.clause
        assert page.provenance in {"book", "tables-sheet", "ruling", "reconstructed"}
        assert page.rows
        assert all(len(row) == len(page.columns) for row in page.rows)


def test_a_page_shows_ranges_and_the_source_of_a_row() -> None:
    pages = {page.id: page for page in book().tables()}
    assert pages["railway"].rows[0] == ("0 or less", "0")
    assert pages["railway"].rows[-1] == ("5 or more", "3")
    assert pages["events_mahdist"].rows[0][0] == "11 to 12"
    assert ("leader", "", "8", "0", "0", "0", "", "book, 7.0") in pages["pieces"].rows


def test_an_umpire_can_change_a_table() -> None:
    law = changed("terrain", "cost = 2", "cost = 4")
    assert law.entry_cost(Relief.HILL) == 4
    assert book().entry_cost(Relief.HILL) == 2
    assert law.digest != book().digest


def test_a_remark_in_a_table_leaves_the_digest_alone() -> None:
    assert changed("terrain", "cost = 2", "cost = 2  # steep").digest == book().digest


@pytest.mark.parametrize(
    ("name", "wrong", "right", "reason"),
    [
        ("march", "low = 3\nhigh = 3", "low = 4\nhigh = 4", "nothing covers 3"),
        ("march", '"march, 50%"', '"march, 60%"', "'march, 60%' is not known as `mahdist`"),
        ("combat_results", '"25E 50D"', '"75E"', "'75E' is not known as `veteran`"),
        ("attrition", "4, 5, 6, 6, 8, 12", "4, 5, 6, 6, 8", "besieged has 5 numbers"),
        ("attrition", "4, 5", '"four", 5', "`unaffected` must be a whole number"),
        ("terrain", "cost = 1", "cost = 0", "a hex costs at least 1"),
        ("terrain", "hill", "mountain", "mountain has a row already"),
        ("leaders", "Gordon", "Gordan", "Gordon has no row"),
        ("wrecks", "Wady Halfa", "Wady Hulfa", "there is no place 'Wady Hulfa'"),
        ("wrecks", "wrecked_from = 12", "wrecked_from = 11", "this boat is wrecked otherwise"),
        ("rivers", '"mahdist"', '"british"', "boat british navigable"),
        ("rivers", '"2D6+6"', '"far"', "'far' is no number of units"),
        ("combat_modifiers", "fire.guns", "fire.gunz", "fire.guns has no row"),
        ("combat_modifiers", "\nnumber = 6", "", "fire.volume needs its `number`"),
        ("numbers", "supply.chain", "supply.train", "supply.chain has no row"),
        ("numbers", "[[row]]", MORE_NUMBERS, "the rules read no number 'luck'"),
        ("recovery", "disrupted_up_to = 2", "disrupted_up_to = -1", "0 and less eliminates"),
        ("railway", 'id = "railway"', 'id = "railways"', "the table calls itself 'railways'"),
        ("events_mahdist", "low = 11", "low = 10", "10 to 12 is no run of results"),
        ("events_mahdist", "high = 12", "high = 11", "nothing covers 12"),
        ("events_mahdist", "high = 12", "high = 13", "13 is covered twice"),
        ("events_mahdist", '"no march"', '"no luck"', "'no luck' is not known as `kind`"),
        ("events_mahdist", '"Kassala"', '"Cassala"', "there is no place 'Cassala'"),
        ("events_mahdist", 'leader = "Mahdi"', 'leader = "Mehdi"', "there is no leader 'Mehdi'"),
        ("events_mahdist", '"1D6"', '"1D8"', "'1D8' is no number of units"),
    ],
)
def test_a_wrong_table_is_refused(name: str, wrong: str, right: str, reason: str) -> None:
    assert reason in refusal(name, wrong, right).reason


def test_an_unknown_effect_is_refused_at_its_line_with_those_there_are() -> None:
    refused = refusal("events_mahdist", '"no march"', '"no luck"')
    said = book().toml("events_mahdist").splitlines()
    assert '"no march"' in said[refused.line - 1]
    assert "modifier" in refused.remedy
    assert "end game" in refused.remedy


def test_an_unknown_word_deep_in_an_effect_is_refused_with_those_there_are() -> None:
    refused = refusal("events_egyptian_siege", 'to = "attrition"', 'to = "atrition"')
    assert refused.reason == "'atrition' is not known as `to`"
    assert refused.remedy.startswith("use one of march, attrition")


def test_a_disruption_must_say_how_many() -> None:
    assert "either how many" in refusal("events_egyptian_relief", "percent = 50, ", "").reason
    (mutiny,) = effects(Side.EGYPTIAN, RELIEF, 11)
    assert isinstance(mutiny, DisruptEffect)


def test_a_table_nobody_knows_is_refused() -> None:
    with pytest.raises(TableError, match=r"weather.toml:1: there is no table 'weather'"):
        book().replacing({"weather": ""})
