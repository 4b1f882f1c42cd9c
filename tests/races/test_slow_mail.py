"""A mail server that takes its time holds nobody up, and no letter is sent twice meanwhile."""

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import pytest
from django.contrib.auth.models import User
from django.core import mail as outbox
from django.core.mail.backends.locmem import EmailBackend
from django.db import connection

from accounts.models import Scope
from accounts.tokens import create_token
from battles.models import Battle
from campaign.models import Campaign, MailSent
from campaign.services import battle_mail, mail
from tests.api.conftest import Api
from tests.battles_web import fights
from tests.campaign import test_fight_mail, test_mail
from tests.patience import PATIENCE
from tests.people import PASSWORD, People

pytestmark = pytest.mark.django_db(transaction=True)


class SlowServer(EmailBackend):
    """A mail server during whose first letter others do something."""

    meanwhile: ClassVar[list[Callable[[], object]]] = []

    def send_messages(self, messages: Any) -> int:
        while self.meanwhile:
            other = threading.Thread(target=_go, args=[self.meanwhile.pop()])
            other.start()
            other.join(PATIENCE)
        sent: int = super().send_messages(messages)
        return sent


def _go(change: Callable[[], object]) -> None:
    try:
        change()
    finally:
        connection.close()


@pytest.fixture(autouse=True)
def slow(settings: Any, people: People) -> Iterator[None]:
    settings.EMAIL_BACKEND, settings.SITE_URL = f"{__name__}.SlowServer", test_mail.SITE
    for user in people:
        user.email = f"{user.username}@example.org"
        user.save()
    yield
    SlowServer.meanwhile.clear()


@pytest.fixture
def sweep(request: pytest.FixtureRequest, people: People) -> Callable[[], int]:
    """A sweep that has letters to send: about a campaign or about a battle."""
    if request.param == "campaign":
        test_mail.begun(people)
        return mail.send_due
    test_fight_mail.rest(fights.begun(people, "redcoats"))
    return battle_mail.send_turns


def rename(user: User) -> int:
    """Give the user another name without waiting for other writers; return the rows written."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA busy_timeout = 0")
    return User.objects.filter(pk=user.pk).update(first_name="Zubair")


both = pytest.mark.parametrize("sweep", ["campaign", "battle"], indirect=True)


@both
def test_others_write_while_a_letter_is_sent(sweep: Callable[[], int], people: People) -> None:
    written = list[int]()
    SlowServer.meanwhile.append(lambda: written.append(rename(people.stranger)))
    assert sweep() > 0
    assert written == [1]


@both
def test_a_second_sweep_sends_no_letter_that_is_being_sent(sweep: Callable[[], int]) -> None:
    SlowServer.meanwhile.append(sweep)
    sweep()
    sweep()
    letters = Counter((letter.to[0], letter.subject) for letter in outbox.outbox)
    assert letters
    assert set(letters.values()) == {1}


@both
def test_a_letter_about_what_is_deleted_meanwhile_stops_no_sweep(sweep: Callable[[], int]) -> None:
    SlowServer.meanwhile += [Campaign.objects.all().delete, Battle.objects.all().delete]
    assert sweep() > 0
    assert not MailSent.objects.exists()


@pytest.mark.parametrize("address", ["wood@example.org", None])
def test_others_write_while_the_letter_about_a_changed_address_is_sent(
    people: People, address: str | None
) -> None:
    umpire = Api(create_token(people.umpire, "test", Scope.values)[1])
    tag, written = umpire.get("/account/")["ETag"], list[int]()
    SlowServer.meanwhile.append(lambda: written.append(rename(people.stranger)))
    body = {"email": address, "password": PASSWORD}
    answer = umpire.patch("/account/", body, **{"If-Match": tag})
    assert answer.status_code == 200
    assert len(outbox.outbox) == 1
    assert written == [1]
