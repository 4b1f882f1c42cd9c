"""The balance bench: two sets of tables played against each other, a few campaigns at a time."""

from collections.abc import Iterator
from datetime import timedelta
from math import hypot, sqrt
from time import sleep
from typing import Any

import pytest
from celery import current_app
from django.test import Client
from django.urls import reverse
from django.utils import timezone

import campaign.tasks  # noqa: F401  a task that is known runs at once in a test
from battles.contract.brief import Side
from battles.core.decoding import encode
from campaign.models import Bench, OwnTables
from campaign.rules.core.state import CampaignResult
from campaign.rules.tables.scenario_loader import scenarios
from campaign.services import comparisons, errors, job_lease
from campaign.services import comparisons as benches
from campaign.services.journal import own_scenarios, rules_edition
from campaign.simulations import campaign_runs
from campaign.simulations.campaign_runs import CAUSES, CampaignRun
from campaign.simulations.ladder import LadderTerms, play_place
from campaign.web.odds import balance_bench
from tests.campaign.test_own_scenarios import golden
from tests.own_tables import SIEGE, brief, halted
from tests.people import People

FELL = CampaignResult(Side.MAHDIST, "Khartoum has fallen.", "4.2")
DRAWN = CampaignResult(None, "Time is up.", "4.2")


def run(number: int, result: CampaignResult | None, months: int, lost: int = 0) -> CampaignRun:
    losses = {side.value: dict.fromkeys(CAUSES, 0) for side in Side}
    losses["egyptian"]["combat"] = lost
    return CampaignRun(number, months, 100, result, losses, "" if result else "stuck")


def test_shares_and_means_have_their_errors() -> None:
    before = [run(n, FELL if n < 4 else DRAWN, 10 + n, n) for n in range(8)]
    after = [run(n, FELL, 10) for n in range(8)]
    told = campaign_runs.compare(before, after)
    egyptian, mahdist, drawn = told.winners
    assert (mahdist.before.value, mahdist.after.value, mahdist.change.value) == (0.5, 1.0, 0.5)
    assert mahdist.before.error == pytest.approx(sqrt(0.5 * 0.5 / 12))
    assert mahdist.after.error == pytest.approx(sqrt((10 / 12) * (2 / 12) / 12))
    assert mahdist.change.error == pytest.approx(hypot(mahdist.before.error, mahdist.after.error))
    assert mahdist.is_plain
    assert (egyptian.before.value, egyptian.after.value, egyptian.is_plain) == (0, 0, False)
    assert drawn.change.value == -0.5
    assert told.months.before.value == 13.5
    assert told.months.before.error == pytest.approx(sqrt(6 / 8))
    assert told.months.after == campaign_runs.MeanWithError(10, 0)
    lost = next(line for line in told.losses if line.before.value)
    assert (lost.name, lost.side) == ("the Egyptian side: combat", Side.EGYPTIAN)
    assert lost.before.value == 3.5


def test_the_commonest_ending_comes_first_and_no_end_is_told() -> None:
    told = campaign_runs.compare(
        [run(1, FELL, 9), run(2, DRAWN, 21)], [run(1, DRAWN, 21), run(2, None, 3)]
    )
    assert [line.name for line in told.endings] == [DRAWN.reason, FELL.reason]
    assert told.winners[-1].name == "came to no end"
    assert told.winners[-1].after.value == 0.5
    assert told.errors == ("stuck",)


def test_the_page_says_who_wins_by_an_ending() -> None:
    ends = [CampaignResult(side, "The side with more points.", "4.2") for side in Side]
    runs = [run(number, result, 3) for number, result in enumerate([*ends, DRAWN])]
    told: Any = balance_bench.describe_comparison(campaign_runs.compare(runs, runs))
    assert [line.name for line in told["endings"]] == [
        "The Egyptian side wins. The side with more points.",
        "The Mahdists win. The side with more points.",
        DRAWN.reason,
    ]


@pytest.fixture
def sets(people: People) -> tuple[OwnTables, OwnTables]:
    """A siege of one month, and the same with nobody marching."""
    short = rules_edition.name_tables(people.umpire, "Short", {SIEGE: brief()})
    slow = rules_edition.name_tables(people.umpire, "Slow", {SIEGE: brief(), "march": halted()})
    return short, slow


