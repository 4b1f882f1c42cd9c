"""Sight, memory and the view of a side in a campaign in a fog of war."""

import typing

import pytest

from battles.contract.brief import Side
from battles.core.decoding import encode
from campaign import rules
from campaign.rules import sight
from campaign.rules.core import events as e
from campaign.rules.core.board import board, forget
from campaign.rules.core.pieces import Month, UnitId
from campaign.rules.core.questions import OnMarch, SupplyChoice, ToMarch, ToSupply
from campaign.rules.core.state import DueUnits, InForce, MarchUnderWay, State
from campaign.rules.map import HexId, sudan
from campaign.rules.sight import Onlooker, StackSize, side_views
from campaign.rules.tables.event_effects import ModifiableRoll, RollModifier
from tests.positions import OPEN, besieged_khartoum, position

EGYPTIAN, MAHDIST = Side.EGYPTIAN, Side.MAHDIST
HERE = HexId(int(OPEN))


def away(hexes: int) -> HexId:
    """Return a hex just so far from the open desert hex of the tests."""
    return next(
        hex_id for hex_id in sudan().within(HERE, hexes) if sudan().distance(HERE, hex_id) == hexes
    )


def two(egyptian: str, mahdist: str, apart: int) -> State:
    """Return two stacks in open desert, so many hexes from each other, far from every town."""
    return position(f"{OPEN}: {egyptian}", f"{away(apart):04d}: {mahdist}", held={})


def seen(state: State, side: Side = EGYPTIAN) -> sight.View:
    return sight.visible_campaign(state, side, sight.initial_knowledge(state, side))


def enemies(view: sight.View) -> list[UnitId]:
    return [unit.id for unit in view.state.units.values() if unit.side is not view.viewer]


def test_infantry_in_good_order_sees_two_hexes_and_no_further() -> None:
    assert seen(two("infantry egyptian", "5 spears", 2)).sightings
    assert not seen(two("infantry egyptian", "5 spears", 3)).sightings


def test_disrupted_units_see_nothing() -> None:
    assert not seen(two("infantry egyptian disrupted", "5 spears", 1)).sightings
    assert not enemies(seen(two("infantry egyptian disrupted", "5 spears", 1)))


@pytest.mark.parametrize("rider", ["cavalry egyptian", "camel corps british"])
def test_those_who_ride_see_three_hexes(rider: str) -> None:
    assert seen(two(rider, "5 spears", 3)).sightings
    assert not seen(two(rider, "5 spears", 4)).sightings


@pytest.mark.parametrize("blind", ["supply", "camel", "Graham"])
def test_the_train_and_a_leader_alone_send_no_reports(blind: str) -> None:
    assert not seen(two(blind, "5 spears", 1)).sightings


def test_a_gunboat_sees_three_hexes_along_its_river_and_two_elsewhere() -> None:
    shendy = sudan().place("Shendy").hex
    river = set(sudan().river_at(shendy))
    state = position("Shendy: gunboat egyptian")
    state.control = {}
    watched = sight.watch(state, EGYPTIAN).seen
    third = [there for there in sudan().within(shendy, 3) if sudan().distance(shendy, there) == 3]
    along = {there for there in third if river & set(sudan().river_at(there))}
    assert along
    assert watched & set(third) == along


def test_a_town_sees_two_hexes_for_whoever_holds_it() -> None:
    khartoum = sudan().place("Khartoum").hex
    state = position()
    state.control = {khartoum: EGYPTIAN}
    assert sight.watch(state, EGYPTIAN).seen == set(sudan().within(khartoum, 2))
    assert khartoum not in sight.watch(state, MAHDIST).seen


def test_contents_are_known_only_next_door() -> None:
    near, far = two("infantry egyptian", "5 spears", 1), two("infantry egyptian", "5 spears", 2)
    assert len(enemies(seen(near))) == 5
    assert not seen(near).sightings
    assert not enemies(seen(far))


@pytest.mark.parametrize(
    ("units", "size"),
    [
        (1, StackSize.HANDFUL),
        (3, StackSize.HANDFUL),
        (4, StackSize.BODY),
        (9, StackSize.BODY),
        (10, StackSize.FORCE),
    ],
)
def test_size_is_a_band(units: int, size: StackSize) -> None:
    (sighting,) = seen(two("infantry egyptian", f"{units} spears", 2)).sightings
    assert (sighting.size, sighting.units) == (size, ())


def test_twenty_and_more_are_a_host() -> None:
    (sighting,) = seen(two("infantry egyptian", "19 spears, gun mahdist", 2)).sightings
    assert sighting.size is StackSize.HOST


