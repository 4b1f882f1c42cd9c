"""Shared parts of the commands: errors in one line, look-ups, options, table output."""

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser

from battles.contract.book import books
from battles.core.tables import Source, TableError
from battles.journal import Refused
from campaign.models import Campaign
from campaign.rules.core.state import COMBAT_TABLE
from campaign.rules.tables.editions import (
    Edition,
    UnknownName,
    named_edition,
    named_editions,
    remember,
    shipped_edition,
    texts_by_name,
)
from ops.database_errors import UNUSABLE, explain

MOST_NAMES = 12


class SirdarCommand(BaseCommand):
    """A command whose refusals are printed as one line."""

    # No command needs the web site, and checking it would load all of it.
    requires_system_checks = ()

    def execute(self, *args: Any, **options: Any) -> Any:
        try:
            return super().execute(*args, **options)
        except Refused as refused:
            raise CommandError(str(refused)) from refused
        except TableError as error:
            raise CommandError(f"A table of the rules is damaged: {error}") from error
        except UNUSABLE as error:
            raise CommandError(explain(error)) from error
        except KeyboardInterrupt:
            raise CommandError("Stopped; what was written is kept.") from None
        except BrokenPipeError:
            # The reader (a pager, `head`) has closed the pipe; nothing may be written at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def find_campaign(slug: str) -> Campaign:
    """Return the campaign of that slug. Raises CommandError with a list of known ones."""
    try:
        return Campaign.objects.get(slug=slug)
    except Campaign.DoesNotExist as error:
        slugs = list(Campaign.objects.values_list("slug", flat=True)[: MOST_NAMES + 1])
        raise CommandError(f"There is no campaign {slug!r}; {_those(slugs)}") from error


def _those(slugs: list[str]) -> str:
    if not slugs:
        return "there is none at all yet: begin one with `manage.py newcampaign`."
    rest = " and more" if len(slugs) > MOST_NAMES else ""
    return f"there are {', '.join(slugs[:MOST_NAMES])}{rest}."


def find_user(name: str) -> User:
    """Return the user of that name. Raises CommandError with a list of known ones."""
    try:
        return User.objects.get(username=name)
    except User.DoesNotExist as error:
        names = list(User.objects.values_list("username", flat=True)[:MOST_NAMES])
        listing = f"there are {', '.join(names)}" if names else "there is none yet"
        raise CommandError(
            f"There is no user {name!r}; {listing}. `manage.py createsuperuser` makes one."
        ) from error


@contextmanager
def written_whole(path: Path, mode: int = 0o666) -> Iterator[BinaryIO]:
    """Open the file for writing: it is there whole at the end, or not at all.

    Raises CommandError when it cannot be written.
    """
    draft = path.with_name(f"{path.name}.part")
    try:
        draft.touch(mode=mode)
        with draft.open("wb") as file:
            yield file
        draft.replace(path)
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror}.") from error
    finally:
        with suppress(OSError):
            draft.unlink()


def take_tables(parser: CommandParser) -> None:
    """Add the options for a named edition, and for tables in place of those shipped."""
    slugs = ", ".join(edition.slug for edition in named_editions())
    parser.add_argument(
        "--edition", default="", metavar="NAME", help=f"the tables of a named edition: {slugs}"
    )
    parser.add_argument(
        "--tables",
        type=Path,
        nargs="+",
        default=(),
        metavar="FILE",
        help="tables (or a scenario) of your own as TOML, in place of those shipped",
    )


def edition_with(paths: Iterable[Path], name: str = "") -> Edition:
    """Return the named edition (empty: the shipped one) with these files in place of its own.

    Raises CommandError for a wrong file, and for an unknown name.
    """
    try:
        base = named_edition(name).edition if name else shipped_edition()
        own = texts_by_name(Source(path.name, _text(path)) for path in paths)
        return remember(base.replacing(own))
    except (TableError, UnknownName) as error:
        raise CommandError(str(error)) from error


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise CommandError(f"{path} is not a text in UTF-8: {error.reason}.") from error


def take_resolution(parser: CommandParser) -> None:
    """Add the option for the way battles are fought."""
    names = ", ".join([COMBAT_TABLE, *books()])
    parser.add_argument(
        "--resolution",
        default=COMBAT_TABLE,
        metavar="BOOK",
        help=f"what battles are fought by: {names}",
    )
