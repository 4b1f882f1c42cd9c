"""How gunicorn serves the site: threads in some processes, its own lines in the site's form."""

import os

from sirdar import logs

wsgi_app = "sirdar.wsgi"
bind = os.environ.get("SIRDAR_BIND", "127.0.0.1:8000")
worker_class = "gthread"
workers = int(os.environ.get("WEB_CONCURRENCY", "2"))
threads = 4
timeout = 60
graceful_timeout = 20
keepalive = 5
control_socket_disable = True
logconfig_dict = logs.config(os.environ.get("SIRDAR_LOG", ""))
