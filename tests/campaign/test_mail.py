"""Letters: who is written to about what, once; how they are ended; what cannot be smuggled in."""

from datetime import timedelta
from typing import Any

import pytest
from django.core import mail as outbox
from django.db.models import F
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from battles.contract.brief import Side
from campaign.access import fog_of_war, month_reports, selectors
from campaign.models import Campaign, Deadline, Mailing, MailSent, Seat
from campaign.rules import umpire_rulings
from campaign.rules.core.actions import Ruled
from campaign.services import attendance, mail, mail_messages, order_submission
from campaign.services.journal import creation, rewind
from campaign.services.turns import advance, deadlines, timetable
from campaign.services.umpire import rulings, seat_control
from tests.people import SIEGE, People, client_of

SITE = "https://sirdar.example"


@pytest.fixture(autouse=True)
def site(settings: Any, people: People) -> None:
    settings.SITE_URL = SITE
    for user in people:
        user.email = f"{user.username}@example.org"
        user.save()


def begun(people: People, **more: Any) -> Campaign:
    """Return the siege under fog by order sheets, its set-up over."""
    seats = {
        Seat.Role.UMPIRE.value: people.umpire,
        Seat.Role.EGYPTIAN.value: people.egyptian,
        Seat.Role.MAHDIST.value: people.mahdist,
        Seat.Role.OBSERVER.value: people.spectator,
    }
    wanted = creation.NewCampaignTerms(
        SIEGE, seats=seats, **{"mode": "orders", "fog": True, **more}
    )
    campaign = creation.create_campaign(wanted)
    month = campaign.month
    advance.run_month(campaign.pk, until=month + 1)
    campaign.refresh_from_db()
    return campaign


def sent() -> list[tuple[str, str]]:
    """Return everything in the out-box: to whom and about what; and it is emptied."""
    found = [(letter.to[0].partition("@")[0], str(letter.subject)) for letter in outbox.outbox]
    outbox.outbox.clear()
    return found


def body(user: str, kind: str) -> str:
    """Return the letter of that kind to that user."""
    (found,) = [
        one.body for one in outbox.outbox if one.to[0].startswith(user) and kind in one.subject
    ]
    return str(found)


@pytest.mark.django_db
def test_a_month_that_begins_is_told_to_both_players_and_once(people: People) -> None:
    begun(people)
    mail.send_due()
    turns = [who for who, subject in sent() if subject.endswith("it is your turn")]
    assert sorted(turns) == ["egyptian", "mahdist"]
    assert mail.send_due() == 0


@pytest.mark.django_db
def test_each_side_has_its_own_paper_and_the_umpire_the_publics(people: People) -> None:
    campaign = begun(people, public_delay=1)
    mail.send_due()
    papers = {who: subject for who, subject in sent() if "turn" not in subject}
    month = "February 1884"
    assert papers == {
        "egyptian": f"The Soudan Gazette, {month}",
        "mahdist": f"The Camp Letters, {month}",
        "umpire": f"The Overland Mail, {month}",
        "spectator": f"The Overland Mail, {month}",
    }
    assert campaign.month > campaign.first_month


@pytest.mark.django_db
def test_the_publics_paper_is_not_sent_before_its_time(people: People) -> None:
    begun(people, public_delay=3)
    mail.send_due()
    assert "spectator" not in dict(sent())


@pytest.mark.django_db
def test_a_letter_leads_to_the_page_and_says_how_to_end_letters(people: People) -> None:
    campaign = begun(people)
    mail.send_due()
    text = body("egyptian", "your turn")
    token = Mailing.objects.get(user=people.egyptian).token
    assert f"{SITE}/campaigns/{campaign.slug}/" in text
    assert f"{SITE}/mail/{token}/" in text
    assert fog_of_war.waiting_for(campaign, fog_of_war.viewer_of(people.egyptian, campaign)) in text


@pytest.mark.django_db
def test_a_paper_that_a_rewind_has_left_standing_is_not_sent_again(people: People) -> None:
    campaign = begun(people)
    beginning = campaign.head
    assert beginning is not None
    mail.send_due()
    advance.run_month(campaign.pk, until=campaign.month + 1)
    mail.send_due()
    rewind.rewind_to(campaign.pk, people.umpire, beginning, reason="A slip.")
    sent()
    mail.send_due()
    assert not [subject for _, subject in sent() if "February 1884" in subject]
    advance.run_month(campaign.pk, until=campaign.month + 1)
    mail.send_due()
    assert ("egyptian", "The Soudan Gazette, March 1884") in sent()


