"""The client as a package: built once, used by the tests and by programs, against a live server."""

import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from rest_framework.throttling import SimpleRateThrottle

import api.tasks  # noqa: F401
import campaign.tasks  # noqa: F401  a task that is known runs at once in a test
from tests.generators.tools import run
from tests.people import PASSWORD, People, gather
from tests.played_once import made_once

CLIENT = Path(__file__).parents[2] / "clients" / "python"


@pytest.fixture(scope="session")
def site() -> Iterator[Path]:
    """Yield a folder with the package as its wheel installs it, which can be imported."""

    def build(folder: Path) -> None:
        run("hatchling", "build", "-t", "wheel", "-d", str(folder), folder=CLIENT)
        (wheel,) = folder.glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(folder)

    folder = made_once("client", build)
    sys.path.insert(0, str(folder))
    yield folder
    sys.path.remove(str(folder))


@pytest.fixture(autouse=True)
def _many_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test waits because of the requests of others, or its own."""
    many = dict.fromkeys(SimpleRateThrottle.THROTTLE_RATES, "1000000/min")
    monkeypatch.setattr(SimpleRateThrottle, "THROTTLE_RATES", many)


@pytest.fixture
def people(transactional_db: None) -> People:
    return gather()


@pytest.fixture
def url(site: Path, people: People, live_server: Any) -> str:
    """The address of a server on which the people have accounts."""
    address: str = live_server.url
    return address


@pytest.fixture
def umpire(url: str) -> Iterator[httpx.Client]:
    """The umpire with a token, as a program without the package."""
    about = {"username": "umpire", "password": PASSWORD}
    with httpx.Client(base_url=f"{url}/api/v1/", timeout=60) as client:
        token = client.post("tokens/", json=about).json()["token"]
        client.headers["Authorization"] = f"Bearer {token}"
        yield client


def begin(umpire: httpx.Client, scenario: str, **wanted: object) -> str:
    """Begin a campaign and return its slug."""
    made = umpire.post("campaigns/", json={"scenario": scenario, **wanted})
    assert made.status_code == 201, made.text
    slug: str = made.json()["slug"]
    return slug


def invite(umpire: httpx.Client, slug: str, role: str) -> str:
    """Return the secret of an invitation to a seat."""
    made = umpire.post(f"campaigns/{slug}/invitations/", json={"role": role})
    assert made.status_code == 201, made.text
    secret: str = made.json()["secret"]
    return secret
