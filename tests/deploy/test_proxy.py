"""The site behind nginx or Caddy as deploy/ has it: pages by one process, streams by another."""

from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest

from campaign.models import Campaign
from tests.patience import PATIENCE
from tests.servers import Caddy, Nginx, Server, running
from tests.streams.served import PAGES, STREAMS, following, run, served
from tests.streams.test_stream import happened, play, through, tokens, war  # noqa: F401  fixtures

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(params=[Nginx, Caddy])
def port(request, war: Campaign, tmp_path: Path) -> Iterator[int]:  # noqa: F811
    """The port of the proxy."""
    proxy: type[Server] = request.param
    folders = tmp_path / "pages", tmp_path / "streams"
    for folder in folders:
        folder.mkdir()
    with (
        served(folders[0], *PAGES) as pages,
        served(folders[1], *STREAMS) as streams,
        running(proxy, str(pages.port), str(streams.port)) as before,
    ):
        yield before.port


def test_pages_and_streams_come_by_one_address(
    port: int,
    war: Campaign,  # noqa: F811
    tokens: dict[str, str],  # noqa: F811
    tmp_path: Path,
) -> None:
    async def go() -> None:
        async with following(port, "war", tokens["umpire"]) as reader:
            assert b"text/event-stream" in reader.head
            await reader.until("status")
            await play(war)
            assert happened(await through(reader, "1884-03"))

    with urlopen(f"http://localhost:{port}/api/v1/maps/", timeout=PATIENCE) as answer:
        assert answer.status == 200
    run(go())
    said = {name: (tmp_path / name / "web.log").read_text() for name in ("pages", "streams")}
    assert "/api/v1/maps/" in said["pages"]
    assert "/events/stream/ 200" in said["streams"]
    assert "/stream/" not in said["pages"]
