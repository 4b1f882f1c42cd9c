"""`manage.py openapi`: generate docs/openapi.json, and print the digest for the changelog."""

from typing import Any

from django.core.management.base import BaseCommand

from api.openapi.info import CHANGELOG, SCHEMA_FILE, render_schema, schema_digest


class Command(BaseCommand):
    help = "Write docs/openapi.json; print the digest with which CHANGELOG.md must note it."

    def handle(self, *_args: Any, **_options: Any) -> None:
        text = render_schema()
        SCHEMA_FILE.write_text(text, encoding="utf-8")
        mark = schema_digest(text)
        noted = mark in CHANGELOG.read_text(encoding="utf-8")
        self.stdout.write(mark if noted else f"Note in CHANGELOG.md what has changed: ({mark})")
