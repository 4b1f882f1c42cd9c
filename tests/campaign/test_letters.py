"""Letters between players: who reads them and when, what an umpire may do, what is refused."""

from datetime import timedelta
from typing import Any

import pytest
from django.core import mail as outbox
from django.urls import reverse
from django.utils import timezone

from campaign.access import letters
from campaign.models import Campaign, CampaignLetter, LetterCopy, Seat
from campaign.rules.map import sudan
from campaign.services import letters as post
from campaign.services import mail, order_submission
from campaign.services.errors import NotAllowed, UnfitRequest
from campaign.services.journal import rewind
from campaign.services.turns import advance
from campaign.services.umpire import invitations, seat_control
from tests.campaign.test_mail import begun
from tests.people import People, logged_in

pytestmark = pytest.mark.django_db
KHARTOUM = sudan().place("Khartoum").hex


@pytest.fixture
def campaign(people: People) -> Campaign:
    return begun(people)


def seat(campaign: Campaign, role: str) -> Seat:
    return campaign.seats.get(role=role)


def draft(campaign: Campaign, sender: str, *readers: str, **more: Any) -> post.LetterDraft:
    recipients = [seat(campaign, role).pk for role in readers]
    return post.LetterDraft(
        seat(campaign, sender).pk, recipients, more.pop("text", "Hold the river."), **more
    )


def by_courier(campaign: Campaign, people: People) -> None:
    post.set_letter_post(campaign.pk, people.umpire, Campaign.LetterPost.BY_COURIER)
    campaign.refresh_from_db()


def texts(campaign: Campaign, user: Any) -> list[str]:
    campaign.refresh_from_db()
    return [one.letter.text for one in letters.letters_for(campaign, user)]


def test_a_letter_is_read_by_its_readers_and_nobody_else(
    campaign: Campaign, people: People
) -> None:
    post.send_letter(campaign.pk, people.egyptian, draft(campaign, "egyptian", "umpire"))
    assert texts(campaign, people.egyptian) == texts(campaign, people.umpire) == ["Hold the river."]
    assert texts(campaign, people.mahdist) == texts(campaign, people.spectator) == []
    assert letters.unread_for(people.umpire, campaign) == 1
    assert letters.unread_for(people.egyptian, campaign) == 0


def test_a_letter_is_unread_until_its_reader_says_otherwise(
    campaign: Campaign, people: People
) -> None:
    letter = post.send_letter(campaign.pk, people.mahdist, draft(campaign, "mahdist", "egyptian"))
    found = letters.letter_for(campaign, people.egyptian, letter.pk)
    assert found is not None
    assert found.unread
    post.mark_read(campaign, people.egyptian, found)
    assert letters.unread_for(people.egyptian, campaign) == 0


def test_letters_by_courier_arrive_with_the_next_month(campaign: Campaign, people: People) -> None:
    by_courier(campaign, people)
    post.send_letter(campaign.pk, people.egyptian, draft(campaign, "egyptian", "mahdist"))
    assert texts(campaign, people.mahdist) == []
    assert texts(campaign, people.umpire) == ["Hold the river."]
    advance.run_month(campaign.pk, until=campaign.month + 1)
    assert texts(campaign, people.mahdist) == ["Hold the river."]


@pytest.mark.parametrize(
    ("to", "at_once", "a_month_later"),
    [("deliver", True, True), ("delay", False, False), ("lose", False, False)],
)
def test_an_umpire_hurries_delays_or_loses_a_letter_on_its_way(
    campaign: Campaign, people: People, to: str, at_once: bool, a_month_later: bool
) -> None:
    by_courier(campaign, people)
    letter = post.send_letter(campaign.pk, people.egyptian, draft(campaign, "egyptian", "mahdist"))
    copy = letter.copies.get()
    post.route_copy(campaign.pk, people.umpire, copy.pk, to=to)
    assert bool(texts(campaign, people.mahdist)) is at_once
    advance.run_month(campaign.pk, until=campaign.month + 1)
    assert bool(texts(campaign, people.mahdist)) is a_month_later


