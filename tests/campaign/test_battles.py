"""The hand-off in the database: one door for every report, and every way a hand-off can fail."""

from datetime import timedelta
from io import BytesIO

import msgspec
import pytest
from django.urls import reverse
from django.utils import timezone

import campaign.tasks  # noqa: F401  a task that is known runs at once in a test
from battles import journal
from battles import services as books
from battles.access import battle_of
from battles.contract import Fate, Report, Side
from battles.core.decoding import encode
from battles.core.game import IllegalAction
from battles.journal import pack
from battles.models import Battle
from battles.serialization import report_of
from campaign.access import fog_of_war, selectors
from campaign.models import Campaign, Job, Seat
from campaign.receivers import bring_in
from campaign.rules.core.actions import HandOver
from campaign.rules.core.pieces import month_name
from campaign.rules.core.questions import ToFight
from campaign.rules.core.state import COMBAT_TABLE, TABLETOP
from campaign.rules.sight import Onlooker
from campaign.services import battle_reports, errors
from campaign.services.battle_reports import battle_key, number_in
from campaign.services.journal import audit, creation
from campaign.services.journal.dice import key_of_month
from campaign.services.pending_battle import owner_of
from campaign.services.transfer import archive
from campaign.services.turns import advance_jobs
from campaign.services.umpire import invitations, seat_control
from tests.campaign.battlefield import attack_again, before_battle, brief, result, waiting
from tests.people import SIEGE, People, logged_in

pytestmark = pytest.mark.usefixtures("duel")


@pytest.fixture
def by_book(people: People) -> Campaign:
    return before_battle(people, "duel")


def head(campaign: Campaign) -> int | None:
    campaign.refresh_from_db()
    return campaign.head_id


def row(campaign: Campaign, battle: str) -> Battle:
    found = battle_of(owner_of(campaign), battle)
    assert found is not None
    return found


def run(campaign: Campaign, months: int = 1) -> Job:
    job = advance_jobs.book_advance(campaign.pk, months=months)
    advance_jobs.run_job(job.uuid)
    job.refresh_from_db()
    campaign.refresh_from_db()
    return job


# the way through


def test_a_battle_by_hand_waits_with_a_clock_and_a_page(by_hand):
    assert by_hand.battle == brief(by_hand).id
    assert by_hand.battle_due is not None
    assert timedelta(days=6) < by_hand.battle_due - timezone.now() < timedelta(days=8)
    assert row(by_hand, by_hand.battle).reported is None


def test_a_report_settles_the_battle_in_one_entry(by_hand):
    report = result(by_hand)
    entry = battle_reports.report_battle(by_hand.pk, "umpire:umpire", report)
    by_hand.refresh_from_db()
    assert by_hand.head_id == entry.pk
    assert (by_hand.battle, by_hand.battle_due) == ("", None)
    assert report_of(row(by_hand, report.battle)) == report
    audit.replay_check(by_hand)


def test_the_month_is_run_with_its_battle_fought_by_the_book(by_book):
    battle = brief(by_book).id
    job = run(by_book)
    assert job.status == Job.Status.SUCCEEDED
    assert by_book.month >= job.until or by_book.finished
    fought = row(by_book, battle)
    assert fought.way == Battle.Way.COMMANDERS
    entry = by_book.entries.get(key=f"battle:{battle}")
    assert entry.actor == "book:duel"
    audit.replay_check(by_book)


def test_the_month_stops_at_a_battle_by_hand_and_says_so(by_hand):
    job = run(by_hand)
    assert job.status == Job.Status.SUCCEEDED
    assert job.message.startswith("The campaign waits for the battle 6 hexes SW of Elai Wells")
    assert isinstance(selectors.state_now(by_hand).question, ToFight)
    assert by_hand.month < job.until


def test_in_fog_both_sides_read_that_the_month_stopped_at_a_battle_and_nobody_else(by_hand):
    job = run(by_hand)
    job.campaign.fog = True
    for side in Side:
        assert fog_of_war.job_message(job, side) == (
            "The month has stopped at a battle, and goes on when that is fought."
        )
    assert fog_of_war.job_message(job, Onlooker.PUBLIC) == "It is done."


