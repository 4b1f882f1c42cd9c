"""The cast and their clients, as the tests of the interface have them."""

from tests.api.conftest import *  # noqa: F403
from tests.api.conftest import _nothing_counted  # noqa: F401