@pytest.mark.django_db
def test_a_deadline_that_nears_is_told_once_to_those_who_are_late(people: People) -> None:
    policy = {"zone": "Europe/London", "hour": 20, "days": 2, "reminder_hours": 24}
    campaign = begun(people, deadline_policy=policy)
    mail.send_due()
    said = f"The month is {timetable.due_in_words(campaign)}."
    assert sum(said in str(letter.body) for letter in outbox.outbox) == 2
    sent()
    assert mail.send_due() == 0
    now = timezone.now()
    due = Deadline.objects.filter(campaign=campaign, month=campaign.month)
    due.update(due=now + timedelta(hours=5), grace_until=now + timedelta(hours=6), reminded=now)
    MailSent.objects.filter(kind=mail.TURN).update(sent=now - timedelta(hours=25))
    mail.send_due()
    late = sent()
    assert [who for who, _ in late] == ["egyptian", "mahdist"]
    assert {subject for _, subject in late} == {f"{campaign.title}: orders for March 1884 are due"}
    assert mail.send_due() == 0


def let_days_pass(campaign: Campaign, days: int) -> None:
    """Let everything in the campaign have happened so many days earlier."""
    span = timedelta(days=days)
    Campaign.objects.filter(pk=campaign.pk).update(created=F("created") - span)
    for rows in (campaign.entries, campaign.branches, campaign.umpire_log):
        rows.update(created=F("created") - span)
    campaign.deadlines.update(
        due=F("due") - span, grace_until=F("grace_until") - span, reminded=F("reminded") - span
    )
    MailSent.objects.update(sent=F("sent") - span)


def reminders() -> list[tuple[str, str]]:
    """Return to whom reminders went, and what they say; the out-box is emptied."""
    about = [one for one in outbox.outbox if one.subject.endswith("are due")]
    found = [(one.to[0].partition("@")[0], " ".join(str(one.body).split())) for one in about]
    outbox.outbox.clear()
    return found


def reminded_of_deadline(people: People) -> Campaign:
    """Return a campaign whose players have been reminded of their deadline."""
    campaign = begun(people, deadline_policy={"days": 7, "reminder_hours": 24})
    mail.send_due()
    let_days_pass(campaign, 6)
    campaign.deadlines.filter(done=None).update(due=timezone.now() + timedelta(hours=5))
    deadlines.keep_deadlines()
    mail.send_due()
    assert [who for who, _ in reminders()] == ["egyptian", "mahdist"]
    return campaign


@pytest.mark.django_db
@pytest.mark.parametrize(("way", "days"), [("extended", 3), ("paused", 2)])
def test_a_deadline_that_is_moved_after_its_reminder_is_told_and_has_another(
    people: People, way: str, days: int
) -> None:
    campaign = reminded_of_deadline(people)
    if way == "extended":
        deadlines.extend(campaign.pk, people.umpire, 70, seen=0, reason="Away.")
    else:
        deadlines.pause(campaign.pk, people.umpire, reason="Away.")
        earlier = timezone.now() - timedelta(days=3)
        campaign.deadlines.filter(done=None).update(paused=earlier, due=earlier + timedelta(days=2))
        deadlines.resume_clock(campaign.pk, people.umpire)
    mail.send_due()
    told = reminders()
    due = timetable.due_in_words(campaign)
    assert [who for who, text in told if f"hey are {due}" in text] == ["egyptian", "mahdist"]
    assert [("has been extended" in text) for _, text in told] == [way == "extended"] * 2
    assert deadlines.keep_deadlines() == []
    assert mail.send_due() == 0
    let_days_pass(campaign, days)
    assert [one.text for one in deadlines.keep_deadlines()] == ["2 reminded."]
    mail.send_due()
    assert [who for who, _ in reminders()] == ["egyptian", "mahdist"]
    assert (deadlines.keep_deadlines(), mail.send_due()) == ([], 0)


@pytest.mark.django_db
def test_a_deadline_that_is_moved_and_still_near_is_told_once(people: People) -> None:
    campaign = reminded_of_deadline(people)
    campaign.deadlines.filter(done=None).update(reminded=timezone.now() - timedelta(hours=19))
    deadlines.extend(campaign.pk, people.umpire, 10, seen=0, reason="Away.")
    mail.send_due()
    assert deadlines.keep_deadlines() == []
    mail.send_due()
    assert [(who, "has been extended" in text) for who, text in reminders()] == [
        ("egyptian", True),
        ("mahdist", True),
    ]


