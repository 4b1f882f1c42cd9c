"""A battle that is over is never lost, and neither are the months that waited for it."""

from contextlib import suppress
from typing import Any

import pytest
from django.urls import reverse

import campaign.tasks  # noqa: F401  a task that is known runs at once in a test
from battles import services as books
from battles.access import battle_of
from battles.models import Battle
from campaign.models import Campaign, Job
from campaign.rules.core.actions import HandOver
from campaign.rules.core.state import COMBAT_TABLE, TABLETOP
from campaign.services import battle_reports
from campaign.services.pending_battle import owner_of
from campaign.services.turns import advance, advance_jobs
from campaign.services.turns.deadlines import keep_deadlines
from tests.battles_web.fights import step
from tests.campaign.battlefield import before_battle, result
from tests.people import People, logged_in, sit_down
from tests.races.interruption import interruptions, meanwhile, written_beside


def awaited(campaign: Campaign) -> Battle:
    found = battle_of(owner_of(campaign), campaign.battle)
    assert found is not None
    return found


def test_a_battle_whose_process_died_before_it_told_the_campaign_is_reported(
    people: People,
) -> None:
    by_hand = before_battle(people, TABLETOP)
    battle = awaited(by_hand)
    books.take_up(battle, people.egyptian, "redcoats")
    books.finish(battle, people.umpire)
    by_hand.refresh_from_db()
    assert by_hand.battle == battle.brief_id, "nothing is done after the commit: nobody was left"
    keep_deadlines()
    by_hand.refresh_from_db()
    assert by_hand.battle == ""
    assert by_hand.entries.filter(actor="book:redcoats").count() == 1
    keep_deadlines()
    assert by_hand.entries.filter(actor="book:redcoats").count() == 1


@pytest.mark.django_db(transaction=True)
def test_months_go_on_whose_battle_is_reported_while_their_job_stops_at_it(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = sit_down(people, months=2)
    battle_reports.arrange_battles(played.pk, people.umpire, HandOver(TABLETOP, book="redcoats"))
    job = advance_jobs.book_advance(played.pk, people.umpire, months=6)
    run_month, reported = advance.run_month, list[str]()

    def run_and_report(*of: Any, **terms: Any) -> Campaign:
        stopped = run_month(*of, **terms)
        if stopped.battle and not reported:
            reported.append(stopped.battle)
            battle_reports.enter_result(played.pk, people.umpire, result(stopped))
        return stopped

    monkeypatch.setattr(advance_jobs, "run_month", run_and_report)
    advance_jobs.run_job(job.uuid)
    keep_deadlines()
    played.refresh_from_db()
    last = Job.objects.filter(campaign=played).latest("pk")
    assert reported
    assert played.battle != reported[0]
    assert last.battle == played.battle, "it waits for another battle, or has come to its end"
    assert played.battle or played.finished or played.month == job.until


@pytest.mark.parametrize("by", ["page", "interface"])
def test_a_battle_that_is_called_off_as_it_is_begun_is_not_begun(people: People, by: str) -> None:
    campaign = before_battle(people, TABLETOP)
    battle, client = awaited(campaign), logged_in(people.egyptian)

    def call_off() -> None:
        assert books.call_off(owner_of(campaign), campaign.battle)

    with meanwhile(call_off):
        if by == "page":
            address = reverse("fight-begin", args=[battle.uuid])
            answer = client.post(address, {"book": "redcoats"}, follow=True)
        else:
            address = reverse("api:fight", args=[battle.uuid])
            answer = client.put(address, {"book": "redcoats"}, content_type="application/json")
    assert answer.status_code == (404 if by == "page" else 409)
    assert "ends without a result" in answer.content.decode()


@pytest.mark.django_db(transaction=True)
def test_a_battle_is_called_off_while_a_player_acts_in_it(people: People) -> None:
    """Only PostgreSQL lets the player write while the battle's rows are deleted."""
    campaign = before_battle(people, TABLETOP)
    battle = books.take_up(awaited(campaign), people.egyptian, "redcoats")

    def act() -> None:
        with suppress(books.Refused):
            step(people, battle)

    with written_beside(act, before='(DELETE|UPDATE).*"battles_'):
        battle_reports.choose_method(campaign.pk, people.umpire, battle.brief_id, COMBAT_TABLE)
    assert not Battle.objects.filter(pk=battle.pk).exists()


@pytest.mark.parametrize("name", ["fight", "fight-follow", "api:fight", "api:fight-log"])
def test_a_battle_that_is_called_off_as_it_is_read_is_not_there(people: People, name: str) -> None:
    campaign = before_battle(people, TABLETOP)
    battle, client = awaited(campaign), logged_in(people.egyptian)
    books.take_up(battle, people.egyptian, "redcoats")
    answers = interruptions(
        lambda headers: client.get(reverse(name, args=[battle.uuid]), headers=headers),
        lambda: books.call_off(owner_of(campaign), campaign.battle),
    )
    assert {answer.status_code for _, answer in answers} <= {200, 404}


@pytest.mark.parametrize("name", ["battle", "battle-table", "api:battle"])
def test_a_campaign_that_is_deleted_as_its_battle_is_read_has_none(
    people: People, name: str
) -> None:
    campaign = before_battle(people, TABLETOP)
    battle, client = awaited(campaign), logged_in(people.umpire)
    answers = interruptions(
        lambda headers: client.get(reverse(name, args=[battle.uuid]), headers=headers),
        lambda: Campaign.objects.filter(pk=campaign.pk).delete(),
    )
    assert {answer.status_code for _, answer in answers} <= {200, 404}