def test_a_letter_that_has_arrived_is_lost_no_more(campaign: Campaign, people: People) -> None:
    letter = post.send_letter(campaign.pk, people.egyptian, draft(campaign, "egyptian", "mahdist"))
    by_courier(campaign, people)
    with pytest.raises(UnfitRequest, match="not on its way"):
        post.route_copy(campaign.pk, people.umpire, letter.copies.get().pk, to="lose")


def test_only_umpires_route_letters(campaign: Campaign, people: People) -> None:
    by_courier(campaign, people)
    letter = post.send_letter(campaign.pk, people.egyptian, draft(campaign, "egyptian", "mahdist"))
    with pytest.raises(NotAllowed):
        post.route_copy(campaign.pk, people.mahdist, letter.copies.get().pk, to="deliver")
    assert LetterCopy.objects.get().arrived is None


def test_orders_are_attached_as_sentences_and_places_as_hexes(
    campaign: Campaign, people: People
) -> None:
    sender = seat(campaign, "egyptian")
    with pytest.raises(UnfitRequest, match="no orders"):
        post.send_letter(
            campaign.pk, people.egyptian, draft(campaign, "egyptian", "umpire", with_orders=True)
        )
    order_submission.save_sheet(campaign.pk, people.egyptian, sender.pk, {"orders": []})
    letter = post.send_letter(
        campaign.pk,
        people.egyptian,
        draft(campaign, "egyptian", "umpire", with_orders=True, hexes=[KHARTOUM]),
    )
    assert letter.orders
    assert letter.hexes == [KHARTOUM]


@pytest.mark.parametrize(
    ("text", "hexes", "said"),
    [
        ("", [], "1 to 4,000"),
        ("x" * 4001, [], "1 to 4,000"),
        ("a\u202eb", [], "invisible"),
        ("Come.", [9999], "no hex 9999"),
        ("Come.", [KHARTOUM] * 13, "12 places"),
    ],
)
def test_a_refused_letter_names_its_fault_and_writes_nothing(
    campaign: Campaign, people: People, text: str, hexes: list[Any], said: str
) -> None:
    wrong = draft(campaign, "egyptian", "umpire", text=text, hexes=hexes)
    with pytest.raises(UnfitRequest, match=said):
        post.send_letter(campaign.pk, people.egyptian, wrong)
    assert not campaign.letters.exists()


def test_nobody_writes_from_the_seat_of_another_or_as_an_observer(
    campaign: Campaign, people: People
) -> None:
    refusals = {
        people.mahdist: UnfitRequest,
        people.spectator: NotAllowed,
        people.stranger: NotAllowed,
    }
    for user, refusal in refusals.items():
        with pytest.raises(refusal):
            post.send_letter(campaign.pk, user, draft(campaign, "egyptian", "umpire"))


def test_when_the_campaign_is_over_all_its_letters_are_open(
    campaign: Campaign, people: People
) -> None:
    post.send_letter(campaign.pk, people.egyptian, draft(campaign, "egyptian", "umpire"))
    Campaign.objects.filter(pk=campaign.pk).update(finished=True)
    assert texts(campaign, people.spectator) == texts(campaign, people.mahdist)
    assert texts(campaign, people.spectator) == ["Hold the river."]


def test_a_reader_is_told_by_mail_once(campaign: Campaign, people: People, settings: Any) -> None:
    settings.SITE_URL = "https://sirdar.example"
    for user in people:
        user.email = f"{user.username}@example.org"
        user.save()
    mail.send_due()
    outbox.outbox.clear()
    post.send_letter(campaign.pk, people.egyptian, draft(campaign, "egyptian", "mahdist"))
    mail.send_due()
    assert [(one.to[0], "a letter from" in one.subject) for one in outbox.outbox] == [
        ("mahdist@example.org", True)
    ]
    assert mail.send_due() == 0


