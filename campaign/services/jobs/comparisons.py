"""Run the balance bench and battle comparisons as jobs, a few campaigns or battles at a time.

The bench plays campaigns by two editions; a comparison fights one battle by every book and by the
campaign's own table. The same seed gives the same result, wherever a job was interrupted.
"""

from dataclasses import dataclass
from functools import partial

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from battles.contract import Brief
from battles.core.decoding import decode, encode
from battles.history import journal
from campaign import serialization
from campaign.models import Bench, Comparison, OwnScenario, OwnTables, TableSet
from campaign.rules.tables.editions import shipped
from campaign.services.errors import NotAllowed, UnderWay, UnfitRequest
from campaign.services.jobs.job_lease import ResumableJob, abandoned, fail, send
from campaign.services.journal.creation import known_scenario
from campaign.services.journal.rules_edition import keep_tables
from campaign.simulations import battle_comparison, campaign_runs
from campaign.simulations.battle_comparison import ComparedBattle
from campaign.simulations.campaign_runs import CampaignRun

BENCH = "campaign.tasks.bench"
FEWEST_CAMPAIGNS, MOST_CAMPAIGNS = 2, 500
SHIPPED = "as shipped"


@dataclass(frozen=True)
class BenchTerms:
    """The terms of a bench: a scenario, the number of campaigns, two sets of tables.

    A set that is None stands for the shipped tables. With `own`, a scenario of the user's own, the
    two runs are of that scenario as it is, with dice of their own: two samples of its balance.
    """

    scenario: str
    campaigns: int
    before: OwnTables | None = None
    after: OwnTables | None = None
    seed: int = 1
    own: OwnScenario | None = None


def request_bench(user: User, trial: BenchTerms) -> Bench:
    """Ask the workers for a bench. Raises Unfit, and UnderWay while the user's last one runs."""
    if trial.own is not None and trial.own.tables is None:
        raise UnfitRequest("The scenario has a fault yet: mend it in the workshop first.")
    scenario = trial.own.slug if trial.own else known_scenario(trial.scenario).slug
    if not FEWEST_CAMPAIGNS <= trial.campaigns <= MOST_CAMPAIGNS:
        raise UnfitRequest(
            f"{trial.campaigns} campaigns cannot be played: ask for {FEWEST_CAMPAIGNS} "
            f"to {MOST_CAMPAIGNS}."
        )
    before, after = _tables(trial.before), _tables(trial.after)
    if trial.own is not None and trial.own.tables is not None:
        before = after = trial.own.tables
    elif before == after:
        raise UnfitRequest(
            "Both sides of the bench are the same: choose a set of tables of your own."
        )
    try:
        with transaction.atomic():
            _make_way(user)
            bench = Bench.objects.create(
                asked_by=user,
                scenario=scenario,
                before=before,
                after=after,
                before_name="first half" if trial.own else _name(trial.before),
                after_name="second half" if trial.own else _name(trial.after),
                seed=trial.seed,
                total=2 * trial.campaigns,
            )
            transaction.on_commit(partial(send, BENCH, bench, 0))
    except IntegrityError as error:
        raise UnderWay(
            "Your last bench is still at work: wait until it is done, or stop it."
        ) from error
    bench.refresh_from_db()
    return bench


def _tables(own: OwnTables | None) -> TableSet:
    return own.tables if own else keep_tables(shipped())


def _name(own: OwnTables | None) -> str:
    return own.name if own else SHIPPED


def _make_way(user: User) -> None:
    """Fail the user's benches whose worker is gone."""
    for bench in Bench.objects.filter(asked_by=user, status__in=Bench.UNFINISHED):
        if abandoned(bench):
            fail(bench, "No worker was about it any more, and another was asked for.")


def stop_bench(user: User, bench: Bench) -> None:
    """End the user's bench; what has been played is kept. Raises NotAllowed for another's."""
    if bench.asked_by_id != user.pk:
        raise NotAllowed("Only the user who asked for a bench may stop it.")
    fail(bench, "Stopped; what was played is kept.")


def _play(bench: Bench, place: int) -> CampaignRun:
    """Play the campaign in that place, before and after in turn.

    A pair has the same dice, unless both are by the same tables.
    """
    number = place + 1 if bench.before_id == bench.after_id else place // 2 + 1
    tables = bench.after if place % 2 else bench.before
    serialization.edition_of(tables.digest)
    return campaign_runs.play_campaign(bench.scenario, bench.seed, number, edition=tables.digest)


BENCHES = ResumableJob(Bench, BENCH, "runs", list[CampaignRun], _play, "The bench is done.")
run_bench = BENCHES.run
resume_benches = BENCHES.resume
take_up_benches = BENCHES.take_up
runs_of = BENCHES.pieces_of


COMPARISON = "campaign.tasks.comparison"
FEWEST_BATTLES, MOST_BATTLES = 2, 500


@dataclass(frozen=True)
class ComparisonTerms:
    """The terms of a comparison: a battle and how often each book fights it.

    `offer` is the battle's slug if it is one of the ready battles, whose results are public.
    """

    brief: Brief
    each: int
    offer: str = ""
    seed: int = 1


def request_comparison(user: User, wish: ComparisonTerms) -> Comparison:
    """Ask the workers for a comparison. Raises Unfit, and UnderWay while the last one runs."""
    if not FEWEST_BATTLES <= wish.each <= MOST_BATTLES:
        raise UnfitRequest(
            f"{wish.each} battles cannot be fought: ask for {FEWEST_BATTLES} to {MOST_BATTLES}."
        )
    ways = battle_comparison.ways()
    try:
        with transaction.atomic():
            _fail_abandoned_comparisons(user)
            asked = Comparison.objects.create(
                asked_by=user,
                title=wish.brief.title[:200],
                offer=wish.offer,
                brief=journal.pack(encode(wish.brief)),
                ways=list(ways),
                each=wish.each,
                seed=wish.seed,
                total=wish.each * len(ways),
            )
            transaction.on_commit(partial(send, COMPARISON, asked, 0))
    except IntegrityError as error:
        raise UnderWay(
            "Your last comparison is still at work: wait until it is done, or stop it."
        ) from error
    asked.refresh_from_db()
    return asked


def _fail_abandoned_comparisons(user: User) -> None:
    """Fail the user's comparisons whose worker is gone."""
    for asked in Comparison.objects.filter(asked_by=user, status__in=Comparison.UNFINISHED):
        if abandoned(asked):
            fail(asked, "No worker was about it any more, and another was asked for.")


def stop_comparison(user: User, comparison: Comparison) -> None:
    """End the user's comparison; what has been fought is kept. Raises NotAllowed for another's."""
    if comparison.asked_by_id != user.pk:
        raise NotAllowed("Only the user who asked for a comparison may stop it.")
    fail(comparison, "Stopped; what was fought is kept.")


def _fight(comparison: Comparison, place: int) -> ComparedBattle:
    way, number = battle_comparison.book_and_number(place, comparison.ways)
    brief = decode(journal.unpack(comparison.brief), Brief)
    return battle_comparison.bout(brief, way, comparison.seed, number)


COMPARISONS = ResumableJob(
    Comparison, COMPARISON, "bouts", list[ComparedBattle], _fight, "All battles have been fought."
)
run_comparison = COMPARISONS.run
resume_comparisons = COMPARISONS.resume
take_up_comparisons = COMPARISONS.take_up
bouts_of = COMPARISONS.pieces_of
