"""The site as docs/deploy.md says to start it: web, streams, worker, beat, PostgreSQL, Redis."""

import configparser
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from tests.patience import PATIENCE, wait_until
from tests.servers import free_port

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs" / "deploy.md"
PROGRAMS = Path(sys.executable).parent
SLUG = "war"


def commands() -> dict[str, list[str]]:
    """Return the four lines of the page, by what they start."""
    lines = re.findall(r"^    \.venv/bin/((?:gunicorn|celery) .*)$", PAGE.read_text(), re.MULTILINE)
    first = [shlex.split(line) for line in lines[:4]]
    return dict(zip(("web", "streams", "worker", "beat"), first, strict=True))


class Site:
    """The processes, their environment, and what they have said."""

    def __init__(self, folder: Path, database: str, redis: str) -> None:
        self.folder, self.port = folder, free_port()
        self.streams_port = free_port()
        self.environment = {
            "PATH": os.environ["PATH"],
            "DJANGO_SETTINGS_MODULE": "sirdar.settings",
            "DATABASE_URL": database,
            "REDIS_URL": redis,
            "SECRET_KEY": "Kitchener-Wolseley-Gordon-Stewart-Hicks-Baker-Graham-1884",
            "SIRDAR_DATA": str(folder),
            "SIRDAR_BIND": f"127.0.0.1:{self.port}",
            "SIRDAR_STREAMS_BIND": f"127.0.0.1:{self.streams_port}",
            "SIRDAR_BEAT": "1",
            "SIRDAR_LOG": "json",
        }
        self.processes: list[subprocess.Popen[bytes]] = []

    def manage(self, *words: str) -> str:
        done = subprocess.run(
            [sys.executable, "manage.py", *words],
            cwd=ROOT, env=self.environment, capture_output=True, text=True, check=True,
            timeout=PATIENCE,
        )  # fmt: skip
        return done.stdout

    def start(self, name: str, command: list[str]) -> None:
        with (self.folder / f"{name}.log").open("wb") as log:
            self.processes.append(
                subprocess.Popen(
                    [PROGRAMS / command[0], *command[1:]],
                    cwd=ROOT, env=self.environment, stdout=log, stderr=log,
                )
            )  # fmt: skip

    def end(self) -> list[int]:
        """Ask all of them to stop; their exit codes."""
        for process in self.processes:
            process.send_signal(signal.SIGTERM)
        return [process.wait(PATIENCE) for process in self.processes]

    def ask(self, path: str, port: int = 0) -> tuple[int, str]:
        address = f"http://127.0.0.1:{port or self.port}{path}"
        try:
            with urllib.request.urlopen(address, timeout=PATIENCE) as told:
                return told.status, told.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()
        except OSError:
            return 0, ""

    def log(self, name: str) -> str:
        return (self.folder / f"{name}.log").read_text(errors="replace")

    def logs(self) -> str:
        return "\n".join(path.read_text()[-3000:] for path in self.folder.glob("*.log"))


@pytest.fixture
def site(postgres, redis_server, tmp_path: Path) -> Iterator[Site]:
    here = Site(tmp_path, postgres.fresh("deployed"), redis_server.url(7))
    yield here
    for process in here.processes:
        if process.poll() is None:
            process.kill()
            process.wait()


ASK = f"""
from campaign.models import Campaign
from campaign.services.turns import advance_jobs
advance_jobs.request_advance(Campaign.objects.get(slug="{SLUG}").pk, None)
"""


@pytest.mark.long
def test_the_four_processes_of_the_page_play_a_month_and_count_it(site: Site) -> None:
    site.start("web", commands()["web"])
    wait_until(lambda: site.ask("/health/live")[0] == 200, "the site to live", site.logs)
    status, said = site.ask("/health/ready")
    assert (status, json.loads(said)["database"][:12]) == (503, "not migrated")
    site.manage("migrate", "-v0")
    site.manage("newcampaign", "relief-of-el-obeid", "--slug", SLUG)
    assert site.ask("/health/ready")[0] == 200
    site.manage("shell", "-v0", "-c", ASK)
    assert 'sirdar_queue_length{queue="interactive"} 0.0' not in site.ask("/metrics")[1]
    site.start("worker", commands()["worker"])
    site.start("beat", commands()["beat"])
    site.start("streams", commands()["streams"])
    wait_until(
        lambda: site.ask("/health/ready", site.streams_port)[0] == 200,
        "the streams' process to be ready", site.logs,
    )  # fmt: skip
    counted = "sirdar_months_advanced_total 1.0"
    wait_until(lambda: counted in site.ask("/metrics")[1], "the month to be counted", site.logs)
    metrics = site.ask("/metrics")[1]
    assert 'sirdar_task_seconds_count{state="SUCCESS",task="campaign.tasks.advance"}' in metrics
    wait_until(lambda: "beat: Starting" in site.log("beat"), "beat to start", site.logs)
    written = [line for line in site.log("worker").splitlines() if '"campaign": "war"' in line]
    assert all(json.loads(line)["entry"] for line in written)
    assert written
    assert site.end() == [0, 0, 0, 0]
    assert "as written" in site.manage("validate_campaigns")


def test_containers_and_units_start_what_the_page_starts() -> None:
    services = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]
    page = commands()
    assert services["prepare"]["restart"] == "on-failure"
    for name in ("web", "streams", "beat"):
        assert services[name]["command"] == page[name]
    for queue, queues in {"interactive": "interactive", "simulation": "simulation,guests"}.items():
        assert services[queue]["command"][:6] == [*page["worker"][:5], queues]
    units = {"web": "web", "streams": "streams", "beat": "beat", "worker@": "worker"}
    for name, command in units.items():
        unit = configparser.RawConfigParser(strict=False)
        unit.optionxform = str  # type: ignore[assignment,method-assign]
        unit.read(ROOT / "deploy" / "systemd" / f"sirdar-{name}.service")
        started = shlex.split(unit["Service"]["ExecStart"])
        assert Path(started[0]).name == page[command][0]
        assert started[1:4] == page[command][1:4]
        # systemd gives up after five starts in ten seconds.
        assert int(unit["Service"]["RestartSec"]) * 5 > 10


def test_every_variable_of_a_deployment_is_one_that_the_settings_explain() -> None:
    explained = (ROOT / "sirdar" / "settings.py").read_text().split('"""')[1]
    services = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]
    form = (ROOT / "deploy" / "sirdar.env").read_text()
    used = set(services["web"]["environment"]) | set(re.findall(r"^([A-Z_]+)=", form, re.MULTILINE))
    assert {name for name in used if name not in explained} == set()