@pytest.fixture
def no_worker(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let jobs wait until the test does the worker's part, all in one slice."""
    monkeypatch.setattr(job_lease, "SLICE", 600)
    current_app.conf.task_always_eager = False
    yield
    current_app.conf.task_always_eager = True


def ask(people: People, sets: tuple[OwnTables, OwnTables], campaigns: int = 3) -> Bench:
    before, after = sets
    return comparisons.request_bench(
        people.umpire, comparisons.BenchTerms(SIEGE, campaigns, before, after)
    )


def results(bench: Bench) -> list[bytes]:
    bench.refresh_from_db()
    return [encode(one) for one in benches.runs_of(bench)]


@pytest.mark.django_db(transaction=True)
def test_a_bench_is_played_from_end_to_end(
    people: People, sets: tuple[OwnTables, OwnTables]
) -> None:
    bench = ask(people, sets)
    bench.refresh_from_db()
    assert (bench.status, bench.progress, bench.total) == ("succeeded", 6, 6)
    runs = benches.runs_of(bench)
    assert [one.number for one in runs] == [1, 1, 2, 2, 3, 3]
    assert all(one.months == 1 for one in runs)
    assert all(one.result is not None for one in runs)
    assert runs[0] != runs[1]
    assert bench.finished is not None


@pytest.mark.django_db(transaction=True)
def test_the_same_number_comes_to_the_same(
    people: People, sets: tuple[OwnTables, OwnTables]
) -> None:
    assert results(ask(people, sets)) == results(ask(people, sets))


@pytest.mark.django_db(transaction=True)
def test_a_bench_gives_way_after_a_slice_and_goes_on(
    people: People,
    sets: tuple[OwnTables, OwnTables],
    no_worker: None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(job_lease, "SLICE", 0)
    bench, played = ask(people, sets), 0
    while (claim := comparisons.run_bench(bench.uuid)) is job_lease.Claim.MORE:
        played += 1
        bench.refresh_from_db()
        assert (bench.status, bench.progress) == ("pending", played)
        assert len(benches.runs_of(bench)) == played
        twice = comparisons.run_bench(bench.uuid, expected=played - 1)
        assert twice is job_lease.Claim.NOTHING
    assert claim is job_lease.Claim.DONE
    assert played == 5
    pieces = results(bench)
    assert comparisons.run_bench(bench.uuid, expected=4) is job_lease.Claim.NOTHING
    assert comparisons.run_bench(bench.uuid) is job_lease.Claim.NOTHING
    current_app.conf.task_always_eager = True
    assert results(ask(people, sets)) == pieces


class Killed(BaseException):
    """The worker is gone in the middle of things."""


@pytest.mark.django_db(transaction=True)
def test_a_campaign_that_takes_longer_than_the_lease_stays_with_its_worker(
    people: People,
    sets: tuple[OwnTables, OwnTables],
    no_worker: None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bench, play, taken = ask(people, sets), campaign_runs.play_campaign, list[bool]()
    monkeypatch.setattr(job_lease, "LEASE", timedelta(seconds=0.6))

    def play_slowly(*terms: Any, **more: Any) -> CampaignRun:
        played = play(*terms, **more)
        sleep(2)
        taken.append(job_lease.claim(Bench.objects.get(pk=bench.pk)))
        return played

    monkeypatch.setattr(campaign_runs, "play_campaign", play_slowly)
    monkeypatch.setattr(job_lease, "SLICE", 0.0)
    assert comparisons.run_bench(bench.uuid) is job_lease.Claim.MORE
    assert taken == [False]
    assert comparisons.run_bench(bench.uuid) is job_lease.Claim.MORE, "it is free between slices"


@pytest.mark.django_db(transaction=True)
def test_a_killed_worker_loses_no_campaign(
    people: People, sets: tuple[OwnTables, OwnTables], no_worker: None
) -> None:
    bench = ask(people, sets)

    def die(after: Bench) -> None:
        if after.progress == 2:
            raise Killed

    with pytest.raises(Killed):
        comparisons.run_bench(bench.uuid, on_progress=die)
    bench.refresh_from_db()
    assert (bench.status, bench.progress) == ("running", 2)
    assert comparisons.run_bench(bench.uuid) is job_lease.Claim.BUSY
    Bench.objects.update(touched=timezone.now() - timedelta(minutes=1))
    assert comparisons.resume_benches() == 1
    assert comparisons.run_bench(bench.uuid) is job_lease.Claim.DONE
    assert len(results(bench)) == 6


@pytest.mark.django_db(transaction=True)
def test_one_bench_at_a_time_for_each_user(
    people: People, sets: tuple[OwnTables, OwnTables], no_worker: None
) -> None:
    ask(people, sets)
    with pytest.raises(errors.UnderWay, match="wait until it is done, or stop it"):
        ask(people, sets)
    theirs = rules_edition.name_tables(people.egyptian, "Slow", {"march": halted()})
    comparisons.request_bench(people.egyptian, comparisons.BenchTerms(SIEGE, 2, None, theirs))
    assert Bench.objects.filter(status="pending").count() == 2


@pytest.mark.django_db(transaction=True)
def test_a_bench_nobody_is_about_any_more_makes_way(
    people: People, sets: tuple[OwnTables, OwnTables], no_worker: None
) -> None:
    first = ask(people, sets)
    Bench.objects.update(status="running", touched=timezone.now() - timedelta(minutes=1))
    ask(people, sets)
    first.refresh_from_db()
    assert first.status == "failed"
    assert "another was requested" in first.message


@pytest.mark.django_db(transaction=True)
def test_a_bench_that_waits_in_the_queue_for_long_is_kept(
    people: People, sets: tuple[OwnTables, OwnTables], no_worker: None
) -> None:
    first = ask(people, sets)
    Bench.objects.update(touched=timezone.now() - timedelta(minutes=1))
    with pytest.raises(errors.UnderWay, match="wait until it is done, or stop it"):
        ask(people, sets)
    assert comparisons.run_bench(first.uuid) is job_lease.Claim.DONE


@pytest.mark.django_db(transaction=True)
def test_a_stopped_bench_keeps_what_was_played(
    people: People, sets: tuple[OwnTables, OwnTables], no_worker: None
) -> None:
    bench = ask(people, sets)

    def stop(after: Bench) -> None:
        if after.progress == 3:
            comparisons.stop_bench(people.umpire, after)

    assert comparisons.run_bench(bench.uuid, on_progress=stop) is job_lease.Claim.BUSY
    bench.refresh_from_db()
    assert (bench.status, bench.progress) == ("failed", 3)
    with pytest.raises(errors.NotAllowed, match="Only the user who asked"):
        comparisons.stop_bench(people.egyptian, bench)


@pytest.mark.parametrize(
    ("campaigns", "told"), [(1, "ask for 2 to 500"), (501, "ask for 2 to 500")]
)
def test_too_few_and_too_many_are_refused(
    people: People, sets: tuple[OwnTables, OwnTables], campaigns: int, told: str
) -> None:
    with pytest.raises(errors.UnfitRequest, match=told):
        ask(people, sets, campaigns)


def test_a_set_is_not_tried_against_itself(
    people: People, sets: tuple[OwnTables, OwnTables]
) -> None:
    with pytest.raises(errors.UnfitRequest, match="Both sides of the bench are the same"):
        ask(people, (sets[0], sets[0]))
    with pytest.raises(errors.UnfitRequest, match="no scenario 'omdurman'"):
        comparisons.request_bench(people.umpire, comparisons.BenchTerms("omdurman", 2, *sets))
    assert not Bench.objects.exists()


def form(sets: tuple[OwnTables, OwnTables], **more: Any) -> dict[str, Any]:
    before, after = (one.pk for one in sets)
    wanted = {"before": before, "after": after, "scenario": SIEGE, "campaigns": 50, "seed": 1}
    return wanted | more


@pytest.mark.django_db(transaction=True)
def test_the_page_shows_both_sides_by_side(
    people: People, sets: tuple[OwnTables, OwnTables], client: Client
) -> None:
    client.force_login(people.umpire)
    bench = ask(people, sets)
    page = client.get(reverse("bench", args=[bench.uuid])).content.decode()
    for said in ("Who wins", "How it ends", "How long it lasts", "Counters lost", "Short", "Slow"):
        assert said in page
    assert "February 1884 is over and nobody has won." in page
    assert page.count("<svg") == 3 + 1 + 1 + 6
    assert "hx-get" not in page
    stopped = client.post(reverse("stop-bench", args=[bench.uuid]), follow=True).content.decode()
    assert "It was over before it could be stopped." in stopped


@pytest.mark.django_db(transaction=True)
def test_a_bench_is_asked_for_watched_and_stopped_on_its_page(
    people: People, sets: tuple[OwnTables, OwnTables], client: Client, no_worker: None
) -> None:
    client.force_login(people.umpire)
    asked = client.post(reverse("benches"), form(sets))
    bench = Bench.objects.get()
    assert asked["Location"] == reverse("bench", args=[bench.uuid])
    assert (bench.total, bench.seed, bench.before_name, bench.after_name) == (
        100,
        1,
        "Short",
        "Slow",
    )
    assert "it will start shortly" in client.get(asked["Location"]).content.decode()
    second = client.post(reverse("benches"), form(sets))
    assert second.status_code == 400
    assert "Your last bench or ladder is still under way" in second.content.decode()
    client.post(reverse("stop-bench", args=[bench.uuid]))
    page = client.get(asked["Location"]).content.decode()
    assert "Stopped; what was played is kept." in page
    assert "Slow" in client.get(reverse("benches")).content.decode()


@pytest.mark.parametrize(
    "wrong", [{"campaigns": 7}, {"seed": -1}, {"after": 999}, {"scenario": "omdurman"}]
)
def test_what_cannot_be_tried_is_refused_in_the_form(
    people: People, sets: tuple[OwnTables, OwnTables], client: Client, wrong: dict[str, Any]
) -> None:
    client.force_login(people.umpire)
    response = client.post(reverse("benches"), form(sets, **wrong))
    assert response.status_code == 400
    assert "errorlist" in response.content.decode()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("who", ["egyptian", "stranger"])
def test_a_bench_is_seen_and_stopped_by_whoever_asked_for_it(
    people: People, sets: tuple[OwnTables, OwnTables], client: Client, no_worker: None, who: str
) -> None:
    bench = ask(people, sets)
    client.force_login(getattr(people, who))
    assert client.get(reverse("bench", args=[bench.uuid])).status_code == 404
    assert client.post(reverse("stop-bench", args=[bench.uuid])).status_code == 404
    assert client.post(reverse("benches"), form(sets)).status_code == 400
    bench.refresh_from_db()
    assert bench.status == "pending"


LADDER = {"scenario": SIEGE, "games": "2", "seed": "7"}


@pytest.mark.django_db(transaction=True)
def test_a_ladder_of_ones_own_scenario_is_played_and_read_on_its_page(
    people: People, client: Client, no_worker: None
) -> None:
    client.force_login(people.umpire)
    own, _ = own_scenarios.save_scenario(people.umpire, golden())
    offered = client.get(reverse("ladders"), {"scenario": f"own-{own.pk}"}).content.decode()
    assert f'<option value="own-{own.pk}" selected>' in offered
    for wrong, said in (
        ({"games": "3"}, "Select a valid choice"),
        ({"scenario": "own-0"}, "Select a valid choice"),
        ({"games": "50"}, "pairs cannot play 50 games each"),
    ):
        refused = client.post(reverse("ladders"), LADDER | wrong)
        assert refused.status_code == 400
        assert said in refused.content.decode()
    asked = client.post(reverse("ladders"), LADDER | {"scenario": f"own-{own.pk}"})
    bench = Bench.objects.get()
    assert asked["Location"] == reverse("bench", args=[bench.uuid])
    assert benches.run_bench(bench.uuid) is job_lease.Claim.DONE
    bench.refresh_from_db()
    assert (bench.kind, bench.status, bench.progress) == ("ladder", "succeeded", bench.total)
    games = benches.games_of(bench)
    terms = LadderTerms(own.slug, 7, own.tables.digest if own.tables else "")
    assert games[0] == play_place(terms, bench.players, 1)
    assert {game.number for game in games} == {1, 2}
    page = client.get(reverse("bench", args=[bench.uuid])).content.decode()
    assert f"{bench.total} games." in page
    assert "Every pair" in page
    assert own.title in client.get(reverse("ladders")).content.decode()
    assert (
        reverse("bench", args=[bench.uuid]) not in client.get(reverse("benches")).content.decode()
    )
    half = {"scenario": f"own-{own.pk}", "campaigns": "50", "seed": "1"}
    client.post(reverse("benches"), half)
    trial = Bench.objects.get(kind=Bench.Kind.BENCH)
    assert (trial.scenario, trial.before_id, trial.total) == (own.slug, trial.after_id, 100)
    tried = client.get(reverse("bench", args=[trial.uuid])).content.decode()
    assert f"<h1>{own.title}</h1>" in tried
    assert "with dice of its own" in tried
    assert own.slug not in tried
    refused = client.post(reverse("ladders"), LADDER)
    assert "Your last bench or ladder is still under way" in refused.content.decode()
    client.force_login(people.egyptian)
    assert client.get(reverse("bench", args=[bench.uuid])).status_code == 404


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("scenario", [one.slug for one in scenarios()])
def test_a_ladder_is_begun_by_the_form_as_it_stands(
    people: People, client: Client, no_worker: None, scenario: str
) -> None:
    client.force_login(people.umpire)
    shown = client.get(reverse("ladders")).context["form"]
    form = {field.name: field.value() for field in shown}
    asked = client.post(reverse("ladders"), {**form, "scenario": scenario})
    assert asked.status_code == 302
