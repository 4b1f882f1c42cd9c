"""The command line in battles."""

import re
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

import campaign.tasks
from battles.contract.brief import Side
from campaign.access import selectors
from campaign.models import Campaign
from campaign.rules.core.state import TABLETOP
from campaign.simulations import campaign_runs
from tests.campaign.battlefield import before_battle, brief
from tests.people import SIEGE, People

RELIEF = "relief-of-el-obeid"


pytestmark = pytest.mark.usefixtures("duel")


def said(*words: str) -> str:
    out = StringIO()
    call_command(*words, stdout=out)
    return out.getvalue()


def test_newcampaign_hands_its_battles_over(people):
    said("newcampaign", SIEGE, "--slug", "fought", "--resolution", "duel")
    state = selectors.state_now(Campaign.objects.get(slug="fought"))
    assert state.hand_off is not None
    assert state.hand_off.resolution == "duel"


def test_newcampaign_refuses_a_book_that_there_is_not(people):
    with pytest.raises(
        CommandError, match="'hannibal': there are combat-table, tabletop, redcoats"
    ):
        said("newcampaign", SIEGE, "--resolution", "hannibal")


def test_battles_due_settles_what_has_waited_too_long(people: People):
    waiting = before_battle(people, TABLETOP)
    battle = brief(waiting).id
    assert said("battles_due") == "No battle has waited too long.\n"
    Campaign.objects.update(battle_due=timezone.now() - timedelta(minutes=1))
    how = "by the campaign’s own table"
    assert said("battles_due") == f"{waiting.slug}, battle {battle}: Fought {how}.\n"


def test_a_worker_settles_them_too(people: People):
    waiting = before_battle(people, TABLETOP)
    Campaign.objects.update(battle_due=timezone.now() - timedelta(minutes=1))
    campaign.tasks.battles_due.delay()
    waiting.refresh_from_db()
    assert waiting.battle == ""


def test_a_campaign_runs_to_its_end_with_every_battle_fought_by_a_book():
    run = campaign_runs.play_campaign(RELIEF, 3, 1, battles="duel")
    assert run.error == ""
    assert run.result is not None
    again = campaign_runs.play_campaign(RELIEF, 3, 1, battles="duel")
    assert again == run
    assert campaign_runs.play_campaign(RELIEF, 3, 1).losses != run.losses
    assert all(run.losses[side.value]["combat"] for side in Side)


def test_simulate_plays_with_battles_and_refuses_what_it_cannot_wait_for(people):
    told = said("simulate", RELIEF, "--campaigns", "1", "--workers", "1", "--resolution", "duel")
    assert re.search(r"1 campaigns, seed 1", told)
    with pytest.raises(CommandError, match="Nobody fights by hand here"):
        said("simulate", RELIEF, "--campaigns", "1", "--resolution", TABLETOP)
