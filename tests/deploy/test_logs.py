"""Every line of the log says which campaign and entry it is about; failures reach the console."""

import json
import logging.config
import os
import subprocess
import sys
from pathlib import Path

import pytest

from campaign.services.turns import advance
from ops import logging_setup
from tests.patience import PATIENCE
from tests.people import gather, sit_down

SCRIPT = """
import logging, logging.config, sys
from ops import logging_setup as logs
logging.config.dictConfig(logs.config(sys.argv[1], open(int(sys.argv[2]), "w")))
with logs.about(campaign="war", entry="0.12"):
    logging.getLogger("campaign.services").info("written")
    try:
        1 / 0
    except ZeroDivisionError:
        logging.getLogger("django.request").exception("failed")
logging.getLogger("campaign.services").info("of nothing in particular")
"""


def spoken(form: str, console: Path) -> list[str]:
    """Return the lines of a small program's log, failures of which reach that file too."""
    with console.open("w") as stream:
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT, form, str(stream.fileno())],
            cwd=Path(__file__).parent.parent.parent,
            env=os.environ | {"DJANGO_SETTINGS_MODULE": "tests.settings"},
            pass_fds=[stream.fileno()],
            capture_output=True,
            text=True,
            check=True,
            timeout=PATIENCE,
        )
    return done.stderr.splitlines()


def test_a_line_is_a_document_with_campaign_and_entry_and_the_traceback_inside(tmp_path):
    written, failed, last = map(json.loads, spoken("json", tmp_path / "console"))
    assert written["message"] == "written"
    assert (written["campaign"], written["entry"]) == ("war", "0.12")
    assert (written["level"], written["logger"]) == ("INFO", "campaign.services")
    assert "ZeroDivisionError" in failed["exc_info"]
    assert (failed["campaign"], failed["entry"]) == ("war", "0.12")
    assert (last["campaign"], last["entry"]) == ("", "")
    assert "at_hand" not in written


def test_the_console_hears_of_failures_with_their_traceback_and_of_nothing_else(tmp_path):
    console = tmp_path / "console"
    assert len(spoken("", console)) > 3
    said = console.read_text()
    assert "ZeroDivisionError" in said
    assert "campaign=war entry=0.12" in said
    assert "written" not in said


@pytest.mark.django_db(transaction=True)
def test_what_a_month_writes_is_told_with_the_entry_it_has_come_to(caplog):
    campaign = sit_down(gather())
    caplog.set_level(logging.INFO)
    caplog.handler.addFilter(logging_setup.LogContextFilter())
    advance.run_month(campaign.pk, until=campaign.month + 1)
    told = [vars(record) for record in caplog.records if "written" in record.getMessage()]
    campaign.refresh_from_db()
    assert campaign.head is not None
    assert told[-1]["campaign"] == campaign.slug
    assert told[-1]["entry"] == f"{campaign.head.branch}.{campaign.head.number}"
