"""The set-ups of the book, unit by unit, and what a scenario file is refused for."""

import re
from collections import Counter
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import msgspec
import pytest

from battles.contract.brief import Side, TroopKind
from battles.core.tables import Source, TableError
from campaign.rules.core.pieces import month
from campaign.rules.map import layer, sudan
from campaign.rules.tables import scenario_blocks, scenario_data
from campaign.rules.tables.book import book
from campaign.rules.tables.editions import shipped_edition
from campaign.rules.tables.scenario_data import (
    ArrivalGroup,
    LeaderEliminated,
    OnlyADraw,
    PlaceCaptured,
    Scenario,
    SiegeMaintained,
    StackDestroyed,
    StartingStack,
    Unbesieged,
    UnitArrived,
    UnitSpec,
)
from campaign.rules.tables.scenario_loader import UnknownScenario, read_named, scenario, scenarios

RELIEF = scenario("relief-of-el-obeid")
SIEGE = scenario("siege-of-khartoum")

SHORT = {TroopKind.INFANTRY: "rifles", TroopKind.SPEARS: "S", TroopKind.CAMEL_CORPS: "camel corps"}


def written(specs: tuple[UnitSpec, ...]) -> dict[str, int]:
    """Return units as the book writes them: 'egyptian rifles 1R', 'british gun 1V', leaders by
    name.
    """
    counts: Counter[str] = Counter()
    for spec in specs:
        for unit in spec.counters(book()):
            kind = SHORT.get(unit.kind, str(unit.kind))
            worth = f" {unit.strength}{unit.quality}" if unit.quality else ""
            counts[unit.name if kind == "leader" else f"{unit.nation} {kind}{worth}"] += 1
    return dict(counts)


def stack(of: Scenario, name: str) -> StartingStack:
    return {one.id: one for one in of.stack}[name]


def reinforcement(of: Scenario, name: str) -> ArrivalGroup:
    return {one.id: one for one in of.reinforcement}[name]


R, L, S = "egyptian rifles 1R", "egyptian rifles 1L", "egyptian S 1R"
GUN, HORSE = "egyptian gun 1L", "egyptian cavalry 1R"


@pytest.mark.parametrize(
    ("name", "units"),
    [
        ("bara", {R: 1, GUN: 1, L: 1}),
        ("el-obeid", {"egyptian civilians": 1, GUN: 2, L: 2, R: 2, S: 2}),
        ("duem", {L: 1, S: 1}),
        (
            "khartoum",
            {
                "egyptian civilians": 1,
                "egyptian gunboat": 7,
                "british supply": 1,
                "british camel": 1,
                L: 5,
                S: 1,
                HORSE: 1,
            },
        ),
        ("metemmeh", {S: 2}),
        ("goz-regeb", {S: 2}),
        ("berber", {R: 2, GUN: 1}),
        ("sinkat", {L: 2, GUN: 1}),
        ("tokar", {L: 1, GUN: 1}),
        ("souakim", {R: 1, S: 2}),
    ],
)
def test_2_2_egyptian_garrisons(name: str, units: dict[str, int]) -> None:
    garrison = stack(RELIEF, name)
    assert written(garrison.units) == units
    assert [place.lower().replace(" ", "-") for place in garrison.at] == [name]


@pytest.mark.parametrize(
    ("name", "when", "units"),
    [
        (
            "november-1882",
            month(1882, 11),
            {R: 15, GUN: 3, HORSE: 1, "british camel": 1, "british supply": 1},
        ),
        ("february-1883", month(1883, 2), {"Hicks": 1, HORSE: 1, S: 1}),
        ("june-1883", month(1883, 6), {S: 1, R: 5}),
        ("december-1883", month(1883, 12), {L: 1, R: 1}),
        ("january-1884", month(1884, 1), {"Baker": 1, R: 3, HORSE: 1, "british fleet": 1}),
    ],
)
def test_2_2_egyptian_reinforcements(name: str, when: int, units: dict[str, int]) -> None:
    group = reinforcement(RELIEF, name)
    assert (group.when, group.at) == (when, ("Souakim",))
    assert written(group.units) == units


