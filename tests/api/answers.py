"""`python -m tests.api.answers [-n 2 ...]`: take the schema's examples of answers from the tests.

The tests of the interface are run, and what every operation answers in them is written down: of
several answers the longest that is still short. Further options are pytest's; with `-n` the
processes share the tests. Draw the schema again afterwards (`manage.py openapi`).
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
    "tests/odds/test_pages.py",
    "tests/odds/test_quota.py",
    "tests/battles_web/test_fight_acts.py",
    "tests/battles_web/test_thrown.py",
    "tests/security/test_access.py::test_everybody_gets_what_he_may_and_nothing_else",
    "tests/streams/test_push.py",
)
"""The tests in which every operation of the schema succeeds at least once."""
DRAWN = "tests/api/test_schemathesis.py"
"""Tests whose requests are drawn at random, and so answered with nothing that explains."""
LONGEST = 6000
"""Bytes of an example when it has been shortened."""
LINE = 600
"""Characters of a text in it."""
SECRETS = ("secret", "token", "throw_token")

heard: dict[str, str] = {}
"""The best answer of each operation and status so far, in this process."""


def pytest_configure() -> None:
    """Hear every answer in this process: this module is a plug-in of the tests that it runs."""
    answer = BaseHandler.get_response

    def get_response(handler: BaseHandler, request: HttpRequest) -> HttpResponseBase:
        given = answer(handler, request)
        hear(request, given)
        return given

    BaseHandler.get_response = get_response  # type: ignore[assignment, method-assign]


def pytest_testnodedown(node: Any) -> None:
    """Take over what a process of pytest-xdist has heard."""
    for name, text in getattr(node, "workeroutput", {}).get("heard", {}).items():
        keep(name, text)


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Send what was heard to the first process, which writes it down.

    After a run that failed or was broken off, operations that were not heard keep their answers.
    """
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["heard"] = heard
        return
    found = {name: json.loads(text) for name, text in heard.items()}
    known = json.loads(ANSWERS.read_text(encoding="utf-8")) if exitstatus else {}
    found = dict(sorted({**known, **found}.items()))
    ANSWERS.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def hear(request: HttpRequest, given: Any) -> None:
    """Keep an answer of the interface, if it is a success in JSON."""
    name = f"{_operation(request)} {given.status_code}"
    readable = "json" in given.get("Content-Type", "") and "Content-Encoding" not in given
    if name.startswith(" ") or given.status_code >= 300 or given.streaming or not readable:
        return
    keep(name, json.dumps(shortened(json.loads(given.content)), ensure_ascii=False))


def keep(name: str, text: str) -> None:
    """Keep the text if it is longer than what is kept under that name, and still short."""
    if len(heard.get(name, "")) < len(text) < LONGEST:
        heard[name] = text


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


def main(options: list[str]) -> int:
    """Run the tests, which write the file; return pytest's exit code."""
    quiet = ["-q", "-p", "no:cacheprovider", f"--ignore={DRAWN}"]
    return int(pytest.main([*quiet, "-p", "tests.api.answers", *options, *TESTS]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
