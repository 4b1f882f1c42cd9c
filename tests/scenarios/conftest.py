"""A folder of scenarios that holds one more than the program ships, and is read as if it did."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from campaign.rules import scenario_files
from campaign.rules.tables import book, editions, scenario_loader
from campaign.staff import plans

BAKER = Path(__file__).with_name("baker-at-tokar")


def _forget() -> None:
    """Let the program read its scenarios again."""
    for cached in (
        scenario_loader.sources,
        scenario_loader.scenarios,
        book.book,
        editions.shipped_edition,
        editions.named_editions,
        plans.plans,
        plans.slugs,
    ):
        cached.cache_clear()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder the program reads: the shipped scenarios and Baker at Tokar."""
    copy = tmp_path / "scenarios"
    shutil.copytree(str(scenario_files.FOLDER), copy)
    shutil.copytree(BAKER, copy / BAKER.name)
    monkeypatch.setattr(scenario_files, "FOLDER", copy)
    _forget()
    yield copy
    monkeypatch.undo()
    _forget()
