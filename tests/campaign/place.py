"""A folder with a database of its own, and the program's commands run there as processes."""

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

from tests.patience import PATIENCE

ROOT = Path(__file__).resolve().parent.parent.parent
MANAGE = (sys.executable, str(ROOT / "manage.py"))
SLUG = "war"


class Place:
    """A folder with a database of its own, and the commands run there."""

    def __init__(self, data: Path) -> None:
        theirs = {"DATABASE_URL", "REDIS_URL", "DJANGO_SETTINGS_MODULE"}
        kept = {name: value for name, value in os.environ.items() if name not in theirs}
        self.environment = kept | {"SIRDAR_DATA": str(data)}
        self.database = data / "sirdar.sqlite3"

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            (*MANAGE, *words),
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE,
        )

    def start(self, *words: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            (*MANAGE, *words),
            env=self.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def entries(self) -> int:
        with sqlite3.connect(self.database, timeout=PATIENCE) as connection:
            found = connection.execute("SELECT count(*) FROM campaign_entry").fetchone()
        return int(found[0])

    def month(self) -> int:
        with sqlite3.connect(self.database, timeout=PATIENCE) as connection:
            found = connection.execute("SELECT month - first_month FROM campaign_campaign")
            return int(found.fetchone()[0])
