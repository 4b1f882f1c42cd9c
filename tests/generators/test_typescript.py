"""Clients in TypeScript: the types that openapi-typescript makes hold for written programs.

The programs are checked as strictly as the compiler can, and then played against the site.
"""

import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.generators.tools import MODULES, PROGRAMS, run
from tests.people import PASSWORD, People
from tests.played_once import made_once
from tests.published_schema import schema_text

CALL = """
const [program, ...given] = process.argv.slice(1);
await (await import(program)).play(...given);
"""


@pytest.fixture(scope="session")
def project() -> Path:
    """Return a folder with the programs and the generated types."""
    return made_once("typescript", _generate)


def _generate(folder: Path) -> None:
    for path in (*PROGRAMS.glob("*.ts"), PROGRAMS / "tsconfig.json"):
        shutil.copy(path, folder)
    (folder / "package.json").write_text('{"type": "module"}')
    (folder / "node_modules").symlink_to(MODULES)
    (folder / "openapi.json").write_text(schema_text())
    script = str(MODULES / "openapi-typescript" / "bin" / "cli.js")
    run("node", script, "openapi.json", "--output", "schema.d.ts", folder=folder)


def test_the_programs_are_well_typed(project: Path) -> None:
    compiler = str(MODULES / "typescript" / "bin" / "tsc")
    run("node", compiler, "--project", "tsconfig.json", folder=project)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("program", ["campaign", "events", "battle"])
def test_the_programs_play(project: Path, people: People, live_server: Any, program: str) -> None:
    given = [live_server.url, people.umpire.username, PASSWORD]
    out = run(
        "node", "--input-type=module", "--eval", CALL, f"./{program}.ts", *given, folder=project
    )
    assert out.splitlines()[-1] == "done"