def test_the_view_holds_nothing_of_a_stack_out_of_sight() -> None:
    state = two("infantry egyptian", "5 spears", 6)
    hidden = [unit.id for unit in state.units.values() if unit.side is MAHDIST]
    state.marched, state.drawn_on = [*hidden], [*hidden]
    state.due = [
        DueUnits(
            Month(state.month + 1),
            "rising",
            (away(5),),
            tuple(state.units[number].as_new_counter(UnitId(number + 100)) for number in hidden),
        )
    ]
    state.in_force = [
        InForce(
            MAHDIST,
            RollModifier(roll_kind=ModifiableRoll.MARCH, value=1),
            "A secret gathering",
            away(6),
        )
    ]
    shown = seen(state).state
    assert not enemies(seen(state))
    assert (shown.marched, shown.drawn_on, shown.due, shown.in_force) == ([], [], [], [])
    assert (shown.pool, shown.box, shown.agenda) == ({}, {}, [])
    assert shown.next_unit <= min(hidden)
    assert b"secret" not in encode(seen(state))


def test_the_enemys_march_and_question_are_not_told() -> None:
    state = two("infantry egyptian", "5 spears", 6)
    marching = [unit.id for unit in state.units.values() if unit.side is MAHDIST]
    state.side, state.march = MAHDIST, MarchUnderWay(marching, [away(6)])
    state.question = OnMarch(MAHDIST)
    shown = seen(state).state
    assert shown.march is None
    assert shown.question == ToMarch(MAHDIST)
    state.question = ToSupply(MAHDIST, (SupplyChoice(away(6), (UnitId(1),)),))
    assert seen(state).state.question == ToMarch(MAHDIST)


def test_a_side_keeps_all_of_its_own() -> None:
    state = besieged_khartoum()
    mine = {number: unit for number, unit in state.units.items() if unit.side is EGYPTIAN}
    shown = seen(state).state
    assert {n: u for n, u in shown.units.items() if u.side is EGYPTIAN} == mine
    assert seen(state, MAHDIST).state.pool == state.pool


def test_umpire_and_open_map_show_everything() -> None:
    state = two("infantry egyptian", "5 spears", 6)
    known = sight.initial_knowledge(state, EGYPTIAN)
    assert encode(sight.visible_campaign(state, EGYPTIAN).state) == encode(state)
    assert encode(sight.visible_campaign(state, Onlooker.UMPIRE, known).state) == encode(state)


def test_the_public_sees_no_stack_and_what_both_sides_agree_on() -> None:
    state = besieged_khartoum()
    both = [sight.initial_knowledge(state, side) for side in Side]
    known = sight.SideKnowledge(EGYPTIAN, held=sight.agreed_control(*both))
    view = sight.visible_campaign(state, Onlooker.PUBLIC, known)
    assert (view.state.units, view.sightings, view.markers) == ({}, (), ())
    assert view.state.control == state.control


def test_what_went_out_of_sight_is_remembered_with_its_month() -> None:
    state = two("infantry egyptian", "5 spears", 2)
    known = sight.initial_knowledge(state, EGYPTIAN)
    month, where = state.month, away(2)
    _teleport(state, MAHDIST, away(8))
    # the band has gone while its watchers were disrupted
    for unit in state.units.values():
        unit.disrupted = unit.side is EGYPTIAN
    forget(state)
    state.month = Month(month + 1)
    sight.observe(known, state)
    view = sight.visible_campaign(state, EGYPTIAN, known)
    assert [(one.hex, one.size, one.month) for one in view.markers] == [
        (where, StackSize.BODY, month)
    ]


def test_a_marker_goes_when_its_hex_is_seen_empty() -> None:
    state = two("infantry egyptian", "5 spears", 2)
    known = sight.initial_knowledge(state, EGYPTIAN)
    _teleport(state, MAHDIST, away(8))
    sight.observe(known, state)
    assert sight.visible_campaign(state, EGYPTIAN, known).markers == ()


def test_units_that_were_counted_are_not_remembered_in_two_places() -> None:
    state = two("infantry egyptian", "5 spears", 1)
    known = sight.initial_knowledge(state, EGYPTIAN)
    _teleport(state, EGYPTIAN, away(4))
    for unit in board(state).units:
        if unit.side is MAHDIST:
            unit.hex = next(h for h in sudan().within(away(4), 1) if h != away(4))
    forget(state)
    sight.observe(known, state)
    assert len(known.sightings) == 1


def _teleport(state: State, side: Side, to: HexId) -> None:
    for unit in state.units.values():
        if unit.side is side:
            unit.hex = to
    forget(state)


def test_a_stack_that_passes_by_is_seen_where_it_was_last_in_sight() -> None:
    state = two("infantry egyptian", "5 spears", 2)
    known = sight.initial_knowledge(state, EGYPTIAN)
    passing = [unit.id for unit in state.units.values() if unit.side is MAHDIST]
    state.march = MarchUnderWay(passing, [away(2)])
    out = next(h for h in sudan().neighbours[away(2)] if sudan().distance(HERE, h) == 3)
    further = next(h for h in sudan().neighbours[out] if sudan().distance(HERE, h) == 4)
    moved = e.Moved(path=(out, further), cost=2)
    rules.fold(state, [moved])
    sight.learn(known, state, moved)
    assert known.sightings == {}
    back = e.Moved(path=(out, away(2), out, further), cost=4)
    rules.fold(state, [back])
    sight.learn(known, state, back)
    assert known.sightings == {}
    (passed,) = sight.visible_campaign(state, EGYPTIAN, known).markers
    assert (passed.hex, passed.size, passed.passing) == (away(2), StackSize.BODY, True)
    began = e.MonthBegan(Month(state.month + 1))
    rules.fold(state, [began])
    sight.learn(known, state, began)
    assert sight.visible_campaign(state, EGYPTIAN, known).markers == ()


