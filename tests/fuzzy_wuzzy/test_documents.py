"""The page on how to call each rule by itself says what is so."""

import re
from pathlib import Path
from typing import Any

PAGE = Path(__file__).resolve().parents[2] / "docs" / "books" / "fuzzy-wuzzy.md"


def test_every_example_of_the_page_runs() -> None:
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    names: dict[str, Any] = {}
    for number, block in enumerate(blocks):
        exec(compile(block, f"block {number + 1} of {PAGE.name}", "exec"), names)  # noqa: S102
    assert len(blocks) == 9
