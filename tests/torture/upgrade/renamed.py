"""Rename a column that the program needs, so that one without this migration fails.

A database that has yet to be upgraded has the column under another name; one that is ahead of the
program has it under another name once it has been upgraded.
"""

import os
from pkgutil import iter_modules

from django.db import migrations

from campaign import migrations as product

LAST = max(module.name for module in iter_modules(product.__path__))
"""The last migration of the product."""
NEEDED, OTHER = "month", "month_of_another_version"
_RENAME = "ALTER TABLE campaign_campaign RENAME COLUMN {} TO {}"
_THERE, _AWAY = _RENAME.format(OTHER, NEEDED), _RENAME.format(NEEDED, OTHER)
_BOTH = (_AWAY, _THERE) if os.environ.get("SIRDAR_TEST_DATABASE") == "ahead" else (_THERE, _AWAY)


class Migration(migrations.Migration):
    dependencies = [("campaign", LAST)]
    operations = [migrations.RunSQL(*_BOTH)]
