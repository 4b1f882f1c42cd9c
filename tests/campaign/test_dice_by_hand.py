"""Dice thrown by hand: asked for when they are wanted, kept, and part of the record."""

from collections.abc import Iterator
from io import BytesIO

import pytest
from django.test import Client
from django.urls import reverse

from battles import journal
from battles.access import battle_of
from battles.contract import Report, Side
from battles.contract.generic_book import generic_book
from battles.core.dice import DiceWanted, HandDice
from campaign import rules, serialization
from campaign.access import fog_of_war, selectors
from campaign.models import Campaign, Job, Throw
from campaign.rules import umpire_rulings
from campaign.rules.core.actions import Done, Fight, HandOver, Ruled
from campaign.rules.core.board import random_events
from campaign.rules.core.events import RandomEvent, Toss
from campaign.rules.core.questions import ToReinforce
from campaign.rules.core.state import COMBAT_TABLE, TABLETOP
from campaign.rules.sight import Onlooker, Viewer
from campaign.services import battle_reports, errors
from campaign.services.journal import audit, campaign_session, creation, dice
from campaign.services.journal.campaign_session import CampaignSession
from campaign.services.journal.dice import DiceAwaited, DiceFirst
from campaign.services.pending_battle import owner_of
from campaign.services.transfer import archive
from campaign.services.turns import advance_jobs
from campaign.services.turns.live import staff_sets_up
from campaign.services.umpire import rulings
from campaign.services.umpire.rulings import throw_by_hand, type_in
from campaign.web.your_turn import awaited_page, turn_count
from tests.campaign.battlefield import before_battle, brief
from tests.duel import Duel, State, told
from tests.installed import install
from tests.people import SIEGE, People, logged_in


class Lost(Duel):
    """A book by which the Mahdists win, so that whoever is captured is thrown for."""

    slug = "lost"

    def report(self, state: State) -> Report:
        return told(state.brief, Side.MAHDIST, self.slug)


LOST = generic_book(Lost())


@pytest.fixture
def book(monkeypatch: pytest.MonkeyPatch) -> str:
    """That book, to be played by."""
    install(monkeypatch, lost="tests.campaign.test_dice_by_hand:LOST")
    return LOST.slug


@pytest.fixture
def table(campaign: Campaign, people: People) -> Campaign:
    """A campaign whose set-up is over but for the last word, and whose dice are on the table."""
    campaign_session.perform(campaign.pk, "egyptian", Done())
    throw_by_hand(campaign.pk, people.umpire, yes=True)
    campaign.refresh_from_db()
    return campaign


@pytest.mark.parametrize("mode", [Campaign.Mode.ORDERS, Campaign.Mode.LIVE])
def test_the_staff_of_both_sides_sets_up_and_waits_for_the_first_dice(
    people: People, mode: Campaign.Mode
) -> None:
    seats, staff = {"umpire": people.umpire}, [side.value for side in Side]
    wanted = creation.NewCampaignTerms(
        SIEGE, seats=seats, staff=staff, mode=mode, dice_by_hand=True
    )
    begun = creation.create_campaign(wanted)
    for _ in range(2):
        staff_sets_up(begun.pk)
        begun.refresh_from_db()
        waiting = dice.waiting_throw(begun)
        assert waiting is not None
        assert (begun.phase, waiting.count) == ("set-up", 2)
    type_in(begun.pk, people.umpire, [3, 5], expected=0)
    begun.refresh_from_db()
    assert begun.phase != "set-up"


def ready(campaign: Campaign) -> None:
    """The Mahdists say that they are ready, and the first random event is to be thrown."""
    with pytest.raises(DiceAwaited, match="2 dice of 6 faces for random event"):
        campaign_session.perform(campaign.pk, "mahdist", Done())


def test_an_action_waits_for_its_dice_and_nothing_has_happened(table: Campaign) -> None:
    before = table.document_hash
    ready(table)
    table.refresh_from_db()
    assert table.document_hash == before
    throw = dice.waiting_throw(table)
    assert throw is not None
    assert (throw.count, throw.sides, throw.reason) == (2, 6, "Random event")


@pytest.mark.parametrize("mode", [Campaign.Mode.ORDERS, Campaign.Mode.LIVE])
@pytest.mark.parametrize("viewer", [*Side, Onlooker.UMPIRE, Onlooker.PUBLIC])
def test_everybody_reads_that_an_open_campaign_waits_for_dice(
    table: Campaign, mode: Campaign.Mode, viewer: Viewer
) -> None:
    ready(table)
    table.refresh_from_db()
    table.mode = mode
    assert fog_of_war.waiting_for(table, viewer) == "Dice that the umpire throws by hand."


