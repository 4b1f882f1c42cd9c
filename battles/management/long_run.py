"""Run a command of many pieces with progress, early end without loss, and resumption.

Each finished piece is a line on standard error, or moves a bar on a terminal; standard output has
the results alone. SIGINT, SIGTERM and the death of a worker end the run early and keep the
finished pieces. With a file, the next run on the same terms continues after them.
"""

import fcntl
import os
import signal
import sys
from argparse import ArgumentTypeError
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from types import FrameType
from typing import IO, Any, Generic, NamedTuple, NoReturn, TypeVar, cast

import msgspec
from django.core.management.base import CommandError, CommandParser, OutputWrapper
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from battles.contract.brief_files import WrittenBrief, read_brief
from battles.core.decoding import decoder_for
from battles.core.process_pool import WorkerDied
from battles.core.tables import Source, TableError

Piece = TypeVar("Piece")
STOPPED = 130
"""The exit status after a signal, as shells use it for Ctrl-C."""
FAILED = 1


class RunPlan(NamedTuple, Generic[Piece]):
    """The pieces of a run: how to carry them out and to describe them."""

    carry_out: Callable[[range], Iterator[Piece]]
    """Yield the pieces of these numbers in order, each when it is finished."""
    total: int
    name: str
    """The pieces' name, in the plural."""
    line: Callable[[Piece], str]
    """Return a few words about a finished piece."""
    every: int = 1
    """Pieces per line of progress."""


class Collected(NamedTuple, Generic[Piece]):
    """The finished pieces, and the reason if the run ended early."""

    pieces: list[Piece]
    total: int
    name: str
    stopped: str = ""
    status: int = 0

    def raise_if_stopped(self) -> None:
        """Raise CommandError for a run that ended early; say how far it got."""
        if self.stopped:
            how_many = f"{len(self.pieces)} of {self.total} {self.name} were finished"
            suffix = " and are counted above" if self.pieces else ""
            raise CommandError(f"{self.stopped} {how_many}{suffix}.", returncode=self.status)


def take_resume(parser: CommandParser) -> None:
    """Add the option for the file of a run that can be resumed."""
    parser.add_argument(
        "--resume",
        type=Path,
        metavar="FILE",
        help="keep each as a line of JSON in this file, and go on after those it has already",
    )


def take_run(parser: CommandParser, pieces: str, workers: int = 1) -> None:
    """Add the options for the seed, the processes and the file of the results."""
    parser.add_argument("--seed", type=int, default=1, help="the same seed, the same dice (1)")
    parser.add_argument("--workers", type=int, default=workers, help=f"processes ({workers})")
    parser.add_argument("--json", type=file_to_write, metavar="FILE", help=f"write {pieces} there")


def file_to_write(text: str) -> Path:
    """Return the path of a file for the results, checked before the run, which may take hours."""
    path = Path(text)
    if path.is_dir() or not path.parent.is_dir():
        raise ArgumentTypeError(f"{path} cannot be written: it is a folder, or in none.")
    return path


def between(name: str, value: int, most: int) -> int:
    """Return the value of an option. Raises CommandError unless it is from 1 to `most`."""
    if not 1 <= value <= most:
        raise CommandError(f"{name} {value} cannot be: give a number from 1 to {most}.")
    return value


def write_json(path: Path, document: Any) -> None:
    """Write a document as JSON. Raises CommandError when the file cannot be written."""
    try:
        path.write_bytes(msgspec.json.format(msgspec.json.encode(document), indent=1))
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror}.") from error


def read_written(path: Path) -> WrittenBrief:
    """Return the brief of a file. Raises CommandError for one that cannot be read."""
    try:
        return read_brief(Source(path.name, path.read_text(encoding="utf-8")))
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise CommandError(f"{path} is not a text in UTF-8: {error.reason}.") from error
    except TableError as error:
        raise CommandError(str(error)) from error


def console_on(stdout: OutputWrapper) -> Console:
    """Return a console for tables, 110 columns wide where there is no terminal."""
    width = None if stdout.isatty() else 110
    return Console(file=cast("IO[str]", stdout), width=width, highlight=False)


def table_of(title: str, left: Sequence[str], right: Sequence[str]) -> Table:
    """Return an empty table: columns of words on the left, of figures on the right."""
    table = Table(title=title, title_justify="left")
    for name in left:
        table.add_column(name)
    for name in right:
        table.add_column(name, justify="right")
    return table


