"""Run several programs as one: started together, stopped together, none left behind.

Each is a fork of this process, so everything imported here is shared and in memory once. Start no
thread and leave no connection open before the fork.
"""

import ctypes
import logging.config
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.context import ForkProcess
from pathlib import Path
from types import FrameType
from typing import Any

from ops import logging_setup

GRACE = 20.0  # seconds a program has to finish its present work
STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class ProgramStopped(Exception):
    """A program that ended without being asked to."""


@dataclass(frozen=True)
class Program:
    """A function that runs until SIGTERM, with its name for people and the file for its log.

    `title` is the name of its process, of which Linux shows 15 letters.
    """

    name: str
    title: str
    run: Callable[[], object]
    log: Path


def run_together(
    programs: Sequence[Program], *, ready: Callable[[], bool], announce: Callable[[], None]
) -> None:
    """Run the programs until this process is asked to stop, then stop them all.

    `announce` is called once, when `ready` first returns True. Raises ProgramStopped when a program
    ends by itself, after stopping the others.
    """
    with _asked_to_stop() as stop:
        running: list[tuple[Program, ForkProcess]] = []
        try:
            running += ((program, _start(program)) for program in programs)
            while not stop.wait(0.1) and not ready():
                _all_alive(running)
            if not stop.is_set():
                announce()
            while not stop.wait(0.5):
                _all_alive(running)
        finally:
            stop.clear()
            _stop([process for _, process in running], hurry=stop)


@contextmanager
def _asked_to_stop() -> Iterator[threading.Event]:
    """Yield an event that Ctrl-C, a closed terminal or `kill` sets."""
    stop = threading.Event()

    def ask(_number: int, _frame: FrameType | None) -> None:
        stop.set()

    before = {number: signal.signal(number, ask) for number in STOPPING}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _start(program: Program) -> ForkProcess:
    process = get_context("fork").Process(target=_run_in_fork, args=(program, os.getpid()))
    process.start()
    return process


def _run_in_fork(program: Program, parent: int) -> None:
    """Run the program in this fork: its output goes to its log, its errors to the console as well.

    A session of its own keeps the terminal's Ctrl-C from it, so that only the parent stops it.
    """
    os.setsid()
    for number in STOPPING:
        signal.signal(number, signal.SIG_DFL)
    console = os.fdopen(os.dup(2), "w", buffering=1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    log = os.open(program.log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    for descriptor, instead in ((0, nothing), (1, log), (2, log)):
        os.dup2(instead, descriptor)
    if sys.platform == "linux":
        _name_and_end_with_parent(program.title, parent)
    sys.argv = [program.title]
    logging.config.dictConfig(logging_setup.config(os.environ.get("SIRDAR_LOG", ""), console))
    program.run()


def _name_and_end_with_parent(title: str, parent: int) -> None:
    """Set the process name, and have Linux end the process if its parent is killed."""
    set_parent_death_signal, set_name = 1, 15
    library = ctypes.CDLL(None)
    library.prctl(set_name, title.encode())
    library.prctl(set_parent_death_signal, signal.SIGTERM)
    if os.getppid() != parent:
        os._exit(1)


def _all_alive(running: Sequence[tuple[Program, ForkProcess]]) -> None:
    for program, process in running:
        if not process.is_alive():
            raise ProgramStopped(
                f"The {program.name} stopped by itself (exit code {process.exitcode}); "
                f"its log is {program.log}."
            )


def _stop(processes: Sequence[ForkProcess], *, hurry: threading.Event) -> None:
    """Ask all to stop; kill the rest when the grace is over or at a second Ctrl-C."""
    for process in processes:
        process.terminate()
    waited = 0.0
    while any(process.is_alive() for process in processes) and waited < GRACE:
        waited += 0.05
        if hurry.wait(0.05):
            break
    for process in processes:
        process.kill()
        process.join()


def end_on_wrong_settings(_server: Any) -> None:
    """End gunicorn before it starts, if a setting is wrong: the process started here names it.

    Otherwise every worker would end with a traceback. A module imported by gunicorn itself would
    not be loaded again by SIGHUP, so the settings are read elsewhere.
    """
    if subprocess.call([sys.executable, "-c", "import sirdar.settings"]):
        sys.exit(1)
