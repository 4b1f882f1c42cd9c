"""Generate the operations and models of the package from the schema when a wheel is built."""

import json
import os
import subprocess
import sys
import sysconfig
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

GENERATED = ("api", "models", "client.py", "errors.py", "types.py")
"""The modules taken from the generator; the rest is written by hand."""


class GeneratedCode(BuildHookInterface[Any]):
    """Adds the generated code to a wheel. It is kept nowhere else, so it cannot be out of date."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Generate the code into a temporary folder and name its files to the builder."""
        if version == "editable":
            raise RuntimeError("The client cannot be installed as editable: it is generated.")
        root = Path(self.root)
        schema = root / "openapi.json"  # in a source distribution
        if not schema.exists():
            schema = root.parents[1] / "docs" / "openapi.json"
        self.folder = TemporaryDirectory(prefix="sirdar-client-")
        package = Path(self.folder.name, "sirdar_client")
        prepared = Path(self.folder.name, "openapi.json")
        prepared.write_text(json.dumps(prepare(json.loads(schema.read_bytes()))))
        generate(prepared, root / "generator.yml", package)
        for name in GENERATED:
            build_data["force_include"][str(package / name)] = f"sirdar_client/{name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the temporary folder."""
        self.folder.cleanup()


def prepare(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema as the generator understands it.

    An answer "not modified" has no content: for it, what every read returns would be typed as Any.
    And where a token may be left out, the generator would demand one.
    """
    for path in schema["paths"].values():
        for operation in path.values():
            operation["responses"].pop("304", None)
            if {} in operation.get("security", ()):
                operation["security"] = []
    return schema


def generate(schema: Path, settings: Path, package: Path) -> None:
    """Write the generated package. Raises RuntimeError with the output of the generator."""
    scripts = sysconfig.get_path("scripts")  # it formats the code with the ruff of its environment
    done = subprocess.run(
        [
            *(sys.executable, "-m", "openapi_python_client", "generate", "--meta", "none"),
            *("--path", schema, "--config", settings, "--output-path", package),
            "--fail-on-warning",
        ],
        env={**os.environ, "PATH": f"{scripts}{os.pathsep}{os.environ.get('PATH', '')}"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise RuntimeError(f"The client was not generated from {schema}:\n{done.stdout}")