def test_a_second_attack_on_a_place_in_a_month_is_told_from_the_first(by_hand, people):
    first = brief(by_hand)
    assert by_hand.waiting_for == f"{first.title} is to be fought."
    unhurt = {troop.id: Fate.GOOD for troop in first.troops()}
    lost = Report(first.id, TABLETOP, unhurt, Side.MAHDIST)
    battle_reports.enter_result(by_hand.pk, people.umpire, lost)
    attack_again(by_hand)
    title = first.title.removeprefix("The ")
    assert brief(by_hand).id != first.id
    assert by_hand.waiting_for == f"Another attack: the second {title} this month is to be fought."
    heading = f"The second {title} in {month_name(by_hand.month)}"
    battle = Battle.objects.get(brief_id=by_hand.battle)
    assert (by_hand.battle_title, battle.title) == (heading, heading)
    client = logged_in(people.umpire)
    for page in (
        reverse("battle-result", args=[by_hand.slug, by_hand.battle]),
        reverse("battle", args=[battle.uuid]),
    ):
        assert f"<h1>{heading}</h1>" in client.get(page).content.decode()
    earlier = Battle.objects.exclude(pk=battle.pk).get()
    assert earlier.title == first.title


def test_the_months_go_on_when_the_battle_has_been_reported(
    by_hand, django_capture_on_commit_callbacks
):
    stopped = run(by_hand)
    battle_reports.arrange_battles(by_hand.pk, by_hand.umpire, HandOver(COMBAT_TABLE))
    report = result(by_hand)
    with django_capture_on_commit_callbacks(execute=True):
        battle_reports.report_battle(by_hand.pk, "umpire:umpire", report)
    by_hand.refresh_from_db()
    assert by_hand.jobs.count() == 2
    assert by_hand.month == stopped.until or by_hand.finished


def test_the_umpire_chooses_again_at_the_battle(by_hand, django_capture_on_commit_callbacks):
    battle = brief(by_hand).id
    with django_capture_on_commit_callbacks(execute=True):
        battle_reports.choose_method(by_hand.pk, by_hand.umpire, battle, "duel")
    by_hand.refresh_from_db()
    assert by_hand.entries.filter(key=f"battle:{battle}").exists()
    assert by_hand.jobs.get().kind == "battle"
    assert by_hand.jobs.get().message == "The battle has been fought."


def test_the_table_may_be_chosen_at_the_battle(by_hand):
    battle = brief(by_hand).id
    battle_reports.choose_method(by_hand.pk, by_hand.umpire, battle, COMBAT_TABLE)
    by_hand.refresh_from_db()
    assert by_hand.battle == ""
    assert battle_of(owner_of(by_hand), battle) is None


def test_only_the_umpire_chooses(by_hand, people):
    for user in (people.egyptian, people.stranger):
        with pytest.raises(errors.NotAllowed):
            battle_reports.choose_method(by_hand.pk, user, brief(by_hand).id, COMBAT_TABLE)
        with pytest.raises(errors.NotAllowed):
            battle_reports.arrange_battles(by_hand.pk, user, HandOver(COMBAT_TABLE))


def test_a_book_that_there_is_not_is_refused_at_once(people, by_hand):
    with pytest.raises(errors.UnfitRequest, match="redcoats, restless, fuzzy-wuzzy, broken, duel"):
        battle_reports.choose_method(by_hand.pk, people.umpire, brief(by_hand).id, "hannibal")
    with pytest.raises(errors.UnfitRequest, match="hannibal"):
        creation.create_campaign(creation.NewCampaignTerms(SIEGE, battles="hannibal"))


def test_the_way_is_changed_while_a_battle_is_open(by_hand, people):
    battle = brief(by_hand).id
    battle_reports.arrange_battles(by_hand.pk, people.umpire, HandOver("duel", timeout_days=2))
    assert brief(by_hand).id == battle
    assert waiting(by_hand).resolution == TABLETOP
    battle_reports.report_battle(by_hand.pk, "umpire:umpire", result(by_hand))


# twice, late, otherwise


def test_the_same_report_twice_is_one_entry(by_hand):
    report = result(by_hand)
    first = battle_reports.report_battle(by_hand.pk, "umpire:umpire", report)
    assert battle_reports.report_battle(by_hand.pk, "player:egyptian", report) == first
    assert head(by_hand) == first.pk


def test_another_report_of_the_same_battle_is_refused(by_hand):
    won, lost = result(by_hand), result(by_hand, Side.MAHDIST)
    battle_reports.report_battle(by_hand.pk, "umpire:umpire", won)
    before = head(by_hand)
    with pytest.raises(journal.Refused, match="otherwise; nothing was changed"):
        battle_reports.report_battle(by_hand.pk, "umpire:umpire", lost)
    assert head(by_hand) == before
    assert report_of(row(by_hand, won.battle)) == won


