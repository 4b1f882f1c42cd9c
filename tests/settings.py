"""The program's own settings for a test run: its own folder, quick passwords, tasks at once."""

import atexit
import os
import shutil
import tempfile

_data = tempfile.mkdtemp(prefix="sirdar-test-")
atexit.register(shutil.rmtree, _data, ignore_errors=True)
os.environ["SIRDAR_DATA"] = _data
# Each process of the tests counts for itself, not for the one that began it too.
os.environ["PROMETHEUS_MULTIPROC_DIR"] = f"{_data}/metrics"

from sirdar.settings import *  # noqa: E402, F403
from sirdar.settings import ALLOWED_HOSTS, CACHES, DATA, DATABASES, INSTALLED_APPS, STORAGES  # noqa: E402

ALLOWED_HOSTS += ["testserver"]
INSTALLED_APPS += ["tests"]  # its `flush` takes the place of Django's
# A file with its journal, as a run has it: in memory SQLite locks in another way.
DATABASES["default"].setdefault("TEST", {})
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    DATABASES["default"]["TEST"]["NAME"] = str(DATA / "test.sqlite3")
if not os.environ.get("REDIS_URL"):
    atexit.register(shutil.rmtree, CACHES["default"]["LOCATION"], ignore_errors=True)
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
CELERY_TASK_ALWAYS_EAGER = True
CELERY_TASK_EAGER_PROPAGATES = True
