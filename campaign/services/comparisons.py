"""Run benches, ladders and battle comparisons as jobs, a few campaigns or battles at a time.

The bench plays campaigns by two editions; the ladder plays the staff's plans of one scenario
against each other; a comparison fights one battle by every book and by the campaign's own table.
The same seed gives the same result, wherever a job was interrupted.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar
from uuid import UUID

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from battles import journal
from battles.contract.brief import Brief
from battles.core.decoding import decode, encode
from campaign import serialization
from campaign.models import Bench, Comparison, OwnScenario, OwnTables, TableSet, Work
from campaign.rules.tables.editions import shipped_edition
from campaign.services.errors import NotAllowed, UnderWay, UnfitRequest
from campaign.services.job_lease import Claim, ResumableJob, fail, is_abandoned, send
from campaign.services.journal.creation import known_scenario
from campaign.services.journal.rules_edition import keep_tables
from campaign.simulations import battle_comparison, campaign_runs, ladder
from campaign.simulations.battle_comparison import ComparedBattle
from campaign.simulations.campaign_runs import CampaignRun
from campaign.simulations.ladder import Contestant, LadderGame, LadderTerms

BENCH = "campaign.tasks.bench"
FEWEST_CAMPAIGNS, MOST_CAMPAIGNS = 2, 500
MOST_GAMES = 1000
"""The most campaigns of a ladder."""
SHIPPED = "as shipped"


W = TypeVar("W", Bench, Comparison)


def _begin(model: type[W], task: str, noun: str, user: User, **fields: Any) -> W:
    """Create a job and send it. Raises UnderWay while the user's last one of the kind runs.

    The last one fails first if its worker is gone.
    """
    jobs = model._default_manager
    try:
        with transaction.atomic():
            for last in jobs.filter(asked_by=user, status__in=Work.UNFINISHED):
                if is_abandoned(last):
                    fail(last, "Its worker had stopped, and another was requested.")
            job = jobs.create(asked_by=user, **fields)
            transaction.on_commit(partial(send, task, job, 0))
    except IntegrityError as error:
        raise UnderWay(
            f"Your last {noun} is still under way: wait until it is done, or stop it."
        ) from error
    job.refresh_from_db()
    return job


_begin_bench = partial(_begin, Bench, BENCH, "bench or ladder")


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
    """Ask the workers for a bench.

    Raises UnfitRequest, and UnderWay while the user's last one runs.
    """
    _check_own(trial.own)
    scenario = trial.own.slug if trial.own else known_scenario(trial.scenario).slug
    if not FEWEST_CAMPAIGNS <= trial.campaigns <= MOST_CAMPAIGNS:
        raise UnfitRequest(
            f"{trial.campaigns} campaigns cannot be played: ask for {FEWEST_CAMPAIGNS} "
            f"to {MOST_CAMPAIGNS}.",
            "campaigns",
        )
    before, after = _tables(trial.before), _tables(trial.after)
    if trial.own is not None and trial.own.tables is not None:
        before = after = trial.own.tables
    elif before == after:
        raise UnfitRequest(
            "Both sides of the bench are the same: choose a set of tables of your own.",
            "after_table_set_id",
        )
    return _begin_bench(
        user,
        scenario=scenario,
        before=before,
        after=after,
        before_name="first half" if trial.own else _name(trial.before),
        after_name="second half" if trial.own else _name(trial.after),
        seed=trial.seed,
        total=2 * trial.campaigns,
    )


def _check_own(scenario: OwnScenario | None) -> None:
    if scenario is not None and scenario.tables is None:
        message = "The scenario still has a fault: correct it in the workshop first."
        raise UnfitRequest(message, "own_scenario_id")


def _tables(own_tables: OwnTables | None) -> TableSet:
    return own_tables.tables if own_tables else keep_tables(shipped_edition())


def _name(own_tables: OwnTables | None) -> str:
    return own_tables.name if own_tables else SHIPPED


def stop_bench(user: User, bench: Bench) -> bool:
    """End the user's bench; what has been played is kept. Return False if it was over already.

    Raises NotAllowed for another's.
    """
    if bench.asked_by_id != user.pk:
        raise NotAllowed("Only the user who asked for a bench may stop it.")
    return fail(bench, "Stopped; what was played is kept.")


def _play(bench: Bench, place: int) -> CampaignRun:
    """Play the campaign in that place, before and after in turn.

    A pair has the same dice, unless both are by the same tables.
    """
    number = place + 1 if bench.before_id == bench.after_id else place // 2 + 1
    tables = bench.after if place % 2 else bench.before
    serialization.edition_of(tables.digest)
    return campaign_runs.play_campaign(bench.scenario, bench.seed, number, edition=tables.digest)


@dataclass(frozen=True)
class LadderWish:
    """A ladder to play: a scenario, shipped or the user's own, and the games of each pair."""

    scenario: str
    games: int
    seed: int = 1
    own: OwnScenario | None = None