def test_a_reader_is_notified_of_a_letter_written_during_an_adjournment(
    campaign: Campaign, people: People, settings: Any
) -> None:
    settings.SITE_URL = "https://sirdar.example"
    people.mahdist.email = "mahdist@example.org"
    people.mahdist.save()
    seat_control.adjourn(campaign.pk, people.umpire, reason="The hall is let in August.")
    post.send_letter(campaign.pk, people.egyptian, draft(campaign, "egyptian", "mahdist"))
    mail.send_due()
    assert ["a letter from" in one.subject for one in outbox.outbox] == [True]
    seat_control.take_up(campaign.pk, people.umpire)
    mail.send_due()
    assert len([one for one in outbox.outbox if "a letter from" in one.subject]) == 1


def test_a_reader_is_told_of_a_courier_who_was_a_week_on_his_way(
    campaign: Campaign, people: People, settings: Any
) -> None:
    settings.SITE_URL = "https://sirdar.example"
    people.mahdist.email = "mahdist@example.org"
    people.mahdist.save()
    by_courier(campaign, people)
    post.send_letter(campaign.pk, people.egyptian, draft(campaign, "egyptian", "mahdist"))
    CampaignLetter.objects.update(created=timezone.now() - timedelta(days=7))
    mail.send_due()
    assert not [one for one in outbox.outbox if "a letter from" in one.subject]
    advance.run_month(campaign.pk, until=campaign.month + 1)
    for _ in range(2):
        mail.send_due()
    assert len([one for one in outbox.outbox if "a letter from" in one.subject]) == 1


def test_the_page_keeps_a_refused_letter_and_takes_the_right_one(
    campaign: Campaign, people: People
) -> None:
    client, page = logged_in(people.egyptian), reverse("letters", args=[campaign.slug])
    written = {
        "sender": seat(campaign, "egyptian").pk,
        "recipients": [seat(campaign, "umpire").pk],
        "text": "The river falls.",
        "places": "Khartuom",
    }
    refused = client.post(page, written)
    assert refused.status_code == 400
    assert "The river falls." in refused.content.decode()
    assert "Khartoum" in refused.content.decode()
    taken = client.post(page, {**written, "places": "Khartoum"}, follow=True)
    assert "Your letter is sent." in taken.content.decode()
    shown = logged_in(people.umpire).get(reverse("campaign", args=[campaign.slug]))
    assert '<span class="figures">1</span> new' in shown.content.decode()


def test_a_letter_of_many_lines_is_as_long_on_the_page_as_by_rest(
    campaign: Campaign, people: People
) -> None:
    lines = ["x" * 39] * 100
    form = {
        "sender": seat(campaign, "egyptian").pk,
        "recipients": seat(campaign, "umpire").pk,
        "text": "\r\n".join(lines),  # as a browser sends it
    }
    client, address = logged_in(people.egyptian), reverse("letters", args=[campaign.slug])
    refused = client.post(address, {**form, "text": f"{form['text']}\r\nxx"})
    assert refused.status_code == 400
    assert client.post(address, form).status_code == 302
    assert texts(campaign, people.umpire) == ["\n".join(lines)]


def test_the_umpire_decides_on_the_page_how_letters_travel(
    campaign: Campaign, people: People
) -> None:
    address = reverse("letter-post", args=[campaign.slug])
    assert logged_in(people.egyptian).post(address, {"post": "by_courier"}).status_code == 403
    logged_in(people.umpire).post(address, {"post": "by pigeon"})
    campaign.refresh_from_db()
    assert campaign.letter_post == "at_once"
    logged_in(people.umpire).post(address, {"post": "by_courier"})
    campaign.refresh_from_db()
    assert campaign.letter_post == "by_courier"
    assert "by courier" in campaign.umpire_log.latest("pk").said


def test_only_who_writes_order_sheets_may_attach_them_on_the_page(
    campaign: Campaign, people: People
) -> None:
    where = reverse("letters", args=[campaign.slug])
    offer = "Attach my orders for this month"
    assert offer in logged_in(people.egyptian).get(where).content.decode()
    umpire = logged_in(people.umpire)
    assert offer not in umpire.get(where).content.decode()
    form = {"sender": seat(campaign, "umpire").pk, "recipients": seat(campaign, "egyptian").pk}
    umpire.post(where, form | {"text": "The month is late."})
    assert texts(campaign, people.egyptian) == ["The month is late."]
    Campaign.objects.update(mode="live")
    assert offer not in logged_in(people.egyptian).get(where).content.decode()


