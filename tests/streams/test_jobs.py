"""Jobs of any kind followed by their id: who may see one hears how far it is, nobody else."""

from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User

from accounts.models import Scope
from accounts.tokens import create_token
from campaign.models import Bench, Campaign, Comparison, Inquiry, InquiryPart, Job, Work
from campaign.services import comparisons, inquiries
from campaign.services.job_lease import fail
from campaign.services.journal import creation, rules_edition
from campaign.services.turns import advance_jobs
from tests.api.conftest import EVERYBODY, SEATS, As
from tests.api.problems import problem
from tests.battles_web.field import small_brief
from tests.own_tables import halted
from tests.people import SIEGE
from tests.streams.jobs import running_comparison
from tests.streams.served import following_at, run, served
from tests.streams.test_stream import elsewhere
from tests.streams.test_telling import messages

OWN = (Bench, Comparison, Inquiry)


@pytest.fixture
def works(seats: dict[str, User]) -> dict[type, Any]:
    """One of each kind, all asked for by the umpire; no worker has heard of them yet."""
    umpire = seats[SEATS["umpire"]]
    campaign = creation.create_campaign(creation.NewCampaignTerms(SIEGE, slug="dark", seats=seats))
    tables = rules_edition.name_tables(umpire, "Nobody marches", {"march": halted()})
    return {
        Job: advance_jobs.request_advance(campaign.pk, umpire),
        Bench: comparisons.request_bench(umpire, comparisons.BenchTerms(SIEGE, 2, after=tables)),
        Comparison: comparisons.request_comparison(
            umpire, comparisons.ComparisonTerms(small_brief(), 2)
        ),
        Inquiry: inquiries.forecast_campaign(campaign, umpire, runs=6),
    }


def stream(work: Any) -> str:
    return f"/api/v1/jobs/{work.uuid}/stream/"


def told(as_: As, who: str, work: Any) -> list[tuple[str, Any]]:
    """Return the messages about the job to a person: kinds and data."""
    answer = as_(who).get(stream(work))
    assert answer.status_code == 200
    return [(kind, data) for kind, _, data in messages(answer.content)]


@pytest.mark.django_db
@pytest.mark.parametrize("kind", [Job, *OWN])
def test_whoever_asked_for_it_hears_how_far_it_is(
    works: dict[type, Any], as_: As, kind: type
) -> None:
    work = works[kind]
    ((said, stands),) = told(as_, "umpire", work)
    assert (said, stands["uuid"]) == ("status", str(work.uuid))
    assert stands["status"] == "pending"
    assert stands["progress"] == {"completed": 0, "total": work.total}


@pytest.mark.django_db
def test_the_parts_of_an_inquiry_are_told_together(works: dict[type, Any], as_: As) -> None:
    first, second = works[Inquiry].parts.all()
    InquiryPart.objects.filter(pk=first.pk).update(status=Work.Status.SUCCEEDED, progress=5)
    ((_, stands),) = told(as_, "umpire", works[Inquiry])
    assert stands["status"] == "running"
    assert stands["progress"] == {"completed": 5, "total": 6}
    fail(second, "It was too much for him.")
    ((_, stands),) = told(as_, "umpire", works[Inquiry])
    assert (stands["status"], stands["message"]) == ("failed", "It was too much for him.")


@pytest.mark.django_db
def test_who_may_not_see_a_job_is_told_that_there_is_none(works: dict[type, Any], as_: As) -> None:
    for kind, work in works.items():
        may = SEATS if kind is Job else ("umpire",)
        for who in set(EVERYBODY).difference(may):
            problem(as_(who).get(stream(work)), "not-found")
    problem(as_("umpire").get(f"/api/v1/jobs/{uuid4()}/stream/"), "not-found")


@pytest.mark.django_db
def test_a_player_is_not_told_the_umpires_words_of_what_went_wrong(
    works: dict[type, Any], as_: As
) -> None:
    Campaign.objects.update(fog=True)
    fail(works[Job], "The stack in 0641 stands in the way.")
    said = {who: told(as_, who, works[Job])[0][1]["message"] for who in ("umpire", "egyptian")}
    assert "0641" in said["umpire"]
    assert said["egyptian"] == "It could not be done. The umpire can read why."


@pytest.mark.django_db
def test_the_documents_of_jobs_lead_to_their_streams(works: dict[type, Any], as_: As) -> None:
    at = {
        Job: f"/jobs/{works[Job].uuid}/",
        Bench: f"/simulations/{works[Bench].uuid}/",
        Comparison: f"/simulations/{works[Comparison].uuid}/",
        Inquiry: f"/simulations/{works[Inquiry].uuid}/",
    }
    for kind, address in at.items():
        assert as_("umpire").get(address).json()["links"]["stream"] == stream(works[kind])


@pytest.mark.django_db(transaction=True)
def test_a_job_is_followed_on_a_real_server_until_it_may_not_be_seen(tmp_path: Path) -> None:
    umpire = User.objects.create_user("umpire")
    (token, first), (_, second) = (create_token(umpire, "test", Scope.values) for _ in range(2))
    work = running_comparison(umpire)
    mine = Comparison.objects.filter(pk=work.pk)

    async def go() -> None:
        async with (
            following_at(server.port, stream(work), first) as one,
            following_at(server.port, stream(work), second) as other,
        ):
            for reader in (one, other):
                assert (await reader.message()).data["progress"]["completed"] == 0
            await elsewhere(mine.update, progress=3)
            for reader in (one, other):
                assert (await reader.message()).data["progress"]["completed"] == 3
            await elsewhere(token.delete)
            await elsewhere(fail, work, "Stopped.")
            assert await one.ended()
            assert (await other.message()).data["status"] == "failed"

    with served(tmp_path) as server:
        run(go())
