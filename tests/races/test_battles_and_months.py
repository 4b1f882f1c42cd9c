"""A battle that is over is never lost, and neither are the months that waited for it."""

from typing import Any

import pytest

import campaign.tasks  # noqa: F401  a task that is known runs at once in a test
from battles import services as books
from battles.access import battle_of
from battles.models import Battle
from campaign.models import Campaign, Job
from campaign.rules.core.actions import HandOver
from campaign.rules.core.state import TABLETOP
from campaign.services import battle_reports
from campaign.services.pending_battle import owner_of
from campaign.services.turns import advance
from campaign.services.turns.deadlines import keep_deadlines
from tests.campaign.battlefield import before_battle, result
from tests.people import People, sit_down


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
    job = advance.book_advance(played.pk, people.umpire, months=6)
    run_month, reported = advance.run_month, list[str]()

    def run_and_report(*of: Any, **terms: Any) -> Campaign:
        stopped = run_month(*of, **terms)
        if stopped.battle and not reported:
            reported.append(stopped.battle)
            battle_reports.enter_result(played.pk, people.umpire, result(stopped))
        return stopped

    monkeypatch.setattr(advance, "run_month", run_and_report)
    advance.run_job(job.uuid)
    keep_deadlines()
    played.refresh_from_db()
    last = Job.objects.filter(campaign=played).latest("pk")
    assert reported
    assert played.battle != reported[0]
    assert last.battle == played.battle, "it waits for another battle, or has come to its end"
    assert played.battle or played.finished or played.month == job.until