def collect(plan: RunPlan[Piece], kept: "ResumeFile[Piece] | None" = None) -> Collected[Piece]:
    """Carry the run out until it is finished or stopped; no other run uses its file meanwhile."""
    with kept.locked() if kept else nullcontext():
        return _collect(plan, kept)


def _collect(plan: RunPlan[Piece], kept: "ResumeFile[Piece] | None") -> Collected[Piece]:
    finished = kept.read()[: plan.total] if kept else []
    stopped, status = "", 0
    try:
        with _progress(plan, len(finished)) as show, _sigterm_as_ctrl_c():
            left = range(len(finished) + 1, plan.total + 1)
            for piece in plan.carry_out(left) if left else ():
                if kept:
                    kept.add(piece)
                finished.append(piece)
                show(len(finished), piece)
    except KeyboardInterrupt:
        stopped, status = "Stopped:", STOPPED
    except WorkerDied as error:
        stopped, status = str(error), FAILED
    return Collected(finished, plan.total, plan.name, stopped, status)


@contextmanager
def _progress(plan: RunPlan[Piece], done: int) -> Iterator[Callable[[int, Piece], None]]:
    """Yield a function that shows a finished piece: a bar on a terminal, otherwise lines."""
    if sys.stderr.isatty():
        columns = (
            TextColumn(plan.name.capitalize()),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
        )
        with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task(plan.name, total=plan.total, completed=done)
            yield lambda number, piece: bar.update(task, completed=number)
        return

    def show(number: int, piece: Piece) -> None:
        if number % plan.every == 0 or number == plan.total:
            _say(f"{number} of {plan.total} {plan.name} finished: {plan.line(piece)}")

    if done:
        _say(f"Going on after {done} of {plan.total} {plan.name}.")
    yield show


def _say(line: str) -> None:
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


@contextmanager
def _sigterm_as_ctrl_c() -> Iterator[None]:
    """Let SIGTERM end the run as Ctrl-C does; workers leave both to this process."""

    def interrupt(number: int, frame: FrameType | None) -> NoReturn:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


class ResumeFile(Generic[Piece]):
    """The file of a run: its terms in the first line, then a line for each finished piece."""

    def __init__(self, path: Path, terms: dict[str, str | int], kind: type[Piece]) -> None:
        self.path, self.terms, self.kind = path, terms, kind

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other runs from the file. Raises CommandError while one of them uses it."""
        try:
            number = os.open(self.path, os.O_RDONLY | os.O_CREAT, 0o666)
        except OSError as error:
            raise self._unusable(error) from error
        try:
            self._lock(number)
            yield
        finally:
            os.close(number)

    def _lock(self, number: int) -> None:
        try:
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise CommandError(
                f"{self.path} is in use by another run: wait for its end, or name another file."
            ) from error
        except OSError as error:
            raise self._unusable(error) from error

    def read(self) -> list[Piece]:
        """Return the pieces in the file. Raises CommandError for any other file or terms.

        An unfinished last line, which was being written when the run was killed, is cut off. A file
        that is refused is left as it is.
        """
        begun = msgspec.json.encode(self.terms) + b"\n"
        try:
            content = self.path.read_bytes() if self.path.exists() else b""
            if begun.startswith(content):
                self.path.write_bytes(begun)
                return []
            lines = content.splitlines(keepends=True)
            whole = lines if lines[-1].endswith(b"\n") else lines[:-1]
            pieces = self._pieces(whole or lines)
            if whole != lines:
                self.path.write_bytes(b"".join(whole))
        except OSError as error:
            raise self._unusable(error) from error
        return pieces

    def _pieces(self, lines: Sequence[bytes]) -> list[Piece]:
        number = 1
        pieces: list[Piece] = []
        try:
            if decoder_for(dict[str, str | int]).decode(lines[0]) != self.terms:
                raise CommandError(
                    f"{self.path} was begun on other terms ({lines[0].decode().strip()}): "
                    "name another file."
                )
            for line in lines[1:]:
                number += 1
                pieces.append(decoder_for(self.kind).decode(line))
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise CommandError(f"{self.path}:{number} is no line of a run: {error}") from error
        return pieces

    def add(self, piece: Piece) -> None:
        """Append a piece to the file."""
        try:
            with self.path.open("ab") as file:
                file.write(msgspec.json.encode(piece) + b"\n")
        except OSError as error:
            raise self._unusable(error) from error

    def _unusable(self, error: OSError) -> CommandError:
        return CommandError(f"{self.path} cannot be used: {error.strerror}.")
