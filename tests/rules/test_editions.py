"""Editions: a campaign is played by the tables and scenario it names, and by sound ones only."""

from collections.abc import Callable

import pytest

from battles.contract.brief import TroopKind
from battles.core.tables import Source, TableError
from campaign.rules import new_game
from campaign.rules.core.board import laws, scenario_of
from campaign.rules.map import sudan
from campaign.rules.tables.book import book
from campaign.rules.tables.editions import (
    UnknownEdition,
    UnknownName,
    changed_names,
    digest_of,
    edition,
    is_known,
    is_own_table,
    named_edition,
    named_edition_of,
    own_edition,
    remember,
    shipped_edition,
    texts_by_name,
)
from campaign.rules.tables.scenario_blocks import PlacesHeld
from campaign.rules.tables.scenario_data import PlaceCaptured, SiegeMaintained
from campaign.rules.tables.scenario_loader import UnknownScenario, scenarios
from tests.crossings import Crossing, crossing
from tests.own_tables import NO_MARCH, SIEGE, halted, text
from tests.positions import OPEN, position
from tests.rules.helpers import happen, march

RELIEF = "relief-of-el-obeid"
STACK = f"{OPEN}: 4 infantry british"


def march_of(state):
    (roll,) = [roll for roll in march(state, OPEN, dice=[6]).rolls if roll.reason == "March"]
    return roll.result


def refusal(name: str, said: str) -> TableError:
    with pytest.raises(TableError) as refused:
        own_edition({name: said})
    return refused.value


def test_8_31_a_campaign_marches_by_its_own_march_table():
    state = position(STACK)
    assert march_of(state) == "march"
    state = position(STACK)
    state.edition = own_edition({"march": halted()}).digest
    assert march_of(state) == NO_MARCH
    assert not state.marched or state.march is None


def test_a_campaign_begins_by_its_own_order_of_battle():
    own = own_edition({SIEGE: text(SIEGE, ("count = 5 }", "count = 7 }"))})
    state, as_shipped = new_game(SIEGE, own), new_game(SIEGE)
    gunboats = [
        sum(unit.kind is TroopKind.GUNBOAT for unit in one.units.values())
        for one in (state, as_shipped)
    ]
    assert gunboats == [7, 5]
    assert scenario_of(state) is own.scenario(SIEGE)
    assert laws(state).sources == shipped_edition().book.sources
    assert state.edition == own.digest != as_shipped.edition


def test_a_campaign_ends_when_its_own_scenario_says():
    own = own_edition({SIEGE: text(SIEGE, ('end = "1885-10"', 'end = "1884-05"'))})
    state = new_game(SIEGE, own)
    assert scenario_of(state).last_month - state.month == 3
    assert scenario_of(new_game(SIEGE)).last_month - state.month == 20


def with_a_remark():
    return own_edition({"march": shipped_edition().text("march") + "# so it is\n"})


def test_nothing_is_changed_by_a_remark():
    assert with_a_remark() is shipped_edition()


def test_the_shipped_edition_is_one_even_if_it_has_been_read_again():
    """Two threads that read it first at once each have one, and one of the two is kept."""
    digest = shipped_edition().digest
    assert edition(digest) is with_a_remark()
    shipped_edition.cache_clear()
    assert edition(digest) is with_a_remark() is shipped_edition()


def test_the_digest_is_of_all_texts():
    own = own_edition({"march": halted()})
    assert digest_of(own.texts) == own.digest
    assert set(own.texts) == {*book().names, *(one.slug for one in scenarios())}
    assert own_edition(own.texts) is own


def test_tables_that_are_not_at_hand_are_told_with_what_to_do():
    state = new_game(SIEGE)
    state.edition = "0" * 64
    assert not is_known(state.edition)
    with pytest.raises(UnknownEdition, match=r"000000000000.*Bring the campaign in again"):
        laws(state)


def test_an_edition_kept_under_an_older_digest_is_found_by_it():
    own = own_edition({"march": halted()})
    remember(own, "1" * 64)
    assert edition("1" * 64) is own


