"""A scenario of somebody's own on PostgreSQL, which locks rows that SQLite does not."""

import os
import subprocess
import sys
from pathlib import Path

from tests.servers import Postgres

ROOT = Path(__file__).parents[2]
CHANGES = """
from django.contrib.auth.models import User
from campaign.access import saved_work
from campaign.services.journal import own_scenarios
from tests.campaign.test_own_scenarios import golden

owner = User.objects.create(username="owner")
whole, _ = own_scenarios.save_scenario(owner, golden())
draft, faults = own_scenarios.save_scenario(owner, {**golden(), "event_tables": {}})
for own in (whole, draft):
    own_scenarios.save_scenario(owner, golden(), own)
    own_scenarios.share_scenario(owner, own, shared=True)
    own_scenarios.delete_scenario(owner, own)
    own_scenarios.restore_scenario(owner, own.pk)
print(saved_work.own_scenarios(owner).count(), "are kept")
"""


def test_a_scenario_is_saved_shared_deleted_and_restored(postgres: Postgres) -> None:
    address = postgres.fresh("workshop")

    def manage(*words: str) -> str:
        done = subprocess.run(
            [sys.executable, "manage.py", *words],
            cwd=ROOT,
            env={**os.environ, "DATABASE_URL": address},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    manage("migrate", "-v0")
    assert manage("shell", "-c", CHANGES).endswith("2 are kept\n")
