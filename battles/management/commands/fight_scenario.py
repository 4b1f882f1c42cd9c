"""`manage.py fight_scenario`: throw for a scenario of Restless Natives, and fight it."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from battles.books.restless_natives.generator import SCENARIOS, generate_brief
from battles.contract.brief_files import WrittenBrief
from battles.core.dice import ChainedDice, derive_key
from battles.management.commands import fight


class Command(fight.Command):
    help = "Throw for the armies and the scenario of Restless Natives, and fight the battle."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--british", type=int, help="the British score, 1 to 6 (thrown)")
        parser.add_argument("--natives", type=int, help="the Native score, 1 to 6 (thrown)")
        parser.add_argument("--scenario", default="", help="A to F (by both scores)")
        self.add_run(parser, "restless")

    def written(self, options: dict[str, Any]) -> WrittenBrief:
        """Return the brief of these scores; missing scores are thrown from the seed."""
        thrown = ChainedDice(derive_key(b"scenario", options["seed"])).throw(2, 6)
        british, natives = options["british"], options["natives"]
        scores = (
            thrown[0] if british is None else british,
            thrown[1] if natives is None else natives,
        )
        try:
            brief = generate_brief(*scores, options["scenario"].upper())
        except ValueError as error:
            raise CommandError(str(error)) from error
        letter = next(key for key in SCENARIOS if SCENARIOS[key].title == brief.title)
        self.stdout.write(
            f"Scenario {letter}: the British threw {scores[0]}, the Natives {scores[1]}."
        )
        return WrittenBrief(brief)
