"""A client in Python: openapi-python-client makes all of it, and a program plays with it."""

import importlib
import json
import pkgutil
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, get_args, get_type_hints

import pytest

from tests.generators.tools import PROGRAMS, run
from tests.patience import PATIENCE
from tests.people import PASSWORD, People
from tests.played_once import made_once
from tests.published_schema import resolve, schema_text

PROBLEM = "application/problem+json"
PACKAGE = "generated_client"
PROGRAM = "month"


@pytest.fixture(scope="session")
def folder() -> Iterator[Path]:
    """Yield a folder with the generated package and the program, which can be imported."""

    def generate(folder: Path) -> None:
        (folder / "openapi.json").write_text(schema_text())
        run(
            "openapi-python-client",
            *("generate", "--path", "openapi.json", "--fail-on-warning"),
            *("--meta", "none", "--output-path", PACKAGE),
            folder=folder,
        )
        shutil.copy(PROGRAMS / f"{PROGRAM}.py", folder)

    folder = made_once("generated", generate)
    sys.path.insert(0, str(folder))
    yield folder
    sys.path.remove(str(folder))


def modules(package: ModuleType) -> dict[str, ModuleType]:
    """Import every module of the package, and return them by name without their packages."""
    found = pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    return {
        module.name.rpartition(".")[2]: importlib.import_module(module.name)
        for module in found
        if not module.ispkg
    }


def operations() -> Iterator[dict[str, Any]]:
    schema = json.loads(schema_text())
    for path in schema["paths"].values():
        for operation in path.values():
            answers = operation["responses"].items()
            yield operation | {"responses": {code: resolve(schema, one) for code, one in answers}}


def test_every_operation_is_generated_with_its_problems(folder: Path) -> None:
    api = modules(importlib.import_module(f"{PACKAGE}.api"))
    assert len(api) == len(list(operations()))
    problem = importlib.import_module(f"{PACKAGE}.models").Problem
    for operation in operations():
        module = api[operation["operationId"].replace("-", "_")]
        if any(PROBLEM in answer.get("content", {}) for answer in operation["responses"].values()):
            (parsed,) = get_args(get_type_hints(module.sync_detailed)["return"])
            assert problem in get_args(parsed), module.__name__


@pytest.mark.long
def test_the_client_and_a_program_are_well_typed(folder: Path) -> None:
    """The package of the client, which the same generator makes, is checked in every run."""
    # The module `client`, which is the same whatever the schema, is not well typed itself.
    (folder / "mypy.ini").write_text(f"[mypy]\n[mypy-{PACKAGE}.client]\nignore_errors = true\n")
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", PACKAGE, f"{PROGRAM}.py"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr


@pytest.mark.django_db(transaction=True)
def test_a_program_plays_a_month(folder: Path, people: People, live_server: Any) -> None:
    program = importlib.import_module(PROGRAM)
    with program.log_in(live_server.url, people.umpire.username, PASSWORD) as client:
        campaign, place = program.begin_campaign(client)
        written = program.write_sheet(client, place, "*")
        with pytest.raises(program.RefusedError) as refused:
            program.write_sheet(client, place, '"of another version"')
        job = program.play_month(client, campaign.slug)
    assert set(campaign.roles) == {"umpire", "egyptian"}
    assert [order.to_dict() for order in written.orders] == [
        {"type": "stay", "hex": "0358", "unit_ids": [101, 102]}
    ]
    assert refused.value.problem.status == 412
    assert job.status == "succeeded"
