"""Several programs run as one: started together, stopped together, none left behind."""

import ctypes
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

CONSOLE = "SIRDAR_CONSOLE"
"""The variable that tells a program the file descriptor of the console, for what fails."""
GRACE = 20.0  # seconds a program has for what it is in the middle of
STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class ProgramStopped(Exception):
    """A program ended that nobody had asked to end."""


@dataclass(frozen=True)
class Program:
    """A command to run, what people call it, and the file that takes what it says."""

    name: str
    command: tuple[str, ...]
    log: Path


def run_together(
    programs: Sequence[Program],
    *,
    ready: Callable[[], bool],
    announce: Callable[[], None],
) -> None:
    """Run the programs until this process is asked to stop, then stop them all.

    `announce` is called once, when `ready` first says so. Raises ProgramStopped, with all the
    others stopped too, when one ends by itself.
    """
    with _asked_to_stop() as asked:
        running: list[tuple[Program, subprocess.Popen[bytes]]] = []
        try:
            running += ((program, _start(program)) for program in programs)
            while not asked.wait(0.1) and not ready():
                _all_alive(running)
            if not asked.is_set():
                announce()
            while not asked.wait(0.5):
                _all_alive(running)
        finally:
            asked.clear()
            _stop([process for _, process in running], hurry=asked)


@contextmanager
def _asked_to_stop() -> Iterator[threading.Event]:
    """An event that Ctrl-C, a closed terminal or `kill` sets."""
    asked = threading.Event()

    def ask(_number: int, _frame: FrameType | None) -> None:
        asked.set()

    before = {number: signal.signal(number, ask) for number in STOPPING}
    try:
        yield asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _start(program: Program) -> subprocess.Popen[bytes]:
    """A session of its own keeps the terminal's Ctrl-C from it: it stops when we say so.

    Of what it says only failures reach the console, by a descriptor of its own.
    """
    console = os.dup(sys.__stderr__.fileno() if sys.__stderr__ else 2)
    with program.log.open("ab") as log, os.fdopen(console, "w"):
        return subprocess.Popen(
            program.command,
            env=os.environ | {CONSOLE: str(console)},
            pass_fds=[console],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
            preexec_fn=_end_with_parent if sys.platform == "linux" else None,
        )


def _end_with_parent() -> None:
    """Have Linux end this process should its parent be killed without a chance to do so."""
    set_parent_death_signal = 1
    ctypes.CDLL(None).prctl(set_parent_death_signal, signal.SIGTERM)


def _all_alive(running: Sequence[tuple[Program, subprocess.Popen[bytes]]]) -> None:
    for program, process in running:
        if process.poll() is not None:
            raise ProgramStopped(
                f"The {program.name} stopped by itself (exit code {process.returncode}); "
                f"its log is {program.log}."
            )


def _stop(processes: Sequence[subprocess.Popen[bytes]], *, hurry: threading.Event) -> None:
    """Ask all to stop; kill what has not when the grace is over or a second Ctrl-C comes."""
    for process in processes:
        process.terminate()
    waited = 0.0
    while any(process.poll() is None for process in processes) and waited < GRACE:
        waited += 0.05
        if hurry.wait(0.05):
            break
    for process in processes:
        if process.poll() is None:
            process.kill()
        process.wait()
