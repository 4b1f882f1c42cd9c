"""`manage.py simulate SCENARIO`: play many campaigns and print how they ended."""

import os
from functools import partial
from typing import Any

from django.core.management.base import CommandError, CommandParser
from rich.table import Table

from battles.contract.brief import Side
from battles.management.long_run import (
    ResumeFile,
    RunPlan,
    between,
    collect,
    console_on,
    table_of,
    take_resume,
    take_run,
    write_json,
)
from campaign.management.base import SirdarCommand, edition_with, take_resolution, take_tables
from campaign.rules.core.state import TABLETOP
from campaign.rules.prose.names import side_name
from campaign.rules.tables.scenario_loader import scenarios
from campaign.services import pending_battle
from campaign.services.journal import creation
from campaign.simulations import campaign_runs
from campaign.simulations.campaign_runs import CampaignRun, RunSummary, RunTerms

MOST_CAMPAIGNS, MOST_WORKERS = 100_000, 256


class Command(SirdarCommand):
    help = "Let the computer’s staff play many campaigns in memory; tells how they ended."

    def add_arguments(self, parser: CommandParser) -> None:
        slugs = ", ".join(scenario.slug for scenario in scenarios())
        parser.add_argument("scenario", help=f"one of {slugs}")
        parser.add_argument("--campaigns", type=int, default=20, help="how many (20)")
        take_run(parser, "every campaign", os.cpu_count() or 1)
        take_tables(parser)
        take_resolution(parser)
        take_resume(parser)

    def handle(self, *_args: Any, **options: Any) -> None:
        scenario = creation.known_scenario(options["scenario"])
        campaigns = between("--campaigns", options["campaigns"], MOST_CAMPAIGNS)
        workers = min(between("--workers", options["workers"], MOST_WORKERS), campaigns)
        edition = edition_with(options["tables"], options["edition"])
        seed, terms = options["seed"], RunTerms(edition, _fought_by(options["resolution"]))

        play = partial(
            campaign_runs.simulate, scenario.slug, seed=seed, workers=workers, terms=terms
        )
        fixed = {
            "scenario": scenario.slug,
            "seed": seed,
            "resolution": terms.battles,
            "tables": edition.digest,
        }
        file = options["resume"] and ResumeFile(options["resume"], fixed, CampaignRun)
        runs = collect(RunPlan(play, campaigns, "campaigns", _line), file)
        if runs.pieces:
            summary = campaign_runs.summary(scenario.slug, seed, runs.pieces)
            console, title = console_on(self.stdout), edition.scenario(scenario.slug).title
            console.print(f"{title}: {summary.campaigns} campaigns, seed {summary.seed}")
            for table in (_endings(summary), _shares(summary), _losses(summary)):
                console.print(table)
            if options["json"]:
                write_json(options["json"], {"summary": summary, "campaigns": runs.pieces})
            if summary.errors and not runs.stopped:
                errors = "\n".join(summary.errors)
                raise CommandError(f"{len(summary.errors)} campaign(s) came to no end:\n{errors}")
        runs.raise_if_stopped()


def _fought_by(way: str) -> str:
    """Return the way battles are fought. Raises CommandError for one that waits for people."""
    pending_battle.check_battle_method(way)
    if way == TABLETOP:
        raise CommandError("Nobody fights by hand here: give --resolution a book, or combat-table.")
    return way


def _line(run: CampaignRun) -> str:
    if run.result is None:
        return run.error
    winner = side_name(run.result.winner) if run.result.winner else "nobody"
    return f"{run.months} months, won by {winner} ({run.result.clause} {run.result.reason})"


def _endings(summary: RunSummary) -> Table:
    table = table_of("How they ended", ["clause", "winner", "how"], ["campaigns", "share"])
    for ending in summary.endings:
        share = f"{ending.count / summary.campaigns:.1%}"
        table.add_row(
            ending.clause, ending.winner or "drawn", ending.reason, str(ending.count), share
        )
    return table


def _shares(summary: RunSummary) -> Table:
    decided = sum(summary.decided.values())
    row = {}
    for side in Side:
        won = summary.decided[side]
        row[f"won by {side_name(side)}"] = f"{won} ({won / decided:.1%})" if decided else "0"
    row |= {name: f"{months:g}" for name, months in summary.months.items()}
    row["supply units used"] = f"{summary.supply_used:g}"
    table = table_of("Decided campaigns and months played", [], [*row])
    table.add_row(*row.values())
    return table


def _losses(summary: RunSummary) -> Table:
    figures = [*campaign_runs.CAUSES, "in all"]
    table = table_of("Counters lost in a campaign, in the mean", ["side"], figures)
    for side in Side:
        lost = summary.losses[side]
        numbers = [*lost.values(), sum(lost.values())]
        table.add_row(side_name(side), *(f"{number:.1f}" for number in numbers))
    return table
