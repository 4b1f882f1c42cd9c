"""The program's own settings with the pages that it is measured beside, and nobody throttled."""

from typing import Any

from sirdar.settings import *  # noqa: F403
from sirdar.settings import REST_FRAMEWORK

ROOT_URLCONF = "tests.bench.load_site"
NEVER = "1000000/sec"
_rates: Any = REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"]
_rates.update(dict.fromkeys(_rates, NEVER))
