"""Live mode: who may answer, that the staff answers for its side, and what the page hides."""

import html
from collections.abc import Callable
from contextlib import suppress

import pytest
from django.http import QueryDict
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse

from battles import journal
from battles.contract.brief import Side
from battles.core.dice import Roll
from campaign import rules, serialization
from campaign.access import fog_of_war, selectors
from campaign.access.staff_sides import held_by_staff
from campaign.models import Campaign, Seat
from campaign.rules.core.actions import (
    Done,
    HandOver,
    Landing,
    March,
    Place,
    Rail,
    Retreat,
    Sail,
    Supply,
)
from campaign.rules.core.board import board
from campaign.rules.core.options import Arrival, Options, options
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.questions import OnMarch, ToMarch, ToReinforce, ToSetUp
from campaign.rules.core.state import State
from campaign.rules.map import HexId, sudan
from campaign.rules.sight import Onlooker
from campaign.services import errors
from campaign.services.journal import campaign_session, creation, dice
from campaign.services.turns import advance_jobs, live
from campaign.services.turns.month_by_orders import answerer_for
from campaign.services.umpire import seat_control
from campaign.services.umpire.rulings import type_in
from campaign.staff import answer
from campaign.web.answer_form import AnswerForm, action_of
from campaign.web.live_page import panel
from tests.people import SIEGE, People, client_of
from tests.positions import OPEN, position
from tests.rules.helpers import fight, go, happen, ids, march

SHENDY = sudan().place("Shendi").hex
METEMMEH = sudan().place("Metemmeh").hex


def begin(people: People, **wanted: object) -> Campaign:
    seats = {"umpire": people.umpire, "egyptian": people.egyptian}
    if "staff" not in wanted:
        seats["mahdist"] = people.mahdist
    given = creation.NewCampaignTerms(SIEGE, mode=Campaign.Mode.LIVE, seats=seats, **wanted)  # type: ignore[arg-type]
    return creation.create_campaign(given)


def to_the_marches(campaign: Campaign) -> Campaign:
    """Both sides' answers are given until the Egyptian side is to march."""
    while not isinstance(selectors.state_now(campaign).question, ToMarch):
        campaign_session.perform(campaign.pk, "test", answer(selectors.state_now(campaign)))
        campaign.refresh_from_db()
    return campaign


@pytest.fixture
def campaign(people: People) -> Campaign:
    return to_the_marches(begin(people))


def garrison(campaign: Campaign) -> tuple[UnitId, ...]:
    stack = board(selectors.state_now(campaign)).stack(Side.EGYPTIAN, METEMMEH)
    return tuple(unit.id for unit in stack)


def test_only_the_side_that_is_asked_answers(campaign: Campaign, people: People) -> None:
    march = March(garrison(campaign))
    with pytest.raises(errors.NotAllowed, match="egyptian side’s turn"):
        live.answer_live(campaign.pk, people.mahdist, march, expected_head=campaign.head_id)
    entry = live.answer_live(campaign.pk, people.egyptian, march, expected_head=campaign.head_id)
    assert entry.actor == "player:egyptian"


def test_while_the_staff_holds_a_seat_its_player_does_not_answer(
    campaign: Campaign, people: People
) -> None:
    Seat.objects.filter(role="egyptian").update(staff=True)
    with pytest.raises(errors.NotAllowed, match="staff holds your seat"):
        live.answer_live(campaign.pk, people.egyptian, Done(), expected_head=None)


def test_an_old_page_changes_nothing(campaign: Campaign, people: People) -> None:
    before = campaign.head_id
    live.answer_live(campaign.pk, people.egyptian, Done(), expected_head=before)
    with pytest.raises(journal.Stale):
        live.answer_live(campaign.pk, people.mahdist, Done(), expected_head=before)