@pytest.mark.django_db
def test_an_extension_before_the_reminder_is_told_and_the_reminder_comes_too(
    people: People,
) -> None:
    campaign = begun(people, deadline_policy={"days": 7, "reminder_hours": 24})
    mail.send_due()
    let_days_pass(campaign, 2)
    reminders()
    deadlines.extend(campaign.pk, people.umpire, 24, seen=0, reason="Away.")
    mail.send_due()
    assert [(who, "has been extended" in text) for who, text in reminders()] == [
        ("egyptian", True),
        ("mahdist", True),
    ]
    let_days_pass(campaign, 6)
    campaign.deadlines.filter(done=None).update(due=timezone.now() + timedelta(hours=5))
    deadlines.keep_deadlines()
    mail.send_due()
    assert [who for who, _ in reminders()] == ["egyptian", "mahdist"]


@pytest.mark.django_db
def test_what_happens_late_in_a_month_of_many_days_is_told_too(people: People) -> None:
    campaign = begun(people, deadline_policy={"days": 7, "reminder_hours": 24})
    mail.send_due()
    let_days_pass(campaign, 6)
    campaign.deadlines.filter(done=None).update(due=timezone.now() + timedelta(hours=5))
    deadlines.keep_deadlines()
    sent()
    mail.send_due()
    late = sent()
    assert {subject for _, subject in late} == {f"{campaign.title}: orders for March 1884 are due"}
    assert [who for who, _ in late] == ["egyptian", "mahdist"]
    seat = campaign.seats.get(role="egyptian")
    order_submission.save_sheet(campaign.pk, people.egyptian, seat.pk, {}, expected_revision=0)
    order_submission.submit(campaign.pk, people.egyptian, seat.pk)
    mail.send_due()
    assert sent() == [("egyptian", f"{campaign.title}: your orders for March 1884, submitted")]


@pytest.mark.django_db
def test_a_player_who_takes_a_seat_late_in_a_month_is_told_that_it_is_his_turn(
    people: People,
) -> None:
    campaign = begun(people, deadline_policy={"days": 7, "reminder_hours": 24})
    mail.send_due()
    let_days_pass(campaign, 5)
    sent()
    seat = campaign.seats.get(role="mahdist")
    seat_control.replace_player(campaign.pk, people.umpire, seat.pk, "stranger", reason="Away.")
    mail.send_due()
    assert sent() == [("stranger", f"{campaign.title}, March 1884: it is your turn")]
    assert mail.send_due() == 0


@pytest.mark.django_db
def test_a_player_who_takes_over_a_seat_gets_no_receipt_for_the_orders_before(
    people: People,
) -> None:
    campaign = begun(people)
    seat = campaign.seats.get(role="egyptian")
    order_submission.submit(campaign.pk, people.egyptian, seat.pk)
    advance.run_month(campaign.pk, until=campaign.month + 1)
    mail.send_due()
    carried_out = f"{campaign.title}: your orders for March 1884, carried out"
    assert ("egyptian", carried_out) in sent()
    seat_control.replace_player(campaign.pk, people.umpire, seat.pk, "stranger", reason="Away.")
    mail.send_due()
    assert {subject for who, subject in sent() if who == "stranger"} == {
        f"{campaign.title}, April 1884: it is your turn",
        "The Soudan Gazette, March 1884",
    }


@pytest.mark.django_db
def test_whoever_has_just_been_told_of_his_turn_is_not_reminded_of_it(people: People) -> None:
    campaign = begun(people, deadline_policy={"days": 1, "reminder_hours": 24})
    campaign.deadlines.update(reminded=timezone.now())
    mail.send_due()
    assert not any(subject.endswith("are due") for _, subject in sent())
    turns = MailSent.objects.filter(kind=mail.TURN, user=people.mahdist)
    turns.update(sent=timezone.now() - timedelta(hours=25))
    mail.send_due()
    assert [who for who, _ in sent()] == ["mahdist"]


@pytest.mark.django_db
def test_whoever_has_submitted_even_an_empty_sheet_is_not_told_that_none_is_in(
    people: People,
) -> None:
    campaign = begun(people, deadline_policy={"days": 2, "reminder_hours": 0})
    seat = campaign.seats.get(role="egyptian")
    order_submission.save_sheet(campaign.pk, people.egyptian, seat.pk, {}, expected_revision=0)
    order_submission.submit(campaign.pk, people.egyptian, seat.pk)
    campaign.deadlines.update(reminded=timezone.now())
    mail.send_due()
    late = [who for who, subject in sent() if subject.endswith("are due")]
    assert late == ["mahdist"]


