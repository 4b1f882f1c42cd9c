"""Checks of the project as a whole: its pins, its tracked files, and `manage.py play`."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tomllib
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from importlib.metadata import requires
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.core.management import CommandError
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from campaign.management.commands import play as command
from sirdar.environment import broker, cache, database, secret_key
from tests.patience import PATIENCE, ended, runs, wait_until, wait_until_gone
from tests.servers import free_port

ROOT = Path(__file__).resolve().parent.parent
LISTS = sorted(ROOT.glob("requirements*.txt"))
PIN = re.compile(r'-r requirements[\w-]*\.txt|[\w.-]+==[\w.]+(; python_full_version < "[\d.]+")?')


def lines(path: Path) -> list[str]:
    text = path.read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def pinned(path: Path) -> dict[str, Requirement]:
    """Return the requirements of a list and of the lists it includes, by name."""
    found: dict[str, Requirement] = {}
    for line in lines(path):
        if line.startswith("-r "):
            found |= pinned(ROOT / line.removeprefix("-r "))
        else:
            found[canonicalize_name(Requirement(line).name)] = Requirement(line)
    return found


@pytest.mark.parametrize("path", LISTS, ids=lambda path: path.name)
def test_requirements_are_pins_and_nothing_else(path: Path) -> None:
    assert [line for line in lines(path) if not PIN.fullmatch(line)] == []


def test_every_library_that_the_program_names_has_its_reason() -> None:
    project = tomllib.loads(text_of(ROOT / "pyproject.toml"))["project"]
    page = text_of(ROOT / "docs" / "decisions" / "libraries.md")
    rows = re.findall(r"^\|[^|]+\|([^|]+)\|", page, re.MULTILINE)
    told = {canonicalize_name(name) for row in rows for name in re.findall(r"[\w-]+", row)}
    needed = {canonicalize_name(Requirement(need).name) for need in project["dependencies"]}
    assert sorted(needed - told) == []


@pytest.mark.parametrize("python", ["3.11.2", "3.11.9", "3.12.0", "3.13.0"])
@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt"])
def test_requirements_pin_all_that_the_pinned_need_in_turn(name: str, python: str) -> None:
    pins = pinned(ROOT / name)
    short = python.rpartition(".")[0]
    environment = {"python_full_version": python, "python_version": short, "extra": ""}
    needed = (
        need
        for pin in pins.values()
        if pin.marker is None or pin.marker.evaluate()
        for need in map(Requirement, requires(pin.name) or ())
        if need.marker is None or need.marker.evaluate(environment)
    )
    missing = [str(need) for need in needed if not satisfied(need, pins)]
    assert missing == []


def satisfied(need: Requirement, pins: dict[str, Requirement]) -> bool:
    pin = pins.get(canonicalize_name(need.name))
    return pin is not None and all(
        need.specifier.contains(each.version, prereleases=True) for each in pin.specifier
    )


def test_packages_of_node_are_pinned_with_their_digests() -> None:
    folder = ROOT / "tests" / "generators"
    wanted = json.loads(text_of(folder / "package.json"))["devDependencies"]
    locked = json.loads(text_of(folder / "package-lock.json"))["packages"]
    assert locked.pop("")["devDependencies"] == wanted
    for name, version in wanted.items():
        assert locked[f"node_modules/{name}"]["version"] == version
    assert all(package["integrity"] for package in locked.values())


def test_every_static_file_that_a_template_names_exists() -> None:
    templates = (ROOT / "templates").rglob("*.html")
    texts = [path.read_text(encoding="utf-8") for path in templates]
    named = {name for text in texts for name in re.findall(r"{% static '([^']+)'", text)}
    assert named
    assert sorted(name for name in named if finders.find(name) is None) == []


def test_the_page_of_security_names_every_rule_that_a_line_is_excepted_from() -> None:
    tests = ROOT / "tests"
    code = (p for p in own_files() if p.suffix == ".py" and tests not in p.parents)
    excepted = {rule for path in code for rule in re.findall(r"noqa: (S\d+)", text_of(path))}
    assert excepted
    page = text_of(ROOT / "docs" / "security.md")
    assert sorted(rule for rule in excepted if f"`{rule}`" not in page) == []


GUIDES = ("README.md", "CHANGELOG.md", "webhooks.md", "scenarios.md", "guide-*.md")


def plain(text: str) -> str:
    """Return the text with straight apostrophes and single spaces."""
    return " ".join(text.replace("’", "'").split())


def test_every_label_that_a_guide_names_in_italics_is_on_a_page() -> None:
    kinds, tests = {".html", ".js", ".py", ".toml"}, ROOT / "tests"
    shown = (path for path in own_files() if path.suffix in kinds and tests not in path.parents)
    pages = plain(" ".join(map(text_of, shown)))
    guides = [path for name in GUIDES for path in (*ROOT.glob(name), *ROOT.glob(f"docs/{name}"))]
    named = {
        (guide.name, label)
        for guide in guides
        for label in re.findall(r"(?<![*\w])\*([^*]+)\*(?!\*)", plain(text_of(guide)))
    }
    assert len(named) > 40
    assert sorted(found for found in named if found[1] not in pages) == []


def test_no_link_of_a_template_runs_into_the_word_beside_it() -> None:
    joined = re.compile(r"\w<a |</a>\w")
    templates = (ROOT / "templates").rglob("*.html")
    assert [path.name for path in templates if joined.search(text_of(path))] == []


def test_no_file_names_a_machine_or_a_registry() -> None:
    told = re.compile(
        r"(?<![\w.:/])/(work|root|home|opt|tmp)/\w|py[p]i\.org|python[h]osted|npm[j]s\.org|"
        r"-(index|extra-index)[-]url|--find[-]links|--trusted[-]host"
    )
    assert [str(path.relative_to(ROOT)) for path in own_files() if told.search(text_of(path))] == []


def own_files() -> Iterator[Path]:
    """Yield the files of the repository, without what a run, a tool or git itself keeps there."""
    made = {"var", "__pycache__"}
    for folder, names, files in os.walk(ROOT):
        names[:] = [n for n in names if n == ".ci" or not (n in made or n.startswith("."))]
        yield from (Path(folder) / file for file in files)


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


@pytest.fixture
def port() -> int:
    return free_port()


PROGRAMS = {"web": "sirdar-web", "worker": "sirdar-worker", "simulation": "sirdar-simulati"}
"""The name of each one's process, as far as Linux keeps it."""


