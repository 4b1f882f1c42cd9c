"""Dice that were typed in are not asked for again, nor kept for another throw."""

import pytest
from django.urls import reverse

from campaign.models import Campaign, Job
from campaign.services import errors
from campaign.services.journal import dice
from campaign.services.turns import advance_jobs
from campaign.services.umpire import rulings
from tests.people import People, logged_in, sit_down
from tests.races.interruption import meanwhile

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def campaign(people: People, no_worker: None) -> Campaign:
    """A campaign whose month has stopped at a throw, with no worker until the test is one."""
    campaign = sit_down(people, months=2)
    rulings.throw_by_hand(campaign.pk, people.umpire, yes=True)
    run(advance_jobs.book_advance(campaign.pk, people.umpire))
    campaign.refresh_from_db()
    return campaign


def run(job: Job) -> None:
    advance_jobs.run_job(job.uuid)


def typed_count(campaign: Campaign) -> int:
    """Return how many faces wait to be used."""
    throw = dice.waiting_throw(campaign)
    return len(throw.faces) if throw else 0


def test_no_face_is_taken_for_dice_that_were_typed_in_before(
    campaign: Campaign, people: People
) -> None:
    throw = dice.waiting_throw(campaign)
    assert throw is not None
    faces = [1] * throw.count
    assert rulings.type_in(campaign.pk, people.umpire, faces, expected=0) is None
    with pytest.raises(errors.UnderWay, match="typed in"):
        rulings.type_in(campaign.pk, people.umpire, faces, expected=throw.count)
    assert typed_count(campaign) == throw.count


def test_page_and_interface_ask_for_no_dice_until_the_worker_has_gone_on(
    campaign: Campaign, people: People
) -> None:
    umpire, throw = logged_in(people.umpire), dice.waiting_throw(campaign)
    assert throw is not None
    console = reverse("console", args=[campaign.slug])
    address = f"/api/v1/campaigns/{campaign.slug}/dice-by-hand/"

    def asks() -> tuple[bool, bool]:
        page = umpire.get(console).content.decode()
        return 'id="faces"' in page, umpire.get(address).json()["throw"] is not None

    assert asks() == (True, True)
    sent = {"do": "dice", "faces": " ".join(["1"] * throw.count), "expected": "0"}
    answer = umpire.post(reverse("command", args=[campaign.slug]), sent, follow=True)
    assert "The dice are entered, and the campaign goes on." in answer.content.decode()
    assert asks() == (False, False)
    job = campaign.jobs.get(status=Job.Status.PENDING)
    run(job)
    campaign.refresh_from_db()
    assert typed_count(campaign) in (0, throw.count)
    assert asks() == (dice.waiting_throw(campaign) is not None,) * 2


class Killed(BaseException):
    """The end of a process in the middle of its work."""


def die() -> None:
    raise Killed


STORED = 'UPDATE "campaign_throw"'


def test_dice_are_stored_only_with_what_they_were_typed_in_for(
    campaign: Campaign, people: People
) -> None:
    """A process that dies in between leaves none that would be taken for the next dice."""
    throw = dice.waiting_throw(campaign)
    assert throw is not None
    faces = [1] * throw.count
    with pytest.raises(Killed), meanwhile(die, before='SELECT .*"campaign_job"', after=STORED):
        rulings.type_in(campaign.pk, people.umpire, faces, expected=0)
    assert typed_count(campaign) == 0
    rulings.type_in(campaign.pk, people.umpire, faces, expected=0)
    assert typed_count(campaign) == throw.count
    assert campaign.jobs.filter(status=Job.Status.PENDING).exists()
