"""`manage.py ladder SCENARIO`: play the staff's plans against each other and simple rivals."""

import os
from functools import partial
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from rich.table import Table

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
from campaign.management.base import SirdarCommand
from campaign.rules.prose.names import side_name
from campaign.rules.tables.editions import named_editions
from campaign.rules.tables.scenario_data import Scenario
from campaign.rules.tables.scenario_document import (
    ScenarioFault,
    edition_of_document,
    read_document,
)
from campaign.rules.tables.scenario_loader import scenarios
from campaign.services.journal import creation
from campaign.simulations import ladder
from campaign.simulations.ladder import DOCUMENT, Contestant, LadderGame, LadderTerms, WinShare
from campaign.simulations.milestones import beside_the_record
from campaign.staff.plans import record_of

MOST_GAMES, MOST_WORKERS = 10_000, 256
TOO_MANY = 0.35
"""The share of wins above which a simple rival shows that the staff has no answer."""


class Command(SirdarCommand):
    help = "Play every plan of the staff against the other side’s plans and simple rivals."

    def add_arguments(self, parser: CommandParser) -> None:
        slugs = ", ".join(scenario.slug for scenario in scenarios())
        parser.add_argument(
            "scenario", help=f"one of {slugs}, or the {DOCUMENT} file of one made in the workshop"
        )
        parser.add_argument("--games", type=int, default=10, help="games of each pair (10)")
        parser.add_argument("--edition", default="", metavar="SLUG", help="play by this edition")
        parser.add_argument(
            "--only",
            nargs="+",
            default=[],
            metavar="NAME",
            help="play these alone; mahdist:NAME or egyptian:NAME is of one side",
        )
        take_resume(parser)
        take_run(parser, "every game", os.cpu_count() or 1)
        parser.add_argument(
            "--strict",
            action="store_true",
            help=f"fail if a rival wins more than {TOO_MANY:.0%}% against a plan or level",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        scenario, own = _scenario(options["scenario"])
        games = between("--games", options["games"], MOST_GAMES)
        workers = between("--workers", options["workers"], MOST_WORKERS)
        try:
            players = ladder.find_contestants(scenario, options["only"])
        except ValueError as unknown:
            raise CommandError(str(unknown)) from unknown
        names = ladder.contestant_names(players)
        pairs = ladder.pairs(players)
        if not pairs:
            raise CommandError(
                "These are all of one side, or simple rivals: name a plan or level too."
            )
        seed = options["seed"]
        edition = own or options["edition"]
        if own and options["edition"]:
            raise CommandError("A file has its own tables: leave --edition out.")
        slugs = [named_edition.slug for named_edition in named_editions()]
        if edition and not own and edition not in slugs:
            listed = ", ".join(slugs)
            raise CommandError(f"There is no edition {edition!r}: name one of {listed}.")
        terms = LadderTerms(scenario.slug, seed, edition)
        play = partial(ladder.play_ladder, terms, names, workers=workers)
        fixed = {**terms._asdict(), "players": " ".join(names)}
        file = options["resume"] and ResumeFile(options["resume"], fixed, LadderGame)
        run = collect(RunPlan(play, games * len(pairs), "games", _line), file)
        if run.pieces:
            console = console_on(self.stdout)
            console.print(f"{scenario.title}: {len(run.pieces)} games, seed {seed}")
            console.print(_pairs(run.pieces))
            console.print(_ratings(players, run.pieces))
            if record := record_of(scenario):
                console.print(_history(record, players, run.pieces))
            if options["json"]:
                write_json(options["json"], run.pieces)
        run.raise_if_stopped()
        faults = [game.error for game in run.pieces if game.error]
        if faults:
            raise CommandError("\n".join(["Some games came to no end:", *faults]))
        if options["strict"] and (rivals := ladder.perilous_rivals(players, run.pieces, TOO_MANY)):
            worst = rivals[0]
            raise CommandError(
                f"{worst.rival} wins {worst.share.share:.0%} against {worst.against}: the staff "
                "needs a plan that answers it."
            )


def _scenario(slug_or_path: str) -> tuple[Scenario, str]:
    """Return a scenario by its slug or its file, and the path of the file, if any."""
    if not slug_or_path.endswith(DOCUMENT):
        return creation.known_scenario(slug_or_path), ""
    try:
        document = read_document(Path(slug_or_path).read_bytes())
        return edition_of_document(document).scenario(document["scenario"]["slug"]), slug_or_path
    except OSError as error:
        raise CommandError(f"{slug_or_path} cannot be read: {error.strerror}.") from error
    except ScenarioFault as fault:
        raise CommandError(f"{slug_or_path}: {fault}.") from fault


def _line(game: LadderGame) -> str:
    if game.error:
        return game.error
    winner = side_name(game.winner) if game.winner else "nobody"
    return f"{game.mahdist} against {game.egyptian}: {game.months} months, won by {winner}"


def _pairs(games: list[LadderGame]) -> Table:
    figures = ["games", "Mahdists win", "Egyptians win", "drawn", "months"]
    table = table_of("Every pair, with 95% intervals", ["Mahdists", "Egyptians"], figures)
    for (mahdist, egyptian), cell in ladder.cells(games).items():
        number = cell.mahdist.games
        shares = (_share(cell.mahdist), _share(cell.egyptian), f"{cell.drawn:.0%}")
        table.add_row(mahdist, egyptian, str(number), *shares, f"{cell.months:.1f}")
    return table


def _share(share: WinShare) -> str:
    return f"{share.share:.0%} ({share.low:.0%}-{share.high:.0%})"


def _ratings(contestants: tuple[Contestant, ...], games: list[LadderGame]) -> Table:
    table = table_of(
        "Ratings; 400 points are odds of ten to one",
        ["side", "name", "kind", "what it does"],
        ["rating", "score", "games"],
    )
    for rating in ladder.ratings(contestants, games):
        contestant = rating.contestant
        table.add_row(
            side_name(contestant.side),
            contestant.name,
            contestant.kind,
            contestant.title,
            str(rating.rating),
            f"{rating.score:.0%}",
            str(rating.games),
        )
    return table


def _history(
    record: tuple[Any, ...], contestants: tuple[Contestant, ...], games: list[LadderGame]
) -> Table:
    """Return the table of what happened when, in the games between plans and levels alone."""
    milestones = ladder.serious_milestones(contestants, games)
    title = f"Beside the record, in the {len(milestones)} games without a simple rival"
    table = table_of(title, ["event", "record"], ["happened", "first", "median", "last"])
    for line in beside_the_record(record, milestones):
        share = f"{line.happened / line.campaigns:.0%}" if line.campaigns else "–"
        table.add_row(line.title, line.record, share, line.first, line.middle, line.last)
    return table
