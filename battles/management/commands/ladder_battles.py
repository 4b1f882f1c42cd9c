"""`manage.py ladder_battles BOOK [BRIEF ...]`: how good a book's commanders are."""

from functools import partial
from pathlib import Path
from typing import IO, Any, cast

from django.core.management.base import BaseCommand, CommandParser
from rich.console import Console
from rich.table import Table

from battles.contract import Brief
from battles.contract.brief_files import find_ready_battle, ready_battles
from battles.contract.registry import books
from battles.contract.sampling import RIVALS
from battles.core.decoding import digest, encode
from battles.ladder import (
    Ladder,
    LadderBattle,
    LadderRow,
    LadderShare,
    fight_ladder,
    pairings,
    table,
)
from battles.management.commands import fight
from battles.management.long_run import ResumeFile, RunPlan, collect, take_resume

MOST_BATTLES = 10_000


class Command(BaseCommand):
    help = (
        "Fight the historical battles, or those named, by the commander of a book against "
        "simple players and against himself, on either side, and print how often each side won."
    )
    # Nothing of the web site is needed, and checking it would load all of it.
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("book", help=f"one of {', '.join(books())}")
        parser.add_argument("briefs", nargs="*", metavar="BRIEF", help="a ready battle or a file")
        parser.add_argument("--battles", type=int, default=20, help="per brief and pairing (20)")
        parser.add_argument(
            "--rivals", nargs="*", choices=[*RIVALS], default=[*RIVALS], help="(all of them)"
        )
        parser.add_argument("--seed", type=int, default=1, help="the same seed, the same dice (1)")
        parser.add_argument("--workers", type=int, default=1, help="processes (1)")
        take_resume(parser)
        parser.add_argument("--json", type=Path, metavar="FILE", help="write the table there")

    def handle(self, *_args: Any, **options: Any) -> None:
        ladder = self._ladder(options)
        workers = fight.between("--workers", options["workers"], fight.MOST_WORKERS)
        terms: dict[str, str | int] = {"ladder": digest(encode(ladder))}
        kept = options["resume"] and ResumeFile(options["resume"], terms, LadderBattle)
        every = max(1, ladder.total // fight.MOST_LINES)
        carry_out = partial(fight_ladder, ladder, workers=workers)
        fought = collect(RunPlan(carry_out, ladder.total, "battles", _line, every), kept)
        rows = list(table(ladder, fought.pieces))
        if rows:
            width = None if self.stdout.isatty() else 110
            console = Console(file=cast("IO[str]", self.stdout), width=width, highlight=False)
            console.print(_drawn(ladder, rows))
        if options["json"]:
            fight.write_json(
                options["json"], {"seed": ladder.seed, "book": ladder.slug, "rows": rows}
            )
        fought.raise_if_stopped()

    def _ladder(self, options: dict[str, Any]) -> Ladder:
        """Return the run. Raises CommandError for a wrong book, brief or number."""
        briefs = tuple(map(_brief, options["briefs"])) or tuple(
            one.brief for one in ready_battles() if one.written.history is not None
        )
        for brief in briefs:
            fight.find_book(options["book"], brief)
        battles = fight.between("--battles", options["battles"], MOST_BATTLES)
        return Ladder(
            options["book"],
            briefs,
            pairings(options["rivals"]),
            battles,
            options["seed"],
        )


def _brief(name: str) -> Brief:
    """Return a ready battle by its slug, or the brief in a file."""
    ready = find_ready_battle(name)
    return fight.read_written(Path(name)).brief if ready is None else ready.brief


def _line(battle: LadderBattle) -> str:
    return fight.result_line(battle.winner, battle.ending)


def _drawn(ladder: Ladder, rows: list[LadderRow]) -> Table:
    drawn = Table(
        title=f"{ladder.slug}, seed {ladder.seed}, per cent (95% intervals)", title_justify="left"
    )
    for name in ("Egyptian", "Mahdist", "brief"):
        drawn.add_column(name)
    for name in ("n", "Egyptian won", "nobody", "Mahdist won", "both waited"):
        drawn.add_column(name, justify="right")
    for row in rows:
        shares = (*(row.won[name] for name in ("egyptian", "nobody", "mahdist")), row.waited)
        of = str(row.waited.of)
        drawn.add_row(row.egyptian, row.mahdist, row.brief or "all", of, *map(_percent, shares))
    return drawn


def _percent(share: LadderShare) -> str:
    return f"{100 * share.count / share.of:.0f} ({100 * share.low:.0f}-{100 * share.high:.0f})"
