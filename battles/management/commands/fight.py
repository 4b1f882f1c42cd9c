"""`manage.py fight BRIEF.toml --book redcoats`: one battle in sentences, or many as a table."""

import os
import sys
from functools import partial
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console
from rich.table import Table

from battles import simulation
from battles.contract import Brief, Side
from battles.contract.book import AnyBook, NoSuchBook, book, books
from battles.contract.brief_files import History, WrittenBrief
from battles.core.decoding import digest, encode
from battles.management.long_run import (
    Collected,
    ResumeFile,
    RunPlan,
    between,
    collect,
    console_on,
    read_written,
    table_of,
    take_resume,
    take_run,
    write_json,
)
from battles.prose import units_returned
from battles.replay import NarratedBattle
from battles.simulation import BattleEstimate, BattleSummary, SimulatedBattle

MOST_BATTLES, MOST_WORKERS, MOST_LINES = 100_000, 256, 100
NAMES = {Side.EGYPTIAN.value: "Anglo-Egyptians", Side.MAHDIST.value: "Mahdists"}


class Command(BaseCommand):
    help = "Fight a battle by one of the books: once, told turn by turn, or many times."
    # Nothing of the web site is needed, and checking it would load all of it.
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("brief", type=Path, metavar="BRIEF.toml", help="who meets whom, where")
        self.add_run(parser, "redcoats")

    def add_run(self, parser: CommandParser, slug: str) -> None:
        """Add the options for the book, the number of battles and the seed."""
        parser.add_argument("--book", default=slug, help=f"one of {', '.join(books())} ({slug})")
        parser.add_argument("--battles", type=int, default=1, help="how many (1: told in full)")
        take_run(parser, "every report")
        take_resume(parser)

    def handle(self, *_args: Any, **options: Any) -> None:
        try:
            self._fight(options)
        except KeyboardInterrupt:
            raise CommandError("Stopped.") from None
        except BrokenPipeError:
            # The reader (a pager, `head`) has closed the pipe; nothing may be written at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

    def _fight(self, options: dict[str, Any]) -> None:
        written = self.written(options)
        battles = between("--battles", options["battles"], MOST_BATTLES)
        workers = min(between("--workers", options["workers"], MOST_WORKERS), battles)
        brief, seed = written.brief, options["seed"]
        book = find_book(options["book"], brief)
        if battles == 1:
            fought = Collected([self._narrate(book, brief, seed)], 1, "battles")
        else:
            carry_out = partial(simulation.simulate, brief, book.slug, seed=seed, workers=workers)
            every = max(1, battles // MOST_LINES)
            terms = {"brief": digest(encode(brief)), "book": book.slug, "seed": seed}
            file = options["resume"] and ResumeFile(options["resume"], terms, SimulatedBattle)
            fought = collect(RunPlan(carry_out, battles, "battles", _line, every), file)
        if fought.pieces:
            summary = simulation.summary(brief, book.slug, seed, fought.pieces)
            if battles > 1:
                _print(console_on(self.stdout), summary, written.history)
            if options["json"]:
                write_json(options["json"], {"summary": summary, "battles": fought.pieces})
        fought.raise_if_stopped()

    def written(self, options: dict[str, Any]) -> WrittenBrief:
        """Return the brief to fight. Raises CommandError for one that cannot be read."""
        return read_written(options["brief"])

    def _narrate(self, book: AnyBook, brief: Brief, seed: int) -> SimulatedBattle:
        """Write one battle turn by turn, with the fates of its units."""
        self.stdout.write(brief.title)
        dice = simulation.dice_of(brief, seed, 1)
        telling = NarratedBattle(book, brief, dice)
        for turn in telling.turns:
            if turn.sentences:
                self.stdout.write(f"\n{turn.title}")
            for sentence in turn.sentences:
                self.stdout.write(f"  {sentence.text}")
        report = telling.report()
        self.stdout.write(f"\n{_outcome(report.winner)} {report.ending}")
        for line in units_returned(brief, report):
            self.stdout.write(f"  {line.many} x {line.name}: {line.came}, now {line.fate}")
        return SimulatedBattle(1, report)


def find_book(slug: str, brief: Brief) -> AnyBook:
    """Return the book after drawing the brief up by it. Raises CommandError if it cannot."""
    try:
        rules = book(slug)
        rules.engine.drawn_up(brief)
    except (NoSuchBook, ValueError) as error:
        raise CommandError(str(error)) from error
    return rules


def _line(battle: SimulatedBattle) -> str:
    return result_line(battle.report.winner, battle.report.ending)


def result_line(winner: Side | None, ending: str) -> str:
    """Return the result of a battle in a line of progress."""
    return f"{_outcome(winner)} {ending}"


def _print(console: Console, summary: BattleSummary, history: History | None) -> None:
    console.print(f"{summary.title}: {summary.battles} battles, seed {summary.seed}")
    console.print(_shares(summary, history))
    console.print(_endings(summary))
    console.print(_losses(summary))


def _shares(summary: BattleSummary, history: History | None) -> Table:
    """Return the table of wins and losses, beside those of history if the file has them."""
    table = table_of("Who won, and strength lost", ["side"], ["won", "strength lost"])
    if history is not None:
        table.add_column("in history", justify="right")
    for side in Side:
        row = [
            NAMES[side.value],
            _percent(summary.won[side.value]),
            _percent(summary.strength_lost[side.value]),
        ]
        table.add_row(*row, *([] if history is None else [_in_history(history, side)]))
    table.add_row("nobody", _percent(summary.won["nobody"]), "")
    return table


def _in_history(history: History, side: Side) -> str:
    toll = history.toll(side)
    lost = toll.said if toll.lost is None else f"{toll.lost / toll.men:.0%} of {toll.men}"
    return f"{lost}, won" if history.winner is side else lost


def _endings(summary: BattleSummary) -> Table:
    table = table_of("How they ended", ["how"], ["battles"])
    for ending, count in summary.endings.items():
        table.add_row(ending, str(count))
    turns = ", ".join(f"{name} {number:g}" for name, number in summary.turns.items())
    table.caption = f"Turns: {turns}."
    return table


def _losses(summary: BattleSummary) -> Table:
    names = "units", "brought", "eliminated", "disrupted"
    table = table_of("Units of the campaign lost in a battle, in the mean", ["side"], names)
    for line in summary.losses:
        table.add_row(
            NAMES[line.side.value],
            line.kind.value,
            str(line.units),
            _number(line.eliminated),
            _number(line.disrupted),
        )
    return table


def _percent(estimate: BattleEstimate) -> str:
    return f"{100 * estimate.mean:.1f}% ± {100 * estimate.error:.1f}"


def _number(estimate: BattleEstimate) -> str:
    return f"{estimate.mean:.2f} ± {estimate.error:.2f}"


def _outcome(winner: Side | None) -> str:
    return "Nobody has won." if winner is None else f"The {NAMES[winner.value]} have won."