@pytest.mark.parametrize(
    ("name", "units"),
    [
        ("mahdi", {"Mahdi": 1, "mahdist cavalry 1F": 3, "mahdist S 1F": 17}),
        ("white-nile", {"mahdist S 1F": 10}),
        ("blue-nile", {"mahdist S 1F": 10}),
    ],
)
def test_2_2_mahdist_units(name: str, units: dict[str, int]) -> None:
    assert written(stack(RELIEF, name).units) == units


def test_2_2_nobody_else_stands_on_the_map() -> None:
    total = sum(sum(written(one.units).values()) for one in RELIEF.stack)
    assert total == 3 + 9 + 2 + 17 + 2 + 2 + 3 + 3 + 2 + 3 + 21 + 10 + 10


def test_2_2_the_mahdi_is_two_hexes_from_el_obeid_or_bara_and_next_to_neither() -> None:
    chart = sudan()
    towns = [chart.place(name).hex for name in ("El Obeid", "Bara")]
    hexes = RELIEF.set_up_hexes(stack(RELIEF, "mahdi"))
    assert {min(chart.distance(hex_id, town) for town in towns) for hex_id in hexes} == {2}
    assert len(hexes) == 22


def test_2_2_the_white_nile_bands_are_south_of_duem_and_not_next_to_it() -> None:
    chart = sudan()
    duem = chart.place("Duem").hex
    for hex_id in RELIEF.set_up_hexes(stack(RELIEF, "white-nile")):
        assert "white_nile" in chart.river_at(hex_id)
        assert chart.hexes[hex_id].lat < chart.hexes[duem].lat
        assert chart.distance(hex_id, duem) > 1


def test_2_2_the_blue_nile_bands_are_south_of_mesalamieh() -> None:
    chart = sudan()
    limit = chart.place("Mesalamieh").lat
    for hex_id in RELIEF.set_up_hexes(stack(RELIEF, "blue-nile")):
        assert "blue_nile" in chart.river_at(hex_id)
        assert chart.hexes[hex_id].lat < limit


def test_2_2_osman_rises_when_el_obeid_falls() -> None:
    (rising,) = RELIEF.rising
    assert (rising.place, rising.leader, rising.quantity) == ("El Obeid", "Osman Digma", "2D6")
    assert rising.area.region == "souakim_extension"


def test_2_2_no_mahdist_beside_the_nile_from_abou_hamed_down() -> None:
    chart = sudan()
    barred = RELIEF.forbidden(Side.MAHDIST)
    inside = ("Abou Hamed", "Kirbekan", "Korti", "Debbeh", "Dongola", "Sarras", "Wady Halfa")
    outside = ("Berber", "Metemmeh", "Khartoum", "El Kab Wells", "Gakdul Wells")
    assert all(chart.place(name).hex in barred for name in inside)
    assert not any(chart.place(name).hex in barred for name in outside)
    assert not RELIEF.forbidden(Side.EGYPTIAN)
    assert not SIEGE.forbidden(Side.MAHDIST)


def test_2_2_and_2_3_when_they_begin_and_end() -> None:
    assert (RELIEF.first_month, RELIEF.last_month) == (month(1882, 10), month(1884, 3))
    assert (SIEGE.first_month, SIEGE.last_month) == (month(1884, 2), month(1885, 10))


@pytest.mark.parametrize(
    ("name", "units"),
    [
        ("gordon", {"Gordon": 1, "J. Stewart": 1, "egyptian gunboat": 5, L: 4, R: 4, GUN: 2}),
        ("townsfolk", {"egyptian civilians": 1}),
        (
            "souakim",
            {
                R: 3,
                S: 1,
                HORSE: 1,
                GUN: 1,
                "Baker": 1,
                "british fleet": 1,
                "british naval infantry 1V": 1,
            },
        ),
        ("sinkat", {R: 2}),
        ("tokar", {R: 1, GUN: 1}),
        ("berber", {R: 1}),
        ("metemmeh", {S: 1}),
        ("abou-hamed", {S: 1}),
        ("korti", {S: 1}),
        ("debbeh", {S: 1}),
        ("old-dongola", {S: 1}),
        ("dongola", {S: 1}),
    ],
)
def test_2_3_egyptian_garrisons(name: str, units: dict[str, int]) -> None:
    assert written(stack(SIEGE, name).units) == units


