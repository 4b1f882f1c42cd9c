"""`manage.py simulate SCENARIO`: play many campaigns and print how they ended."""

import os
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from django.core.management.base import CommandError, CommandParser
from rich.console import Console
from rich.table import Table

from battles.contract.brief import Side
from battles.management.long_run import ResumeFile, RunPlan, collect, take_resume
from campaign.management.base import SirdarCommand, edition_with, take_battles, take_tables
from campaign.rules.core.state import TABLETOP
from campaign.rules.prose.names import side_name
from campaign.rules.tables.scenario_loader import scenarios
from campaign.services.battles import pending_battle
from campaign.services.journal import creation
from campaign.simulations import campaign_runs
from campaign.simulations.campaign_runs import CampaignRun, RunSummary, RunTerms

MOST_CAMPAIGNS, MOST_WORKERS = 100_000, 256


class Command(SirdarCommand):
    help = "Let the computer's staff play many campaigns in memory; tells how they ended."
    # Nothing of the web site is needed, and checking it would load all of it.
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        known = ", ".join(one.slug for one in scenarios())
        parser.add_argument("scenario", help=f"one of {known}")
        parser.add_argument("--campaigns", type=int, default=20, help="how many (20)")
        parser.add_argument("--seed", type=int, default=1, help="the same seed, the same table (1)")
        parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes")
        take_tables(parser)
        take_battles(parser)
        take_resume(parser)
        parser.add_argument("--json", type=Path, metavar="FILE", help="write every campaign there")

    def handle(self, *_args: Any, **options: Any) -> None:
        here = creation.known_scenario(options["scenario"])
        campaigns = _between("--campaigns", options["campaigns"], MOST_CAMPAIGNS)
        workers = min(_between("--workers", options["workers"], MOST_WORKERS), campaigns)
        edition = edition_with(options["tables"], options["edition"])
        seed, terms = options["seed"], RunTerms(edition, _fought_by(options["battles"]))

        play = partial(campaign_runs.simulate, here.slug, seed=seed, workers=workers, terms=terms)
        fixed = {
            "scenario": here.slug,
            "seed": seed,
            "battles": terms.battles,
            "tables": edition.digest,
        }
        file = options["resume"] and ResumeFile(options["resume"], fixed, CampaignRun)
        runs = collect(RunPlan(play, campaigns, "campaigns", _line), file)
        if runs.pieces:
            summary = campaign_runs.summary(here.slug, seed, runs.pieces)
            _print(self.console, edition.scenario(here.slug).title, summary)
            if options["json"]:
                _write(options["json"], {"summary": summary, "campaigns": runs.pieces})
            if summary.errors and not runs.stopped:
                told = "\n".join(summary.errors)
                raise CommandError(f"{len(summary.errors)} campaign(s) came to no end:\n{told}")
        runs.raise_if_stopped()


def _between(name: str, value: int, most: int) -> int:
    if not 1 <= value <= most:
        raise CommandError(f"{name} {value} cannot be: give a number from 1 to {most}.")
    return value


def _fought_by(way: str) -> str:
    """Return the way battles are fought. Raises CommandError for one that waits for people."""
    pending_battle.check_battle_method(way)
    if way == TABLETOP:
        raise CommandError("Nobody fights by hand here: give --battles a book, or the table.")
    return way


def _line(run: CampaignRun) -> str:
    if run.result is None:
        return run.error
    winner = side_name(run.result.winner) if run.result.winner else "nobody"
    return f"{run.months} months, won by {winner} ({run.result.clause} {run.result.reason})"


def _print(console: Console, title: str, summary: RunSummary) -> None:
    console.print(f"{title}: {summary.campaigns} campaigns, seed {summary.seed}")
    console.print(_endings(summary))
    console.print(_shares(summary))
    console.print(_losses(summary))


def _endings(summary: RunSummary) -> Table:
    table = Table(title="How they ended", title_justify="left")
    for name, justify in (("clause", "left"), ("winner", "left"), ("how", "left")):
        table.add_column(name, justify=justify)  # type: ignore[arg-type]
    table.add_column("campaigns", justify="right")
    table.add_column("share", justify="right")
    for ending in summary.endings:
        share = f"{ending.count / summary.campaigns:.1%}"
        table.add_row(
            ending.clause, ending.winner or "drawn", ending.reason, str(ending.count), share
        )
    return table


def _shares(summary: RunSummary) -> Table:
    table = Table(title="Decided campaigns and months played", title_justify="left")
    row = []
    decided = sum(summary.decided.values())
    for side in Side:
        table.add_column(f"won by {side_name(side)}", justify="right")
        won = summary.decided[side]
        row.append(f"{won} ({won / decided:.1%})" if decided else "0")
    for name, months in summary.months.items():
        table.add_column(name, justify="right")
        row.append(f"{months:g}")
    table.add_column("supply units used", justify="right")
    row.append(f"{summary.supply_used:g}")
    table.add_row(*row)
    return table


def _losses(summary: RunSummary) -> Table:
    table = Table(title="Counters lost in a campaign, in the mean", title_justify="left")
    table.add_column("side")
    for cause in campaign_runs.CAUSES:
        table.add_column(cause, justify="right")
    table.add_column("in all", justify="right")
    for side in Side:
        lost = summary.losses[side]
        numbers = [*lost.values(), sum(lost.values())]
        table.add_row(side_name(side), *(f"{number:.1f}" for number in numbers))
    return table


def _write(path: Path, document: Any) -> None:
    try:
        path.write_bytes(msgspec.json.format(msgspec.json.encode(document), indent=1))
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror}.") from error
