"""The program as an ASGI server sees it: ready to answer as soon as this is imported.

It serves everything, and is the one that holds streams of events open.
"""

import os

from django.conf import settings
from django.core.asgi import get_asgi_application

from sirdar.warm_up import warm_up

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "sirdar.settings")

# Django answers each request on a thread that ends with it here, so that a connection to the
# database which is kept open would serve nobody after it.
settings.DATABASES["default"]["CONN_MAX_AGE"] = 0
django = get_asgi_application()
warm_up()

from api.streams.transports import StreamingApplication  # noqa: E402  only once Django is set up

application = StreamingApplication(django)
