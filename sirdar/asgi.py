"""The program as an ASGI server sees it: whoever has imported this is ready to answer."""

import os

from django.core.asgi import get_asgi_application

from sirdar.warm import warm_up

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "sirdar.settings")

application = get_asgi_application()
warm_up()
