"""Configure gunicorn for event streams: one process, whose event loop holds all followers.

The proxy sends it the addresses that end in `/stream/` (docs/deploy.md).
"""

import os

from ops import logging_setup
from ops.process_supervisor import end_on_wrong_settings

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
on_starting = end_on_wrong_settings
