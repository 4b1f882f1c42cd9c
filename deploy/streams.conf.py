"""Configure gunicorn for event streams: one process, whose event loop holds all followers.

The proxy sends it the addresses that end in `/stream/` (docs/deploy.md).
"""

import os
import subprocess
import sys
from typing import Any

from ops import logging_setup

wsgi_app = "sirdar.asgi"
bind = os.environ.get("SIRDAR_STREAMS_BIND", "127.0.0.1:8001")
worker_class = "asgi"
workers = 1
worker_connections = 2500  # 2,000 followers (api/streams/hub.py), and clients being refused
timeout = 60
# A stream never ends by itself, and its reader reconnects with the last id, so do not wait.
graceful_timeout = 1
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
