"""How gunicorn serves the site: threads in some processes, none of them for the slow."""

import os

from sirdar import logs

wsgi_app = "sirdar.wsgi"
bind = os.environ.get("SIRDAR_BIND", "127.0.0.1:8000")
worker_class = "sirdar.patient.Patient"
workers = int(os.environ.get("WEB_CONCURRENCY", "2"))
threads = 4
timeout = 60
graceful_timeout = 20
keepalive = 5
control_socket_disable = True
logconfig_dict = logs.config(os.environ.get("SIRDAR_LOG", ""))