def test_a_report_for_a_battle_no_longer_awaited_changes_nothing_and_says_so(by_hand):
    late = result(by_hand)
    battle_reports.choose_method(by_hand.pk, by_hand.umpire, late.battle, COMBAT_TABLE)
    before = head(by_hand)
    with pytest.raises(errors.NotAwaited, match="Nothing was changed"):
        battle_reports.report_battle(by_hand.pk, "umpire:umpire", late)
    assert head(by_hand) == before


def test_a_report_that_does_not_add_up_changes_nothing(by_hand):
    report = result(by_hand)
    before = head(by_hand)
    short = Report(report.battle, report.book, dict(list(report.fates.items())[1:]), report.winner)
    with pytest.raises(IllegalAction, match="Nothing is said of"):
        battle_reports.report_battle(by_hand.pk, "umpire:umpire", short)
    assert head(by_hand) == before
    assert row(by_hand, report.battle).reported is None


def test_a_task_that_dies_after_the_fight_is_run_again(by_book):
    """The battle stands in the books of battles; the campaign has not heard of it."""
    seen = waiting(by_book).brief
    key = battle_key(key_of_month(by_book, by_book.month), seen.id)
    books.record(owner_of(by_book), seen, "duel", key)
    assert isinstance(selectors.state_now(by_book).question, ToFight)
    run(by_book)
    assert Battle.objects.filter(brief_id=seen.id).count() == 1
    assert by_book.entries.filter(key=f"battle:{seen.id}").count() == 1


def test_a_task_that_dies_before_the_fight_fights_the_same_battle_again(by_book):
    seen = waiting(by_book).brief
    key = battle_key(key_of_month(by_book, by_book.month), seen.id)
    books.record("person:1", seen, "duel", key)
    battle_reports.fight_out(by_book.pk)
    alone = battle_of("person:1", seen.id)
    assert alone is not None
    assert report_of(row(by_book, seen.id)) == report_of(alone)


def test_a_task_that_runs_twice_leaves_one_entry(by_book):
    first = battle_reports.fight_out(by_book.pk)
    with pytest.raises(errors.NotAwaited):
        battle_reports.fight_out(by_book.pk)
    assert head(by_book) == first.pk


def test_a_task_that_answers_after_a_ruling_changes_nothing(by_book, caplog):
    seen = waiting(by_book).brief
    battle_reports.choose_method(by_book.pk, by_book.umpire, seen.id, COMBAT_TABLE)
    before = head(by_book)
    battle = books.record(owner_of(by_book), seen, "duel", bytes(32))
    with caplog.at_level("INFO", "campaign.receivers"):
        bring_in(battle)
    assert head(by_book) == before
    assert "changes nothing" in caplog.text


def test_a_report_told_to_the_books_of_battles_comes_in_by_the_same_door(
    by_hand, django_capture_on_commit_callbacks
):
    report = result(by_hand)
    with django_capture_on_commit_callbacks(execute=True):
        books.record_table_report(owner_of(by_hand), brief(by_hand), report)
    by_hand.refresh_from_db()
    assert by_hand.battle == ""
    assert by_hand.entries.last().actor == "tabletop"


def test_a_result_taken_back_is_fought_anew_on_a_branch(by_book):
    asked = by_book.head
    before = brief(by_book)
    battle_reports.fight_out(by_book.pk)
    creation.branch_from(
        by_book.pk, asked, reason="The battle is fought again.", by="umpire:umpire"
    )
    by_book.refresh_from_db()
    again = brief(by_book)
    assert again.id != before.id
    assert (again.attacker, again.defender) == (before.attacker, before.defender)
    with pytest.raises(errors.NotAwaited):
        battle_reports.report_battle(by_book.pk, "book:duel", Report("another", "duel", {}))
    first = report_of(row(by_book, before.id))
    assert first is not None
    assert battle_reports.report_battle(by_book.pk, "book:duel", first).branch == 0
    battle_reports.fight_out(by_book.pk)
    by_book.refresh_from_db()
    assert by_book.branch == 1
    audit.replay_check(by_book)


def test_a_battle_gone_back_over_is_called_off(by_hand):
    lost = brief(by_hand).id
    first = by_hand.entries.order_by("number").first()
    creation.branch_from(by_hand.pk, first, reason="Another way.", by="umpire:umpire")
    by_hand.refresh_from_db()
    assert by_hand.battle == ""
    assert battle_of(owner_of(by_hand), lost) is None


# who waits too long, and who will not


def late(campaign: Campaign) -> None:
    Campaign.objects.filter(pk=campaign.pk).update(battle_due=timezone.now() - timedelta(hours=1))


