"""`python -m tests.api.answers`: the schema's examples of answers, taken anew from the program.

The tests of the interface are run, and what every operation answers in them is written down: of
several answers the longest that is still short. Draw the schema anew afterwards (`manage.py
openapi`).
"""

import json
import sys
from typing import Any

import pytest
from django.core.handlers.base import BaseHandler
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from api.openapi.examples import ANSWERS

TESTS = (
    "tests/api",
    "tests/odds",
    "tests/battles_web",
    "tests/security/test_access.py",
    "tests/streams/test_push.py",
)
LONGEST = 6000
"""Bytes of an example when it has been shortened."""
LINE = 600
"""Characters of a text in it."""
SECRETS = ("secret", "token", "throw_token")


class Recorder:
    """A plug-in of pytest that hears what the interface answers."""

    def __init__(self) -> None:
        self.heard: dict[str, str] = {}

    def pytest_configure(self) -> None:
        answer = BaseHandler.get_response

        def get_response(handler: BaseHandler, request: HttpRequest) -> HttpResponseBase:
            given = answer(handler, request)
            self._hear(request, given)
            return given

        BaseHandler.get_response = get_response  # type: ignore[assignment, method-assign]

    def _hear(self, request: HttpRequest, given: Any) -> None:
        name = f"{_operation(request)} {given.status_code}"
        readable = "json" in given.get("Content-Type", "") and "Content-Encoding" not in given
        if name.startswith(" ") or given.status_code >= 300 or given.streaming or not readable:
            return
        text = json.dumps(shortened(json.loads(given.content)), ensure_ascii=False)
        if len(self.heard.get(name, "")) < len(text) < LONGEST:
            self.heard[name] = text


def _operation(request: HttpRequest) -> str:
    """Return the schema's name for it; "" if it is not the interface's."""
    match = request.resolver_match
    if match is None or match.namespace != "api" or request.method == "HEAD":
        return ""
    return f"{str(request.method).lower()}-{match.url_name}"


def shortened(told: Any) -> Any:
    """Return the same with one of all things in a list or by number, no long text, and nothing
    secret.

    A list of things of several kinds is a row, and all of it is kept.
    """
    if isinstance(told, dict):
        by_number = bool(told) and all(map(str.isdecimal, told))
        return {
            key: "shown this once" if key in SECRETS else shortened(value)
            for key, value in list(told.items())[: 1 if by_number else None]
        }
    if isinstance(told, list):
        things = len({type(one) for one in told}) == 1 and isinstance(told[0], dict | str)
        return [shortened(one) for one in (told[:1] if things else told)]
    return f"{told[:LINE]} ..." if isinstance(told, str) and len(told) > LINE else told


def main() -> int:
    """Run the tests and write the file; gives back pytest's own code.

    After a run that failed or was broken off, operations that were not heard keep their answers.
    """
    recorder = Recorder()
    code = pytest.main(["-q", "-p", "no:cacheprovider", *TESTS], [recorder])
    found = {name: json.loads(text) for name, text in recorder.heard.items()}
    known = json.loads(ANSWERS.read_text(encoding="utf-8")) if code else {}
    found = dict(sorted({**known, **found}.items()))
    ANSWERS.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return int(code)


if __name__ == "__main__":
    sys.exit(main())
