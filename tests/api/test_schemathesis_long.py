"""The same as test_schemathesis.py with requests for every edge of the schema and many drawn ones.

It is a module of its own because the requests for the edges are made when pytest collects it.
"""

from typing import Any

import pytest
from hypothesis import settings

from tests.api.test_schemathesis import SHORT, World, described, try_as_everybody, world

__all__ = ["world"]

pytestmark = [pytest.mark.django_db, pytest.mark.long]


@described(coverage=True).parametrize()
@settings(SHORT, max_examples=60, derandomize=False)
def test_every_operation_answers_everybody_as_its_schema_says_at_length(
    case: Any,
    world: World,
) -> None:
    try_as_everybody(case, world)
