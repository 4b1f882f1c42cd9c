"""The program as a WSGI server sees it, with its pages read in before anybody asks for one."""

import os
from importlib import import_module

from django.conf import settings
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "sirdar.settings")

application = get_wsgi_application()
import_module(settings.ROOT_URLCONF)