def test_how_battles_are_fought_is_not_answered_here(campaign: Campaign, people: People) -> None:
    with pytest.raises(errors.NotAllowed, match="not for a player"):
        live.answer_live(campaign.pk, people.egyptian, HandOver("combat-table"), expected_head=None)


def test_a_subordinate_marches_his_own_stacks_only(campaign: Campaign, people: People) -> None:
    Seat.objects.create(
        campaign=campaign, role="egyptian", user=people.spectator, command=["souakim_extension"]
    )
    with pytest.raises(errors.NotAllowed, match="commander-in-chief"):
        live.answer_live(
            campaign.pk, people.spectator, March(garrison(campaign)), expected_head=None
        )
    sinkat = board(selectors.state_now(campaign)).stack(Side.EGYPTIAN, sudan().place("Sinkat").hex)
    march = March((sinkat[0].id,))
    entry = live.answer_live(campaign.pk, people.spectator, march, expected_head=None)
    assert entry.actor == "player:spectator"


def _asks_egyptians(state: State, question: type) -> bool:
    asked = state.question
    return isinstance(asked, question) and asked is not None and asked.side is Side.EGYPTIAN


@pytest.mark.parametrize("question", [ToSetUp, ToReinforce, ToMarch])
def test_a_subordinate_is_not_offered_what_the_commander_in_chief_ends(
    people: People, question: type
) -> None:
    campaign = begin(people)
    while not _asks_egyptians(state := selectors.state_now(campaign), question):
        campaign_session.perform(campaign.pk, "test", answer(state))
        campaign.refresh_from_db()
    address = reverse("live", args=[campaign.slug])
    offered = client_of(people, "egyptian").get(address).content
    assert b'value="done"' in offered or b'value="place"' in offered
    Seat.objects.create(
        campaign=campaign, role="egyptian", user=people.spectator, command=["souakim_extension"]
    )
    page = client_of(people, "spectator").get(address).content
    assert b'value="done"' not in page
    assert b'value="place"' not in page
    assert "Only the side’s commander-in-chief can".encode() in page


def test_a_phase_that_waits_for_a_player_is_not_called_played(campaign: Campaign) -> None:
    before = campaign.document_hash
    job = advance_jobs.request_advance(campaign.pk, None, phase=True)
    advance_jobs.run_job(job.uuid)
    job.refresh_from_db()
    campaign.refresh_from_db()
    assert campaign.document_hash == before
    assert job.message == f"It waits: {campaign.waiting_for}"


def test_the_staff_answers_for_the_side_it_holds(people: People) -> None:
    campaign = begin(people, staff=("mahdist",))
    live.answer_live(campaign.pk, people.egyptian, Done(), expected_head=None)
    campaign.refresh_from_db()
    assert live.staff_is_asked(campaign)
    assert fog_of_war.waiting_for(campaign, Onlooker.UMPIRE) == (
        "The computer’s staff has to act for the Mahdist side."
    )
    assert live.staff_answers(campaign.pk) > 0
    campaign.refresh_from_db()
    question = selectors.state_now(campaign).question
    assert question is not None
    assert question.side is Side.EGYPTIAN
    assert live.staff_answers(campaign.pk) == 0


def test_a_page_that_waits_for_dice_does_not_ask_the_staff_again_and_again(people: People) -> None:
    """The form sends itself when it is shown; the answer to it would be the same form."""
    campaign = begin(people, staff=("mahdist",), dice_by_hand=True)
    live.answer_live(campaign.pk, people.egyptian, Done(), expected_head=None)
    live.staff_answers(campaign.pk)
    campaign.refresh_from_db()
    assert dice.waiting_throw(campaign)
    assert not live.staff_is_asked(campaign)
    page = client_of(people, "egyptian").get(reverse("live", args=[campaign.slug]))
    assert "Dice that the umpire throws by hand." in page.content.decode()
    assert "Let the staff answer" not in page.content.decode()


