"""Packages with battle books, installed for the length of a test as pip would install them."""

from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import pytest

from battles.contract import book


def install(patch: pytest.MonkeyPatch, **books: str) -> None:
    """Put a package on the path whose metadata offers these books, as `slug="module:name"`."""
    folder = Path(mkdtemp(prefix="sirdar-books-"))
    metadata = folder / "club_books-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: club-books\nVersion: 1.0\n")
    lines = [f"[{book.GROUP}]", *(f"{slug} = {where}" for slug, where in books.items())]
    (metadata / "entry_points.txt").write_text("\n".join(lines) + "\n")
    patch.syspath_prepend(folder)
    patch.setattr(book, "book_entry_points", cache(book.book_entry_points.__wrapped__))
