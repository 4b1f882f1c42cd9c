"""A battle goes on after the server has been stopped in the middle, or killed in an action."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import PATIENCE

ROOT = Path(__file__).resolve().parents[2]


def run(folder: Path, what: str) -> subprocess.CompletedProcess[str]:
    """A new process does that with the battle in the folder."""
    environment = {**os.environ, "SIRDAR_DATA": str(folder), "PYTHONPATH": str(ROOT)}
    environment.pop("DATABASE_URL", None)
    return subprocess.run(
        [sys.executable, "-m", "tests.battles_web.restarted", what],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


@pytest.mark.long
def test_a_battle_goes_on_after_a_kill_in_the_middle_of_an_action(tmp_path: Path) -> None:
    begun = run(tmp_path, "begin")
    assert begun.returncode == 0, begun.stderr
    assert run(tmp_path, "die").returncode == -signal.SIGKILL
    over = run(tmp_path, "end")
    assert over.returncode == 0, over.stderr
    place, ending = over.stdout.strip().splitlines()[-2:]
    assert place == begun.stdout.strip().splitlines()[-1]
    assert ending
