"""The tables of Dervish are read as their files have them, and faulty ones are refused.

No figure stands here again: `tests/golden/tables.txt` has those that the tests play by.
"""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from battles.contract.brief import Nation, Quality, Side, TroopKind
from battles.core.tables import Source, TableError
from campaign.rules.core.pieces import month
from campaign.rules.map import Nav, Relief
from campaign.rules.tables.book import CampaignTables, book
from campaign.rules.tables.editions import own_edition, shipped_edition
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
    Standard,
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


def rows(name: str) -> list[dict[str, Any]]:
    """Return the rows of a table as its file has them."""
    found: list[dict[str, Any]] = Source(f"{name}.toml", book().toml(name)).document()["row"]
    return found


def rolls(name: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield every roll that a table has a row for, and some beyond its ends, with the row."""
    for row in rows(name):
        first = row.get("low", row.get("high", 0) - 9)
        for roll in range(first, row.get("high", first + 9) + 1):
            yield roll, row


def rows_of(name: str, column: str) -> list[Any]:
    """Return the rows of a table as parameters of a test, each named by one of its columns."""
    return [pytest.param(row, id=str(row[column])) for row in rows(name)]


@pytest.mark.parametrize("kind", TroopKind)
@pytest.mark.parametrize("nation", Nation)
def test_9_4_what_each_piece_can_do(kind: TroopKind, nation: Nation) -> None:
    own = {row.get("nation"): row for row in rows("pieces") if row["kind"] == kind}
    row, piece = own.get(nation) or own[None], book().piece(kind, nation)
    for column in ("movement", "melee", "fire", "gun"):
        assert getattr(piece, column) == row.get(column, 0)


def test_9_4_the_mahdists_have_faster_spears_and_horse() -> None:
    for kind in (TroopKind.SPEARS, TroopKind.CAVALRY):
        others = {book().piece(kind, nation).movement for nation in Nation} - {
            book().piece(kind, Nation.MAHDIST).movement
        }
        assert max(others) < book().piece(kind, Nation.MAHDIST).movement


def test_8_25_the_fleet_fires_as_veterans() -> None:
    assert book().piece(TroopKind.FLEET, Nation.BRITISH).fire_quality is Quality.VETERAN


@pytest.mark.parametrize("row", rows("defaults"), ids=lambda row: f"{row['nation']} {row['kind']}")
def test_2_2_quality_and_strength_where_the_set_up_gives_none(row: dict[str, Any]) -> None:
    standard = book().default(TroopKind(row["kind"]), Nation(row["nation"]))
    assert (standard.quality, standard.strength) == (row["quality"], row["strength"])


def test_2_2_what_has_no_row_has_no_quality_and_a_strength_of_one() -> None:
    assert book().default(TroopKind.SUPPLY, Nation.BRITISH) == Standard(Quality.NONE, 1)


@pytest.mark.parametrize("row", rows_of("leaders", "name"))
def test_7_0_the_leaders(row: dict[str, Any]) -> None:
    leader = book().leader(row["name"])
    assert (leader.strategic, leader.tactical) == (row["strategic"], row["tactical"])
    assert leader.commander_in_chief is row.get("commander_in_chief", False)
    assert len(book().leaders()) == len(rows("leaders"))


def test_8_21_hills_mountains_and_rivers_cost_what_the_tables_say() -> None:
    costs = {row["relief"]: book().entry_cost(Relief(row["relief"])) for row in rows("terrain")}
    assert costs == {row["relief"]: row["cost"] for row in rows("terrain")}
    assert set(costs) == set(Relief)
    assert book().crossing_cost() == book().number("river.crossing")


@pytest.mark.parametrize("column", MarchColumn)
def test_8_31_the_march_table(column: MarchColumn) -> None:
    results = {
        "no march": MarchResult(False, 0),
        "march": MarchResult(True, 0),
        "march, 25%": MarchResult(True, 25),
        "march, 50%": MarchResult(True, 50),
    }
    for roll, row in rolls("march"):
        assert book().march(column, roll) == results[row[column]]


def test_8_31_each_nation_reads_its_column() -> None:
    columns = {nation: book().column_of(nation) for nation in Nation}
    assert columns == {
        Nation.EGYPTIAN: MarchColumn.EGYPTIAN,
        Nation.BRITISH: MarchColumn.BRITISH,
        Nation.INDIAN: MarchColumn.BRITISH,
        Nation.AUSTRALIAN: MarchColumn.BRITISH,
        Nation.MAHDIST: MarchColumn.MAHDIST,
    }


COLUMNS = {
    Quality.VETERAN: "veteran",
    Quality.LINE: "line",
    Quality.RABBLE: "rabble",
    Quality.FANATIC: "fanatic",
}


def combat_cell(text: str) -> CombatResult:
    eliminated, disrupted = (re.search(rf"(\d+){letter}", text) for letter in "ED")
    return CombatResult(
        int(eliminated[1]) if eliminated else 0, int(disrupted[1]) if disrupted else 0
    )


@pytest.mark.parametrize("quality", COLUMNS)
def test_9_6_the_combat_results(quality: Quality) -> None:
    for total, row in rolls("combat_results"):
        assert book().combat(quality, total) == combat_cell(row[COLUMNS[quality]])


MODIFIERS = [row for name in book().names if name.endswith("_modifiers") for row in rows(name)]


@pytest.mark.parametrize("row", MODIFIERS, ids=lambda row: row["key"])
def test_9_6_every_modifier_says_its_value_reason_and_clause(row: dict[str, Any]) -> None:
    modifier = book().modifier(row["key"])
    assert (modifier.value, modifier.reason) == (row["value"], row["reason"])
    assert modifier.reason
    assert modifier.clause[0].isdigit()


MORE_NUMBERS = '[[row]]\nkey = "luck"\nnumber = 7\nmeaning = "luck"\n\n[[row]]'

NUMBERED = [row for row in [*MODIFIERS, *rows("numbers")] if "number" in row]


@pytest.mark.parametrize("row", NUMBERED, ids=lambda row: row["key"])
def test_the_numbers_of_the_text(row: dict[str, Any]) -> None:
    assert book().number(row["key"]) == row["number"]


@pytest.mark.parametrize("row", rows_of("attrition", "line"))
def test_10_3_the_attrition_table(row: dict[str, Any]) -> None:
    line, unaffected = AttritionLine(row["line"]), row["unaffected"]
    columns = [None] * 6 if unaffected == "all" else unaffected
    assert [book().attrition(line, roll) for roll in range(1, 7)] == columns
    assert (book().attrition(line, -2), book().attrition(line, 9)) == (columns[0], columns[-1])


@pytest.mark.parametrize("row", rows("recovery"), ids=lambda row: row["quality"] or "train")
def test_5_2_v_the_recovery_table(row: dict[str, Any]) -> None:
    quality, disrupted = Quality(row["quality"]), row["disrupted_up_to"]
    eliminated = row.get("eliminated_up_to", -9)
    results = [
        *((roll, RecoveryResult.ELIMINATED) for roll in range(-8, eliminated + 1)),
        *((roll, RecoveryResult.DISRUPTED) for roll in range(eliminated + 1, disrupted + 1)),
        *((roll, RecoveryResult.RECOVERED) for roll in range(disrupted + 1, disrupted + 7)),
    ]
    assert [(roll, book().recovery(quality, roll)) for roll, _ in results] == results


def test_3_41_hexes_of_railway_built() -> None:
    for roll, row in rolls("railway"):
        assert book().railway_hexes(roll) == row["hexes"]


def test_3_21_the_mahdist_draw() -> None:
    for roll, row in rolls("mahdist_reinforcement"):
        assert book().mahdist_draw(roll) is Draw(row["result"])


def test_3_2_boats_found_in_towns() -> None:
    for row in rows("town_entry"):
        assert book().boats_found(row["place"]) == row["boats"]
    assert book().boats_found("Tokar") == 0


def test_3_2_the_counter_mix_and_what_is_drawn_from() -> None:
    mix = {TroopKind(row["kind"]): row["counters"] for row in rows("counters")}
    assert {kind: book().counters(kind) for kind in TroopKind if book().counters(kind)} == mix
    for slug in (RELIEF, SIEGE):
        drawn = scenario(slug).drawn
        assert drawn.keys() <= mix.keys()
        assert all(count <= mix[kind] for kind, count in drawn.items())


@pytest.mark.parametrize("row", rows_of("capture", "nation"))
def test_9_9_captured_from_a_face_of_the_die_on(row: dict[str, Any]) -> None:
    taken = [die for die in range(1, 7) if book().captured(Nation(row["nation"]), die)]
    assert taken == list(range(row["captured_from"], 7))


def allowed(text: str) -> Allowance:
    """Return what a cell of the table of rivers lets a craft go."""
    if text in {"any", "none"}:
        return Allowance(0, 0, text == "any")
    read = quantity(text)
    return Allowance(read.dice, read.plus, False)


@pytest.mark.parametrize("row", rows("rivers"), ids=lambda row: f"{row['craft']} {row['nations']}")
def test_8_23_how_far_boats_and_gunboats_go(row: dict[str, Any]) -> None:
    for nation in map(Nation, row["nations"]):
        reach = TroopKind(row["craft"]), Nav(row["navigation"]), nation
        assert book().downstream(*reach) == allowed(row["downstream"])
        assert book().upstream(*reach) == allowed(row["upstream"])


def months(first: str, last: str) -> set[int]:
    """Return the months of the year from one number of the tables to another."""
    start, end = book().number(first), book().number(last)
    return {(start - 1 + later) % 12 + 1 for later in range((end - start) % 12 + 1)}


def test_8_23_iii_seasonal_rivers_have_their_months() -> None:
    law, season = book(), months("season.first", "season.last")
    high = {n for n in range(1, 13) if law.navigable_now(Nav.SEASONAL, month(1884, n))}
    assert high == season
    low = next(n for n in range(1, 13) if n not in season)
    assert law.class_now(Nav.SEASONAL, month(1884, low)) is Nav.UNNAVIGABLE
    assert law.navigable_now(Nav.NAVIGABLE, month(1884, 7))
    assert not law.navigable_now(Nav.UNNAVIGABLE, month(1884, 12))


def test_10_3_the_coast_has_its_hot_months() -> None:
    hot = {n for n in range(1, 13) if book().hot_on_the_coast(month(1884, n))}
    assert hot == months("extension.first", "extension.last")


@pytest.mark.parametrize("row", rows("wrecks"), ids=lambda row: f"{row['craft']} {row['nations']}")
def test_8_23_ii_wrecks_and_returns(row: dict[str, Any]) -> None:
    craft = TroopKind(row["craft"])
    wrecked = [total for total in range(1, 13) if book().wrecked(craft, total)]
    assert wrecked == list(range(row["wrecked_from"], 13))
    for nation in map(Nation, row["nations"]):
        wreck = book().wreck(craft, nation)
        assert (wreck.dice, wreck.months, wreck.returns_to) == (
            row["dice"],
            row["months"],
            row["returns_to"],
        )
        assert wreck.lost_on_double is row.get("lost_on_double", False)
        assert wreck.only_if_held is row.get("only_if_held", False)


def titles(side: Side, slug: str) -> dict[str, list[int]]:
    """Return the titles of the events with the results that give them."""
    found: dict[str, list[int]] = {}
    for first in range(1, 7):
        for second in range(1, 7):
            event = shipped_edition().events(slug, side)[10 * first + second]
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
    return shipped_edition().events(slug, side)[result].effects


def test_5_3_i_harvest_takes_more_in_the_first_scenario() -> None:
    (relief,) = effects(Side.MAHDIST, RELIEF, 21)
    (siege,) = effects(Side.MAHDIST, SIEGE, 21)
    assert isinstance(relief, LoseEffect)
    assert isinstance(siege, LoseEffect)
    assert (relief.quantity, siege.quantity) == ("1D6", "1D3")


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
        assert (later.kind, later.where.places) == (TroopKind.SUPPLY, ("Souakim",))


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
        ("march", '"March table"', '" "', "the table has no title"),
        ("railway", 'id = "railway"', 'id = "railways"', "the table calls itself 'railways'"),
        ("events_mahdist", "low = 11", "low = 10", "10 to 12 is no run of results"),
        ("events_mahdist", "high = 12", "high = 11", "nothing covers 12"),
        ("events_mahdist", "high = 12", "high = 13", "13 is covered twice"),
        ("events_mahdist", '"no march"', '"no luck"', "'no luck' is not known as `type`"),
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
    refused = refusal("events_egyptian_siege", 'roll_kind = "attrition"', 'roll_kind = "atrition"')
    assert refused.reason == "'atrition' is not known as `roll_kind`"
    assert refused.remedy.startswith("use one of march, attrition")


def test_a_disruption_must_say_how_many() -> None:
    assert "either how many" in refusal("events_egyptian_relief", "percent = 50, ", "").reason
    (mutiny,) = effects(Side.EGYPTIAN, RELIEF, 11)
    assert isinstance(mutiny, DisruptEffect)


def test_a_table_nobody_knows_is_refused() -> None:
    with pytest.raises(TableError, match=r"weather.toml:1: there is no table 'weather'"):
        book().replacing({"weather": ""})
