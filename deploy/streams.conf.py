"""How gunicorn serves streams of events: one process, whose event loop holds all who follow.

The proxy sends it the addresses that end in `/stream/` (docs/deploy.md).
"""

import os

from ops import logging_setup

wsgi_app = "sirdar.asgi"
bind = os.environ.get("SIRDAR_STREAMS_BIND", "127.0.0.1:8001")
worker_class = "asgi"
workers = 1
worker_connections = 2500  # 2,000 may follow (api/streams/hub.py), and some ask whether they may
timeout = 60
# A stream never ends by itself, and its reader comes back with the last id: do not wait.
graceful_timeout = 1
keepalive = 5
control_socket_disable = True
logconfig_dict = logging_setup.config(os.environ.get("SIRDAR_LOG", ""))
