"""A scenario of one's own: its document, its faults by their fields, and what is done with it."""

import copy
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from battles.contract.brief import Nation, Side, TroopKind
from battles.core.decoding import encode
from battles.core.tables import TableError
from battles.core.validation import MOST_WRONG
from campaign import serialization
from campaign.access import saved_work, selectors
from campaign.models import Campaign, OwnScenario
from campaign.rules import railways
from campaign.rules.core.board import board, chart, laws, scenario_of
from campaign.rules.core.state import InForce, fallen_flag
from campaign.rules.invariants import check_position
from campaign.rules.map import HexId, is_printed
from campaign.rules.set_up import new_game
from campaign.rules.tables import scenario_document
from campaign.rules.tables.editions import Edition, remember, shipped_edition
from campaign.rules.tables.scenario_blocks import Award
from campaign.rules.tables.scenario_data import Condition, PositionTaken, Scenario
from campaign.rules.tables.scenario_document import (
    ScenarioFault,
    edition_of_document,
    read_document,
    texts_in,
)
from campaign.rules.tables.scenario_loader import scenarios
from campaign.services.errors import NotAllowed, UnfitRequest
from campaign.services.journal import audit, creation, own_scenarios
from campaign.services.journal.creation import NewCampaignTerms
from campaign.services.journal.rules_edition import keep_tables
from campaign.services.turns import advance
from campaign.simulations.campaign_runs import play_campaign
from campaign.staff.plans import own_plans, plans_of
from tests.people import logged_in
from tests.rules import random_events

KEPT = ("control", "vacant", "railheads", "called", "flags", "tallies", "pool", "box", "in_force")
"""Parts of a state that a scenario taken from a position begins with, besides its units."""
GOLDEN = Path(__file__).parents[1] / "golden" / "scenarios"


def golden(name: str = "format-1") -> dict[str, Any]:
    return read_document((GOLDEN / f"{name}.json").read_bytes())


@pytest.fixture
def owner(db: None) -> User:
    return User.objects.create_user("owner")


FILES = sorted(file.stem for file in GOLDEN.glob("format-*.json"))


def edition_that_plays(document: dict[str, Any]) -> Edition:
    assert own_scenarios.faults_in(document) == []
    return remember(edition_of_document(document))


@pytest.mark.parametrize("name", FILES)
def test_a_file_of_every_format_is_read_and_played(name: str) -> None:
    document = golden(name)
    made = edition_that_plays(document)
    run = play_campaign(document["scenario"]["slug"], 1, 1, edition=made.digest)
    assert run.error == ""
    assert run.result is not None


def kinds(union: object) -> set[str]:
    """Return the words by which a file names the classes of a union."""
    return {one.__struct_config__.tag for one in get_args(union)}


def test_the_golden_files_use_every_part_and_building_block_of_every_format() -> None:
    for number in range(1, scenario_document.FORMAT + 1):
        files = [golden(name) for name in FILES if re.fullmatch(rf"format-{number}(-.+)?", name)]
        said = [file["scenario"] for file in files]
        used = {field for one in said for field in one}
        # The clause is of the book; the format's number stands beside the scenario.
        assert used >= set(Scenario.__struct_fields__) - {"clause", "format"}
        conditions = [one for scenario in said for one in scenario["victory"]]
        assert {one["type"] for one in conditions} == kinds(Condition)
        awards = [award for one in conditions for award in one.get("award", ())]
        assert {award["type"] for award in awards} == kinds(Award)
        positions = [one["taken_up"] for one in said if "taken_up" in one]
        taken_up = {part for one in positions for part, value in one.items() if value}
        assert taken_up == set(PositionTaken.__struct_fields__)
        assert any(file["event_tables"] for file in files)


def test_a_format_is_upgraded_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    def renamed(document: dict[str, Any]) -> dict[str, Any]:
        scenario = dict(document["scenario"])
        scenario["end"] = scenario.pop("last")
        return {**document, "format": 2, "scenario": scenario}

    old = golden()
    end = old["scenario"].pop("end")
    old["scenario"]["last"] = end
    monkeypatch.setattr(scenario_document, "FORMAT", 2)
    monkeypatch.setattr(scenario_document, "UPGRADES", {1: renamed})
    assert scenario_document.upgrade_document(old)["scenario"]["end"] == end