# readers and writers who are gone


def test_the_letters_of_an_umpire_who_leaves_stay_and_pass_to_another(
    campaign: Campaign, people: People
) -> None:
    post.send_letter(campaign.pk, people.umpire, draft(campaign, "umpire", "egyptian", text="May."))
    post.send_letter(campaign.pk, people.egyptian, draft(campaign, "egyptian", "umpire"))
    mine = seat(campaign, "umpire")
    other = seat_control.second_umpire(campaign.pk, people.umpire, people.stranger.username)
    both = [mine.pk, other.pk]
    to_both = post.LetterDraft(seat(campaign, "mahdist").pk, both, "To both of you.")
    post.send_letter(campaign.pk, people.mahdist, to_both)
    invitations.leave(campaign.pk, people.umpire, mine.pk)
    assert texts(campaign, people.egyptian) == ["Hold the river.", "May."]
    assert texts(campaign, people.stranger) == ["To both of you.", "Hold the river.", "May."]
    assert letters.unread_for(people.stranger, campaign) == 2
    assert LetterCopy.objects.filter(letter__text="To both of you.").count() == 1
    assert texts(campaign, people.umpire) == []


@pytest.mark.parametrize("gone", ["umpire", "mahdist"])
def test_the_letters_of_a_deleted_account_stay_with_their_readers(
    campaign: Campaign, people: People, gone: str
) -> None:
    post.send_letter(campaign.pk, getattr(people, gone), draft(campaign, gone, "egyptian"))
    post.send_letter(campaign.pk, people.egyptian, draft(campaign, "egyptian", gone, text="Yes."))
    getattr(people, gone).delete()
    assert texts(campaign, people.egyptian) == ["Yes.", "Hold the river."]
    page = logged_in(people.egyptian).get(reverse("letters", args=[campaign.slug]))
    assert "Hold the river." in page.content.decode()


def rewound(campaign: Campaign, people: People, month: int) -> None:
    entry = campaign.entries.filter(branch=0, month=month)[1]
    rewind.rewind_to(campaign.pk, people.umpire, entry, reason="The odds were misread.")
    campaign.refresh_from_db()


@pytest.mark.parametrize("courier", [False, True])
def test_a_letter_that_has_arrived_stays_with_its_reader_after_a_rewind(
    campaign: Campaign, people: People, courier: bool
) -> None:
    if courier:
        by_courier(campaign, people)
    on = advance.run_month(campaign.pk, until=campaign.month + 1)
    post.send_letter(on.pk, people.egyptian, draft(on, "egyptian", "mahdist"))
    on = advance.run_month(on.pk, until=on.month + 1)
    rewound(on, people, campaign.month)
    assert texts(on, people.mahdist) == ["Hold the river."]
    assert letters.unread_for(people.mahdist, on) == 1


def test_a_letter_on_its_way_is_still_on_its_way_after_a_rewind(
    campaign: Campaign, people: People
) -> None:
    by_courier(campaign, people)
    on = advance.run_month(campaign.pk, until=campaign.month + 1)
    post.send_letter(on.pk, people.egyptian, draft(on, "egyptian", "mahdist"))
    rewound(on, people, campaign.month)
    assert texts(on, people.mahdist) == []


def test_a_letter_of_an_undone_month_is_marked_however_far_play_has_come(
    campaign: Campaign, people: People
) -> None:
    first = campaign.month
    post.send_letter(campaign.pk, people.egyptian, draft(campaign, "egyptian", "mahdist"))
    on = advance.run_month(campaign.pk, until=first + 2)
    post.send_letter(on.pk, people.egyptian, draft(on, "egyptian", "mahdist"))
    end = on.head
    assert end is not None
    rewound(on, people, first)
    advance.run_month(on.pk, until=first + 3)

    def marks() -> list[bool]:
        on.refresh_from_db()
        return [letter.abandoned for letter in letters.letters_for(on, people.mahdist)]

    assert marks() == [True, False]
    rewind.rewind_to(on.pk, people.umpire, end, reason="The first way was right.")
    assert marks() == [False, False]
