"""`make play` packs static files once before it serves, and again when they have changed."""

from pathlib import Path

import pytest
from django.conf import LazySettings

from campaign.management.commands.play import collect_static


@pytest.fixture
def source(tmp_path: Path, settings: LazySettings) -> Path:
    """A static file of the site's own, which is packed to a folder beside it."""
    folder = tmp_path / "source"
    folder.mkdir()
    settings.STATIC_ROOT = tmp_path / "packed"
    settings.STATICFILES_DIRS = [folder]
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    file = folder / "map.css"
    file.write_text("first")
    return file


def test_static_files_are_packed_again_only_when_one_has_changed(
    source: Path, settings: LazySettings
) -> None:
    collect_static()
    packed = Path(settings.STATIC_ROOT) / "map.css"
    assert packed.read_text() == "first"
    packed.write_text("left alone")
    collect_static()
    assert packed.read_text() == "left alone"
    source.write_text("second")
    collect_static()
    assert packed.read_text() == "second"
    source.with_name("new.css").write_text("more")
    collect_static()
    assert packed.with_name("new.css").read_text() == "more"


def test_static_files_that_are_gone_are_packed_again(source: Path, settings: LazySettings) -> None:
    collect_static()
    for file in Path(settings.STATIC_ROOT).iterdir():
        file.unlink()
    collect_static()
    assert (Path(settings.STATIC_ROOT) / "map.css").read_text() == source.read_text()