@pytest.mark.parametrize("slug", [one.slug for one in scenarios()])
def test_every_shipped_scenario_becomes_a_document_that_means_the_same(slug: str) -> None:
    document = own_scenarios.document_from_scenario(slug, shipped_edition())
    assert json.loads(json.dumps(document)) == document
    made = edition_that_plays(document)
    mine, theirs = new_game(document["scenario"]["slug"], made), new_game(slug)
    assert mine.units == theirs.units
    assert mine.due == theirs.due
    assert chart(mine) is chart(theirs)
    for side in Side:
        assert encode(plans_of(mine, side)) == encode(plans_of(theirs, side))


Change = Callable[[dict[str, Any]], object]


def put(*path: str | int) -> Callable[[object], Change]:
    """Return a change that sets the field at this path of the scenario."""

    def to(value: object) -> Change:
        def change(document: dict[str, Any]) -> None:
            part: Any = document["scenario"]
            for step in path[:-1]:
                part = part[step]
            part[path[-1]] = value

        return change

    return to


@pytest.mark.parametrize(
    ("change", "field", "reason"),
    [
        (put("start")("1884-14"), "scenario.start", "is not a month"),
        (put("end")("1880-01"), "scenario.end", "ends before it begins"),
        (put("slug")("No slug"), "scenario.slug", "cannot stand in an address"),
        (put("slug")("siege-of-khartoum"), "scenario.slug", "comes with the program"),
        (put("stack", 0, "at", 0)("Atlantis"), "scenario.stack[0].at[0]", "no place “Atlantis”"),
        (put("stack", 0, "at", 0)("9999"), "scenario.stack[0].at[0]", "no land hex 9999"),
        (put("stack", 0, "posts", 0, "units", 0, "kind")("dragoon"),
         "scenario.stack[0].posts[0].units[0].kind", "'dragoon' is not known"),
        (put("stack", 0, "posts", 0, "units", 0, "count")(0),
         "scenario.stack[0].posts[0].units[0].count", "count"),
        (put("map", "regions")(["atlantis"]), "scenario.map.regions[0]", "no region"),
        (put("map", "close")(["0358x"]), "scenario.map.close[0]", "close"),
        (put("victory", 0, "type")("picnic"), "scenario.victory[0].type", "'picnic' is not known"),
        (put("victory", 0, "places")([]), "scenario.victory[0].places", "places"),
        (put("victory")([]), "scenario.victory", "victory"),
        (put("events", "mahdist", 0)("events_none"),
         "scenario.events.mahdist[0]", "no event table"),
        (put("plans", "gather_at")("Atlantis"), "scenario.plans.gather_at", "no place"),
        (put("plans", "colour")("red"), "scenario.plans", "`colour`"),
        (put("ban", 0, "down_from")(""), "scenario.ban[0].down_from", "no place is named"),
        (put("colour")("red"), "scenario", "`colour`"),
        (put("stack", 0, "posts", 0, "units", 0, "name")(None), "", ""),
    ],
)  # fmt: skip
def test_a_broken_document_is_refused_with_its_field(
    change: Change, field: str, reason: str
) -> None:
    document = copy.deepcopy(golden())
    change(document)
    faults = own_scenarios.faults_in(document)
    if not reason:
        assert faults == []
        return
    assert [fault.field for fault in faults] == [field]
    assert reason in faults[0].reason
    assert faults[0].remedy
    if field.startswith("scenario.plans"):
        made = edition_of_document(document)
        with pytest.raises(TableError):
            own_plans(made.scenario(document["scenario"]["slug"]))
        return
    with pytest.raises(ScenarioFault) as refused:
        edition_of_document(document)
    assert refused.value.sentence == faults[0].sentence