def test_2_3_gordons_force_may_hold_omdurman_but_the_civilians_not() -> None:
    assert stack(SIEGE, "gordon").at == ("Khartoum", "Omdurman")
    assert stack(SIEGE, "townsfolk").at == ("Khartoum",)


def test_2_3_mahdist_units() -> None:
    assert written(stack(SIEGE, "mahdi").units) == {
        "Mahdi": 1,
        "mahdist cavalry 1F": 3,
        "mahdist S 1F": 30,
        "mahdist rifles 1F": 4,
        "mahdist gun 1F": 2,
        "mahdist boat": 1,
    }
    assert written(stack(SIEGE, "osman-digma").units) == {"Osman Digma": 1, "mahdist S 1F": 16}


def test_2_3_the_mahdists_stand_in_places_south_of_khartoum_and_goz_regeb() -> None:
    chart = sudan()
    hexes = SIEGE.set_up_hexes(stack(SIEGE, "mahdi"))
    assert chart.place("Goz Regeb").hex in hexes
    south = chart.place("Khartoum").lat
    for hex_id in hexes - {chart.place("Goz Regeb").hex}:
        places = [chart.places[name] for name in chart.hexes[hex_id].places]
        assert any(place.lat < south and place.kind != "oasis" for place in places)
    assert chart.place("Omdurman").hex not in hexes
    assert stack(SIEGE, "mahdi").area.most == 6


def test_2_3_osman_is_on_the_extension_and_not_next_to_souakim() -> None:
    chart = sudan()
    hexes = SIEGE.set_up_hexes(stack(SIEGE, "osman-digma"))
    souakim = chart.place("Souakim").hex
    assert hexes <= chart.region("souakim_extension")
    assert min(chart.distance(hex_id, souakim) for hex_id in hexes) == 2
    assert not any(chart.hexes[hex_id].sea or chart.hexes[hex_id].closed for hex_id in hexes)
    assert not hexes & {chart.place(name).hex for name in ("Sinkat", "Tokar")}


@pytest.mark.parametrize("of", [RELIEF, SIEGE])
def test_2_1_the_default_deployment_is_lawful(of: Scenario) -> None:
    for one in of.stack:
        lawful = of.set_up_hexes(one)
        crowd: Counter[int] = Counter()
        for hex_id, spec in of.deployment(one):
            assert hex_id in lawful
            if spec.kind not in (TroopKind.LEADER, TroopKind.BOAT):
                crowd[hex_id] += spec.count
            if spec.kind in (TroopKind.BOAT, TroopKind.GUNBOAT):
                assert sudan().river_at(hex_id)
        assert one.area.most == 0 or max(crowd.values()) <= one.area.most


def test_2_1_the_sides_do_not_share_a_hex() -> None:
    for of in scenarios():
        stands = {
            side: {h for one in of.stack if one.side is side for h, _ in of.deployment(one)}
            for side in Side
        }
        assert not stands[Side.EGYPTIAN] & stands[Side.MAHDIST]


def test_2_3_the_gordon_relief_expedition() -> None:
    group = reinforcement(SIEGE, "gordon-relief-expedition")
    assert (group.when, group.at) == (month(1884, 9), ("Wady Halfa", "Sarras", "Souakim"))
    assert written(group.units) == {
        "Wolseley": 1,
        "H. Stewart": 1,
        "Earle": 1,
        "british gunboat": 5,
        "british camel corps 2V": 3,
        "british camel corps 1V": 1,
        "british cavalry 1V": 2,
        "british rifles 3V": 6,
        "british gun 1V": 1,
        GUN: 1,
        S: 1,
        "egyptian camel corps 1L": 1,
        "british supply": 2,
        "british camel": 1,
        "british boat": 3,
    }
    afloat = [spec for spec in group.units if spec.kind in (TroopKind.BOAT, TroopKind.GUNBOAT)]
    assert all(spec.not_at == ("Souakim",) for spec in afloat)
    ashore = [spec for spec in group.units if spec not in afloat]
    assert not any(spec.not_at for spec in ashore)


def test_2_3_two_boats_in_october() -> None:
    group = reinforcement(SIEGE, "october-1884")
    assert (group.when, group.at) == (month(1884, 10), ("Wady Halfa",))
    assert written(group.units) == {"british boat": 2}