def test_a_battle_that_waits_too_long_is_fought_by_the_table(by_hand):
    battle = brief(by_hand).id
    late(by_hand)
    (due,) = battle_reports.settle_due()
    assert (due.battle, due.outcome) == (battle, "Fought by the campaign’s own table.")
    by_hand.refresh_from_db()
    assert by_hand.battle == ""
    assert by_hand.entries.last().actor == "clock"
    assert battle_reports.settle_due() == []


def test_a_battle_that_waits_too_long_is_fought_by_the_book_that_was_agreed(people):
    campaign = before_battle(people, TABLETOP, fallback="duel")
    battle = brief(campaign).id
    late(campaign)
    battle_reports.settle_due()
    assert campaign.entries.get(key=f"battle:{battle}").actor == "book:duel"


def test_a_battle_that_is_not_due_waits(by_hand):
    assert battle_reports.settle_due() == []
    assert waiting(by_hand).resolution == TABLETOP


def test_a_fallback_that_cannot_be_played_by_gives_way_to_the_table(people):
    campaign = before_battle(people, TABLETOP, fallback="forgotten")
    late(campaign)
    battle_reports.settle_due()
    campaign.refresh_from_db()
    assert campaign.battle == ""


def test_both_sides_decline_and_the_campaign_goes_on(by_hand, people):
    battle = brief(by_hand).id
    assert not battle_reports.decline_table(by_hand.pk, people.egyptian, battle)
    assert brief(by_hand).id == battle
    assert battle_reports.decline_table(by_hand.pk, people.mahdist, battle)
    by_hand.refresh_from_db()
    assert by_hand.battle == ""
    assert by_hand.entries.last().actor == "players"


def test_a_result_of_the_players_counts_when_both_have_signed_the_same(by_hand, people):
    won, lost = result(by_hand), result(by_hand, Side.MAHDIST)
    assert battle_reports.enter_result(by_hand.pk, people.egyptian, won) is None
    assert battle_reports.enter_result(by_hand.pk, people.mahdist, lost) is None
    entry = battle_reports.enter_result(by_hand.pk, people.mahdist, won)
    assert entry is not None
    assert entry.actor == "players:egyptian and mahdist"


def hand_to_staff(campaign: Campaign, people: People, seat: Seat) -> None:
    seat_control.hand_to_staff(campaign.pk, people.umpire, seat.pk, reason="Ill.")


def remove_player(campaign: Campaign, people: People, seat: Seat) -> None:
    seat_control.remove_player(campaign.pk, people.umpire, seat.pk, reason="Ill.")


def leave(campaign: Campaign, people: People, seat: Seat) -> None:
    invitations.leave(campaign.pk, people.mahdist, seat.pk)


def delete_account(campaign: Campaign, people: People, seat: Seat) -> None:
    people.mahdist.delete()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("go", [hand_to_staff, remove_player, leave, delete_account])
def test_a_signed_result_counts_when_the_other_side_has_no_player_any_more(by_hand, people, go):
    assert battle_reports.enter_result(by_hand.pk, people.egyptian, result(by_hand)) is None
    go(by_hand, people, by_hand.seats.get(role="mahdist"))
    by_hand.refresh_from_db()
    assert by_hand.battle == ""
    assert by_hand.entries.filter(actor="players:egyptian").count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_side_that_will_not_fight_at_a_table_waits_for_no_other_that_has_no_player(
    by_hand, people
):
    battle = brief(by_hand).id
    assert not battle_reports.decline_table(by_hand.pk, people.egyptian, battle)
    hand_to_staff(by_hand, people, by_hand.seats.get(role="mahdist"))
    by_hand.refresh_from_db()
    assert by_hand.battle == ""


@pytest.mark.django_db(transaction=True)
def test_a_result_is_waited_for_that_the_player_who_is_left_has_not_signed(by_hand, people):
    assert battle_reports.enter_result(by_hand.pk, people.mahdist, result(by_hand)) is None
    for role in ("mahdist", "egyptian"):
        hand_to_staff(by_hand, people, by_hand.seats.get(role=role))
        by_hand.refresh_from_db()
        assert by_hand.battle


def test_two_signatures_agree_on_what_counts_and_not_on_words(by_hand, people):
    mine = result(by_hand)
    theirs = msgspec.structs.replace(
        mine, book="duel", ending="Told otherwise.", fates=dict(reversed(mine.fates.items()))
    )
    assert battle_reports.enter_result(by_hand.pk, people.egyptian, mine) is None
    assert battle_reports.enter_result(by_hand.pk, people.mahdist, theirs) is not None


def test_one_signature_is_enough_where_it_was_agreed_so(people):
    campaign = before_battle(people, TABLETOP, signed=False)
    entry = battle_reports.enter_result(campaign.pk, people.mahdist, result(campaign))
    assert entry is not None
    assert entry.actor == "players:mahdist"


