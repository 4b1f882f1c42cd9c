"""The WSGI application, warmed up on import."""

import os

from django.core.wsgi import get_wsgi_application

from sirdar.warm_up import warm_up

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "sirdar.settings")

application = get_wsgi_application()
warm_up()
