"""`manage.py compare BRIEF.toml`: fight a battle by every book and by the campaign's own table."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from battles.contract import Side
from battles.contract.brief_files import History
from battles.core.process_pool import WorkerDied
from battles.management.long_run import (
    between,
    console_on,
    read_written,
    table_of,
    take_run,
    write_json,
)
from battles.simulation import BattleEstimate
from campaign.management.base import SirdarCommand
from campaign.simulations.battle_comparison import (
    NOBODY,
    BookResult,
    ComparedBattle,
    book_results,
    bouts,
    ways,
)

MOST_BATTLES, MOST_WORKERS = 10_000, 256


class Command(SirdarCommand):
    help = "Fight a battle many times by every book, and by the campaign’s combat table."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("brief", type=Path, metavar="BRIEF.toml", help="who meets whom, where")
        parser.add_argument("--battles", type=int, default=100, help="how many by each (100)")
        take_run(parser, "every battle", os.cpu_count() or 1)

    def handle(self, *_args: Any, **options: Any) -> None:
        written = read_written(options["brief"])
        battles_each = between("--battles", options["battles"], MOST_BATTLES)
        workers = between("--workers", options["workers"], MOST_WORKERS)
        fought = bouts(written.brief, battles_each, seed=options["seed"], workers=workers)
        try:
            battles = list(_with_progress(fought, battles_each * len(ways())))
        except WorkerDied as error:
            raise CommandError(str(error)) from error
        results = book_results(ways(), battles)
        console = console_on(self.stdout)
        console.print(
            f"{written.brief.title}: {battles_each} battles by each, seed {options['seed']}"
        )
        console.print(_table(results, written.history))
        if options["json"]:
            write_json(options["json"], {"columns": results, "battles": battles})


def _with_progress(fought: Iterator[ComparedBattle], total: int) -> Iterator[ComparedBattle]:
    parts = TextColumn("Battles"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*parts, console=Console(stderr=True), transient=True) as progress:
        yield from progress.track(fought, total=total)


def _table(results: list[BookResult], history: History | None) -> Table:
    """Return a table with a row for each way of fighting, and one for history."""
    figures = ["Egypt\nwon", "Mahdi\nwon", NOBODY, "Egypt\nlost", "Mahdi\nlost"]
    table = table_of("Who won, and strength lost", ["fought by"], figures)
    table.columns[0].no_wrap = True
    for column in results:
        table.add_row(column.title, *_figures(column))
    if history is not None:
        won = ["won" if history.winner is side else "" for side in Side]
        table.add_row("in history", *won, "", *(history.toll(side).in_words for side in Side))
    return table


def _figures(column: BookResult) -> list[str]:
    if column.fault:
        return [column.fault]
    won = [column.won[name] for name in (*(side.value for side in Side), NOBODY)]
    return [_percent(share) for share in (*won, *(column.lost[side.value] for side in Side))]


def _percent(estimate: BattleEstimate) -> str:
    return f"{estimate.mean:.0%} ± {100 * estimate.error:.1f}"
