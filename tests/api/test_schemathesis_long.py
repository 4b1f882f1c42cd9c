"""The same as test_schemathesis.py with requests for every edge of the schema and many drawn ones.

Each request is sent by two of the six callers in turn, so that every operation meets all of them,
and of very many edges some are tried: the run ends within half an hour on one core. It is a module
of its own because the requests for the edges are made when pytest collects it.
"""

from collections import Counter
from itertools import combinations
from typing import Any
from zlib import crc32

import pytest
from hypothesis import settings
from schemathesis.generation.meta import TestPhase

from tests.api.test_schemathesis import SHORT, World, described, try_as, world

__all__ = ["world"]

pytestmark = [pytest.mark.django_db, pytest.mark.long]
DRAWN = 12
"""Requests that are drawn for an operation, besides those for the edges of its schema."""
MANY, SOME = 100, 10
"""Beyond so many edges of an operation every tenth is tried: an order sheet has thousands."""
_edges: Counter[str] = Counter()


@described(coverage=True).parametrize()
@settings(SHORT, max_examples=DRAWN, derandomize=False)
def test_every_operation_answers_everybody_as_its_schema_says_at_length(
    case: Any, world: World
) -> None:
    if _is_left_out(case):
        return
    sent = (case.method, case.path_parameters, case.query, case.headers, case.body)
    turn = crc32(repr(sent).encode(errors="replace"))
    pairs = list(combinations(world.visitors, 2))
    try_as(case, world, pairs[turn % len(pairs)])


def _is_left_out(case: Any) -> bool:
    """Return whether it is one of very many edges of its operation, and not a tenth one."""
    if case.meta.phase.name != TestPhase.COVERAGE:
        return False
    number = _edges[case.operation.label] + 1
    _edges[case.operation.label] = number
    return number > MANY and number % SOME > 0
