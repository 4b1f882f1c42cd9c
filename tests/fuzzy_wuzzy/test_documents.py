"""The page on how to call each rule by itself says what is so."""

import re
from pathlib import Path
from typing import Any

from battles.core.decoding import encode
from tests.fuzzy_wuzzy.played import PLAYED

PAGE = Path(__file__).resolve().parents[2] / "docs" / "books" / "fuzzy-wuzzy.md"


def test_every_example_of_the_page_runs() -> None:
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    names: dict[str, Any] = {}
    for number, block in enumerate(blocks):
        exec(compile(block, f"block {number + 1} of {PAGE.name}", "exec"), names)  # noqa: S102
    assert len(blocks) == 9


def test_a_state_of_a_battle_holds_no_fractions() -> None:
    state = PLAYED.begun("kirbekan", 1)
    for _ in PLAYED.moves(state, 1):
        assert b"." not in encode({**{n: u.at for n, u in state.units.items()}, 0: state.paces})
