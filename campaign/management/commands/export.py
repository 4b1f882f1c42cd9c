"""`manage.py export CAMPAIGN [FILE]`: write a whole campaign to one file."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from campaign.management.base import SirdarCommand, find_campaign, written_whole
from campaign.services.transfer import archive


class Command(SirdarCommand):
    help = "Write a whole campaign, with all its branches, to one file (a zip of JSON documents)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("campaign", help="its short name")
        parser.add_argument("file", nargs="?", type=Path, help="(the short name and .sirdar)")
        parser.add_argument(
            "--with-secret",
            action="store_true",
            help="with the secret of its dice, to move it to another server; tell nobody",
        )
        parser.add_argument("--force", action="store_true", help="overwrite the file")

    def handle(self, *_args: Any, **options: Any) -> None:
        campaign = find_campaign(options["campaign"])
        path = options["file"] or Path(f"{campaign.slug}.sirdar")
        if path.exists() and not options["force"]:
            raise CommandError(f"{path} exists; name another file, or overwrite it with --force.")
        with_secret = options["with_secret"]
        # With the secret only the owner of the file may read it.
        with written_whole(path, 0o600 if with_secret else 0o644) as file:
            archive.export_campaign(campaign, file, with_secret=with_secret)
        self.stdout.write(f"{campaign.title} is in {path} ({path.stat().st_size:,} bytes).")
        if not with_secret:
            self.stdout.write(
                "The secret of its dice is not (--with-secret): an import of it goes on as a "
                "new branch with dice of another chain."
            )
