"""Logs: every line names the campaign it is about, and the entry the campaign stood at.

Lines are for people or, with SIRDAR_LOG=json, one JSON document each, for a collector. What is at
hand is kept for the request or the task being worked on (`about`), so no caller passes it along.
"""

import logging
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any

NOTHING: Mapping[str, str] = {"campaign": "", "entry": "", "job": ""}
JSON = "json"
LINE = "{asctime} {levelname} {name}{at_hand}: {message}"
FIELDS = "{asctime}{levelname}{name}{process}{campaign}{entry}{job}{message}"
OURS = ("sirdar", "campaign", "battles", "api", "celery", "gunicorn.error")
_at_hand: ContextVar[Mapping[str, str]] = ContextVar("at_hand", default=NOTHING)


@contextmanager
def about(**at_hand: str) -> Iterator[None]:
    """What is worked on in here: `campaign` (its short name), `entry`, `job`; forgotten after."""
    token = _at_hand.set({**_at_hand.get(), **at_hand})
    try:
        yield
    finally:
        _at_hand.reset(token)


def log_context() -> Mapping[str, str]:
    """What is worked on just now."""
    return _at_hand.get()


def set_log_context(**at_hand: str) -> None:
    """The same from here to the end of what is worked on."""
    _at_hand.set({**_at_hand.get(), **at_hand})


class LogContextFilter(logging.Filter):
    """Adds to every line what is at hand where it is written."""

    def filter(self, record: logging.LogRecord) -> bool:
        at_hand = _at_hand.get()
        vars(record).update(at_hand)
        record.at_hand = "".join(f" {name}={said}" for name, said in at_hand.items() if said)
        return True


def config(form: str = "", console: Any = None) -> dict[str, Any]:
    """What `logging` is told: all lines to stderr; failures to the stream `console` as well.

    A command, which somebody reads as it runs, says what it has to say by itself: of it only
    warnings are logged.
    """
    told = () if Path(sys.argv[0]).name == "manage.py" else OURS
    handlers: dict[str, Any] = {"stderr": _handler("ext://sys.stderr", form or "line")}
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
                "rename_fields": {"asctime": "time", "levelname": "level", "name": "logger"},
            },
        },
        "handlers": handlers,
        "loggers": {name: {"level": "INFO"} for name in told}
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