def request_ladder(user: User, terms: LadderWish) -> Bench:
    """Ask the workers for a ladder.

    Raises UnfitRequest, and UnderWay while the user's last one runs.

    The strong level is left out, which plays its plans out every month.
    """
    _check_own(terms.own)
    scenario = terms.own.slug if terms.own else known_scenario(terms.scenario).slug
    tables = (terms.own and terms.own.tables) or keep_tables(shipped_edition())
    players = ladder.quick_to_play(serialization.edition_of(tables.digest).scenario(scenario))
    number = len(ladder.pairs(players))
    if not 1 <= terms.games <= MOST_GAMES // number:
        raise UnfitRequest(
            f"{number} pairs cannot play {terms.games} games each here: ask for 1 to "
            f"{MOST_GAMES // number}. The command “manage.py ladder” plays as many as you like.",
            "games_each",
        )
    return _begin_bench(
        user,
        kind=Bench.Kind.LADDER,
        players=ladder.contestant_names(players),
        scenario=scenario,
        before=tables,
        after=tables,
        before_name=terms.own.title[:60] if terms.own else SHIPPED,
        after_name=terms.own.title[:60] if terms.own else SHIPPED,
        seed=terms.seed,
        total=number * terms.games,
    )


def _play_pair(bench: Bench, place: int) -> LadderGame:
    """Play the ladder's game in that place; all pairs play once before any plays again."""
    serialization.edition_of(bench.after.digest)
    terms = LadderTerms(bench.scenario, bench.seed, bench.after.digest)
    return ladder.play_place(terms, bench.players, place + 1)


def players_of(bench: Bench) -> tuple[Contestant, ...]:
    """Return those who play on a ladder."""
    scenario = serialization.edition_of(bench.after.digest).scenario(bench.scenario)
    return ladder.find_contestants(scenario, bench.players)


BENCHES = ResumableJob(Bench, BENCH, "runs", list[CampaignRun], _play, "The bench is done.")
LADDERS = ResumableJob(Bench, BENCH, "runs", list[LadderGame], _play_pair, "The ladder is done.")
games_of = LADDERS.pieces_of


def run_bench(
    uuid: str | UUID,
    on_progress: Callable[[Bench], None] = lambda bench: None,
    *,
    expected: int | None = None,
) -> Claim:
    """Do a slice of the bench or ladder with that UUID; see `ResumableJob.run`."""
    is_ladder = Bench.objects.filter(uuid=uuid, kind=Bench.Kind.LADDER).exists()
    job: ResumableJob[Bench, Any] = LADDERS if is_ladder else BENCHES
    return job.run(uuid, on_progress, expected=expected)


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


def request_comparison(user: User, terms: ComparisonTerms) -> Comparison:
    """Ask the workers for a comparison.

    Raises UnfitRequest, and UnderWay while the last one runs.
    """
    if not FEWEST_BATTLES <= terms.each <= MOST_BATTLES:
        raise UnfitRequest(
            f"{terms.each} battles cannot be fought: ask for {FEWEST_BATTLES} to {MOST_BATTLES}.",
            "battles_each",
        )
    ways = battle_comparison.ways()
    return _begin(
        Comparison,
        COMPARISON,
        "comparison",
        user,
        title=terms.brief.title[:200],
        offer=terms.offer,
        brief=journal.pack(encode(terms.brief)),
        ways=list(ways),
        each=terms.each,
        seed=terms.seed,
        total=terms.each * len(ways),
    )


def stop_comparison(user: User, comparison: Comparison) -> bool:
    """End the user's comparison; what has been fought is kept. Return False if it was over already.

    Raises NotAllowed for another's.
    """
    if comparison.asked_by_id != user.pk:
        raise NotAllowed("Only the user who asked for a comparison may stop it.")
    return fail(comparison, "Stopped; what was fought is kept.")


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
