"""A forgotten password: whoever reads the letter has another, and nobody else learns anything."""

import re
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client
from django.urls import reverse

from tests.people import PASSWORD, People
from tests.security.test_own_password import ANOTHER, opens, token_of
from tests.security.test_passwords import DOORS, HOME, knock, let_in, unhurried
from tests.security.test_sessions import is_logged_in, logged_in

__all__ = ["unhurried"]

PAGE = "/accounts/password/forgotten/"
THEIRS = "umpire@example.org"


@pytest.fixture
def written(people: People) -> People:
    """People whose umpire has given an address."""
    User.objects.filter(pk=people.umpire.pk).update(email=THEIRS)
    return people


def ask(email: str = THEIRS) -> Any:
    return Client().post(PAGE, {"email": email}, REMOTE_ADDR=HOME, follow=True)


def link() -> str:
    """Return where the last letter leads to."""
    found = re.search(
        rf"{re.escape(settings.SITE_URL.rstrip('/'))}(/\S+)", str(mail.outbox[-1].body)
    )
    assert found
    return found[1]


def renew(client: Client, new: str = ANOTHER, again: str = "") -> Any:
    form = client.get(link(), follow=True)
    where = form.redirect_chain[-1][0] if form.redirect_chain else link()
    given = {"new_password1": new, "new_password2": again or new}
    return client.post(where, given, REMOTE_ADDR=HOME)


def test_the_letter_leads_to_a_new_password_and_everything_else_ends(written: People) -> None:
    elsewhere, key = logged_in(written), token_of(written.umpire)
    ask()
    assert mail.outbox[-1].to == [THEIRS]
    assert renew(Client())["Location"] == reverse("login")
    assert [let_in(knock(DOORS[0], "umpire", one)) for one in (PASSWORD, ANOTHER)] == [False, True]
    assert not is_logged_in(elsewhere)
    assert not opens(key)


@pytest.mark.usefixtures("unhurried")
@pytest.mark.parametrize("door", DOORS)
def test_who_was_shut_out_comes_in_with_the_new_password(written: People, door: str) -> None:
    for number in range(10):
        knock(door, "umpire", f"guess-{number}")
    ask()
    assert knock(door, "umpire", PASSWORD).status_code == 429
    renew(Client())
    assert let_in(knock(door, "umpire", ANOTHER))


def test_a_link_is_good_once(written: People) -> None:
    ask()
    renew(Client())
    again = Client().get(link(), follow=True)
    assert "no longer works" in again.content.decode()
    assert "new_password1" not in again.content.decode()


def test_a_link_is_of_no_use_once_the_password_is_another(written: People) -> None:
    ask()
    written.umpire.set_password(ANOTHER)
    written.umpire.save()
    assert "no longer works" in Client().get(link(), follow=True).content.decode()


@pytest.mark.parametrize("change", [{"email": "new@example.org"}, {"is_active": False}])
def test_a_link_is_of_no_use_once_the_address_is_another_or_the_account_closed(
    written: People, change: dict[str, Any]
) -> None:
    ask()
    User.objects.filter(pk=written.umpire.pk).update(**change)
    page = Client().get(link(), follow=True).content.decode()
    assert ("no longer works" in page) == ("email" in change)
    renew(Client())
    assert not let_in(knock(DOORS[0], "umpire", ANOTHER))


def test_an_older_link_ends_when_a_newer_one_is_used(written: People) -> None:
    ask()
    first = link()
    ask()
    renew(Client())
    assert "no longer works" in Client().get(first, follow=True).content.decode()


def test_a_link_opened_before_the_password_was_changed_changes_nothing(written: People) -> None:
    ask()
    client = Client()
    opened = client.get(link(), follow=True).redirect_chain[-1][0]
    written.umpire.set_password("the-owner-was-quicker")
    written.umpire.save()
    given = {"new_password1": ANOTHER, "new_password2": ANOTHER}
    assert "no longer works" in client.post(opened, given, REMOTE_ADDR=HOME).content.decode()
    assert not let_in(knock(DOORS[0], "umpire", ANOTHER))


@pytest.mark.parametrize(
    ("new", "again", "wrong"),
    [
        ("12345678", "", "numeric"),
        ("camels-" * 29, "", "at most 200 characters"),
        (ANOTHER, "five-camels-at-noon", "match"),
    ],
)
def test_what_will_not_do_is_said_and_the_link_stays_good(
    written: People, new: str, again: str, wrong: str
) -> None:
    ask()
    client = Client()
    answer = renew(client, new, again)
    assert answer.status_code == 400
    assert wrong in answer.content.decode()
    assert let_in(knock(DOORS[0], "umpire", PASSWORD))


def test_nobody_learns_who_is_here(written: People) -> None:
    pages = [ask(one).content.decode() for one in (THEIRS, "nobody@example.org")]
    hidden = [re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", page) for page in pages]
    assert hidden[0] == hidden[1]
    assert "an e-mail to it is on its way" in hidden[0]
    assert len(mail.outbox) == 1


def test_nobody_is_sent_many(written: People) -> None:
    for _ in range(5):
        assert "is on its way" in ask(THEIRS.upper()).content.decode()
    assert len(mail.outbox) == 3


def test_no_address_is_said(written: People) -> None:
    answer = Client().post(PAGE, {"email": "khartoum"}, REMOTE_ADDR=HOME)
    assert answer.status_code == 400
    assert "valid email address" in answer.content.decode()


def test_a_letter_that_cannot_be_sent_tells_nobody_anything(
    written: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "EMAIL_BACKEND", "django.core.mail.backends.smtp.EmailBackend")
    monkeypatch.setattr(settings, "EMAIL_PORT", 9)
    assert "is on its way" in ask().content.decode()


def test_the_page_is_found_where_one_logs_in(db: None) -> None:
    assert f'href="{PAGE}"' in Client().get(reverse("login")).content.decode()