@pytest.mark.parametrize("mode", [Campaign.Mode.ORDERS, Campaign.Mode.LIVE])
def test_in_a_fog_the_umpire_reads_it_and_the_public_does_not(
    table: Campaign, mode: Campaign.Mode
) -> None:
    ready(table)
    table.refresh_from_db()
    table.mode, table.fog = mode, True
    words = "Dice that the umpire throws by hand."
    assert fog_of_war.waiting_for(table, Onlooker.UMPIRE) == words
    assert fog_of_war.waiting_for(table, Onlooker.PUBLIC) != words


def accepted(client: Client, address: str, **form: object) -> bool:
    """Return whether the page takes the form, and says that what it asks for waits for dice."""
    answer = client.post(address, form, follow=True)
    said = [str(one) for one in answer.context["messages"]]
    return bool(answer.redirect_chain) and "What was asked for happens then." in said[-1]


def test_the_set_up_page_takes_a_word_that_waits_for_dice(table: Campaign, people: People) -> None:
    head = {"head": table.head_id or 0}
    assert accepted(
        logged_in(people.mahdist), reverse("arrange", args=[table.slug]), ready="yes", **head
    )
    assert dice.waiting_throw(table) is not None


def live_by_hand(people: People) -> Campaign:
    """Return a live campaign with dice by hand, the Egyptian set-up done."""
    seats = {"umpire": people.umpire, "egyptian": people.egyptian, "mahdist": people.mahdist}
    wanted = creation.NewCampaignTerms(SIEGE, seats=seats, mode="live", dice_by_hand=True)
    campaign = creation.create_campaign(wanted)
    campaign_session.perform(campaign.pk, "egyptian", Done())
    return campaign


def test_the_live_page_takes_an_answer_that_waits_for_dice(people: People) -> None:
    campaign = live_by_hand(people)
    campaign.refresh_from_db()
    done = {"do": "done", "head": campaign.head_id or 0}
    address = reverse("live-act", args=[campaign.slug])
    assert accepted(logged_in(people.mahdist), address, **done)
    assert dice.waiting_throw(campaign) is not None


def test_the_live_page_asks_nothing_while_an_answer_waits_for_dice(people: People) -> None:
    campaign = live_by_hand(people)
    address, player = reverse("live", args=[campaign.slug]), logged_in(people.mahdist)
    assert "You are asked" in player.get(address).content.decode()
    seat = campaign.seats.get(role="mahdist")
    campaign.refresh_from_db()
    assert (awaited_page(campaign, seat), turn_count(people.mahdist)) == (address, 1)
    ready(campaign)
    campaign.refresh_from_db()
    assert (awaited_page(campaign, seat), turn_count(people.mahdist)) == ("", 0)
    assert turn_count(people.umpire) == 1
    page = player.get(address).content.decode()
    assert "You are asked" not in page
    assert "Your turn" not in page
    assert "Dice that the umpire throws by hand." in page


def test_an_answer_happens_with_its_dice_though_a_job_has_stopped_at_them(people: People) -> None:
    campaign = live_by_hand(people)
    ready(campaign)
    job = advance_jobs.book_advance(campaign.pk, people.umpire)
    advance_jobs.run_job(job.uuid)
    type_in(campaign.pk, people.umpire, [3, 5], expected=0)
    campaign.refresh_from_db()
    assert campaign.phase != "set-up"


def test_the_page_of_a_battle_takes_a_choice_that_waits_for_dice(people: People) -> None:
    campaign = before_battle(people, TABLETOP)
    campaign = throw_by_hand(campaign.pk, people.umpire, yes=True)
    address = reverse("battle-result", args=[campaign.slug, brief(campaign).id])
    assert accepted(logged_in(people.umpire), address, by=COMBAT_TABLE)
    assert dice.waiting_throw(campaign) is not None