def test_the_staff_goes_on_when_dice_are_typed_in(people: People) -> None:
    """Nobody need have the page of live play open: the umpire types dice in on the console."""
    campaign = begin(people, staff=("mahdist",), dice_by_hand=True)
    live.answer_live(campaign.pk, people.egyptian, Done(), expected_head=None)
    live.staff_answers(campaign.pk)
    campaign.refresh_from_db()
    while campaign.entries.filter(actor="staff:mahdist").count() < 4:
        while (throw := dice.waiting_throw(campaign)) is not None:
            type_in(campaign.pk, people.umpire, [3] * throw.count)
            campaign.refresh_from_db()
        assert not live.staff_is_asked(campaign)
        given = answer(selectors.state_now(campaign))
        with suppress(dice.DiceAwaited):
            live.answer_live(campaign.pk, people.egyptian, given, expected_head=None)
        campaign.refresh_from_db()


def test_a_page_whose_staff_is_refused_shows_why_and_does_not_ask_again(people: People) -> None:
    campaign = begin(people, staff=("mahdist",))
    live.answer_live(campaign.pk, people.egyptian, Done(), expected_head=None)
    Campaign.objects.filter(pk=campaign.pk).update(rules="0", rules_pinned=True)
    client, address = client_of(people, "egyptian"), reverse("live", args=[campaign.slug])
    assert 'hx-trigger="load, submit"' in client.get(address).content.decode()
    refused = client.post(reverse("live-staff", args=[campaign.slug]))
    page = refused.content.decode()
    assert (refused.status_code, "its umpire has pinned it" in page) == (409, True)
    assert 'hx-trigger="submit"' in page


@pytest.mark.parametrize(
    ("second", "held"), [("none", True), ("vacant", True), ("staff", True), ("person", False)]
)
def test_a_second_seat_of_a_side_takes_it_from_the_staff_if_a_person_plays_it(
    people: People, second: str, held: bool
) -> None:
    campaign = begin(people, staff=("mahdist",))
    if second != "none":
        holder = people.mahdist if second == "person" else None
        Seat.objects.create(
            campaign=campaign, role="mahdist", user=holder, staff=second == "staff", command=["x"]
        )
    assert held_by_staff(campaign.seats.all()) == ({"mahdist"} if held else set())
    live.answer_live(campaign.pk, people.egyptian, Done(), expected_head=None)
    campaign.refresh_from_db()
    state = selectors.state_now(campaign)
    assert live.staff_is_asked(campaign) is held
    assert answerer_for(campaign).has_answer(state) is held
    assert (live.staff_answers(campaign.pk) > 0) is held


def test_a_month_against_the_staff_through_the_page(people: People) -> None:
    campaign = begin(people, staff=("mahdist",))
    client = client_of(people, "egyptian")
    first = campaign.month
    while campaign.month == first and not campaign.finished:
        state = selectors.state_now(campaign)
        given = {"head": campaign.head_id or 0, **_filled_in(state)}
        answered = client.post(reverse("live-act", args=[campaign.slug]), given)
        assert answered.status_code == 302, answered.content.decode()[-3000:]
        campaign.refresh_from_db()
    assert campaign.month == first + 1


def _filled_in(state: State) -> dict[str, object]:
    """Return the plainest answer to what is asked, as the page's form sends it."""
    may = options(state)
    assert may is not None
    if may.arrivals:
        group = may.arrivals[0]
        return {"do": "place", "group": group.group, "hex": f"{group.hexes[0]:04d}"}
    plain = _PLAINLY.get(may.asks, _whichever)
    return plain(may)


def _share(may: Options) -> dict[str, object]:
    out = {f"fate-{one}": "eliminated" for one in may.eliminated}
    return {"do": "share", **out, **{f"fate-{one}": "disrupted" for one in may.disrupted}}


def _retreat(may: Options) -> dict[str, object]:
    to = next(iter(may.reach.before), 0) if may.reach else 0
    to = may.back_along[-1] if may.back_along else to
    return {"do": "stand fast"} if may.done else {"do": "retreat", "hex": f"{to:04d}"}


