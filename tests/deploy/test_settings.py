"""The settings as a keeper puts them, by the environment alone."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

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


@pytest.mark.parametrize("hsts", ["", "preload"])
def test_djangos_own_checks_find_nothing_in_the_settings_of_a_deployment(tmp_path, hsts):
    said = said_by(tmp_path, "check", "--deploy", "--fail-level", "WARNING", SIRDAR_HSTS=hsts)
    assert said.returncode == 0, said.stderr
    assert "no issues" in said.stdout


def test_djangos_own_checks_would_find_a_site_without_tls(tmp_path):
    said = said_by(tmp_path, "check", "--deploy", "--fail-level", "WARNING", SIRDAR_HTTPS="")
    assert said.returncode == 1
    assert "security.W008" in said.stderr
