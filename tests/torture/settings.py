"""The program's own settings; only that static files are taken from where they lie."""

from sirdar.settings import *  # noqa: F403
from sirdar.settings import STORAGES

STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
WHITENOISE_USE_FINDERS = True
