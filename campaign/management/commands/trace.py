"""`manage.py trace`: print every clause with its code, cases and tests; --write updates docs/."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from campaign.trace_report import DOCUMENT, document


class Command(BaseCommand):
    help = "Print where each clause of the book is carried out, and what shows and tests it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--write", action="store_true", help="write docs/rules/trace.md instead of printing"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if not options["write"]:
            self.stdout.write(document(), ending="")
            return
        DOCUMENT.write_text(document(), encoding="utf-8")
        self.stdout.write(f"Written: {DOCUMENT.name}")
