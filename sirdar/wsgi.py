"""The program as a WSGI server sees it: whoever has imported this is ready to answer."""

import os

from django.core.wsgi import get_wsgi_application

from sirdar.warm_up import warm_up

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "sirdar.settings")

application = get_wsgi_application()
warm_up()
