"""The ASGI application, warmed up on import.

It serves everything, and is the only one that holds event streams open.
"""

import os

from django.conf import settings
from django.core.asgi import get_asgi_application

from sirdar.warm_up import warm_up

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "sirdar.settings")

# Here Django answers each request on a thread that ends with it, so a database connection that is
# kept open would never be used again.
settings.DATABASES["default"]["CONN_MAX_AGE"] = 0
django = get_asgi_application()
warm_up()

from api.streams.hub import StreamingApplication  # noqa: E402  only once Django is set up

application = StreamingApplication(django)
