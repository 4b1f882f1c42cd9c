"""Read the environment for the settings, with the defaults."""

import os
import re
import secrets
import stat
from collections.abc import Sequence
from hashlib import sha256
from ipaddress import ip_network
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

SQLITE_OPTIONS = {
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
}

POSTGRES_OPTIONS = {"connect_timeout": 5, "options": "-c lock_timeout=10s"}
"""Timeouts for a database that is gone, and for a row that another transaction has locked."""


UNDRAWN = ("DRAW-ONE", "DRAW-ANOTHER")
"""The secrets in the form of deploy/sirdar.env."""

DATABASES = ("sqlite", "postgres", "postgresql")
"""The schemes of the databases that the program runs on."""


YES, NO = ("1", "true", "yes", "on"), ("", "0", "false", "no", "off")


def flag(name: str) -> bool:
    """Return whether the variable is set to yes. Raises ImproperlyConfigured for a misspelt word.

    Otherwise a site whose SIRDAR_HTTPS is misspelt would send its cookies without TLS.
    """
    text = os.environ.get(name, "").strip().lower()
    if text not in YES + NO:
        raise ImproperlyConfigured(f"{name}={text} is neither yes nor no: write 1, or 0.")
    return text in YES


def choice(name: str, *values: str) -> str:
    """Return the variable, which is one of the values; "" where it is empty."""
    text = os.environ.get(name, "").strip()
    if text and text not in values:
        raise ImproperlyConfigured(
            f"{name}={text} is unknown: write {' or '.join(values)}, or leave it out."
        )
    return text


def split_list(name: str, default: str = "") -> list[str]:
    """Return the parts of a comma-separated variable, blanks left out."""
    return [part.strip() for part in os.environ.get(name, default).split(",") if part.strip()]


def hosts(name: str, default: str) -> list[str]:
    """Return the host names in a comma-separated variable.

    Raises ImproperlyConfigured for an address or a port: Django would compare it with the name
    alone, and refuse every request.
    """
    names = split_list(name, default)
    for host in names:
        if "/" in host or ":" in host.rpartition("]")[2]:
            raise ImproperlyConfigured(
                f"{name} has {host}: write the name alone, such as sirdar.example.org, without "
                "https:// and port."
            )
    return names


def networks(name: str) -> list[str]:
    """Return the networks in a comma-separated variable. Raises ImproperlyConfigured for others."""
    found = split_list(name)
    for network in found:
        try:
            ip_network(network, strict=False)
        except ValueError:
            raise ImproperlyConfigured(
                f"{name} has {network}, which is no network: write it such as 10.1.0.0/16."
            ) from None
    return found


def number(name: str, default: int) -> int:
    """Return the variable as a number that is not negative; the default where it is empty."""
    text = os.environ.get(name, "").strip()
    if text and not (text.isascii() and text.isdigit()):
        raise ImproperlyConfigured(f"{name}={text} is no number: write digits alone, such as 200.")
    return int(text) if text else default


def url(name: str, example: str, schemes: Sequence[str]) -> str:
    """Return the variable as a URL without a slash at its end; "" where it is empty.

    The error does not repeat the variable, which may hold a password.
    """
    text = os.environ.get(name, "").strip().rstrip("/")
    if text and not _is_complete(text, schemes):
        raise ImproperlyConfigured(f"{name} is no complete address: write it such as {example}.")
    return text


def _is_complete(address: str, schemes: Sequence[str]) -> bool:
    """Return whether the address has a scheme of these, a host, and no port but a number."""
    try:
        parts = urlsplit(address)
        return parts.scheme in schemes and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def drawn(name: str) -> str:
    """Return the secret in the variable; "" where it is empty.

    Raises ImproperlyConfigured while it is as in deploy/sirdar.env, where everybody can read it.
    """
    text = os.environ.get(name, "").strip()
    if text in UNDRAWN:
        raise ImproperlyConfigured(
            f"{name} is still {text}, as in the form: draw one with "
            'python3 -c "import secrets; print(secrets.token_urlsafe(50))" and write it there.'
        )
    return text


def push_key(name: str) -> str:
    """Return the key of `manage.py pushkey` in the variable; "" where it is empty."""
    text = os.environ.get(name, "").strip()
    if text and not re.fullmatch("[A-Za-z0-9_-]{43}", text):
        raise ImproperlyConfigured(
            f"{name} is no key of `manage.py pushkey`: write the 43 characters that it prints."
        )
    return text


def folder(name: str, default: Path) -> Path:
    """Return the folder the variable names, creating it if it is missing.

    Raises ImproperlyConfigured when this user cannot write there.
    """
    path = Path(os.environ.get(name) or default).resolve()
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(_unusable(name, path, error.strerror)) from error
    if not os.access(path, os.W_OK | os.X_OK):
        raise ImproperlyConfigured(_unusable(name, path, "Permission denied"))
    return path


ROOM = 2**20
"""Bytes that a process needs for its metrics, and then some."""


def folder_with_room(name: str, default: Path) -> Path:
    """Return the folder the variable names, as `folder` does, with room for files in memory maps.

    Raises ImproperlyConfigured when its disk is full: the operating system ends a process that
    writes to a mapped file for which there is no room (SIGBUS), and no log would say why.
    """
    path = folder(name, default)
    disk = os.statvfs(path)
    if disk.f_bavail * disk.f_frsize < ROOM:
        raise ImproperlyConfigured(
            f"No room is left on the disk of {path} ({name}): free some, and start again."
        )
    return path


