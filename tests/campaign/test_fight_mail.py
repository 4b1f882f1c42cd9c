"""Letters about a battle of one's own that is fought over days: to whom, once, and not live."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import mail as outbox
from django.utils import timezone

from battles import services
from battles.contract import Side
from battles.models import Battle, BattleEntry
from campaign.models import Campaign, Entry, Mailing, PushSubscription
from campaign.rules.core.state import TABLETOP
from campaign.services.battle_mail import QUIET_TIME, send_turns
from campaign.services.mail import send_due
from campaign.services.mail_messages import mailing_of
from campaign.services.recent_news import NEWS_AGE
from campaign.services.umpire import seat_control
from campaign.signals import push_due
from tests.battles_web.fights import asked, begun, player, step
from tests.campaign.battlefield import before_battle
from tests.campaign.test_fought_here import fight_on, row
from tests.people import People

SITE = "https://sirdar.example"


@pytest.fixture
def battle(settings: Any, db: None, people: People) -> Battle:
    """The second El Teb between two people, who have been away for a while."""
    settings.SITE_URL = SITE
    for user in people:
        user.email = f"{user.username}@example.org"
        user.save()
    found = begun(people, "redcoats")
    rest(found)
    return found


def rest(battle: Battle, so_long: timedelta = QUIET_TIME) -> None:
    """Nothing has been done in it for so long."""
    then = timezone.now() - so_long - timedelta(seconds=1)
    BattleEntry.objects.filter(battle=battle).update(created=then)


def test_whoever_is_waited_for_is_written_to_once(battle: Battle, people: People) -> None:
    side = asked(battle)
    assert side is not None
    assert (send_turns(), send_turns()) == (1, 0)
    (letter,) = outbox.outbox
    assert letter.to == [player(people, side).email]
    assert f"{SITE}/battles/{battle.uuid}/fight/" in letter.body
    assert "List-Unsubscribe" in letter.extra_headers


def test_one_turn_of_many_actions_is_one_letter(battle: Battle, people: People) -> None:
    first = asked(battle)
    assert first is not None
    letters = send_turns()
    while asked(battle) is first:
        step(people, battle)
        rest(battle)
        letters += send_turns()
    assert letters == 2
    assert outbox.outbox[1].to == [player(people, first.enemy).email]


@pytest.mark.parametrize("adjourned", [False, True])
def test_a_battle_of_a_campaign_tells_its_players_whose_turn_it_is(
    settings: Any, people: People, adjourned: bool
) -> None:
    settings.SITE_URL = SITE
    for user in people:
        user.email = f"{user.username}@example.org"
        user.save()
    campaign = before_battle(people, TABLETOP)
    battle = row(campaign)
    send_due()  # it begins
    outbox.outbox.clear()
    services.take_up(battle, people.egyptian, "redcoats")
    battle.refresh_from_db()
    assert send_due() == 0
    rest(battle)
    Entry.objects.update(created=timezone.now() - 2 * NEWS_AGE)  # it has lasted for days
    Campaign.objects.update(created=timezone.now() - 2 * NEWS_AGE)
    if adjourned:
        seat_control.adjourn(campaign.pk, people.umpire, reason="Holidays.")
        assert send_due() == 0
        return
    first = asked(battle)
    assert first is not None
    letters = send_due()
    while asked(battle) is first:
        fight_on(people, battle)
        rest(battle)
        letters += send_due()
    assert [letter.to for letter in outbox.outbox] == [
        [player(people, side).email] for side in (first, first.enemy)
    ]
    assert all("it is your turn" in letter.subject for letter in outbox.outbox)
    assert all(f"{SITE}/battles/{battle.uuid}/fight/" in letter.body for letter in outbox.outbox)
    assert letters == 2


def test_nobody_is_written_to_while_both_are_at_it(battle: Battle, people: People) -> None:
    step(people, battle)
    assert send_turns() == 0


@pytest.mark.parametrize("spoiled", ["paused", "over", "left to the computer", "years ago"])
def test_nobody_is_written_to_about_what_does_not_wait(
    battle: Battle, people: People, spoiled: str
) -> None:
    side = asked(battle)
    assert side is not None
    if spoiled == "paused":
        services.pause(battle, people.umpire, paused=True)
    elif spoiled == "over":
        services.finish(battle, people.umpire)
    elif spoiled == "left to the computer":
        services.lead(battle, people.umpire, side.enemy, computer=True)
    rest(battle, timedelta(days=900) if spoiled == "years ago" else QUIET_TIME)
    assert send_turns() == 0


def test_who_wants_no_letters_gets_none(battle: Battle, people: People) -> None:
    side = asked(battle)
    assert side is not None
    Mailing.objects.filter(pk=mailing_of(player(people, side)).pk).update(turn=False)
    assert send_turns() == 0


def test_what_could_not_be_sent_is_tried_again(battle: Battle, settings: Any) -> None:
    working = settings.EMAIL_BACKEND
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    assert send_turns() == 0
    settings.EMAIL_BACKEND = working
    assert send_turns() == 1


def test_browsers_do_not_wait_for_a_mail_server_that_fails(
    battle: Battle, people: People, settings: Any, django_capture_on_commit_callbacks: Any
) -> None:
    side = asked(battle)
    assert side is not None
    user = player(people, side)
    browser = {"endpoint": "https://push.example/1", "p256dh": "k", "auth": "a"}
    subscription = PushSubscription.objects.create(user=user, **browser)
    heard = list[Any]()

    def hear(**about: Any) -> None:
        heard.append((about["subscriptions"], about["notice"]["title"]))

    push_due.connect(hear)
    working = settings.EMAIL_BACKEND
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    with django_capture_on_commit_callbacks(execute=True):
        assert (send_turns(), send_turns()) == (1, 0)
    settings.EMAIL_BACKEND = working
    with django_capture_on_commit_callbacks(execute=True):
        assert (send_turns(), send_turns()) == (1, 0)
    push_due.disconnect(hear)
    assert heard == [([subscription.pk], f"{battle.title}: it is your turn")]
    assert len(sent_to(user)) == 1


def up(battle: Battle) -> Side:
    """Return the time of the side that is asked is up."""
    Battle.objects.filter(pk=battle.pk).update(due=timezone.now())
    side = asked(battle)
    assert side is not None
    return side


def sent_to(user: User) -> list[str]:
    """Return the subjects of the letters to a person, the latest last."""
    return [str(letter.subject) for letter in outbox.outbox if letter.to == [user.email]]


def test_both_are_told_that_the_time_is_up_once(battle: Battle, people: People) -> None:
    send_turns()
    side = up(battle)
    assert (send_turns(), send_turns()) == (2, 0)
    assert "your time is up" in sent_to(player(people, side))[-1]
    assert "the other side’s time is up" in sent_to(player(people, side.enemy))[-1]


def test_both_are_told_of_a_side_that_was_left_and_taken_back(
    battle: Battle, people: People
) -> None:
    side = up(battle)
    send_turns()
    services.stand_in(battle, player(people, side.enemy))
    assert (send_turns(), send_turns()) == (1, 0)
    assert "the computer leads your side" in sent_to(player(people, side))[-1]
    services.lead(battle, player(people, side), side, computer=False)
    assert (send_turns(), send_turns()) == (1, 0)
    assert "is back" in sent_to(player(people, side.enemy))[-1]