@pytest.mark.django_db
def test_nobody_is_asked_for_orders_that_are_being_carried_out(people: People) -> None:
    """The umpire has let the month run without the orders that are missing."""
    campaign = begun(people, deadline_policy={"days": 2, "reminder_hours": 0})
    advance.run_phase(campaign.pk)
    campaign.deadlines.update(reminded=timezone.now())
    mail.send_due()
    subjects = [subject for _, subject in sent()]
    assert not [subject for subject in subjects if "turn" in subject or "are due" in subject]
    assert attendance.late(campaign) == []
    page = client_of(people, "egyptian").get(reverse("campaign", args=[campaign.slug]))
    assert "The orders of the month are being carried out." in page.content.decode()
    console = client_of(people, "umpire").get(reverse("console", args=[campaign.slug]))
    assert "has written nothing yet" not in console.content.decode()


@pytest.mark.django_db
def test_nobody_is_written_to_who_does_not_want_it(people: People) -> None:
    begun(people)
    wants = mail_messages.mailing_of(people.egyptian)
    wants.turn = False
    wants.save()
    mail.send_due()
    assert ("egyptian", True) not in [(who, "turn" in subject) for who, subject in sent()]
    assert not MailSent.objects.filter(user=people.egyptian, kind=mail.TURN).exists()


@pytest.mark.django_db
def test_a_campaign_that_ended_while_it_was_adjourned_still_sends_its_last_paper(
    people: People,
) -> None:
    campaign = begun(people)
    mail.send_due()
    sent()
    seat_control.adjourn(campaign.pk, people.umpire, reason="Away.")
    peace = umpire_rulings.end(selectors.state_now(campaign), None, "Peace.")
    rulings.rule(campaign.pk, people.umpire, Ruled("Peace.", peace))
    mail.send_due()
    assert ("egyptian", "The Soudan Gazette, March 1884") in sent()


@pytest.mark.django_db
def test_an_adjourned_campaign_writes_to_nobody(people: People) -> None:
    campaign = begun(people)
    Campaign.objects.filter(pk=campaign.pk).update(adjourned=True)
    assert mail.send_due() == 0


@pytest.mark.django_db
def test_titles_and_addresses_cannot_add_a_header(people: People) -> None:
    campaign = begun(people, title="Gordon")
    Campaign.objects.filter(pk=campaign.pk).update(
        title="Gordon\r\nBcc: everybody@example.org\n\nWin a camel"
    )
    people.mahdist.email = "mahdist@example.org\nBcc: everybody@example.org"
    people.mahdist.save()
    mail.send_due()
    for letter in outbox.outbox:
        message = letter.message()
        assert message["Bcc"] is None
        assert "\n" not in letter.subject
        assert "everybody@example.org" not in letter.recipients()
    assert "egyptian" in {who for who, _ in sent()}


@pytest.mark.django_db
def test_a_letter_that_cannot_go_out_is_tried_again(people: People, settings: Any) -> None:
    begun(people)
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "localhost", 9
    assert mail.send_due() == 0
    assert not MailSent.objects.exists()
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    assert mail.send_due() > 0


@pytest.mark.django_db
def test_letters_are_chosen_by_the_link_without_logging_in(people: People, client: Client) -> None:
    wants = mail_messages.mailing_of(people.egyptian)
    page = f"/mail/{wants.token}/"
    assert client.get(page).status_code == 200
    client.post(page, {"gazette": "yes"})
    wants.refresh_from_db()
    assert (wants.turn, wants.deadline, wants.gazette) == (False, False, True)


@pytest.mark.django_db
def test_the_button_of_a_mail_program_ends_all_letters(people: People) -> None:
    wants = mail_messages.mailing_of(people.egyptian)
    strict = Client(enforce_csrf_checks=True)
    strict.post(f"/mail/{wants.token}/", {"List-Unsubscribe": "One-Click", "turn": "yes"})
    wants.refresh_from_db()
    assert (wants.turn, wants.deadline, wants.gazette) == (False, False, False)


@pytest.mark.django_db
def test_a_link_that_is_not_ours_opens_nothing(client: Client) -> None:
    assert client.get("/mail/of-nobody/").status_code == 404


@pytest.mark.django_db
def test_ones_own_choice_is_behind_the_log_in(people: People, client: Client) -> None:
    assert client.get("/mail/").status_code == 302
    client.force_login(people.egyptian)
    token = mail_messages.mailing_of(people.egyptian).token
    assert client.get("/mail/")["Location"] == f"/mail/{token}/"


@pytest.mark.django_db
def test_the_paper_in_a_letter_is_the_sides_own(people: People) -> None:
    campaign = begun(people)
    mail.send_due()
    month = campaign.month - 1
    for user, side in (("egyptian", Side.EGYPTIAN), ("mahdist", Side.MAHDIST)):
        paper = month_reports.gazette_issue(campaign, month, side)
        assert paper.leader[0][:40] in " ".join(body(user, paper.edition.title).split())
