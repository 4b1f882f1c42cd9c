"""The time that a test waits for what must happen, and its message when it waits in vain.

No outcome depends on how fast the machine is: a test waits for an event, and the one limit, which
all tests share, is there to end a test whose event never comes. SIRDAR_TEST_PATIENCE changes it.
"""

import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

PATIENCE = float(os.environ.get("SIRDAR_TEST_PATIENCE", "300"))
"""Seconds, far more than anything takes on a machine with ten times the load it can carry."""
OFTEN = 0.05
"""Seconds between two looks."""


def wait_until(
    holds: Callable[[], object], awaited: str, shown: Callable[[], str] = lambda: ""
) -> None:
    """Come back once it holds.

    When patience is at its end, fail with what was awaited and with what `shown` gives: what the
    program has said so far.
    """
    end = time.monotonic() + PATIENCE
    while not holds():
        if time.monotonic() > end:
            pytest.fail(f"Waited {PATIENCE:.0f} s in vain for {awaited}.\n{shown()}")
        time.sleep(OFTEN)


def ended(
    process: subprocess.Popen[str], awaited: str, typed: str | None = None
) -> tuple[int, str, str]:
    """Wait until the process ends; its exit status and what it wrote to its two streams.

    It is given `typed` on its standard input. A process that does not
    end is killed, and the test fails with what it said until then.
    """
    try:
        out, err = process.communicate(typed, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
        pytest.fail(f"Waited {PATIENCE:.0f} s in vain for {awaited}.\n{out}{err}")
    return process.returncode, out or "", err or ""


def wait_until_gone(pid: int, awaited: str) -> None:
    """Wait until the process of that number runs no longer; a zombie does not run."""
    wait_until(lambda: not runs(pid), awaited)


def runs(pid: int) -> bool:
    """Return whether a process of that number runs."""
    try:
        return "State:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