def named(group: ArrivalGroup) -> dict[str, str]:
    return {
        unit.name: f"{unit.strength}{unit.quality}"
        for spec in group.units
        for unit in spec.counters(book())
        if unit.name and unit.kind is not TroopKind.LEADER
    }


def test_2_3_the_first_souakim_field_force() -> None:
    group = SIEGE.called("souakim_1")
    assert (group.when, group.at, group.replaced_at) == (None, ("Souakim",), "Souakim")
    assert written(group.units) == {
        "british cavalry 1V": 2,
        "british cavalry 1L": 1,
        "british rifles 3V": 2,
        "british rifles 2V": 4,
        "british engineers 1V": 1,
        "british gun 1V": 2,
        "Graham": 1,
        "british supply": 1,
        "british camel": 1,
    }
    names = named(group)
    assert [names["Gordon Highlanders"], names["Black Watch"]] == ["3V", "3V"]
    assert names["Mounted Infantry"] == "1L"


def test_2_3_the_second_souakim_field_force() -> None:
    group = SIEGE.called("souakim_2")
    assert (group.at, group.replaced_at, group.opens_railway) == (("Souakim",), "Souakim", True)
    assert written(group.units) == {
        "british rifles 3V": 6,
        "british rifles 2V": 1,
        "british gun 1V": 2,
        "british cavalry 1V": 2,
        "australian rifles 2L": 1,
        "indian rifles 3L": 3,
        "indian cavalry 2L": 1,
        "australian gun 1L": 1,
        "british supply": 2,
        "british camel": 2,
        "Graham": 1,
    }
    guards = ("Coldstream Guards", "Scots Guards", "Grenadier Guards")
    assert {named(group)[name] for name in guards} == {"3V"}
    assert not SIEGE.called("souakim_1").opens_railway


def test_2_3_no_coldstream_guards_beside_the_guards_camel_corps() -> None:
    kept = {s.name: s.unless_in_play for s in SIEGE.called("souakim_2").units if s.unless_in_play}
    assert kept == {"Coldstream Guards": "Guards Camel Corps"}
    corps = {spec.name for spec in reinforcement(SIEGE, "gordon-relief-expedition").units}
    assert "Guards Camel Corps" in corps


def test_3_3_where_replacements_arrive() -> None:
    assert RELIEF.replacements("") == ("Khartoum", "Souakim")
    assert RELIEF.replaced.unless_besieged == ("Khartoum",)
    assert SIEGE.replacements("") == ("Wady Halfa",)
    assert SIEGE.replacements("gordon-relief-expedition") == ("Wady Halfa",)
    assert SIEGE.replacements("souakim_2") == ("Souakim",)


def test_3_3_a_supply_unit_a_month_from_november_1884() -> None:
    assert RELIEF.monthly_supply is None
    assert SIEGE.monthly_supply is not None
    assert SIEGE.monthly_supply.first_month == month(1884, 11)
    assert SIEGE.monthly_supply.at == ("Wady Halfa", "Souakim")


def test_3_4_the_line_to_sarras_is_built_and_two_can_be_begun() -> None:
    chart = sudan()
    lines = {line.id: line for line in SIEGE.line}
    assert [line.id for line in SIEGE.line if line.built] == ["wady-halfa"]
    assert lines["wady-halfa"].hexes(chart)[-1] == chart.place("Sarras").hex
    for name, start in (("souakim", "Souakim"), ("sarras", "Sarras")):
        hexes = lines[name].hexes(chart)
        assert (hexes[0], hexes[-1]) == (chart.place(start).hex, chart.place("Berber").hex)
        assert all(chart.distance(a, b) == 1 for a, b in pairwise(hexes))
    assert [line.id for line in RELIEF.line] == ["wady-halfa"]


def test_4_1_how_the_relief_is_won() -> None:
    unbesieged, khalifa, khartoum, siege = RELIEF.victory
    assert isinstance(unbesieged, Unbesieged)
    assert (unbesieged.places, unbesieged.turns) == (("El Obeid", "Khartoum"), 3)
    assert isinstance(khalifa, LeaderEliminated)
    assert khalifa.leader == "Khalifa"
    assert isinstance(khartoum, PlaceCaptured)
    assert khartoum.place == "Khartoum"
    assert isinstance(siege, SiegeMaintained)
    assert (siege.place, siege.turns) == ("Khartoum", 3)
    winners = (unbesieged.winner, khalifa.winner, khartoum.winner, siege.winner)
    assert winners == (Side.EGYPTIAN, Side.EGYPTIAN, Side.MAHDIST, Side.MAHDIST)


