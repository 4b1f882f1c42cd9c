"""The commands of docs/api.md, typed as they stand into a shell beside a running server."""

import json
import os
import re
import shutil
import subprocess
from io import StringIO
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from pytest_django.live_server_helper import LiveServer

from campaign.management.demo_campaigns import demos
from campaign.models import Campaign
from campaign.rules.core.pieces import month
from tests.patience import PATIENCE

PAGE = Path(__file__).resolve().parents[2] / "docs" / "api.md"
COMMAND = re.compile(r"^(curl .+?)  # (\d{3})$", re.MULTILINE)


def test_every_command_of_the_page_is_answered_as_it_says(live_server: LiveServer) -> None:
    assert shutil.which("curl"), "The commands are typed: install curl."
    call_command("demo", stdout=StringIO())
    passwords = json.loads((settings.DATA / "demo.json").read_text())
    shell = {**os.environ, "no_proxy": "*", "PASSWORD": passwords["umpire"]}
    page = PAGE.read_text(encoding="utf-8").replace("http://127.0.0.1:8000", live_server.url)
    commands = COMMAND.findall(page)
    assert len(commands) == page.count("\ncurl ")
    for command, expected in commands:
        status, answer = typed(command, shell)
        assert (command, status) == (command, expected), answer
        shell["TOKEN"] = answer.get("token", shell.get("TOKEN", ""))
    assert Campaign.objects.get(slug=demos()[0].slug).month == month(1884, 7)


def typed(command: str, shell: dict[str, str]) -> tuple[str, dict[str, Any]]:
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