MANY_FAULTS: tuple[tuple[Change, str, str], ...] = (
    (put("end")("1880-01"), "scenario.end", "ends before it begins"),
    (put("map", "close")(["9999"]), "scenario.map.close[0]", "no hex 9999"),
    (put("map", "track", 0, "hexes")(["5722", "5522"]), "scenario.map.track[0].hexes", "in a row"),
    (put("colour")("red"), "scenario", "`colour` is not known"),
    (put("description")(7), "scenario.description", "must be text"),
    (put("stack", 0, "at")(["Atlantis", "Tokar", "Lyonesse"]), "scenario.stack[0].at[0]", "Atlan"),
    (put("stack", 0, "posts", 0, "units", 0, "count")(0),
     "scenario.stack[0].posts[0].units[0].count", "at least 1"),
    (put("stack", 1, "posts", 0, "units", 0, "kind")("dragoon"),
     "scenario.stack[1].posts[0].units[0].kind", "'dragoon' is not known"),
    (put("reinforcement", 0, "month")("1884-13"), "scenario.reinforcement[0].month", "no month"),
    (put("victory", 0, "least")(9), "scenario.victory[0].least", "9 places cannot be held"),
    (put("victory", 1, "places")([]), "scenario.victory[1].places", "must name at least 1"),
    (put("reinforcement", 0, "units")([]), "scenario.reinforcement[0].units", "at least 1"),
    (put("drawn", "spears")(99), "scenario.drawn.spears", "more spears are drawn"),
    (put("events", "egyptian")(["events_none"]), "scenario.events.egyptian[0]", "no event table"),
    (put("plans", "gather_at")("Atlantis"), "scenario.plans.gather_at", "no place"),
    (put("plans", "never_yielded")(["Tokar", "Lyonesse"]),
     "scenario.plans.never_yielded[1]", "no place"),
    (lambda document: document["event_tables"]["events_own"]["row"][0].update(low=99),
     "event_tables.events_own.row[0]", "no run of results"),
)  # fmt: skip
"""Changes that break a scenario, each in a part of its own."""


def test_many_faults_are_named_at_once_and_go_one_by_one() -> None:
    """Wrong input, all of it at a time, then right input for one part after another."""
    wrong = copy.deepcopy(golden())
    for change, _, _ in MANY_FAULTS:
        change(wrong)
    found = {fault.field: fault.reason for fault in own_scenarios.faults_in(wrong)}
    expected = {field for _, field, _ in MANY_FAULTS} | {"scenario.stack[0].at[2]"}
    assert found.keys() == expected
    for left in range(len(MANY_FAULTS), -1, -1):
        document = copy.deepcopy(golden())
        for change, _, _ in MANY_FAULTS[:left]:
            change(document)
        fields = {fault.field for fault in own_scenarios.faults_in(document)}
        assert {field for _, field, _ in MANY_FAULTS[:left]} <= fields
        assert fields <= expected
    assert fields == set()


def test_a_hundred_faults_are_enough() -> None:
    document = copy.deepcopy(golden())
    stack = document["scenario"]["stack"][0]
    document["scenario"]["stack"] = [
        {**stack, "id": f"stack-{n}", "at": [f"Atlantis {n}"]} for n in range(300)
    ]
    assert len(own_scenarios.faults_in(document)) == MOST_WRONG == 100


def test_what_follows_from_a_fault_is_not_named_beside_it() -> None:
    document = copy.deepcopy(golden())
    scenario = document["scenario"]
    scenario["map"]["regions"] = ["atlantis"]  # the country is unknown, so nothing is closed in it
    scenario["start"] = "soon"  # so no month is outside of the scenario
    scenario["stack"][0]["at"] = ["Atlantis"]  # so it has nowhere to stand
    document["event_tables"]["events_own"]["row"] = []  # so its side has no such table
    assert [fault.field for fault in own_scenarios.faults_in(document)] == [
        "scenario.start",
        "scenario.map.regions[0]",
        "scenario.stack[0].at[0]",
        "event_tables.events_own",
    ]


def test_closed_places_are_refused_wherever_they_are_named_and_no_such_name_is_offered() -> None:
    document = copy.deepcopy(golden())
    scenario = document["scenario"]
    scenario["reinforcement"][0]["at"] = ["Khartoum"]
    scenario["victory"][0]["places"] = ["Tokar", "Sennar"]
    scenario["plans"]["objectives"] = ["Dongola"]
    scenario["replaced"]["at"] = ["Souakin", "Khartum", "Fort Bakers"]
    told = {fault.field: fault.sentence for fault in own_scenarios.faults_in(document)}
    for field in ("reinforcement[0].at[0]", "victory[0].places[1]", "plans.objectives[0]"):
        assert "is closed to play in this scenario" in told[f"scenario.{field}"]
    assert "Did you mean Souakim?" in told["scenario.replaced.at[0]"]
    assert "Khartoum" not in told["scenario.replaced.at[1]"]
    assert "Did you mean Fort Baker" in told["scenario.replaced.at[2]"]


@pytest.mark.parametrize("tables", [[], [7], [7, "events_own"]])
def test_a_side_without_readable_event_tables_is_refused(tables: list[Any]) -> None:
    document = copy.deepcopy(golden())
    document["scenario"]["events"]["egyptian"] = tables
    document["scenario"]["events"]["mahdist"] = ["events_none"]  # the other side is checked too
    fields = [fault.field for fault in own_scenarios.faults_in(document)]
    wrong = "scenario.events.egyptian" + ("[0]" if tables else "")
    assert fields == [wrong, "scenario.events.mahdist[0]"]