def _whichever(may: Options) -> dict[str, object]:
    if may.count:
        return {"do": "pick", "unit": list(may.units[: may.count])}
    return {"do": "choose", "hex": f"{may.hexes[0]:04d}"} if may.hexes else {"do": "done"}


_PLAINLY: dict[str, Callable[[Options], dict[str, object]]] = {
    "supply": lambda may: {"do": "supply", "source": 0},
    "on march": lambda may: {"do": "halt"},
    "share losses": _share,
    "lead": lambda may: {"do": "lead", "lead": "0"},
    "retreat": _retreat,
}


def test_the_page_says_nothing_new_until_something_is(campaign: Campaign, people: People) -> None:
    page = reverse("live", args=[campaign.slug])
    client = client_of(people, "mahdist")
    tag = client.get(page).headers["ETag"]
    assert client.get(page, headers={"if-none-match": tag}).status_code == 304
    live.answer_live(campaign.pk, people.egyptian, Done(), expected_head=None)
    assert client.get(page, headers={"if-none-match": tag}).status_code == 200


def test_what_is_wrong_in_a_form_is_told_above_it(campaign: Campaign, people: People) -> None:
    client = client_of(people, "egyptian")
    act = reverse("live-act", args=[campaign.slug])
    head = campaign.head_id
    told = client.post(act, {"do": "march", "head": head})
    assert told.status_code == 400
    assert "No units are ticked" in told.content.decode()
    told = client.post(
        act, {"do": "rail", "head": head, "unit": list(garrison(campaign)), "hex": "Berber"}
    )
    assert ">8.22</a>)" in told.content.decode()
    told = client.post(
        act, {"do": "rail", "head": head, "unit": list(garrison(campaign)), "hex": "Atlantis"}
    )
    assert "There is no place" in told.content.decode()


def test_a_misspelt_place_stays_in_its_field_of_the_live_page(
    campaign: Campaign, people: People
) -> None:
    client = client_of(people, "egyptian")
    act, units = reverse("live-act", args=[campaign.slug]), list(garrison(campaign))
    sent = {"do": "rail", "head": campaign.head_id, "unit": units, "hex": "Kartoom"}
    field = str(selectors.state_now(campaign).units[units[0]].hex)
    page = html.unescape(client.post(act, {**sent, "field": field}).content.decode())
    assert "There is no place “Kartoom” on the map. Did you mean Khartoum" in page
    assert page.count('value="Kartoom" aria-invalid="true"') == 1


def test_10_2_the_live_page_offers_every_supply_unit_and_the_end_of_drawing(
    campaign: Campaign,
) -> None:
    stacks = (f"{OPEN}: infantry egyptian L, supply", "0657: infantry egyptian L, supply")
    state = position(*stacks, phase="attrition")
    happen(state, "attrition")
    shown = panel(state)
    assert shown is not None
    context = {"panel": shown, "campaign": campaign, "typed": {}}
    page = html.unescape(render_to_string("campaign/live/_answer.html", context))
    assert page.count("it supplies the stacks") == 2
    assert "no more: the stacks" in page
    given = QueryDict(f"do=supply&source={shown.sources[1].id}")
    assert action_of(AnswerForm(given, state, shown.options)) == Supply(shown.sources[1].id)


