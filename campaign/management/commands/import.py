# ruff: noqa: N999  (the command is called so)
"""`manage.py import FILE`: check an exported campaign and store it as a new one.

A crash file of random play becomes a campaign that begins where it crashed.
"""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from campaign.management.base import SirdarCommand, find_user
from campaign.services.transfer import archive


class Command(SirdarCommand):
    help = "Bring in a campaign that `export` has written. No campaign that is here is touched."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--slug", default="", help="another short name than the file has")
        parser.add_argument("--umpire", metavar="USER", help="who umpires it here")
        parser.add_argument("--public", action="store_true", help="anybody may look on")

    def handle(self, *_args: Any, **options: Any) -> None:
        path: Path = options["file"]
        umpire = find_user(options["umpire"]) if options["umpire"] else None
        kept = {"slug": options["slug"], "umpire": umpire, "public": options["public"]}
        try:
            with path.open("rb") as file:
                if archive.is_crash(file.read(16)):
                    self._crash(path.read_bytes(), kept)
                    return
                file.seek(0)
                campaign = archive.import_campaign(file, **kept)
        except OSError as error:
            raise CommandError(f"{path} cannot be read: {error.strerror}.") from error
        self.stdout.write(
            f"{campaign.title} is here as {campaign.slug!r}, with {campaign.entries.count()} "
            "entries. Hashes, events and the dice of every closed month are right."
        )
        branch = campaign.branches.get(number=campaign.branch)
        if branch.number:
            self.stdout.write(f"It is on branch {branch.number}: {branch.reason}")

    def _crash(self, data: bytes, kept: dict[str, Any]) -> None:
        campaign = archive.import_crash(data, **kept)
        self.stdout.write(f"{campaign.title} is here as {campaign.slug!r}.")
        self.stdout.write(campaign.branches.get().reason)