class Play:
    """A real `manage.py play` in a folder of its own."""

    def __init__(self, data: Path, port: int) -> None:
        self.data = data
        self.port = port
        self.said = data / "said.txt"
        with self.said.open("w") as said:
            self.process = subprocess.Popen(
                [sys.executable, ROOT / "manage.py", "play"],
                env=alone(data) | {"PORT": str(port)},
                stdout=said,
                stderr=subprocess.PIPE,
                text=True,
            )

    def wait_for(self, happened: Callable[[], bool], awaited: str) -> None:
        """Wait until that has happened; a program that ends before it has is a failure at once."""
        wait_until(lambda: happened() or self.process.poll() is not None, awaited, self.said_so_far)
        if not happened():
            _, err = self.process.communicate()
            pytest.fail(f"It ended before {awaited}.\n{err}{self.said_so_far()}")

    def said_so_far(self) -> str:
        logs = [self.said, *sorted(self.data.glob("*.log"))]
        return "\n".join(f"{log}\n{text_of(log)}" for log in logs)

    def wait_till_up(self) -> None:
        self.wait_for(lambda: "ready." in self.log("worker"), "the worker's 'ready.' in its log")
        self.wait_for(
            lambda: self.status("/accounts/login/") == 200, "status 200 of /accounts/login/"
        )
        self.wait_for(lambda: f":{self.port}/" in text_of(self.said), "the address of the site")

    def status(self, path: str) -> int:
        """Return the status the web server answers with; 0 while it does not answer."""
        try:
            with urllib.request.urlopen(
                f"http://127.0.0.1:{self.port}{path}", timeout=PATIENCE
            ) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as error:
            return error.code
        except OSError:
            return 0

    def log(self, name: str) -> str:
        path = self.data / f"{name}.log"
        return text_of(path) if path.exists() else ""

    def children(self) -> dict[str, int]:
        """Return the process numbers of web server and workers."""
        pid = self.process.pid
        numbers = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        running = {Path(f"/proc/{n}/comm").read_text().strip(): int(n) for n in numbers}
        return {name: running[program] for name, program in PROGRAMS.items()}

    def end(self, how: signal.Signals) -> tuple[int, str, str]:
        """Send it the signal; the exit code and what it wrote to its two streams."""
        self.process.send_signal(how)
        return self.outcome()

    def outcome(self) -> tuple[int, str, str]:
        code, _, err = ended(self.process, "the end of `manage.py play`")
        return code, text_of(self.said), err


