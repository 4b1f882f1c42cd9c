"""`manage.py openapi`: draw the schema of the interface anew, and say what the changelog needs."""

from typing import Any

from django.core.management.base import BaseCommand

from api.published import KEPT, NOTES, drawn, mark_of


class Command(BaseCommand):
    help = "Write docs/openapi.json anew; print the mark with which CHANGELOG.md must note it."

    def handle(self, *_args: Any, **_options: Any) -> None:
        text = drawn()
        KEPT.write_text(text, encoding="utf-8")
        mark = mark_of(text)
        noted = mark in NOTES.read_text(encoding="utf-8")
        self.stdout.write(mark if noted else f"Note in CHANGELOG.md what has changed: ({mark})")
