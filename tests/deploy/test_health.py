"""The checks of a server: it lives, it is ready, it counts."""

import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from campaign.services.turns import advance
from tests.people import gather, sit_down

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.mark.django_db
def test_a_process_that_answers_lives_and_is_ready():
    asked = Client()
    assert asked.get("/health/live").status_code == 200
    ready = asked.get("/health/ready")
    assert (ready.status_code, ready.json()["status"]) == (200, "ready")
    assert "no-store" in ready["Cache-Control"]


def counted(text: str, sample: str) -> float:
    """Return the value of a sample in the metrics; 0 where there is none."""
    found = re.search(rf"^{re.escape(sample)} (\S+)$", text, re.MULTILINE)
    return float(found[1]) if found else 0.0


@pytest.mark.django_db(transaction=True)
def test_the_metrics_count_months_entries_and_requests_and_say_what_waits():
    campaign = sit_down(gather())
    asked = Client()
    before = asked.get("/metrics").text
    advance.run_month(campaign.pk, until=campaign.month + 1)
    after = asked.get("/metrics").text
    grown = {
        name: counted(after, name) - counted(before, name)
        for name in ("sirdar_months_advanced_total", "sirdar_entries_total")
    }
    assert grown == {
        "sirdar_months_advanced_total": 1,
        "sirdar_entries_total": campaign.entries.count(),
    }
    asked_before = 'sirdar_request_seconds_count{method="GET",route="metrics",status="200"}'
    assert counted(after, asked_before) == counted(before, asked_before) + 1
    assert counted(after, 'sirdar_campaigns{state="live"}') == 1
    for queue in ("interactive", "simulation"):
        waiting = f'sirdar_queue_length{{queue="{queue}"}}'
        assert waiting in after
        assert counted(after, waiting) == counted(before, waiting)
    assert 'sirdar_jobs{status="pending"} 0.0' in after


def test_containers_that_share_the_folder_of_metrics_have_files_of_their_own(tmp_path):
    script = "from ops import metrics; metrics.MONTHS.inc()"
    environment = os.environ | {"PROMETHEUS_MULTIPROC_DIR": str(tmp_path)}
    subprocess.run([sys.executable, "-c", script], env=environment, check=True, cwd=ROOT)
    (file,) = tmp_path.iterdir()
    assert socket.gethostname() in file.name


@pytest.mark.django_db
def test_metrics_are_for_this_machine_or_for_who_has_the_token(settings):
    assert Client(REMOTE_ADDR="192.0.2.7").get("/metrics").status_code == 404
    settings.BEHIND_PROXY = True
    assert Client().get("/metrics").status_code == 404
    settings.METRICS_TOKEN = "Omdurman"
    assert Client().get("/metrics").status_code == 404
    wrong, right = ({"Authorization": f"Bearer {token}"} for token in ("Berber", "Omdurman"))
    assert Client(headers=wrong).get("/metrics").status_code == 404
    assert Client(headers=right, REMOTE_ADDR="192.0.2.7").get("/metrics").status_code == 200


def test_queues_and_schedule_lead_where_they_should():
    routed = settings.CELERY_TASK_ROUTES
    assert routed["campaign.tasks.bench"] == {"queue": settings.SIMULATION}
    assert "campaign.tasks.advance" not in routed
    assert settings.CELERY_TASK_DEFAULT_QUEUE == settings.INTERACTIVE
