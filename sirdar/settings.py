"""Settings of the whole program. Here is every variable of the environment that it reads.

Without DATABASE_URL and REDIS_URL it runs from one folder on SQLite; with them on PostgreSQL and
Redis. No other module asks which.

SIRDAR_DATA              folder of everything a run writes (default: var/ beside manage.py)
DATABASE_URL             such as postgres://user:password@host/name
REDIS_URL                such as redis://host/0
SECRET_KEY               needed where several machines serve one site; drawn once otherwise
SIRDAR_DEBUG             1 for Django's debug pages
SIRDAR_HTTPS             1 behind a proxy that speaks TLS and sets X-Forwarded-Proto
SIRDAR_ALLOWED_HOSTS     host names the site answers to, by commas (default: this machine's own)
SIRDAR_TRUSTED_ORIGINS   origins whose forms are accepted, by commas, with scheme
SIRDAR_CORS_ORIGINS      origins whose pages may read the REST interface, by commas; none otherwise
SIRDAR_WEBHOOK_NETWORKS  networks inside that webhooks may reach all the same, such as 10.1.0.0/16
SIRDAR_URL               address of the site, for the links in its e-mails
SIRDAR_MAIL              such as smtp://user:password@host:587; without it e-mails go to the console
SIRDAR_MAIL_FROM         sender of the site's mail
SIRDAR_GUESTS            guests who may play at a time without an account (200); 0 admits none
SIRDAR_GUEST_DAYS        days after which a guest is deleted, with everything they have (14)
SIRDAR_PUSH_KEY          key of browsers' notifications, made by `manage.py pushkey`; none without
SIRDAR_BEAT              1 where `celery beat` runs: workers then start no periodic tasks themselves
SIRDAR_LOG               json for logs of one JSON document a line
SIRDAR_METRICS_TOKEN     token for /metrics; without it and SIRDAR_HTTPS the machine may read
SIRDAR_METRICS_PORT      port on which a worker offers its own metrics
SIRDAR_HSTS              subdomains, or preload, where browsers must use TLS for those too
PROMETHEUS_MULTIPROC_DIR folder of the metrics of all processes (default: metrics in SIRDAR_DATA)
PORT                     port of `manage.py play` (8000)
WEB_CONCURRENCY          processes for pages, each with four threads (2): deploy/gunicorn.conf.py
SIRDAR_BIND              address of the process for pages (127.0.0.1:8000)
SIRDAR_STREAMS_BIND      address of the process for streams (127.0.0.1:8001)
"""

import os
from datetime import timedelta
from pathlib import Path

from csp.constants import NONE, SELF
from kombu import Queue

from ops import logging_setup
from sirdar import environment

BASE_DIR = Path(__file__).resolve().parent.parent
DATA = environment.folder("SIRDAR_DATA", BASE_DIR / "var")

# Set before prometheus_client is imported, which reads it at import time.
os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(
    environment.folder_with_room("PROMETHEUS_MULTIPROC_DIR", DATA / "metrics")
)
METRICS_TOKEN = environment.drawn("SIRDAR_METRICS_TOKEN")
METRICS_PORT = environment.number("SIRDAR_METRICS_PORT", 0)
BEHIND_PROXY = environment.flag("SIRDAR_HTTPS")

DEBUG = environment.flag("SIRDAR_DEBUG")
SECRET_KEY = environment.drawn("SECRET_KEY") or environment.secret_key(DATA / "secret_key")
ALLOWED_HOSTS = environment.hosts("SIRDAR_ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]")

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "rest_framework",
    "corsheaders",
    "drf_spectacular",
    "csp",
    "axes",
    "django_celery_results",
    "battles",
    "campaign",
    "accounts",
    "api",
]

# Other sites' pages may read the interface only if the keeper names them, and only with tokens.
CORS_ALLOWED_ORIGINS = environment.split_list("SIRDAR_CORS_ORIGINS")
CORS_URLS_REGEX = r"^/api/v1/"
CORS_ALLOW_CREDENTIALS = False
CORS_ALLOW_HEADERS = [
    "accept", "authorization", "content-type", "idempotency-key", "if-match", "if-none-match",
    "last-event-id", "x-request-id",
]  # fmt: skip
CORS_EXPOSE_HEADERS = [
    "ETag", "Idempotency-Replayed", "Location", "RateLimit", "RateLimit-Policy", "Retry-After",
    "X-Request-ID",
]  # fmt: skip

MIDDLEWARE = [
    "ops.metrics.RequestMetricsMiddleware",
    "django.middleware.security.SecurityMiddleware",
    # Where no other site may read, answers do not vary by `Origin`.
    *(["corsheaders.middleware.CorsMiddleware"] if CORS_ALLOWED_ORIGINS else []),
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "accounts.session_cookies.SessionCookieMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "ops.http_policy.ContentPolicyMiddleware",
    "campaign.web.error_pages.ErrorPagesMiddleware",
    "accounts.guests.GuestAccessMiddleware",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "sirdar.urls"
WSGI_APPLICATION = "sirdar.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "accounts.guests.guest_context",
            ],
            "builtins": ["campaign.templatetags.hours", "campaign.templatetags.people"],
        },
    }
]