@pytest.mark.parametrize(
    "path",
    [
        ("stack", 0, "at"),
        ("reinforcement", 0, "at"),
        ("victory", 0, "places"),
        ("replaced", "at"),
        ("monthly_supply", "at"),
        ("mahdist_places", "also"),
    ],
)
def test_a_list_of_places_has_no_empty_name(path: tuple[str | int, ...]) -> None:
    document = copy.deepcopy(golden())
    put(*path)([""])(document)
    (fault,) = own_scenarios.faults_in(document)
    steps = "".join(f"[{one}]" if isinstance(one, int) else f".{one}" for one in path)
    assert fault.field == f"scenario{steps}[0]"
    assert fault.reason == "no place is named"


@pytest.mark.parametrize("hexes", [[], ["5421"], ["x"], 7])
def test_a_railway_on_a_track_of_too_few_hexes_is_refused(hexes: object) -> None:
    document = copy.deepcopy(golden())
    scenario = document["scenario"]
    scenario["map"]["track"][0]["hexes"] = hexes
    scenario["line"] = [
        {"id": "fort", "tracks": ["souakim_berber", "fort_line"], "begins_at": "Souakim"}
    ]
    fields = [fault.field for fault in own_scenarios.faults_in(document)]
    assert fields[0].startswith("scenario.map.track[0].hexes")


def test_a_fault_behind_a_part_that_cannot_be_read_is_found() -> None:
    """The second place is the first that can be read: its number in what is read differs."""
    document = copy.deepcopy(golden())
    scenario = document["scenario"]
    scenario["map"]["place"] = [
        {"name": "Fort Baker", "hex": "x"},
        {"name": "Fort Gordon", "hex": "9999"},
    ]
    scenario["stack"].insert(0, {"at": ["Tokar"], "posts": []})  # without an id
    scenario["stack"][1]["at"] = ["Atlantis"]
    fields = {fault.field for fault in own_scenarios.faults_in(document)}
    assert {"scenario.map.place[0].hex", "scenario.map.place[1].hex"} <= fields
    assert "scenario.stack[1].at[0]" in fields