def test_the_page_of_a_table_takes_a_result_that_waits_for_dice(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = before_battle(people, TABLETOP)
    battle = battle_of(owner_of(campaign), brief(campaign).id)
    assert battle is not None
    campaign = throw_by_hand(campaign.pk, people.umpire, yes=True)
    page = logged_in(people.umpire).get(reverse("battle-table", args=[battle.uuid]))
    lines = page.context["form"].lines
    counts = {
        f"left-{line.number}": 0 if line.side is Side.EGYPTIAN else line.came for line in lines
    }
    form = {"winner": "mahdist", "turns": 4, "confirm": "yes", **counts}
    address = reverse("battle-table", args=[battle.uuid])
    assert accepted(logged_in(people.umpire), address, **form)
    assert dice.waiting_throw(campaign) is not None


def test_the_console_says_for_what_the_dice_are_thrown(table: Campaign, people: People) -> None:
    ready(table)
    umpire = logged_in(people.umpire)
    page = umpire.get(reverse("console", args=[table.slug])).content.decode()
    assert "The Mahdist side is ready. Throw them at your table" in page
    assert "Run the month" not in page, "it would stop at the same dice"
    page = umpire.get(reverse("campaign", args=[table.slug])).content.decode()
    assert "Dice that the umpire throws by hand." in page
    assert "Run the month" not in page


def test_it_happens_when_the_dice_are_typed_in(table: Campaign, people: People) -> None:
    ready(table)
    throw = type_in(table.pk, people.umpire, (1, 1))
    while throw is not None:
        throw = type_in(table.pk, people.umpire, (3,) * throw.count)
    table.refresh_from_db()
    assert isinstance(selectors.state_now(table).question, ToReinforce)
    assert table.head is not None
    rolls = serialization.rolls_of(table.head)
    assert rolls[0].dice == (1, 1)
    assert all(roll.by_hand for roll in rolls)


def test_what_was_typed_in_is_not_asked_again(table: Campaign, people: People) -> None:
    ready(table)
    type_in(table.pk, people.umpire, (1, 1), expected=0)
    table.refresh_from_db()
    if dice.waiting_throw(table):
        with pytest.raises(journal.Stale, match="since you looked"):
            type_in(table.pk, people.umpire, (1, 1), expected=0)
    else:
        with pytest.raises(errors.NotAwaited):
            type_in(table.pk, people.umpire, (1, 1), expected=0)


@pytest.mark.parametrize("faces", [(), (1,), (1, 7), (0, 3), (1, 2, 3)])
def test_dice_that_cannot_be_are_refused(
    table: Campaign, people: People, faces: tuple[int, ...]
) -> None:
    ready(table)
    with pytest.raises(errors.UnfitRequest, match="Type in 2 dice of 1 to 6"):
        type_in(table.pk, people.umpire, faces)


def test_nobody_but_the_umpire_throws(table: Campaign, people: People) -> None:
    ready(table)
    with pytest.raises(errors.NotAllowed):
        type_in(table.pk, people.mahdist, (1, 1))


def test_while_dice_are_waited_for_nothing_else_is_done(table: Campaign) -> None:
    ready(table)
    with pytest.raises(DiceFirst, match="Nothing else was done"):
        campaign_session.perform(table.pk, "umpire:umpire", HandOver("combat-table"))


def test_asked_again_the_same_action_waits_again(table: Campaign) -> None:
    ready(table)
    ready(table)
    assert dice.waiting_throw(table) is not None


def test_what_was_played_before_the_dice_were_wanted_is_written(
    campaign: Campaign, people: People
) -> None:
    throw_by_hand(campaign.pk, people.umpire, yes=True)
    sitting = CampaignSession(Campaign.objects.get(pk=campaign.pk))
    sitting.play("egyptian", Done())
    with pytest.raises(DiceWanted):
        sitting.play("mahdist", Done())
    sitting.commit()
    campaign.refresh_from_db()
    assert campaign.entries.count() == 1
    throw = dice.waiting_throw(campaign)
    assert throw is not None
    assert throw.head == campaign.head_id


def test_replay_proof_and_file_take_dice_thrown_by_hand(table: Campaign, people: People) -> None:
    ready(table)
    throw = type_in(table.pk, people.umpire, (6, 6))
    while throw is not None:
        throw = type_in(table.pk, people.umpire, (6,) * throw.count)
    table.refresh_from_db()
    assert audit.replay_check(table).entries == 2
    audit.verify_dice(table)
    file = BytesIO()
    archive.export_campaign(table, file, with_secret=True)
    file.seek(0)
    copy = archive.import_campaign(file, slug="copy", umpire=people.umpire)
    assert audit.replay_check(copy).dice == audit.replay_check(table).dice


@pytest.mark.django_db(transaction=True)
def test_back_at_its_own_dice_the_campaign_waits_for_none(table: Campaign, people: People) -> None:
    """The action that waited for dice typed in goes on with the campaign's own."""
    ready(table)
    throw_by_hand(table.pk, people.umpire, yes=False)
    table.refresh_from_db()
    assert table.phase != "set-up"
    assert dice.waiting_throw(table) is None
    assert table.umpire_log.filter(said__contains="the dice are the campaign’s own").exists()


@pytest.mark.django_db(transaction=True)
def test_back_at_its_own_dice_the_month_that_stopped_at_them_goes_on(
    played: Campaign, people: People
) -> None:
    throw_by_hand(played.pk, people.umpire, yes=True)
    advance_jobs.request_advance(played.pk, people.umpire)
    assert Campaign.objects.get(pk=played.pk).month == played.month
    throw_by_hand(played.pk, people.umpire, yes=False)
    assert Campaign.objects.get(pk=played.pk).month == played.month + 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("by", ["a month", "an answer"])
def test_what_waits_for_dice_waits_for_them_again_after_a_ruling(
    request: pytest.FixtureRequest, people: People, by: str
) -> None:
    campaign: Campaign = request.getfixturevalue("played" if by == "a month" else "table")
    throw_by_hand(campaign.pk, people.umpire, yes=True)
    if by == "a month":
        advance_jobs.request_advance(campaign.pk, people.umpire)
    else:
        ready(campaign)
    campaign.refresh_from_db()
    before = dice.waiting_throw(campaign)
    assert before is not None
    rulings.rule(campaign.pk, people.umpire, Ruled("Lots.", (), toss=Toss(1, 6)), faces=(3,))
    campaign.refresh_from_db()
    again = dice.waiting_throw(campaign)
    assert again is not None
    assert (again.actor, again.reason, again.faces) == (before.actor, before.reason, [])


@pytest.mark.django_db(transaction=True)
def test_an_answer_that_a_ruling_makes_impossible_is_waited_for_no_more(
    table: Campaign, people: People
) -> None:
    ready(table)
    table.refresh_from_db()
    events = umpire_rulings.end(selectors.state_now(table), None, "Peace.")
    rulings.rule(table.pk, people.umpire, Ruled("Peace.", events))
    table.refresh_from_db()
    assert table.finished
    assert dice.waiting_throw(table) is None


def test_a_ruling_takes_no_dice_that_were_typed_in_for_something_else(
    table: Campaign, people: People
) -> None:
    ready(table)
    Throw.objects.filter(campaign=table).update(faces=[5])
    with pytest.raises(errors.UnfitRequest, match="Type in every die"):
        rulings.rule(table.pk, people.umpire, Ruled("Lots.", (), toss=Toss(1, 6)))


def test_a_battle_that_its_book_has_fought_waits_and_is_not_left_to_the_table(
    people: People, book: str
) -> None:
    campaign = before_battle(people, TABLETOP, fallback=book)
    throw_by_hand(campaign.pk, people.umpire, yes=True)
    battle = brief(campaign).id
    battle_reports.decline_table(campaign.pk, people.egyptian, battle)
    with pytest.raises(DiceAwaited, match="capture"):
        battle_reports.decline_table(campaign.pk, people.mahdist, battle)
    while type_in(campaign.pk, people.umpire, (3,)) is not None:
        pass
    entry = campaign.entries.get(key=f"battle:{battle}")
    assert entry.actor == f"book:{book}"


def test_months_stop_at_a_battle_while_something_else_waits_for_dice(
    people: People, book: str
) -> None:
    campaign = before_battle(people, book)
    throw_by_hand(campaign.pk, people.umpire, yes=True)
    with pytest.raises(DiceAwaited):
        battle_reports.choose_method(campaign.pk, people.umpire, brief(campaign).id, COMBAT_TABLE)
    job = advance_jobs.book_advance(campaign.pk)
    advance_jobs.run_job(job.uuid)
    job.refresh_from_db()
    assert job.status == Job.Status.SUCCEEDED
    throw = dice.waiting_throw(campaign)
    assert throw is not None
    assert isinstance(serialization.action_in(throw.action), Fight)


@pytest.mark.parametrize("by_hand", [True, False])
@pytest.mark.parametrize("wanted", [0, 1, 2])
def test_a_ruling_takes_no_more_dice_than_it_wants(
    played: Campaign, people: People, wanted: int, by_hand: bool
) -> None:
    throw_by_hand(played.pk, people.umpire, yes=by_hand)
    before = played.entries.count()
    ruling = Ruled("Lots.", (), toss=Toss(wanted, 6))
    if not wanted:
        ruling = Ruled("As agreed.", random_event=next(_random_events(played, thrown=False)))
    words = f"wants {wanted or 'no'} di.* {wanted + 2}"
    with pytest.raises(errors.UnfitRequest, match=words) as refused:
        rulings.rule(played.pk, people.umpire, ruling, faces=(3,) * (wanted + 2))
    assert refused.value.field == "faces"
    assert played.entries.count() == before


def test_a_ruling_takes_no_face_that_its_dice_do_not_have(played: Campaign, people: People) -> None:
    """A random event throws dice that nobody has counted before."""
    ruling = Ruled("As agreed.", random_event=next(_random_events(played, thrown=True)))
    with pytest.raises(errors.UnfitRequest, match="faces") as refused:
        rulings.rule(played.pk, people.umpire, ruling, faces=(99,) * 9)
    assert refused.value.field == "faces"


def _random_events(campaign: Campaign, *, thrown: bool) -> Iterator[RandomEvent]:
    """Yield the random events that throw dice as they happen, or those that throw none."""
    state = selectors.state_now(campaign)
    assert state.question is not None
    for code in random_events(state, state.question.side):
        event = RandomEvent(state.question.side, code)
        try:
            rules.apply(state, Ruled("As agreed.", random_event=event), HandDice())
        except DiceWanted:
            wants = True
        else:
            wants = False
        if wants is thrown:
            yield event
