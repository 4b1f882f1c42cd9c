"""`manage.py ladder_battles BOOK [BRIEF ...]`: how good a book's commanders are."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from rich.table import Table

from battles.contract import Brief
from battles.contract.book import books
from battles.contract.brief_files import find_ready_battle, ready_battles
from battles.contract.engine import RIVALS
from battles.core.decoding import digest, encode
from battles.management.commands import fight
from battles.management.long_run import (
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
from battles.simulation import (
    Ladder,
    LadderBattle,
    LadderRow,
    LadderShare,
    fight_ladder,
    ladder_ratings,
    ladder_table,
    pairings,
)

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
        take_run(parser, "the table")
        take_resume(parser)

    def handle(self, *_args: Any, **options: Any) -> None:
        ladder = self._ladder(options)
        workers = between("--workers", options["workers"], fight.MOST_WORKERS)
        terms: dict[str, str | int] = {"ladder": digest(encode(ladder))}
        kept = options["resume"] and ResumeFile(options["resume"], terms, LadderBattle)
        every = max(1, ladder.total // fight.MOST_LINES)
        carry_out = partial(fight_ladder, ladder, workers=workers)
        fought = collect(RunPlan(carry_out, ladder.total, "battles", _line, every), kept)
        rows = list(ladder_table(ladder, fought.pieces))
        if rows:
            console = console_on(self.stdout)
            console.print(_draw_table(ladder, rows))
            console.print(_draw_ratings(ladder, fought.pieces))
        if options["json"]:
            rated = ladder_ratings(ladder, fought.pieces)
            document = {"seed": ladder.seed, "book": ladder.slug, "rows": rows, "ratings": rated}
            write_json(options["json"], document)
        fought.raise_if_stopped()

    def _ladder(self, options: dict[str, Any]) -> Ladder:
        """Return the run. Raises CommandError for a wrong book, brief or number."""
        briefs = tuple(map(_brief, options["briefs"])) or tuple(
            battle.brief for battle in ready_battles() if battle.written.history is not None
        )
        for brief in briefs:
            fight.find_book(options["book"], brief)
        battles = between("--battles", options["battles"], MOST_BATTLES)
        return Ladder(
            options["book"], briefs, pairings(options["rivals"]), battles, options["seed"]
        )


def _brief(name: str) -> Brief:
    """Return a ready battle by its slug, or the brief in a file."""
    ready = find_ready_battle(name)
    return read_written(Path(name)).brief if ready is None else ready.brief


def _line(battle: LadderBattle) -> str:
    return fight.result_line(battle.winner, battle.ending)


def _draw_table(ladder: Ladder, rows: list[LadderRow]) -> Table:
    drawn = table_of(
        f"{ladder.slug}, seed {ladder.seed}, per cent (95% intervals)",
        ["Egyptian", "Mahdist", "brief"],
        ["n", "Egyptian won", "nobody", "Mahdist won", "both waited"],
    )
    for row in rows:
        shares = (*(row.won[name] for name in ("egyptian", "nobody", "mahdist")), row.waited)
        count = str(row.waited.of)
        drawn.add_row(row.egyptian, row.mahdist, row.brief or "all", count, *map(_percent, shares))
    return drawn


def _draw_ratings(ladder: Ladder, fought: Sequence[LadderBattle]) -> Table:
    drawn = table_of(
        "Ratings; 400 points are odds of ten to one",
        ["side", "player"],
        ["rating (95%)", "battles"],
    )
    for rating in ladder_ratings(ladder, fought):
        drawn.add_row(
            rating.side, rating.player, f"{rating.rating} ± {rating.within}", str(rating.battles)
        )
    return drawn


def _percent(share: LadderShare) -> str:
    return f"{100 * share.count / share.of:.0f} ({100 * share.low:.0f}-{100 * share.high:.0f})"
