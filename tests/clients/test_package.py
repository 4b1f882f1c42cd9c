"""The package of the client: what is built, what it needs, and its types."""

import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
from email import message_from_string
from pathlib import Path

from tests.clients.conftest import CLIENT
from tests.generators.tools import run
from tests.patience import PATIENCE

ROOT = CLIENT.parents[1]
SAMPLES = re.findall(r"```python\n(.*?)```", (CLIENT / "README.md").read_text(), re.DOTALL)
UNTYPED = "[mypy]\nstrict = true\n[mypy-sirdar_client.client]\nignore_errors = true\n"
"""The generated module `client`, which is the same whatever the schema, is not well typed."""


def test_the_package_the_examples_and_the_samples_are_well_typed(
    site: Path, tmp_path: Path
) -> None:
    for folder in (site / "sirdar_client", CLIENT / "examples"):
        shutil.copytree(folder, tmp_path / folder.name)
    (tmp_path / "sample.py").write_text("seat_id = 1\n" + "\n".join(SAMPLES))
    (tmp_path / "mypy.ini").write_text(UNTYPED)
    programs = sorted(map(str, (tmp_path / "examples").glob("*.py")))
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "sirdar_client", "sample.py", *programs],
        cwd=tmp_path,
        env={"MYPYPATH": f"{tmp_path}:{tmp_path / 'examples'}", "PATH": ""},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_the_package_needs_nothing_of_the_program(site: Path) -> None:
    (about,) = site.glob("*.dist-info/METADATA")
    needs = message_from_string(about.read_text()).get_all("Requires-Dist") or []
    assert {re.split("[<>=]", need)[0] for need in needs} == {"attrs", "httpx", "python-dateutil"}
    asked = (
        "import sirdar_client.api, sys; print(*{name.partition('.')[0] for name in sys.modules})"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", asked], cwd=site, capture_output=True, text=True, check=True
    )
    assert not {"django", "msgspec", "api", "battles", "campaign"} & set(loaded.stdout.split())


def test_a_source_distribution_has_all_that_a_build_needs(tmp_path: Path) -> None:
    run("hatchling", "build", "-t", "sdist", "-d", str(tmp_path), folder=CLIENT)
    (packed,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(packed) as archive:
        inside = {name.partition("/")[2]: name for name in archive.getnames()}
        schema = archive.extractfile(inside["openapi.json"])
        assert schema
        assert schema.read() == (ROOT / "docs" / "openapi.json").read_bytes()
    assert {"hatch_build.py", "generator.yml", "sirdar_client/session.py"} <= set(inside)


def test_the_build_is_pinned_as_the_generators_are() -> None:
    pinned = set((ROOT / "requirements-generators.txt").read_text().splitlines())
    project = tomllib.loads((CLIENT / "pyproject.toml").read_text())
    assert set(project["build-system"]["requires"]) <= pinned
