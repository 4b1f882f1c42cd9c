"""`manage.py cases`: play the case book by these rules and report the differences."""

from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from campaign.rules.cases.casebook import Case, cases, differences, run


class Command(BaseCommand):
    help = "Play cases of the case book and say what comes out otherwise than it has it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "number", nargs="*", help="a case (8.21.3), a clause (8.21) or a chapter (8); all else"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        chosen = list(_chosen(options["number"]))
        if not chosen:
            raise CommandError(f"There is no case {' '.join(options['number'])}.")
        wrong = [f"{case.number} {case.title}: {line}" for case in chosen for line in _said(case)]
        for line in wrong:
            self.stdout.write(line)
        if wrong:
            raise CommandError(f"Of {len(chosen)} cases some come out otherwise.")
        self.stdout.write(f"{len(chosen)} cases come out as the book of cases has them.")


def _chosen(numbers: list[str]) -> Iterator[Case]:
    for case in cases():
        if not numbers or any(f"{case.number}.".startswith(f"{number}.") for number in numbers):
            yield case


def _said(case: Case) -> Iterator[str]:
    return differences(case, run(case))
