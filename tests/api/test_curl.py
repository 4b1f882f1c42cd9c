"""The commands of docs/api.md, typed as they stand into a shell beside a running server."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from pytest_django.live_server_helper import LiveServer

from campaign import services
from campaign.models import Campaign, Seat
from campaign.rules.pieces import month

PAGE = Path(__file__).resolve().parents[2] / "docs" / "api.md"
COMMAND = re.compile(r"^(curl .+?)  # (\d{3})$", re.MULTILINE)


def test_every_command_of_the_page_is_answered_as_it_says(live_server: LiveServer) -> None:
    assert shutil.which("curl"), "The commands are typed: install curl."
    seats = {Seat.Role.UMPIRE.value: User.objects.create_user("umpire", password="khartoum-1884")}
    wanted = services.Wanted("siege-of-khartoum", slug="khartoum", seats=seats)
    campaign = services.create_campaign(wanted)
    page = PAGE.read_text(encoding="utf-8").replace("http://127.0.0.1:8000", live_server.url)
    commands = COMMAND.findall(page)
    assert len(commands) == page.count("\ncurl ")
    token = ""
    for command, expected in commands:
        status, answer = typed(command, token)
        assert (command, status) == (command, expected), answer
        token = answer.get("token", token)
    assert Campaign.objects.get(pk=campaign.pk).month == month(1884, 3)


def typed(command: str, token: str) -> tuple[str, dict[str, Any]]:
    """Status and answer of a command typed into a shell that knows the token."""
    done = subprocess.run(
        ["sh", "-c", f"{command} --silent --show-error --write-out '\\n%{{http_code}}'"],
        env={**os.environ, "TOKEN": token, "no_proxy": "*"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    body, _, status = done.stdout.rpartition("\n")
    return status, json.loads(body)
