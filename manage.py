#!/usr/bin/env python
"""Run a command of the program: `manage.py help` lists them.

Wrong settings, and a database that cannot be used, are one line and no traceback.
"""

import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line

from ops.database_errors import UNUSABLE, explain

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "sirdar.settings")
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(str(error))
    except UNUSABLE as error:
        sys.exit(explain(error))