def _unusable(name: str, path: Path, reason: str | None) -> str:
    return (
        f"The folder {path} ({name}) cannot be used: {reason}. Make it, and give it to the user "
        "that runs the program."
    )


def database(url: str) -> dict[str, Any]:
    """Return Django's description of the database at `url`.

    SQLite takes the write lock when a transaction begins, so that of two that change the same
    campaign the second waits instead of failing in the middle. Raises ImproperlyConfigured for any
    other database than SQLite and PostgreSQL; the error does not repeat the address, which may hold
    a password.
    """
    refusal = ImproperlyConfigured(
        "DATABASE_URL is no address of a database that this program knows: write it such as "
        "postgres://user:password@host/name, or leave it out for SQLite. In the password, write "
        "@, :, / and % as %40, %3A, %2F and %25."
    )
    try:
        if urlsplit(url).scheme not in DATABASES:
            raise refusal
        config: dict[str, Any] = dict(
            dj_database_url.parse(url, conn_max_age=60, conn_health_checks=True)
        )
    except ValueError:
        raise refusal from None
    if config["ENGINE"] == "django.db.backends.sqlite3":
        config["OPTIONS"] = SQLITE_OPTIONS
    if config["ENGINE"] == "django.db.backends.postgresql":
        config["OPTIONS"] = POSTGRES_OPTIONS | config.get("OPTIONS", {})
    return config


_PATIENCE = {"socket_connect_timeout": 5, "socket_timeout": 30}
"""Seconds a page waits for a Redis that does not answer, before it reports that."""


def cache(redis_url: str | None, data: Path) -> dict[str, Any]:
    """Return Django's cache, which all processes share: Redis, or files without it.

    The database would do as well, but every request would then wait for the month that is being
    written.
    """
    if redis_url:
        backend = "django.core.cache.backends.redis.RedisCache"
        return {"BACKEND": backend, "LOCATION": redis_url, "OPTIONS": _PATIENCE}
    return {
        "BACKEND": "django.core.cache.backends.filebased.FileBasedCache",
        "LOCATION": str(_memory_folder(data) or data / "cache"),
        "OPTIONS": {"MAX_ENTRIES": 1000},
    }


def _memory_folder(data: Path) -> Path | None:
    """Return a folder in memory for the site whose folder is `data`; None where there is none.

    On a disk each counted request would be a write, of a millisecond on ext4.
    """
    site = sha256(str(data).encode()).hexdigest()[:16]
    path = Path("/dev/shm", f"sirdar-{os.getuid()}-{site}")  # noqa: S108
    try:
        path.mkdir(mode=0o700, exist_ok=True)
    except OSError:
        return None
    about = path.lstat()
    # Cached values are pickles: another user's folder of that name must not be read.
    own = about.st_uid == os.getuid() and about.st_mode == stat.S_IFDIR | 0o700
    return path if own else None


def spare_cache(redis_url: str | None) -> dict[str, Any]:
    """Return the cache of what can be drawn again: pages do without it while Redis is gone."""
    if redis_url:
        return {
            "BACKEND": "ops.redis_backends.TolerantCache",
            "LOCATION": redis_url,
            "OPTIONS": _PATIENCE,
            "KEY_PREFIX": "spare",
        }
    return {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "spare"}


def broker(redis_url: str | None, data: Path) -> dict[str, Any]:
    """Return Celery's broker: Redis at `redis_url`, or plain folders under `data` without one."""
    if redis_url:
        return {
            "url": redis_url,
            "transport": None,
            "options": _PATIENCE | {"visibility_timeout": 3600},
        }
    queue, control = data / "broker" / "queue", data / "broker" / "control"
    for path in (queue, control):
        path.mkdir(parents=True, exist_ok=True)
    options = {
        "data_folder_in": str(queue),
        "data_folder_out": str(queue),
        "control_folder": str(control),
        "store_processed": False,
        "polling_interval": 0.2,
    }
    return {
        "url": "filesystem://",
        "transport": "ops.filesystem_broker:Transport",
        "options": options,
    }


def mail(url: str | None) -> dict[str, Any]:
    """Return Django's description of the mail server at `url`, or of the console without one.

    Examples: smtp://user:password@host:587, or smtps:// where the connection begins with TLS.
    """
    if not url:
        return {"backend": "django.core.mail.backends.console.EmailBackend"}
    parts = urlsplit(url)
    return {
        "backend": "django.core.mail.backends.smtp.EmailBackend",
        "host": parts.hostname or "localhost",
        "port": parts.port or (465 if parts.scheme == "smtps" else 25),
        "user": unquote(parts.username or ""),
        "password": unquote(parts.password or ""),
        "ssl": parts.scheme == "smtps",
        "tls": parts.scheme == "smtp" and bool(parts.username),
    }


def secret_key(path: Path) -> str:
    """Return the key stored at `path`; create it, readable by its owner only, at first use.

    If two processes start together, the one that links its file first wins for both.
    """
    if not path.exists():
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        draft.touch(mode=0o600)
        draft.write_text(secrets.token_urlsafe(50))
        try:
            path.hardlink_to(draft)
        except FileExistsError:
            return path.read_text()
        finally:
            draft.unlink()
    return path.read_text()