def test_a_march_looks_about_on_its_way() -> None:
    state = two("infantry egyptian", "5 spears", 5)
    known = sight.initial_knowledge(state, EGYPTIAN)
    mine = [unit.id for unit in state.units.values() if unit.side is EGYPTIAN]
    path = _way(HERE, away(5))[1:4]
    state.march = MarchUnderWay(mine, [HERE])
    there_and_back = e.Moved(path=(*path, *path[-2::-1], HERE), cost=6)
    rules.fold(state, [there_and_back])
    sight.learn(known, state, there_and_back)
    assert set(known.sightings) == {away(5)}


def _way(start: HexId, end: HexId) -> list[HexId]:
    way = [start]
    while way[-1] != end:
        way.append(min(sudan().neighbours[way[-1]], key=lambda one: sudan().distance(one, end)))
    return way


def test_the_loss_of_an_oasis_out_of_sight_is_not_heard_of_that_of_a_town_is() -> None:
    held = {"Gakdul Wells": "egyptian", "Berber": "egyptian"}
    state = position(held=held)
    known = sight.initial_knowledge(state, EGYPTIAN)
    wells, town = (sudan().place(name).hex for name in held)
    state.control[wells] = state.control[town] = MAHDIST
    sight.observe(known, state)
    assert (known.held[wells], known.held[town]) == (EGYPTIAN, MAHDIST)


def test_what_is_not_known_stands_in_for_the_rules() -> None:
    state = two("infantry egyptian", "5 spears", 2)
    state.question = ToMarch(EGYPTIAN)
    taken = sight.supposed_state(seen(state))
    assert away(2) in board(taken).occupied[MAHDIST]
    strangers = [unit for unit in taken.units.values() if unit.id < 0]
    assert {(unit.name, unit.strength) for unit in strangers} == {(sight.STAND_IN, 0)}
    assert away(2) not in rules.reach(taken, EGYPTIAN, HERE, 4).costs


def test_events_of_hidden_units_are_not_heard_of() -> None:
    state = two("infantry egyptian", "5 spears", 6)
    known = sight.initial_knowledge(state, EGYPTIAN)
    hidden = tuple(unit.id for unit in state.units.values() if unit.side is MAHDIST)
    state.side, state.march = MAHDIST, MarchUnderWay([*hidden], [away(6)])
    untold: list[e.AnyEvent] = [
        e.MarchBegan(MarchUnderWay([*hidden], [away(6)])),
        e.Moved((away(5),), 1),
        e.Disrupted(hidden, "march"),
        e.Removed(hidden, "attrition"),
        e.EventRolled(MAHDIST, 7, "A rising"),
        e.Flagged("something"),
        e.Thirsted(away(6), MAHDIST, "desert", 0, 5),
        e.AgendaRecorded((), ToSupply(MAHDIST, (SupplyChoice(away(6), ()),))),
    ]
    assert [event for event in untold if sight.learns_of(known, state, event)] == []
    theirs = sight.initial_knowledge(state, MAHDIST)
    assert [event for event in untold if not sight.learns_of(theirs, state, event)] == untold[-1:]


def test_whoever_fights_hears_of_the_fight() -> None:
    state = two("infantry egyptian", "5 spears", 1)
    known = sight.initial_knowledge(state, EGYPTIAN)
    mine, theirs = (
        tuple(unit.id for unit in state.units.values() if unit.side is side) for side in Side
    )
    fight = e.CombatBegan(away(1), HERE, theirs, mine, MAHDIST)
    assert sight.learns_of(known, state, fight)
    rules.fold(state, [fight])
    assert sight.learns_of(known, state, e.Removed(theirs[:2], "combat"))
    assert not sight.learns_of(known, state, e.Retreated(theirs, (away(4),)))


def test_every_kind_of_event_is_told_to_somebody_or_to_nobody_on_purpose() -> None:
    """A new kind of event is hidden until somebody says to whom it is told."""
    decided = {
        *typing.get_args(side_views.PUBLIC),
        *typing.get_args(side_views._OF_THE_TURN),
        *side_views._hears,
        e.AgendaRecorded,
    }
    assert set(typing.get_args(e.AnyEvent)) - decided == set()


def test_the_same_months_give_the_same_knowledge_to_the_byte() -> None:
    one, other = besieged_khartoum(), besieged_khartoum()
    assert encode(sight.initial_knowledge(one, EGYPTIAN)) == encode(
        sight.initial_knowledge(other, EGYPTIAN)
    )
