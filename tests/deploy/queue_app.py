"""The program's task queue, with a task that is in hand for as long as a test wants."""

import time
from pathlib import Path

from sirdar.celery import app

HOLD = "tests.hold"


@app.task(name=HOLD)
def hold(begun: str, end: str) -> None:
    """Make the file `begun`, and be done when there is a file `end`."""
    Path(begun).touch()
    while not Path(end).exists():
        time.sleep(0.05)
