"""The settings as a keeper puts them, by the environment alone."""

import os
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest
from django.core.exceptions import ImproperlyConfigured

from sirdar import environment
from tests.patience import PATIENCE

ROOT = Path(__file__).resolve().parent.parent.parent
PRODUCTION = {
    "DJANGO_SETTINGS_MODULE": "sirdar.settings",
    "DATABASE_URL": "postgresql://sirdar@127.0.0.1:1/sirdar",
    "REDIS_URL": "redis://127.0.0.1:1/0",
    "SECRET_KEY": "Kitchener-Wolseley-Gordon-Stewart-Hicks-Baker-Graham-1884",
    "SIRDAR_HTTPS": "1",
    "SIRDAR_ALLOWED_HOSTS": "sirdar.example.org",
    "SIRDAR_URL": "https://sirdar.example.org",
    "SIRDAR_LOG": "json",
    "SIRDAR_BEAT": "1",
}


def said_by(folder: Path, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", *words],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], **PRODUCTION, "SIRDAR_DATA": str(folder), **more},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )


CHECK = ("check", "--deploy", "--fail-level", "WARNING")
OF_SECURITY = ("--tag", "security")
"""The checks that read the settings which the tests vary; the others draw the whole schema, too."""


@pytest.mark.parametrize(("hsts", "tags"), [("", ()), ("preload", OF_SECURITY)])
def test_djangos_own_checks_find_nothing_in_the_settings_of_a_deployment(tmp_path, hsts, tags):
    said = said_by(tmp_path, *CHECK, *tags, SIRDAR_HSTS=hsts)
    assert said.returncode == 0, said.stderr
    assert "no issues" in said.stdout


def test_djangos_own_checks_would_find_a_site_without_tls(tmp_path):
    said = said_by(tmp_path, *CHECK, *OF_SECURITY, SIRDAR_HTTPS="")
    assert said.returncode == 1
    assert "security.W008" in said.stderr


COUNT = """
from django.test import RequestFactory
from campaign.web.visitor import seconds_to_wait
asked = [seconds_to_wait(RequestFactory().get("/"), ("log-in-page", "home")) for _ in range(20)]
print("refused", sum(seconds > 0 for seconds in asked))
"""


def test_a_cache_of_pickles_is_read_from_no_folder_of_another_user(tmp_path):
    folder = Path(environment.cache("", tmp_path)["LOCATION"])
    assert folder.stat().st_mode & 0o777 == 0o700
    folder.chmod(0o777)
    assert environment.cache("", tmp_path)["LOCATION"] == str(tmp_path / "cache")
    folder.rmdir()


def test_without_redis_the_limits_are_those_of_all_processes_together(tmp_path):
    folder = Path(environment.cache("", tmp_path)["LOCATION"])
    counted = [said_by(tmp_path, "shell", "-c", COUNT, REDIS_URL="") for _ in range(2)]
    shutil.rmtree(folder)
    assert ["refused 0" in counted[0].stdout, "refused 10" in counted[1].stdout] == [True, True]


def test_without_an_address_the_site_is_where_play_serves_it(tmp_path):
    show = "from django.conf import settings; print(settings.SITE_URL)"
    said = said_by(tmp_path, "shell", "-c", show, SIRDAR_URL="", PORT="8123")
    assert "http://127.0.0.1:8123" in said.stdout, said.stderr


@pytest.mark.parametrize(
    ("name", "value", "example"),
    [
        ("SIRDAR_URL", "sirdar.example.org", "https://sirdar.example.org"),
        ("SIRDAR_URL", "https:/sirdar.example.org", "https://sirdar.example.org"),
        ("SIRDAR_MAIL", "mail.example.org:587", "smtp://user:password@mail.example.org:587"),
        ("SIRDAR_MAIL", "http://club:hunter2@mail", "smtp://user:password@mail.example.org:587"),
        ("DATABASE_URL", "mysql://club:hunter2@host/sirdar", "postgres://user:password@host/name"),
        ("DATABASE_URL", "sirdar.sqlite3", "postgres://user:password@host/name"),
        ("DATABASE_URL", "postgres://club:hunter2/@host/name", "postgres://user:password@host"),
        ("DATABASE_URL", "postgres://club:hunter2@host:54x2/name", "postgres://user:password@host"),
        (
            "SIRDAR_MAIL",
            "smtp://club:hunter2@mail:5x7",
            "smtp://user:password@mail.example.org:587",
        ),
        ("REDIS_URL", "localhost:6379", "redis://host/0"),
        ("REDIS_URL", "redi://:hunter2@localhost/0", "redis://host/0"),
        ("REDIS_URL", "redis://:hunter2@localhost:63x9/0", "redis://host/0"),
    ],
)
def test_an_address_that_is_not_complete_is_refused_by_name(monkeypatch, name, value, example):
    monkeypatch.setenv(name, value)
    with pytest.raises(ImproperlyConfigured, match=f"{name} .* such as {example}") as refused:
        runpy.run_path(str(ROOT / "sirdar" / "settings.py"))
    assert "hunter2" not in str(refused.value)


@pytest.mark.parametrize(
    ("name", "value", "advice"),
    [
        ("SIRDAR_HTTPS", "ture", "neither yes nor no: write 1, or 0"),
        ("SIRDAR_LOG", "yaml", "unknown: write json, or leave it out"),
        ("SIRDAR_HSTS", "yes", "unknown: write subdomains or preload"),
        ("SIRDAR_METRICS_PORT", "9x", "no number: write digits alone"),
        ("SIRDAR_WEBHOOK_NETWORKS", "10.1.0.0/16,intranet", "intranet, .* such as 10.1.0.0/16"),
        ("SIRDAR_PUSH_KEY", "hunter2", "the 43 characters that it prints"),
        ("SIRDAR_ALLOWED_HOSTS", "https://sirdar.example.org", "the name alone"),
        ("SIRDAR_ALLOWED_HOSTS", "localhost,sirdar.example.org:8443", "the name alone"),
    ],
)
def test_a_value_that_would_be_ignored_is_refused_with_advice(monkeypatch, name, value, advice):
    monkeypatch.setenv(name, value)
    with pytest.raises(ImproperlyConfigured, match=f"{name}.* {advice}"):
        runpy.run_path(str(ROOT / "sirdar" / "settings.py"))


def test_hosts_and_answers_as_keepers_write_them_are_understood(monkeypatch):
    monkeypatch.setenv("HOSTS", " .example.org, 192.0.2.7,[::1],* ")
    assert environment.hosts("HOSTS", "") == [".example.org", "192.0.2.7", "[::1]", "*"]
    answers = {"1": True, "On": True, " yes ": True, "": False, "0": False, "FALSE": False}
    for text, meaning in answers.items():
        monkeypatch.setenv("FLAG", text)
        assert environment.flag("FLAG") is meaning


@pytest.mark.parametrize(
    "command",
    [
        "gunicorn --config deploy/gunicorn.conf.py",
        "gunicorn --config deploy/streams.conf.py",
        "celery --app sirdar worker",
        "celery --app sirdar beat",
    ],
)
def test_a_wrong_setting_ends_every_process_with_one_line_and_no_traceback(tmp_path, command):
    program, *words = command.split()
    said = subprocess.run(
        [Path(sys.executable).with_name(program), *words],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "SIRDAR_DATA": str(tmp_path), "SIRDAR_GUESTS": "many"},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    lines = [line for line in said.stderr.splitlines() if "Starting gunicorn" not in line]
    assert lines == ["SIRDAR_GUESTS=many is no number: write digits alone, such as 200."]
    assert said.returncode == 1


def test_the_secrets_of_the_form_are_refused_until_they_are_drawn(monkeypatch):
    form = (ROOT / "deploy" / "sirdar.env").read_text().splitlines()
    undrawn = [line.partition("=")[::2] for line in form if "DRAW" in line]
    assert [name for name, _ in undrawn] == ["SECRET_KEY", "SIRDAR_METRICS_TOKEN"]
    for name, value in undrawn:
        with monkeypatch.context() as own:
            own.setenv(name, value)
            with pytest.raises(
                ImproperlyConfigured, match=f"{name} is still {value}.*token_urlsafe"
            ):
                runpy.run_path(str(ROOT / "sirdar" / "settings.py"))


def test_the_form_is_read_by_a_shell_as_by_systemd():
    read = subprocess.run(
        ["sh", "-euc", 'set -a; . deploy/sirdar.env; printf "%s\n" "$SIRDAR_MAIL_FROM"'],
        cwd=ROOT, capture_output=True, text=True, check=False, timeout=PATIENCE,
    )  # fmt: skip
    assert (read.stdout, read.stderr) == ("Sirdar <sirdar@example.org>\n", "")


def test_containers_have_every_variable_that_the_page_tells_to_set():
    told = set(re.findall(r"SIRDAR_[A-Z_]+", (ROOT / "docs" / "deploy.md").read_text()))
    here = "".join((ROOT / name).read_text() for name in ("compose.yaml", "Containerfile"))
    elsewhere = {"SIRDAR_METRICS_PORT"}  # for a machine that has workers alone
    assert {name for name in told if name not in here} == elsewhere


def test_the_head_of_the_settings_explains_every_variable_that_is_read_with_its_default():
    head = (ROOT / "sirdar" / "settings.py").read_text().split('"""')[1]
    explained = dict(re.findall(r"^([A-Z_]+) +(.+)$", head, re.MULTILINE))
    folders = ("sirdar", "deploy", "ops", "campaign/management")
    code = "".join(
        path.read_text() for folder in folders for path in ROOT.glob(f"{folder}/**/*.py")
    )
    read = re.findall(
        r'(?:environment\.\w+|os\.environ\.get)\(\s*"([A-Z_]+)"(?:, "?([\d.:]+)"?\))?', code
    )
    assert {name for name, _ in read} == set(explained)
    defaults = {name: default for name, default in read if default not in {"", "0"}}
    assert len(defaults) > 4
    assert {n: d for n, d in defaults.items() if f"({d})" not in explained[n]} == {}


def test_a_full_disk_is_named_before_the_system_ends_the_process(tmp_path, monkeypatch):
    disk = os.statvfs(tmp_path)
    full = [*disk[:3], 0, 0, *disk[5:]]
    with monkeypatch.context() as own:
        own.setenv("PROMETHEUS_MULTIPROC_DIR", str(tmp_path))
        own.setattr(os, "statvfs", lambda _: os.statvfs_result(full))
        with pytest.raises(ImproperlyConfigured) as refused:
            environment.folder_with_room("PROMETHEUS_MULTIPROC_DIR", tmp_path / "var")
    assert str(refused.value) == (
        f"No room is left on the disk of {tmp_path} (PROMETHEUS_MULTIPROC_DIR): free some, and "
        "start again."
    )


def test_a_folder_that_cannot_be_used_is_named_with_its_variable(tmp_path):
    (tmp_path / "file").touch()
    said = said_by(tmp_path / "file" / "data", "migrate", "--check")
    assert said.returncode == 1
    (line,) = said.stderr.splitlines()
    assert line.startswith(
        f"The folder {tmp_path}/file/data (SIRDAR_DATA) cannot be used: Not a dir"
    )
    assert line.endswith("Make it, and give it to the user that runs the program.")


@pytest.mark.parametrize("command", ["migrate", "createsuperuser", "showcase"])
def test_a_database_that_is_out_of_reach_is_one_line_from_every_command(tmp_path, command):
    said = said_by(tmp_path, command)
    assert said.returncode == 1
    (line,) = said.stderr.splitlines()
    assert "The database cannot be used (connection failed" in line
    assert "Is DATABASE_URL right" in line


def test_a_database_of_bytes_is_refused_before_it_holds_a_name(tmp_path, postgres):
    with psycopg.connect(postgres.url("postgres"), autocommit=True) as connection:
        connection.execute("CREATE DATABASE of_bytes TEMPLATE template0 ENCODING SQL_ASCII")
    said = said_by(tmp_path, "migrate", DATABASE_URL=postgres.url("of_bytes"))
    assert said.returncode == 1
    assert "The encoding of the database is SQL_ASCII, where UTF8 is needed." in said.stderr
    assert "createdb --encoding UTF8" in said.stderr
    assert "Traceback" not in said.stderr


def test_links_in_letters_have_one_slash_after_the_host(monkeypatch):
    monkeypatch.setenv("SIRDAR_URL", "https://sirdar.example.org/")
    settings = runpy.run_path(str(ROOT / "sirdar" / "settings.py"))
    assert settings["SITE_URL"] == "https://sirdar.example.org"