def alone(data: Path) -> dict[str, str]:
    """Return the environment of a run that shares nothing with the tests but the code."""
    theirs = {"DATABASE_URL", "REDIS_URL", "SECRET_KEY"}
    kept = {name: value for name, value in os.environ.items() if name not in theirs}
    return kept | {"DJANGO_SETTINGS_MODULE": "sirdar.settings", "SIRDAR_DATA": str(data)}


@pytest.fixture
def play(tmp_path: Path, port: int) -> Iterator[Play]:
    started = Play(tmp_path, port)
    yield started
    if started.process.poll() is None:
        started.end(signal.SIGTERM)


@pytest.mark.long
@pytest.mark.parametrize("name", ["web", "worker"])
def test_play_stops_the_others_and_says_so_when_one_program_dies(play: Play, name: str) -> None:
    play.wait_till_up()
    children = play.children()
    os.kill(children[name], signal.SIGKILL)
    code, _, err = play.outcome()
    assert code == 1
    assert len(err.splitlines()) == 1
    assert str(play.data / f"{name}.log") in err
    assert [name for name, pid in children.items() if runs(pid)] == []


def test_play_killed_leaves_no_program_behind_and_starts_again_until_ctrl_c(play: Play) -> None:
    play.wait_till_up()
    key = text_of(play.data / "secret_key")
    killed = play.children()
    play.end(signal.SIGKILL)
    for pid in killed.values():
        wait_until_gone(pid, "the end of a program whose parent was killed")
    again = Play(play.data, play.port)
    again.wait_till_up()
    children = again.children()
    code, out, err = again.end(signal.SIGINT)
    assert (code, err) == (0, "")
    assert f"http://127.0.0.1:{play.port}/" in out
    assert [name for name, pid in children.items() if runs(pid)] == []
    assert play.status("/") == 0
    assert text_of(play.data / "secret_key") == key


SEND = "from sirdar import celery_app; celery_app.send_task('celery.accumulate')"


@pytest.mark.long
def test_a_task_sent_while_no_worker_runs_is_done_by_the_next(tmp_path: Path, port: int) -> None:
    subprocess.run(
        [sys.executable, "manage.py", "shell", "-c", SEND],
        cwd=ROOT,
        env=alone(tmp_path),
        check=True,
        stdout=subprocess.DEVNULL,
    )
    play = Play(tmp_path, port)
    play.wait_for(lambda: "succeeded" in play.log("worker"), "'succeeded' in the worker's log")
    assert play.end(signal.SIGINT)[0] == 0


def test_play_refuses_a_taken_port_in_one_line(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        number = taken.getsockname()[1]
        code, out, err = Play(tmp_path, number).outcome()
    assert (code, out) == (1, "")
    assert len(err.splitlines()) == 1
    assert str(number) in err
    assert not (tmp_path / "sirdar.sqlite3").exists()


def test_play_refuses_what_is_no_port_in_one_line(tmp_path: Path) -> None:
    result = subprocess.run(
        [sys.executable, ROOT / "manage.py", "play"],
        env=alone(tmp_path) | {"PORT": "70000"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 1
    assert len(result.stderr.splitlines()) == 1
    assert "70000" in result.stderr


@pytest.mark.parametrize("wanted", ["eight", "-1"])
def test_nor_is_a_word_or_a_negative_number_a_port(wanted: str) -> None:
    with pytest.raises(CommandError, match=f"^PORT={wanted} is no port"):
        command.free_port(wanted)


def test_secret_key_is_drawn_once_and_its_owner_alone_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "secret_key"
    first = secret_key(path)
    assert secret_key(path) == first
    assert len(first) > 50
    assert path.stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_the_environment_alone_chooses_database_broker_and_cache(tmp_path: Path) -> None:
    assert database("postgres://u:p@h/n")["ENGINE"] == "django.db.backends.postgresql"
    assert database("sqlite:///x.db")["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert broker("redis://h/0", tmp_path)["url"] == "redis://h/0"
    assert broker(None, tmp_path)["url"] == "filesystem://"
    assert cache("redis://h/0", tmp_path)["LOCATION"] == "redis://h/0"
    kept = cache(None, tmp_path)
    shutil.rmtree(kept["LOCATION"])
    assert kept["BACKEND"].endswith("FileBasedCache")