def test_8_3_the_live_page_drops_units_off_the_train_on_its_way(campaign: Campaign) -> None:
    state = position("Wady Halfa: 3 infantry british")
    shown = panel(state)
    assert shown is not None
    context = {"panel": shown, "campaign": campaign, "typed": {}}
    page = render_to_string("campaign/live/_answer.html", context)
    first, second, third = ids(state, "Wady Halfa")
    assert all(f'name="landing-{one}"' in page for one in (first, second, third))
    units = f"unit={first}&unit={second}&unit={third}"
    sent = f"do=rail&{units}&hex=1003&landing-{first}=1102&landing-{second}=1103&landing-{third}="
    action = action_of(AnswerForm(QueryDict(sent), state, shown.options))
    rules.check(state, action)
    landings = (Landing((first,), HexId(1102)), Landing((second,), HexId(1103)))
    assert action == Rail((first, second, third), HexId(1003), landings)
    nowhere = QueryDict(sent.replace("=1102", "=Atlantis"))
    with pytest.raises(errors.UnfitRequest, match="There is no place"):
        action_of(AnswerForm(nowhere, state, shown.options))


def test_9_8_a_beaten_marching_stack_says_how_far_it_goes_back(campaign: Campaign) -> None:
    state = position("0643: 4 spears egyptian", "0640: 8 spears")
    march(state, "0643")
    go(state, "0642", "0641")
    fight(state, "0640", [5, 5, 6, 6])
    shown = panel(state)
    assert shown is not None
    context = {"panel": shown, "campaign": campaign, "typed": {}}
    page = render_to_string("campaign/live/_answer.html", context)
    assert page.count('<option value="06') == 2
    for to, way in (("0642", (642,)), ("0643", (642, 643))):
        action = action_of(AnswerForm(QueryDict(f"do=retreat&hex={to}"), state, shown.options))
        rules.check(state, action)
        assert action == Retreat(tuple(map(HexId, way)))


def test_8_23_a_voyage_goes_along_the_hexes_that_are_written() -> None:
    state = position("Khartoum: infantry egyptian L, gunboat")
    shown = panel(state)
    assert shown is not None
    foot, hull = ids(state, "Khartoum")
    for written, way in (("1942", (1942,)), ("1942, 1943", (1942, 1943))):
        sent = QueryDict(f"do=sail&unit={foot}&hull={hull}&hex={written}")
        action = action_of(AnswerForm(sent, state, shown.options))
        rules.check(state, action)
        assert action == Sail((foot, hull), tuple(map(HexId, way)))


def test_the_campaigns_page_asks_the_side_whose_turn_it_is_and_no_other(
    campaign: Campaign, people: People
) -> None:
    where = reverse("campaign", args=[campaign.slug])
    door = "Play your turn", "Watch the play"

    def doors(name: str) -> list[bool]:
        page = client_of(people, name).get(where).content.decode()
        return [words in page for words in door]

    assert doors("egyptian") == [True, False]
    assert doors("mahdist") == [False, True]
    assert doors("umpire") == [False, False]
    seat_control.adjourn(campaign.pk, people.umpire, reason="A holiday.")
    assert doors("egyptian") == [False, True]


def test_a_campaign_by_orders_has_no_live_page(campaign: Campaign, people: People) -> None:
    Campaign.objects.update(mode=Campaign.Mode.ORDERS)
    page = client_of(people, "egyptian").get(reverse("live", args=[campaign.slug]))
    assert page.headers["Location"] == reverse("orders", args=[campaign.slug])


def test_a_way_is_gone_hex_by_hex_as_it_is_written(campaign: Campaign, people: People) -> None:
    client, act = client_of(people, "egyptian"), reverse("live-act", args=[campaign.slug])
    here = _somebody_marches(campaign, client)
    near = next(hex_id for hex_id in sudan().neighbours[here] if _goes(campaign, here, hex_id))
    sent = {"do": "move", "head": campaign.head_id, "hex": f"{near:04d}, {here:04d}"}
    assert client.post(act, sent).status_code == 302
    campaign.refresh_from_db()
    march = selectors.state_now(campaign).march
    assert march is not None
    assert march.route == [here, near, here]