def test_4_2_how_the_siege_is_won() -> None:
    supply, civilians, destroyed, draw = SIEGE.victory
    assert isinstance(supply, UnitArrived)
    assert (supply.kind, supply.places) == (TroopKind.SUPPLY, ("Khartoum",))
    assert isinstance(civilians, UnitArrived)
    assert (civilians.kind, civilians.places) == (TroopKind.CIVILIANS, ("Wady Halfa", "Souakim"))
    assert isinstance(destroyed, StackDestroyed)
    assert destroyed.winner is Side.MAHDIST
    assert isinstance(draw, OnlyADraw)
    assert draw.not_counted == (TroopKind.CAMEL, TroopKind.SUPPLY)


def test_the_scenarios_come_in_the_order_of_the_book() -> None:
    assert [one.slug for one in scenarios()] == [
        "relief-of-el-obeid",
        "siege-of-khartoum",
        "hicks-in-kordofan",
        "tokar-and-souakim",
        "desert-column",
    ]


def test_an_unknown_scenario_is_named_with_those_there_are() -> None:
    with pytest.raises(UnknownScenario, match="'omdurman'; there are relief-of-el-obeid, siege"):
        scenario("omdurman")


@pytest.mark.parametrize(
    ("wrong", "right", "reason"),
    [
        ('at = ["Bara"]', 'at = ["Barra"]', "There is no place “Barra”"),
        ('nearest = "Shekan"', 'nearest = "Shakan"', "There is no place “Shakan”"),
        ('month = "1882-11"', 'month = "1882-13"', "'1882-13' is not a month"),
        ('end = "1884-03"', 'end = "1881-03"', "ends before it begins"),
        ('"white_nile"', '"green_nile"', "there is no river 'green_nile'"),
        ('"souakim_extension"', '"souakim"', "There is no region 'souakim'"),
        ('"wady_halfa_sarras"', '"wady_halfa_cairo"', "there is no track"),
        ('begins_at = "Wady Halfa"', 'begins_at = "Sarras"', "does not begin at Sarras"),
        ('kind = "gunboat"', 'kind = "dhow"', "'dhow' is not known as `kind`"),
        ("count = 7", 'count = "seven"', "`count` must be a whole number"),
        ('type = "siege"', 'type = "picnic"', "'picnic' is not known as `type`"),
        ("ring = 2", "ring = 90", "nowhere to stand"),
        ("ring = 2", "ring = 2, most = 6", "more than 6 units stand at Shekan"),
        ('slug = "relief', 'slug = "belief', "the scenario calls itself"),
        ('title = "The Relief of El Obeid"', 'title = " "', "the scenario has no title"),
        ('kind = "spears", nation = "egyptian"', 'kind = "spears", nation = "mahdist"', "both"),
    ],
)
def test_a_wrong_scenario_is_refused_with_its_line(wrong: str, right: str, reason: str) -> None:
    text = shipped_edition().text(RELIEF.slug)
    assert wrong in text
    with pytest.raises(TableError) as refused:
        read_named(RELIEF.slug, Source("relief.toml", text.replace(wrong, right, 1)))
    assert reason in refused.value.reason
    assert 1 <= refused.value.line <= len(text.splitlines())
    assert refused.value.remedy


def fields_of(module: ModuleType) -> set[str]:
    """Return the fields of all types of documents that the module defines."""
    found = [kind for kind in vars(module).values() if isinstance(kind, type)]
    structs = [kind for kind in found if issubclass(kind, msgspec.Struct)]
    own = [struct for struct in structs if struct.__module__ == module.__name__]
    return {name for struct in own for name in struct.__struct_fields__}


@pytest.mark.parametrize("module", [scenario_data, scenario_blocks, layer])
def test_the_page_of_scenarios_names_every_field(module: ModuleType) -> None:
    page = (Path(__file__).parents[2] / "docs" / "scenarios.md").read_text(encoding="utf-8")
    named = {word for span in re.findall(r"`([^`\n]+)`", page) for word in re.findall(r"\w+", span)}
    assert len(fields_of(module)) > 7
    assert sorted(fields_of(module) - named) == []