def test_there_is_no_other_scenario_in_an_edition():
    with pytest.raises(UnknownScenario, match="no scenario 'omdurman'"):
        shipped_edition().scenario("omdurman")


def test_a_file_says_which_table_it_is():
    files = [Source("my march.toml", halted()), Source("x.toml", text(SIEGE))]
    assert texts_by_name(files) == {"march": halted(), SIEGE: text(SIEGE)}


@pytest.mark.parametrize("said", ['id = "weather"', "id = 3", "", "[id]\nx = 1"])
def test_a_file_that_is_no_table_is_refused(said):
    with pytest.raises(TableError, match=r"x\.toml:1: the file does not say which table"):
        texts_by_name([Source("x.toml", said)])


def test_two_files_of_one_table_are_refused():
    with pytest.raises(TableError, match=r"b\.toml:1: a\.toml is the table 'march' too"):
        texts_by_name([Source("a.toml", halted()), Source("b.toml", halted())])


def test_a_hole_is_refused_with_its_line():
    said = text("march", ("low = 3\nhigh = 3", "low = 4\nhigh = 4"))
    refused = refusal("march", said)
    assert "nothing covers 3" in refused.reason
    assert said.splitlines()[refused.line : refused.line + 1] == ["low = 4"]


def test_an_overlap_is_refused_with_its_line():
    said = text("march", ("low = 4\n", "low = 3\n"))
    refused = refusal("march", said)
    assert "3 is covered by this row and by the one before" in refused.reason
    assert said.splitlines()[refused.line] == "low = 3"


def test_an_unknown_effect_is_refused_with_its_line_and_those_there_are():
    said = text("events_mahdist", ('type = "lose"', 'type = "rain"'))
    refused = refusal("events_mahdist", said)
    assert refused.reason == "'rain' is not known as `type`"
    assert 'type = "rain"' in said.splitlines()[refused.line - 1]
    assert "wreck return" in refused.remedy


@pytest.mark.parametrize(
    ("name", "change", "reason"),
    [
        ("terrain", ("cost = 2", "cost = -2"), "`cost` must be at least 0"),
        ("terrain", ("cost = 2", f"cost = {'9' * 30}"), "`cost` must be at most 100"),
        ("terrain", ("cost = 2", f"cost = {'9' * 5000}"), "larger or deeper"),
        ("terrain", ("cost = 2", f"cost = {'[' * 5000}"), "larger or deeper"),
        ("terrain", ("cost = 2", "cost = 2.5"), "`cost` must be a whole number, not a fraction"),
        ("combat_modifiers", ("number = 6", "number = 0"), "`number` must be at least 1"),
        ("railway", ("hexes = 3", "hexes = -3"), "`hexes` must be at least 0"),
        ("rivers", ('"2D6+6"', '"2D6+600"'), "'2D6+600' is no number of units"),
        ("numbers", ("number = 11", "number = 13"), "there is no month 13"),
        ("leaders", ('name = "Wolseley"', 'name = "Roberts"'), "the table of leaders has no"),
        ("events_egyptian_siege", ('"souakim_1"', '"souakim_9"'), "has no force 'souakim_9'"),
        ("events_mahdist", ('kind = "spears"', 'kind = "fleet"'), "no event brings a fleet"),
        ("siege-of-khartoum", ("spears = 70", "spears = 71"), "more spears are drawn from"),
        ("siege-of-khartoum", ('["events_mahdist"]', '["events_may"]'), "no event table"),
        ("counters", ("counters = 70", "counters = 99"), ""),
    ],
)
def test_what_no_game_can_be_played_by_is_refused(name, change, reason):
    if reason:
        assert reason in refusal(name, text(name, change)).reason
    else:
        assert own_edition({name: text(name, change)}).book.counters(TroopKind.SPEARS) == 99


TOWNSFOLK = """at = ["Khartoum"]
posts = [
  { nearest = "Khartoum", units = [
    { kind = "civilians", nation = "egyptian" },
"""
THEIRS = 'kind = "civilians", nation = "egyptian"', 'kind = "spears", nation = "mahdist"'