def _somebody_marches(campaign: Campaign, client: Client) -> HexId:
    """Return the first stack whose throw lets it march, by way of the page; gives back where
    it is.
    """
    act = reverse("live-act", args=[campaign.slug])
    may = options(selectors.state_now(campaign))
    assert may is not None
    for stack in may.stacks:
        sent = {"do": "march", "head": campaign.head_id, "unit": list(stack.units)}
        client.post(act, sent)
        campaign.refresh_from_db()
        if isinstance(selectors.state_now(campaign).question, OnMarch):
            return stack.hex
    pytest.fail("no stack marches with these dice")


def _goes(campaign: Campaign, here: HexId, there: HexId) -> bool:
    """Return whether there are points enough to go there and back."""
    may = options(selectors.state_now(campaign))
    assert may is not None
    assert may.reach is not None
    return may.reach.before.get(there) == here and may.reach.costs[there] <= 2


def test_in_the_fog_arrivals_are_counted_as_their_own_side_sees_them(people: People) -> None:
    """The enemy's groups, of which it knows nothing, stand before them in what is due."""
    seats = {"umpire": people.umpire, "mahdist": people.mahdist}
    mode = Campaign.Mode.LIVE
    wanted = creation.NewCampaignTerms("siege-of-khartoum", mode=mode, seats=seats, fog=True)
    campaign = creation.create_campaign(wanted)
    while not mahdist_arrivals(selectors.state_now(campaign)):
        campaign_session.perform(campaign.pk, "test", answer(selectors.state_now(campaign)))
        campaign.refresh_from_db()
    (group, *_) = mahdist_arrivals(fog_of_war.view_now(campaign, Side.MAHDIST).state)
    (true, *_) = mahdist_arrivals(selectors.state_now(campaign))
    assert group.group < true.group
    place = Place(group.group, group.hexes[0])
    live.answer_live(campaign.pk, people.mahdist, place, expected_head=None)
    campaign.refresh_from_db()
    there = board(selectors.state_now(campaign)).stack(Side.MAHDIST, group.hexes[0])
    assert set(group.units) <= {unit.id for unit in there}


def mahdist_arrivals(state: State) -> tuple[Arrival, ...]:
    """Return the groups that the Mahdists are asked to place, if they are asked."""
    asked = isinstance(state.question, ToReinforce) and state.question.side is Side.MAHDIST
    offered = options(state) if asked else None
    return offered.arrivals if offered else ()


def test_in_the_fog_the_page_shows_the_last_dice_to_the_side_that_learns_of_them(
    people: People,
) -> None:
    campaign = begin(people, fog=True)
    for _ in range(2):
        campaign_session.perform(campaign.pk, "test", Done())
    shown = {
        name: client_of(people, name).get(reverse("live", args=[campaign.slug])).context["thrown"]
        for name in ("egyptian", "mahdist", "umpire")
    }
    (roll,) = shown["umpire"]
    assert (roll.reason, roll.side) == ("Random event", "egyptian")
    assert (shown["egyptian"], shown["mahdist"]) == ([roll], [])


def test_in_the_fog_dice_that_lead_to_a_question_are_shown_to_the_side_that_is_asked(
    people: People,
) -> None:
    campaign = begin(people, fog=True)
    while not (dice_of_question := _dice_before_question(campaign)):
        campaign_session.perform(campaign.pk, "test", answer(selectors.state_now(campaign)))
        campaign.refresh_from_db()
    asked = selectors.state_now(campaign).question
    assert asked is not None
    shown = {
        side: client_of(people, str(side)).get(reverse("live", args=[campaign.slug])).context
        for side in Side
    }
    for roll in dice_of_question:
        assert roll in shown[asked.side]["thrown"]
        assert roll not in shown[asked.side.enemy]["thrown"]


def _dice_before_question(campaign: Campaign) -> list[Roll]:
    """Return the dice of the last entry that no event but the question follows from."""
    if campaign.head is None:
        return []
    rolls = serialization.rolls_of(campaign.head)
    return [rolls[index] for index in serialization.events_of(campaign.head)[-1].rolls]