DATABASES = {
    "default": environment.database(
        os.environ.get("DATABASE_URL") or f"sqlite:///{DATA / 'sirdar.sqlite3'}"
    )
}

REDIS_URL = environment.url("REDIS_URL", "redis://host/0", ("redis", "rediss"))

# The first counts requests against their limits, for all processes together; the second keeps what
# can be drawn again.
CACHES = {
    "default": environment.cache(REDIS_URL, DATA),
    "template_fragments": environment.spare_cache(REDIS_URL),
}

_broker = environment.broker(REDIS_URL, DATA)
CELERY_BROKER_URL = _broker["url"]
CELERY_BROKER_TRANSPORT = _broker["transport"]
CELERY_BROKER_TRANSPORT_OPTIONS = _broker["options"]
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# Months, deadlines and mail go into one queue, long computations into another and the months of
# guests into a third, so that each can have workers of its own; a worker started without --queues
# serves them all.
CELERY_TASK_DEFAULT_QUEUE = INTERACTIVE = "interactive"
SIMULATION = "simulation"
GUESTS_QUEUE = "guests"
CELERY_TASK_QUEUES = [Queue(INTERACTIVE), Queue(SIMULATION), Queue(GUESTS_QUEUE)]
CELERY_TASK_ROUTES = {
    f"campaign.tasks.{name}": {"queue": SIMULATION}
    for name in ("bench", "comparison", "inquire", "close_inquiry")
}
# Run by `celery beat` where it runs (SIRDAR_BEAT), else by every worker of the first queue.
CELERY_BEAT_SCHEDULE = {
    "battles": {"task": "campaign.tasks.battles_due", "schedule": 300.0},
    "deadlines": {"task": "campaign.tasks.deadlines_due", "schedule": 60.0},
    "mail": {"task": "campaign.tasks.mail_due", "schedule": 60.0},
    "guests": {"task": "accounts.tasks.forget_guests", "schedule": 3600.0},
    "deleted": {"task": "campaign.tasks.forget_deleted", "schedule": 3600.0},
    "showcase": {"task": "campaign.tasks.showcase_due", "schedule": 86_400.0},
    "webhooks": {"task": "api.tasks.deliver", "schedule": 60.0},
    "results": {"task": "celery.backend_cleanup", "schedule": 3600.0},
}
CELERY_BEAT_SCHEDULE_FILENAME = str(DATA / "beat")
BEAT = environment.flag("SIRDAR_BEAT")
# Jobs are rows of our own tables; only chords need Celery's results, to count their parts.
CELERY_RESULT_BACKEND = "django-db"
CELERY_RESULT_EXPIRES = timedelta(days=1)
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
# A worker takes one message for each of its processes. With Redis this is not done by prefetch
# credit: Kombu (5.7) never returns the credit of a message that it could not acknowledge because
# Redis was gone, and a worker without credit neither reads on nor notices the broken connection.
CELERY_WORKER_PREFETCH_MULTIPLIER = 0 if REDIS_URL else 1
CELERY_WORKER_DISABLE_PREFETCH = bool(REDIS_URL)
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
CELERY_TIMEZONE = "UTC"

MOST_GUESTS = environment.number("SIRDAR_GUESTS", 200)
GUEST_DAYS = environment.number("SIRDAR_GUEST_DAYS", 14)

PASSWORD_RESET_TIMEOUT = 24 * 60 * 60  # seconds
AUTH_PASSWORD_VALIDATORS = [
    *(
        {"NAME": f"django.contrib.auth.password_validation.{name}"}
        for name in (
            "UserAttributeSimilarityValidator",
            "MinimumLengthValidator",
            "CommonPasswordValidator",
            "NumericPasswordValidator",
        )
    ),
    {"NAME": "accounts.passwords.LongestPasswordValidator"},
    {"NAME": "accounts.passwords.RevokeTokensValidator"},
]
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "/"

# After ten wrong passwords a name is locked for that IP address only, for a quarter of an hour: a
# lock by name alone would let anybody lock anybody out.
AXES_FAILURE_LIMIT = 10
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_RESET_ON_SUCCESS = True
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_DISABLE_ACCESS_LOG = True
AXES_VERBOSE = False
# These fields of a failed log-in are not stored.
AXES_SENSITIVE_PARAMETERS = [
    "username", "ip_address", "old_password", "new_password1", "new_password2", "email",
]  # fmt: skip
AXES_CLIENT_IP_CALLABLE = "accounts.login.address_of"
AXES_LOCKOUT_CALLABLE = "accounts.login.locked_out"

