"""The pages on how to call each rule of a book by itself say what is so."""

import re
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "books"


@pytest.mark.parametrize(
    ("page", "examples"), [("redcoats.md", 6), ("restless.md", 4), ("fuzzy-wuzzy.md", 9)]
)
def test_every_example_of_the_page_runs(page: str, examples: int) -> None:
    text = (FOLDER / page).read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    names: dict[str, Any] = {}
    for number, block in enumerate(blocks):
        exec(compile(block, f"block {number + 1} of {page}", "exec"), names)  # noqa: S102
    assert len(blocks) == examples
