"""Run the generators of clients, and Node, from the folder where the Makefile installs them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import PATIENCE

INSTALLED = Path(sys.prefix) / "generators"
MODULES = INSTALLED / "node_modules"
PROGRAMS = Path(__file__).with_name("programs")
"""Programs that people might write by the interface."""


def run(program: str, *arguments: str, folder: Path) -> str:
    """Run an installed program in a folder and return its output.

    Fail the test with the output if the program fails.
    """
    path = INSTALLED / "bin" / program
    if not (MODULES.is_dir() and path.exists()):
        pytest.fail("The generators are missing: install them with 'make .venv/generators/made'.")
    done = subprocess.run(
        [path, *arguments],
        cwd=folder,
        env={**os.environ, "PATH": f"{path.parent}{os.pathsep}{os.environ['PATH']}"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, f"{program} {' '.join(arguments)}\n{done.stdout}"
    return done.stdout