ORDER: dict[str, tuple[tuple[str, str], str]] = {
    "a place that is not there": (('at = ["Sinkat"]', 'at = ["Sincat"]'), "no place “Sincat”"),
    "a month that is none": (('end = "1885-10"', 'end = "1885-13"'), "'1885-13' is not a month"),
    "an end before the beginning": (('end = "1885-10"', 'end = "1883-10"'), "ends before"),
    "years without end": (('end = "1885-10"', 'end = "1985-10"'), "longer than 60 months"),
    "another scenario": (('slug = "siege-of-khartoum"', 'slug = "omdurman"'), "calls itself"),
    "no units": (
        ('{ kind = "civilians", nation = "egyptian" },', ""),
        "`units` must name at least",
    ),
    "a leader nobody rates": (('name = "Gordon"', 'name = "Kitchener"'), "has no 'Kitchener'"),
    "too many of a kind": (("count = 5 }", "count = 500 }"), "`count` must be at most 100"),
    "a stack named twice": (('id = "townsfolk"', 'id = "gordon"'), "'gordon' stands there already"),
    "both sides in one hex": (
        (TOWNSFOLK, TOWNSFOLK.replace("[", '["Omdurman", ', 1).replace(*THEIRS)),
        "both sides begin at Khartoum",
    ),
    "a stack of two sides": (
        ('kind = "gun", nation = "egyptian", count = 2', 'kind = "gun", nation = "mahdist"'),
        "units of both sides",
    ),
    "a kind there is none of": (('kind = "fleet"', 'kind = "airship"'), "'airship' is not known"),
    "nobody to replace them": (
        ('replaced = { at = ["Wady Halfa"] }', "replaced = { at = [] }"),
        "`at`",
    ),
}


@pytest.mark.parametrize("name", ORDER)
def test_an_order_of_battle_that_cannot_be_is_refused(name):
    change, reason = ORDER[name]
    said = text(SIEGE, change)
    refused = refusal(SIEGE, said)
    assert reason in refused.reason
    assert refused.path == f"{SIEGE}.toml"
    assert 1 <= refused.line <= len(said.splitlines())


def test_a_unit_deep_in_an_order_of_battle_is_refused_at_its_own_line():
    said = text(SIEGE, ('quality = "R", count = 3', 'quality = "Q", count = 3'))
    refused = refusal(SIEGE, said)
    assert '"Q"' in said.splitlines()[refused.line - 1]


def test_craft_begin_beside_a_river():
    boats = '{ kind = "infantry", nation = "egyptian", quality = "R", count = 2 },\n  ] },\n]'
    dry = boats.replace("infantry", "gunboat").replace(', quality = "R"', "")
    refused = refusal(SIEGE, text(SIEGE, (boats, dry)))
    assert "is beside no river" in refused.reason


MADE: list[Callable[[], str]] = [halted, lambda: text(SIEGE, ("count = 5 }", "count = 7 }"))]


@pytest.mark.parametrize("made", MADE)
def test_an_edition_is_not_changed_by_the_next(made):
    before = shipped_edition().digest, dict(shipped_edition().texts)
    own_edition(texts_by_name([Source("own.toml", made())]))
    assert (shipped_edition().digest, dict(shipped_edition().texts)) == before
    assert new_game(SIEGE).map == sudan().digest


HARSH = "harsh-desert"
WELLS = "Gakdul Wells"


def desert(*stacks: str, side: str = "egyptian", phase: str = "march"):
    """Return a position that is played by the harsh desert."""
    state = position(*stacks, side=side, phase=phase)
    state.edition = named_edition(HARSH).edition.digest
    return state


def test_a_named_edition_comes_with_the_program():
    harsh = named_edition(HARSH)
    assert harsh.slug == HARSH
    assert set(changed_names(harsh.edition)) == {"pieces", "attrition"}
    assert named_edition_of(harsh.edition.digest) is harsh
    assert named_edition_of(shipped_edition().digest) is None
    with pytest.raises(UnknownName, match="'mild-desert'; there are harsh-desert, relief-first"):
        named_edition("mild-desert")