def test_the_umpires_word_needs_no_signature(by_hand, people):
    entry = battle_reports.enter_result(by_hand.pk, people.umpire, result(by_hand))
    assert entry is not None
    assert entry.actor == "umpire:umpire"


def test_a_stranger_reports_nothing(by_hand, people):
    with pytest.raises(errors.NotAllowed):
        battle_reports.enter_result(by_hand.pk, people.stranger, result(by_hand))
    with pytest.raises(errors.NotAllowed):
        battle_reports.decline_table(by_hand.pk, people.stranger, brief(by_hand).id)


def test_nonsense_is_refused_before_anybody_signs_it(by_hand, people):
    report = result(by_hand)
    wrong = Report(report.battle, "tabletop", report.fates | {9999: Fate.GOOD}, report.winner)
    with pytest.raises(IllegalAction):
        battle_reports.enter_result(by_hand.pk, people.egyptian, wrong)
    assert not by_hand.signatures.exists()


def test_a_book_that_fails_fails_the_job_in_words_and_the_clock_settles_it(people):
    campaign = before_battle(people, "broken")
    seen = waiting(campaign).brief
    job = advance_jobs.book_advance(campaign.pk)
    with pytest.raises(journal.Refused, match="the book has failed"):
        advance_jobs.run_job(job.uuid)
    job.refresh_from_db()
    assert job.status == Job.Status.FAILED
    assert "Decide it another way" in job.message
    assert brief(campaign) == seen
    late(campaign)
    battle_reports.settle_due()
    campaign.refresh_from_db()
    assert campaign.battle == ""


def test_a_book_that_fails_as_what_was_agreed_gives_way_to_the_table_too(people):
    campaign = before_battle(people, TABLETOP, fallback="broken")
    late(campaign)
    battle_reports.settle_due()
    campaign.refresh_from_db()
    assert campaign.battle == ""


def test_a_campaign_that_is_deleted_leaves_no_battle_behind(by_hand):
    owner = owner_of(by_hand)
    battle_reports.report_battle(by_hand.pk, "umpire:umpire", result(by_hand))
    by_hand.delete()
    assert not Battle.objects.filter(owner=owner).exists()


def test_a_campaign_with_an_open_battle_is_exported_and_goes_on_elsewhere(by_hand):
    file = BytesIO()
    archive.export_campaign(by_hand, file, with_secret=True)
    elsewhere = archive.import_campaign(file, slug="elsewhere")
    report = result(elsewhere)
    entry = battle_reports.report_battle(elsewhere.pk, "umpire:umpire", report)
    assert entry.campaign_id == elsewhere.pk
    assert brief(by_hand).id == report.battle
    elsewhere.refresh_from_db()
    audit.replay_check(elsewhere)


def test_a_campaign_fought_by_a_book_is_exported_with_its_dice_proved(by_book):
    run(by_book)
    file = BytesIO()
    archive.export_campaign(by_book, file, with_secret=True)
    elsewhere = archive.import_campaign(file, slug="elsewhere")
    assert audit.verify_battles(elsewhere) == 0
    assert audit.verify_dice(elsewhere).months >= 1


# whose dice


def test_the_dice_of_a_battle_come_from_those_of_its_month(by_book):
    seen = waiting(by_book).brief
    key = battle_key(key_of_month(by_book, by_book.month), seen.id)
    battle_reports.fight_out(by_book.pk)
    assert bytes(row(by_book, seen.id).key) == key


def test_verify_dice_holds_every_battle_to_the_key_of_its_month(by_book):
    run(by_book)
    assert audit.verify_battles(by_book) >= 1
    assert audit.verify_dice(by_book).months >= 1
    battle = Battle.objects.filter(owner=owner_of(by_book)).first()
    assert battle is not None
    battle.key = bytes(32)
    battle.save()
    with pytest.raises(journal.Damaged, match="dice of another key"):
        audit.verify_dice(by_book)
    with pytest.raises(journal.Damaged, match="gives another result"):
        audit.verify_battles(by_book)


def test_a_battle_reported_otherwise_than_it_ended_is_found(by_book):
    run(by_book)
    entry = by_book.entries.filter(actor="book:duel").first()
    seen = row(by_book, number_in(entry.key))
    report = report_of(seen)
    assert report is not None
    winner = Side.MAHDIST if report.winner is None else None
    other = msgspec.structs.replace(report, winner=winner)
    seen.report = pack(encode(other))
    seen.save()
    with pytest.raises(journal.Damaged, match="reported with another result than it had"):
        audit.verify_dice(by_book)