@pytest.mark.parametrize(
    ("data", "field", "reason"),
    [
        ("{", "", "this is not JSON"),
        ("[]", "", "not a scenario’s document"),
        ("{}", "format", "the format’s number is missing"),
        ('{"format": 99}', "format", "it is of format 99"),
        ('{"format": 1}', "scenario", "the scenario is missing"),
        ('{"format": 1, "scenario": {}, "extra": 1}', "extra", "no such part"),
        ('{"format": 1, "scenario": {}, "event_tables": {"march": {}}}',
         "event_tables.march", "no table of events"),
        ("[" * 100_000, "", "this is not JSON"),
        ('"' + "x" * scenario_document.LARGEST_DOCUMENT + '"', "", "is larger than"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_scenario_is_refused(data: str, field: str, reason: str) -> None:
    with pytest.raises(ScenarioFault) as refused:
        read_document(data)
    assert refused.value.field == field
    assert reason in refused.value.reason


def test_words_that_toml_reads_otherwise_come_back_as_they_were() -> None:
    document = golden()
    odd = 'A "quoted" line\nand \\ another, a \\/ b, with é, \u2019, محمد and \U0001f42a'
    document["scenario"]["description"] = odd
    made = edition_that_plays(document)
    assert made.scenario(document["scenario"]["slug"]).description == odd
    assert len(texts_in(document)) == 2


def test_a_draft_with_a_fault_is_saved_but_not_played(owner: User) -> None:
    own, faults = own_scenarios.save_scenario(owner, own_scenarios.blank_document())
    assert [fault.field for fault in faults] == [
        *("scenario.stack", "scenario.victory", "scenario.replaced.at")
    ]
    assert own.tables is None
    with pytest.raises(UnfitRequest, match="still has a fault"):
        own_scenarios.playable(owner, own.pk, own.slug)


def test_a_campaign_begins_and_is_played_by_ones_own_scenario(owner: User) -> None:
    own, faults = own_scenarios.save_scenario(owner, golden())
    assert faults == []
    campaign = creation.create_campaign(NewCampaignTerms(own.slug, tables=own.tables))
    assert campaign.title == own.title
    state = selectors.state_now(campaign)
    assert not is_printed(chart(state))
    assert plans_of(state).objectives == ("Tokar",)
    begun = campaign.tables_id
    own_scenarios.delete_scenario(owner, own)
    campaign = advance.run_month(campaign.pk, until=campaign.month + 1)
    assert campaign.month > campaign.first_month or campaign.finished
    assert campaign.tables_id == begun


def test_the_rules_of_its_campaign_show_ones_own_scenario(owner: User) -> None:
    own, _ = own_scenarios.save_scenario(owner, golden())
    seats = {"umpire": owner}
    terms = NewCampaignTerms(own.slug, tables=own.tables, seats=seats)
    campaign = creation.create_campaign(terms)
    client = logged_in(owner)
    page = client.get(reverse("campaign-rules", args=[campaign.slug]))
    assert own.title in page.content.decode()
    Campaign.objects.filter(pk=campaign.pk).update(title="Wednesdays")
    for name in ("front", "campaign"):
        page = client.get(reverse(name, args=[campaign.slug] if name != "front" else []))
        assert own.title in page.content.decode(), name
    tables = client.get(reverse("api:table-set", args=[campaign.tables_id])).json()
    assert own.slug in {difference["slug"] for difference in tables["differences"]}


def test_a_copy_has_a_slug_of_its_own_and_another_cannot_change_it(owner: User) -> None:
    own, _ = own_scenarios.save_scenario(owner, golden())
    again, _ = own_scenarios.save_scenario(owner, golden())
    copied = own_scenarios.copy_scenario(owner, own)
    assert len({own.slug, again.slug, copied.slug}) == 3
    other = User.objects.create_user("other")
    with pytest.raises(NotAllowed):
        own_scenarios.save_scenario(other, golden(), own)
    with pytest.raises(NotAllowed):
        own_scenarios.share_scenario(other, own, shared=True)
    with pytest.raises(NotAllowed):
        own_scenarios.delete_scenario(other, own)
    assert OwnScenario.objects.filter(owner=owner).count() == 3


def test_only_a_shared_scenario_is_found_by_its_link(owner: User) -> None:
    own, _ = own_scenarios.save_scenario(owner, golden())
    with pytest.raises(selectors.NotVisible):
        saved_work.shared_scenario(own.link)
    own_scenarios.share_scenario(owner, own, shared=True)
    assert saved_work.shared_scenario(own.link) == own


def tables_of(made: Edition, name: str) -> list[Any]:
    """Return every effect of a table of events, of every kind."""
    return [effect for row in made.book.event_table(name).rows for effect in row.effects]


@pytest.mark.parametrize(
    ("part", "value", "field"),
    [
        ("control", {"0000": "egyptian"}, "scenario.taken_up.control"),
        ("railheads", {"moon": 3}, "scenario.taken_up.railheads"),
        ("called", ["nobody"], "scenario.taken_up.called"),
        ("tallies", {"hold": -1}, "scenario.taken_up.tallies.hold"),
    ],
)
def test_a_position_that_cannot_be_is_refused(part: str, value: object, field: str) -> None:
    document = copy.deepcopy(golden())
    document["scenario"]["taken_up"] = {part: value}
    assert [fault.field for fault in own_scenarios.faults_in(document)] == [field]


def test_the_position_of_a_campaign_is_a_start(owner: User) -> None:
    terms = NewCampaignTerms("siege-of-khartoum", seed=bytes(32))
    campaign = creation.create_campaign(terms)
    campaign = advance.run_month(campaign.pk, until=campaign.month + 2)
    state = selectors.state_now(campaign)
    board(state).units[0].disrupted = True
    state.tallies |= {"besieged:mahdist": 2}
    state.flags.append(fallen_flag("Berber"))
    late = tables_of(shipped_edition(), "events_egyptian_siege")
    state.in_force = [InForce(Side.MAHDIST, effect, "Rain", HexId(2042)) for effect in late]
    state.in_force += [InForce(Side.EGYPTIAN, effect, "Sun") for effect in late]
    document = own_scenarios.document_from_state(state)
    assert json.loads(json.dumps(document)) == document
    own, faults = own_scenarios.save_scenario(owner, document)
    assert faults == []
    begun = creation.create_campaign(NewCampaignTerms(own.slug, tables=own.tables))
    start = selectors.state_now(begun)
    assert start.month == state.month

    def counted(of: Any) -> list[tuple[Any, ...]]:
        units = board(of).units
        return sorted(
            (u.kind, u.nation, u.quality, u.strength, u.hex, u.name, u.disrupted, u.origin)
            for u in units
        )

    assert counted(start) == counted(state)
    assert any(unit.disrupted for unit in board(start).units)
    for kept in KEPT:
        assert getattr(start, kept) == getattr(state, kept), kept
    gone_on = advance.run_month(begun.pk, until=begun.month + 1)
    assert gone_on.month > begun.month or gone_on.finished
    assert {due.month for due in start.due} <= {due.month for due in state.due}


def test_a_position_with_a_gunboat_on_a_railway_is_a_start() -> None:
    state = new_game("siege-of-khartoum")
    carried = next(
        hex_id
        for hexes in railways.lines(state).values()
        for hex_id in hexes
        if not chart(state).river_at(hex_id)
    )
    state.railheads = {line: len(hexes) for line, hexes in railways.lines(state).items()}
    random_events.put(state, carried, TroopKind.GUNBOAT, Nation.EGYPTIAN)
    check_position(state)
    assert own_scenarios.faults_in(own_scenarios.document_from_state(state)) == []


@pytest.mark.parametrize("enemy", [TroopKind.GUNBOAT, TroopKind.SPEARS])
def test_a_position_with_craft_of_one_side_beside_the_enemy_is_a_start(enemy: TroopKind) -> None:
    state = new_game("siege-of-khartoum")
    occupied = {unit.hex for unit in board(state).units}
    reach = next(
        hex_id
        for hexes in chart(state).river_hexes.values()
        for hex_id in hexes
        if hex_id not in occupied and hex_id not in scenario_of(state).forbidden(Side.MAHDIST)
    )
    random_events.put(state, reach, TroopKind.GUNBOAT, Nation.EGYPTIAN)
    random_events.put(state, reach, enemy, Nation.MAHDIST)
    away = next(
        leader
        for leader in laws(state).leaders()
        if leader.nation.side is Side.EGYPTIAN and board(state).leader(leader.name) is None
    )
    random_events.put(state, reach, TroopKind.LEADER, away.nation, name=away.name)
    check_position(state)
    document = own_scenarios.document_from_state(state)
    assert own_scenarios.faults_in(document) == []
    played_by = remember(edition_of_document(document))
    begun = new_game(document["scenario"]["slug"], played_by)
    check_position(begun)
    assert {side: len(board(begun).stack(side, reach)) for side in Side} == {
        Side.EGYPTIAN: 2,
        Side.MAHDIST: 1,
    }


def test_a_wrong_month_is_named_before_what_a_new_scenario_does_not_have_yet() -> None:
    document = own_scenarios.blank_document()
    said = document["scenario"]
    said |= {"start": "1884-05", "map": {"regions": ["atlantis"]}}
    stack = {"id": "s", "at": ["Berber"], "posts": [
        {"nearest": "Berber", "units": [{"kind": "infantry", "nation": "egyptian"}]}
    ]}  # fmt: skip
    for field, mended in (
        ("scenario.end", {"end": "1884-06"}),
        ("scenario.map.regions[0]", {"map": {}}),
        ("scenario.stack", {"stack": [stack]}),
        ("scenario.victory", {"victory": [
            {"type": "hold", "winner": "egyptian", "places": ["Berber"], "text": "Berber held."}
        ]}),
        ("scenario.replaced.at", {"replaced": {"at": ["Berber"]}}),
    ):  # fmt: skip
        fault = own_scenarios.faults_in(document)[0]
        assert fault.field == field
        assert "must name at least" not in fault.reason
        said |= mended
    assert own_scenarios.faults_in(document) == []


def test_the_last_counter_of_the_pile_is_drawn_by_dice_that_can_be_proved(db: None) -> None:
    document = copy.deepcopy(golden())
    document["scenario"]["drawn"] = {"spears": 9}  # eight stand on the map
    made = edition_that_plays(document)
    drawing = re.sub('"(remove|none)"', '"add"', shipped_edition().text("mahdist_reinforcement"))
    tables = keep_tables(made.replacing({"mahdist_reinforcement": drawing}))
    terms = NewCampaignTerms(document["scenario"]["slug"], tables=tables, seed=bytes(32))
    begun = creation.create_campaign(terms)
    campaign = advance.run_month(begun.pk, until=begun.month + 1)
    rolls = [roll for entry in campaign.entries.all() for roll in serialization.rolls_of(entry)]
    assert [roll.sides for roll in rolls if roll.reason == "Counter drawn"] == [1]
    assert audit.verify_dice(campaign).months