def test_a_named_edition_changes_reconstructed_numbers_alone():
    harsh = named_edition(HARSH).edition
    for name in changed_names(harsh):
        rows, before = (
            harsh.source(name).document()["row"],
            shipped_edition().source(name).document(),
        )
        for was, now in zip(before["row"], rows, strict=True):
            changed = {key for key in now if was.get(key) != now[key]}
            assert changed <= {"movement", "desert_places"}
            if changed:
                assert was.get("provenance", before["provenance"]) != "book"


def test_el_obeid_before_khartoum_changes_what_wins_alone():
    own = named_edition("relief-first").edition
    assert set(changed_names(own)) == {RELIEF}
    was, now = shipped_edition().scenario(RELIEF), own.scenario(RELIEF)
    changed = [name for name in was.__struct_fields__ if getattr(was, name) != getattr(now, name)]
    assert changed == ["victory"]
    assert [one.held for one in now.victory if isinstance(one, SiegeMaintained)] == ["El Obeid"]
    assert [one.held for one in was.victory if isinstance(one, SiegeMaintained)] == [""]
    both = [one.places for one in now.victory if isinstance(one, PlacesHeld)]
    assert both == [("El Obeid", "Khartoum")]
    assert not any(isinstance(one, PlaceCaptured) for one in now.victory)


def test_the_tables_of_a_named_edition_are_not_an_umpires():
    harsh = named_edition(HARSH).edition.book
    assert not is_own_table(harsh, "pieces")
    assert not is_own_table(shipped_edition().book, "pieces")
    assert is_own_table(own_edition({"march": halted()}).book, "march")


def test_8_31_foot_march_four_points_in_the_harsh_desert():
    state = desert(STACK)
    roll = march(state, OPEN, dice=[6])
    assert roll.events
    assert state.march.points == 4
    state = position(STACK)
    march(state, OPEN, dice=[6])
    assert state.march.points == 6


@pytest.mark.parametrize(("die", "lost"), [(1, 4), (3, 2), (6, 0)])
def test_10_3_wells_in_the_harsh_desert_feed_few(die, lost):
    state = desert(f"{WELLS}: 8 infantry egyptian L", phase="attrition")
    happen(state, "attrition", [die])
    assert (state.question.affected if state.question else 0) == lost


def test_10_3_wells_read_clear_ground_as_shipped():
    state = position(f"{WELLS}: 8 infantry egyptian L", phase="attrition")
    happen(state, "attrition", [1])
    assert state.question.affected == 2


def test_10_3_only_one_line_is_read_by_places_in_the_desert():
    twice = (
        named_edition(HARSH)
        .edition.text("attrition")
        .replace('line = "clear"', 'line = "clear"\ndesert_places = true')
    )
    assert "two lines are read by places in the desert" in refusal("attrition", twice).reason


@pytest.mark.parametrize(("start", "end"), [("Korti", "Metemmeh"), ("Souakim", "Berber")])
def test_foot_cross_the_harsh_desert_more_slowly(start, end):
    wanted = Crossing(start, end, "8 infantry british", "egyptian")
    editions = shipped_edition(), named_edition(HARSH).edition
    found = [[crossing(one, wanted, number) for number in range(30)] for one in editions]
    quick, slow = ([one.months for one in tried if one] for tried in found)
    assert len(slow) <= len(quick)
    assert sum(slow) / len(slow) > sum(quick) / len(quick)


def test_supply_brings_men_across_the_harsh_desert():
    harsh = named_edition(HARSH).edition
    without, supplied = (
        [crossing(harsh, Crossing("Korti", "Metemmeh", column, "egyptian"), n) for n in range(30)]
        for column in ("8 infantry british", "8 infantry british, 2 supply")
    )
    men = [sum(one.share for one in tried if one) for tried in (without, supplied)]
    assert men[1] > men[0]
