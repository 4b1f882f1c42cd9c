"""Configure gunicorn for pages and the REST interface: threads in some processes.

A proxy in front must buffer slow clients (docs/deploy.md): a thread waits for a whole request.
"""

import os

from ops import logging_setup
from ops.process_supervisor import end_on_wrong_settings

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
on_starting = end_on_wrong_settings
