"""Configure gunicorn for pages and the REST interface: threads in some processes.

A proxy in front must buffer slow clients (docs/deploy.md): a thread waits for a whole request.
"""

import os
import subprocess
import sys
from typing import Any

from ops import logging_setup

wsgi_app = "sirdar.wsgi"
bind = os.environ.get("SIRDAR_BIND", "127.0.0.1:8000")
worker_class = "gthread"
workers = int(os.environ.get("WEB_CONCURRENCY", "2"))
threads = 4
timeout = 60
graceful_timeout = 20
keepalive = 5
control_socket_disable = True
logconfig_dict = logging_setup.config(os.environ.get("SIRDAR_LOG", ""))


def on_starting(_server: Any) -> None:
    """End if a setting is wrong, which the process started here names in one line.

    Otherwise every worker would end with a traceback. A module imported here would not be loaded
    again by SIGHUP, so the settings are read elsewhere.
    """
    if subprocess.call([sys.executable, "-c", "import sirdar.settings"]):
        sys.exit(1)
