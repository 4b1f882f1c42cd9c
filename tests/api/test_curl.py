"""The commands of docs/api.md, typed as they stand into a shell beside a running server."""

import json
import os
import re
import shutil
import subprocess
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from pytest_django.live_server_helper import LiveServer

from tests.patience import PATIENCE

PAGE = Path(__file__).resolve().parents[2] / "docs" / "api.md"
COMMAND = re.compile(
    r"^(?P<line>curl .+?)  # (?P<status>\d{3})(?: (?P<name>[A-Z]+)=(?P<path>[\w.]+))?$",
    re.MULTILINE,
)
BLOCK = re.compile(r"^```(sh|json)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LEFT_OUT = "..."


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("played_before")
def test_every_command_of_the_page_is_answered_as_it_says(live_server: LiveServer) -> None:
    """The commands are typed in their order; the JSON after a block is the last answer's."""
    assert shutil.which("curl"), "The commands are typed: install curl."
    call_command("demo", stdout=StringIO())
    passwords = json.loads((settings.DATA / "demo.json").read_text())
    shell = {**os.environ, "no_proxy": "*", "PASSWORD": passwords["umpire"]}
    page = PAGE.read_text(encoding="utf-8").replace("http://127.0.0.1:8000", live_server.url)
    answer: Any = None
    typed_lines = compared = 0
    for kind, text in BLOCK.findall(page):
        if kind == "json":
            assert_fits(json.loads(text), answer)
            compared += 1
            continue
        for command in COMMAND.finditer(text):
            status, answer = typed(command["line"], shell)
            assert (command["line"], status) == (command["line"], command["status"]), answer
            if command["name"]:
                shell[command["name"]] = str(value_at(answer, command["path"]))
            typed_lines += 1
    assert typed_lines == page.count("\ncurl ")
    assert compared == page.count("\n```json\n") > 7


def value_at(answer: Any, path: str) -> Any:
    """Return the value at a path of names and numbers, such as `results.2.links.sheet`."""
    for part in path.split("."):
        answer = answer[int(part)] if part.isdecimal() else answer[part]
    return answer


def assert_fits(shown: Any, answer: Any, path: str = "") -> None:
    """Fail unless the answer has what is shown: these properties, and all items of a list.

    A list that ends in `"..."` is the beginning of that of the answer.
    """
    if shown == LEFT_OUT:
        assert answer, path
    elif isinstance(shown, dict):
        assert shown.keys() <= answer.keys(), f"{path}: {shown.keys() - answer.keys()}"
        for name, value in shown.items():
            assert_fits(value, answer[name], f"{path}/{name}")
    elif isinstance(shown, list):
        begun = shown[-1:] == [LEFT_OUT]
        items = shown[:-1] if begun else shown
        assert len(items) <= len(answer) if begun else len(items) == len(answer), path
        for number, value in enumerate(items):
            assert_fits(value, answer[number], f"{path}/{number}")
    else:
        assert answer == shown, path


def typed(command: str, shell: dict[str, str]) -> tuple[str, Any]:
    """Status and answer of a command typed into a shell with these variables."""
    done = subprocess.run(
        ["sh", "-c", f"{command} --silent --show-error --write-out '\\n%{{http_code}}'"],
        env=shell,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    body, _, status = done.stdout.rpartition("\n")
    return status, json.loads(body or "{}")
