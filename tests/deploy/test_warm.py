"""A server that answers has read everything: no first visitor waits for code, tables or the map."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

from tests.streams.served import database_url

PAGES = ("/", "/rules/", "/rules/trace/", "/rules/cases/", "/battles/", "/about/")
SCRIPT = """
import importlib, json, os, sys
importlib.import_module(sys.argv[1])
from django.conf import settings
from django.test import Client
opened = []
def note(event, about):
    if event == "open" and isinstance(about[0], (str, os.PathLike)):
        opened.append(os.fspath(about[0]))
    if event == "import":
        opened.append(about[0])
client = Client(HTTP_HOST="localhost")
client.get("/accounts/login/")
sys.addaudithook(note)
for page in json.loads(sys.argv[2]):
    assert client.get(page).status_code == 200, page
print(json.dumps(opened))
"""


@pytest.mark.parametrize("program", ["sirdar.wsgi", "sirdar.asgi"])
@pytest.mark.django_db(transaction=True)
def test_pages_read_and_import_nothing_once_the_program_is_there(program: str) -> None:
    root = Path(settings.BASE_DIR)
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, program, json.dumps(PAGES)],
        cwd=root,
        env=os.environ | {"DATABASE_URL": database_url()},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    ours = ("templates", "campaign", "battles", "api", "sirdar", "tests")
    read = json.loads(done.stdout.splitlines()[-1])
    late = [one for one in read if one.startswith(tuple(f"{root}/{part}/" for part in ours))]
    late += [one for one in read if one.startswith(("campaign.", "battles.", "api.", "sirdar."))]
    assert late == []
