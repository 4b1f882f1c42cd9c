"""`manage.py cases`: play the case books by these rules and report the differences."""

from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any, NamedTuple

from django.core.management.base import BaseCommand, CommandError

from battles.contract import casebook
from battles.contract.book import every_book
from campaign.rules.casebook import cases, differences, run


class NamedCase(NamedTuple):
    """A case of the campaign or of a battle book, and how its result differs when it is played.

    `number` of a battle book's case begins with the slug of the book: `redcoats Formations 8.1`.
    """

    number: str
    title: str
    differences: Iterator[str]


class Command(BaseCommand):
    help = "Play cases of the case books, and list how their results differ."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "number",
            nargs="*",
            help="a case (8.21.3, ‘redcoats Formations 8.1’), a clause (8.21, ‘redcoats Formations "
            "8’), a chapter (8) or a book (redcoats); all else",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        chosen = list(_chosen_cases(options["number"]))
        if not chosen:
            raise CommandError(f"There is no case {' '.join(options['number'])}.")
        wrong = [
            f"{case.number} {case.title}: {line}" for case in chosen for line in case.differences
        ]
        for line in wrong:
            self.stdout.write(line)
        if wrong:
            raise CommandError(f"Some of the {len(chosen)} cases give other results.")
        self.stdout.write(f"{len(chosen)} cases give the required results.")


def _chosen_cases(numbers: list[str]) -> Iterator[NamedCase]:
    for case in _every_case():
        if not numbers or any(f"{case.number}.".startswith((f"{n}.", f"{n} ")) for n in numbers):
            yield case


def _every_case() -> Iterator[NamedCase]:
    for case in cases():
        yield NamedCase(case.number, case.title, differences(case, run(case)))
    for book in every_book():
        case_book = book.pages.cases
        if case_book is None:
            continue
        for book_case in case_book.cases:
            lines = casebook.differences(book_case, case_book.run(book_case))
            yield NamedCase(f"{book.slug} {book_case.number}", book_case.title, lines)
