"""An address changed by its owner: who may, what the letter does, and what nobody learns."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import email_addresses
from campaign.models import Campaign
from campaign.services.mail import send_due
from campaign.services.mail_messages import mailing_of
from tests.people import PASSWORD, People
from tests.security.test_own_password import ANOTHER
from tests.security.test_passwords import DOORS, HOME, knock, unhurried
from tests.security.test_sessions import logged_in

__all__ = ["unhurried"]

PAGE = "/accounts/email/"
OLD, NEW = "umpire@example.org", "wood@example.org"


@pytest.fixture
def written(people: People) -> People:
    """People whose umpire has given an address."""
    User.objects.filter(pk=people.umpire.pk).update(email=OLD)
    people.umpire.refresh_from_db()
    return people


def ask(client: Client, email: str = NEW, password: str = PASSWORD) -> Any:
    given = {"email": email, "old_password": password}
    return client.post(PAGE, given, REMOTE_ADDR=HOME, follow=True)


def link() -> str:
    """Return where the last letter leads to."""
    site = re.escape(settings.SITE_URL.rstrip("/"))
    found = re.search(rf"{site}(/\S+)", str(mail.outbox[-1].body))
    assert found
    return found[1]


def address_of(user: User) -> str:
    return User.objects.get(pk=user.pk).email


def good(answer: Any) -> bool:
    return "no longer works" not in answer.content.decode()


@pytest.mark.django_db(transaction=True)
def test_the_letter_confirms_the_new_address_and_the_old_one_is_told(written: People) -> None:
    client = logged_in(written)
    assert f"An e-mail to {NEW} is on its way" in ask(client).content.decode()
    assert [letter.to for letter in mail.outbox] == [[NEW]]
    where = link()
    assert NEW in client.get(where).content.decode()
    assert address_of(written.umpire) == OLD
    client.post(where)
    assert address_of(written.umpire) == NEW
    assert [letter.to for letter in mail.outbox] == [[NEW], [OLD]]
    told = str(mail.outbox[-1].body)
    assert "no longer" in told
    assert NEW not in told


LONG = f"{'a' * 64}@{'.'.join(['b' * 60] * 3)}.org"
"""A valid address of 251 characters."""


def test_an_address_for_which_the_database_has_no_room_is_refused(written: People) -> None:
    client = logged_in(written)
    too_long = ask(client, LONG.replace(".org", ".example"))
    assert too_long.status_code == 400
    assert "at most 254 characters" in too_long.content.decode()
    assert not mail.outbox
    assert ask(client, LONG).status_code == 200
    assert [letter.to for letter in mail.outbox] == [[LONG]]


def test_letters_of_a_campaign_go_to_the_new_address(campaign: Campaign, written: People) -> None:
    Campaign.objects.update(created=timezone.now(), mode=Campaign.Mode.LIVE)
    User.objects.update(email="")
    client = Client()
    client.force_login(written.egyptian)
    ask(client)
    client.post(link())
    mail.outbox.clear()
    assert send_due() > 0
    assert {to for letter in mail.outbox for to in letter.to} == {NEW}


def test_a_link_is_good_once_even_when_the_old_address_is_back(written: People) -> None:
    client = logged_in(written)
    ask(client)
    first = link()
    client.post(first)
    assert not good(client.get(first))
    ask(client, OLD)
    client.post(link())
    assert address_of(written.umpire) == OLD
    assert client.post(first).status_code == 400
    assert address_of(written.umpire) == OLD


def test_a_link_ends_after_a_day_and_with_another_password(
    written: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = logged_in(written)
    ask(client)
    monkeypatch.setattr(email_addresses, "GOOD_FOR", timedelta(seconds=-1))
    assert not good(client.get(link()))
    monkeypatch.undo()
    assert good(client.get(link()))
    written.umpire.set_password(ANOTHER)
    written.umpire.save()
    client.force_login(written.umpire)
    assert not good(client.get(link()))


@pytest.mark.parametrize("place", [0, 12, -1])
def test_a_link_that_was_changed_is_good_for_nothing(written: People, place: int) -> None:
    client = logged_in(written)
    ask(client)
    token = link().split("/")[-2]
    letters = list(token)
    letters[place] = "A" if letters[place] != "A" else "B"
    assert not good(client.get(reverse("confirm-email", args=["".join(letters)])))


def test_whoever_else_reads_the_letter_takes_nothing(written: People) -> None:
    ask(logged_in(written))
    somebody = Client()
    assert somebody.post(link())["Location"].startswith(reverse("login"))
    somebody.force_login(written.egyptian)
    answer = somebody.post(link())
    assert not good(answer)
    assert NEW not in answer.content.decode()
    assert [address_of(one) for one in (written.umpire, written.egyptian)] == [OLD, ""]


def test_without_the_password_nothing_is_sent(written: People) -> None:
    answer = ask(logged_in(written), password="guess")
    assert answer.status_code == 400
    assert "not your password" in answer.content.decode()
    assert mail.outbox == []


@pytest.mark.usefixtures("unhurried")
def test_guessing_it_here_closes_every_door(written: People) -> None:
    client = logged_in(written)
    for number in range(10):
        ask(client, password=f"guess-{number}")
    assert ask(client).status_code == 429
    assert [knock(door, "umpire", PASSWORD).status_code for door in DOORS] == [429, 429, 429]
    assert mail.outbox == []


def test_nobody_learns_whose_an_address_is(written: People) -> None:
    User.objects.filter(pk=written.egyptian.pk).update(email="taken@example.org")
    client = logged_in(written)
    said = [ask(client, one).content.decode() for one in ("taken@example.org", "free9@example.org")]
    plain = [
        re.sub(r'name="csrfmiddlewaretoken" value="\w+"|(taken|free9)@', "", one) for one in said
    ]
    assert plain[0] == plain[1]
    assert len(mail.outbox) == 2


def test_nobody_is_sent_many_and_nobody_sends_many(written: People) -> None:
    clients = [logged_in(written), Client()]
    clients[1].force_login(written.egyptian)
    for number in range(4):
        last = ask(clients[0], "MAHDI@example.org" if number else "mahdi@example.org")
    assert last.status_code == 429
    assert int(last["Retry-After"]) > 60
    assert "Too many e-mails" in last.content.decode()
    assert ask(clients[1], "mahdi@example.org").status_code == 429
    assert len(mail.outbox) == 3
    answers = [ask(clients[0], f"somebody-{number}@example.org") for number in range(3)]
    assert [one.status_code for one in answers] == [200, 429, 429]


@pytest.mark.parametrize(
    "email", ["khartoum", "a@example.org\nBcc: evil@example.org", "a@example.org,b@example.org"]
)
def test_what_is_no_address_is_refused_and_no_header_comes_of_it(
    written: People, email: str
) -> None:
    answer = ask(logged_in(written), email)
    assert answer.status_code == 400
    assert "valid email address" in answer.content.decode()
    assert mail.outbox == []


@pytest.mark.django_db(transaction=True)
def test_no_address_at_all_ends_letters_at_once_and_the_old_one_is_told(written: People) -> None:
    token = mailing_of(written.umpire).token
    client = logged_in(written)
    assert "Your e-mail address is removed" in ask(client, "").content.decode()
    assert address_of(written.umpire) == ""
    assert [letter.to for letter in mail.outbox] == [[OLD]]
    assert Client().get(reverse("mail", args=[token])).status_code == 404


def test_a_letter_that_cannot_be_sent_is_said(
    written: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "EMAIL_BACKEND", "django.core.mail.backends.smtp.EmailBackend")
    monkeypatch.setattr(settings, "EMAIL_PORT", 9)
    answer = ask(logged_in(written))
    assert answer.status_code == 400
    assert "could not be sent" in answer.content.decode()
    assert address_of(written.umpire) == OLD


def test_the_page_is_found_where_ones_other_things_are(written: People) -> None:
    client = logged_in(written)
    pages = [client.get(reverse("account")), client.get(reverse("my-mail"), follow=True)]
    assert all(f'href="{PAGE}"' in page.content.decode() for page in pages)
    assert OLD in pages[1].content.decode()
    assert OLD not in Client().get(pages[1].redirect_chain[-1][0]).content.decode()
