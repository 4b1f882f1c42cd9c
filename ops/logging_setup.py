"""Configure logging: every line names its request, its campaign and the campaign's entry.

Lines are for people or, with SIRDAR_LOG=json, one JSON document each, for a collector. The context
is kept for the current request or task (`about`), so that no caller passes it along.
"""

import logging
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from pythonjsonlogger.core import RESERVED_ATTRS

NOTHING: Mapping[str, str] = {"request": "", "campaign": "", "entry": "", "job": ""}
JSON = "json"
LINE = "{asctime} {levelname} {name}{at_hand}: {message}"
FIELDS = "{asctime}{levelname}{name}{process}{request}{campaign}{entry}{job}{message}"
OURS = ("accounts", "api", "battles", "campaign", "ops", "sirdar", "celery", "gunicorn.error")
_at_hand: ContextVar[Mapping[str, str]] = ContextVar("at_hand", default=NOTHING)


@contextmanager
def about(**at_hand: str) -> Iterator[None]:
    """Set the log context inside the block: `request` (id), `campaign` (slug), `entry`, `job`."""
    token = _at_hand.set({**_at_hand.get(), **at_hand})
    try:
        yield
    finally:
        _at_hand.reset(token)


def log_context() -> Mapping[str, str]:
    """Return the present log context."""
    return _at_hand.get()


def set_log_context(**at_hand: str) -> None:
    """Set the log context from here to the end of the enclosing `about`."""
    _at_hand.set({**_at_hand.get(), **at_hand})


class LogContextFilter(logging.Filter):
    """A filter that adds the log context to every line."""

    def filter(self, record: logging.LogRecord) -> bool:
        at_hand = _at_hand.get()
        vars(record).update(at_hand)
        record.at_hand = "".join(f" {name}={value}" for name, value in at_hand.items() if value)
        return True


def config(form: str = "", console: Any = None) -> dict[str, Any]:
    """Return the logging configuration: all lines to stderr, errors to `console` as well.

    A management command reports to its user itself, so only its warnings are logged.
    """
    loggers = () if Path(sys.argv[0]).name == "manage.py" else OURS
    form = JSON if form == JSON else "line"  # the settings refuse another
    handlers: dict[str, Any] = {"stderr": _handler("ext://sys.stderr", form)}
    if console is not None:
        handlers["console"] = _handler(console, "line") | {"level": "ERROR"}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {"knowing": {"()": "ops.logging_setup.LogContextFilter"}},
        "formatters": {
            "line": {"format": LINE, "style": "{"},
            JSON: {
                "()": "pythonjsonlogger.json.JsonFormatter",
                "fmt": FIELDS,
                "style": "{",
                "reserved_attrs": [*RESERVED_ATTRS, "at_hand"],
                "rename_fields": {"asctime": "time", "levelname": "level", "name": "logger"},
            },
        },
        "handlers": handlers,
        "loggers": {name: {"level": "INFO"} for name in loggers}
        | {"gunicorn.error": {"level": "INFO", "handlers": [], "propagate": True}},
        "root": {"handlers": list(handlers), "level": "WARNING"},
    }


def _handler(stream: Any, form: str) -> dict[str, Any]:
    return {
        "class": "logging.StreamHandler",
        "stream": stream,
        "formatter": form,
        "filters": ["knowing"],
    }