# Without an address it is the one at which `manage.py play` serves.
SITE_URL = (
    environment.url("SIRDAR_URL", "https://sirdar.example.org", ("http", "https"))
    or f"http://127.0.0.1:{os.environ.get('PORT') or 8000}"
)
_mail = environment.mail(
    environment.url("SIRDAR_MAIL", "smtp://user:password@mail.example.org:587", ("smtp", "smtps"))
)
EMAIL_BACKEND = _mail["backend"]
EMAIL_HOST = _mail.get("host", "localhost")
EMAIL_PORT = _mail.get("port", 25)
EMAIL_HOST_USER = _mail.get("user", "")
EMAIL_HOST_PASSWORD = _mail.get("password", "")
EMAIL_USE_SSL = _mail.get("ssl", False)
EMAIL_USE_TLS = _mail.get("tls", False)
EMAIL_TIMEOUT = 20  # seconds
PUSH_KEY = environment.push_key("SIRDAR_PUSH_KEY")
DEFAULT_FROM_EMAIL = os.environ.get("SIRDAR_MAIL_FROM") or "Sirdar <sirdar@localhost>"

REST_FRAMEWORK = {
    # The first class supplies the WWW-Authenticate header, which session authentication lacks.
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "api.http.authentication.BearerToken",
        "api.http.authentication.BrowserSession",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["api.http.encoding.JSON"],
    "DEFAULT_PARSER_CLASSES": ["api.http.encoding.StrictJSON"],
    "DEFAULT_THROTTLE_CLASSES": [
        "rest_framework.throttling.AnonRateThrottle",
        "rest_framework.throttling.UserRateThrottle",
    ],
    "DEFAULT_THROTTLE_RATES": {
        "anon": "120/min",
        "user": "600/min",
        "advance": "30/min",
        "create": "20/hour",
        "letters": "120/hour",
        "log-in": "10/min",
        "log-in-page": "30/min",
        "invitation": "60/min",
        "register-try": "30/min",
        "register": "20/hour",
        "register-all": "100/hour",
        "guest": "20/hour",
        "guest-all": "200/hour",
        "door": "30/hour",
        "forgotten-to": "3/hour",
        "address": "5/hour",
        "address-to": "3/hour",
        "post-link": "20/day",
        "post-link-to": "3/day",
        "post-link-all": "200/day",
        "long": "30/hour",
        "webhooks": "60/hour",
    },
    "NUM_PROXIES": 1 if environment.flag("SIRDAR_HTTPS") else 0,
    "EXCEPTION_HANDLER": "api.http.problems.answer",
    "DEFAULT_SCHEMA_CLASS": "api.openapi.schema.Described",
    "NON_FIELD_ERRORS_KEY": "body",
    "URL_FORMAT_OVERRIDE": None,
}

# Webhooks may reach public addresses only (SSRF), unless the keeper allows more.
WEBHOOKS_MAY_REACH = environment.networks("SIRDAR_WEBHOOK_NETWORKS")
# The incoming webhooks of chat services begin like this.
CHANNEL_URLS = {
    "discord": ["https://discord.com/api/webhooks/", "https://discordapp.com/api/webhooks/"],
    "slack": ["https://hooks.slack.com/services/"],
}

SPECTACULAR_SETTINGS = {
    "TITLE": "Sirdar",
    "VERSION": "1",
    "OAS_VERSION": "3.1.1",
    "DESCRIPTION": "An umpired hex campaign of the Sudan, 1882 to 1885.",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "SORT_OPERATIONS": False,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "PREPROCESSING_HOOKS": ["api.openapi.schema.own_addresses"],
    "POSTPROCESSING_HOOKS": ["api.openapi.schema.postprocess"],
}

LANGUAGE_CODE = "en-gb"
TIME_ZONE = "UTC"
USE_TZ = True

STATIC_URL = "/static/"
STATIC_ROOT = DATA / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "ops.static_files.GzipStaticFilesStorage"
    },
}

SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_TRUSTED_ORIGINS = environment.split_list("SIRDAR_TRUSTED_ORIGINS")
if environment.flag("SIRDAR_HTTPS"):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = True
    SECURE_HSTS_SECONDS = 31_536_000
    SECURE_REDIRECT_EXEMPT = ["^health/", "^metrics$"]  # requested inside, past the proxy
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True

# Only the keeper knows whether all subdomains speak TLS too, so both are off by default.
_hsts = environment.choice("SIRDAR_HSTS", "subdomains", "preload")
SECURE_HSTS_INCLUDE_SUBDOMAINS = _hsts in {"subdomains", "preload"}
SECURE_HSTS_PRELOAD = _hsts == "preload"
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]

# Django's own default is silent outside debug: a failure must reach the log of the process.
LOGGING = logging_setup.config(environment.choice("SIRDAR_LOG", logging_setup.JSON))
