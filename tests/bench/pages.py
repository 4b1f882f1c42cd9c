"""Time every page that people can reach by links, on the data of `make play`.

    SIRDAR_DATA=... .venv/bin/python -m tests.bench.pages

It crawls as a visitor and as each user of the database, at most three pages of each address of
docs/access.md, and asks for each page three times, in this process: seconds by the clock and of the
processor, without a server between. Before that, processes that have just started as a server does
are asked for one page each.
"""

import logging
import os
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import django
import django.urls

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "sirdar.settings")
PAGES_EACH, TIMES, SHOWN = 3, 3, 20
LINKS = re.compile(r'(?:href|src|data-\w+)="(/[^"#?]*)')
FILES = ("/static/", "/api/v1/")
FIRST = """
import time
from importlib import import_module
begun = time.perf_counter()
import_module("sirdar.asgi")
started = time.perf_counter()
import logging, sys
from django.conf import settings
from django.test import Client
logging.disable(logging.CRITICAL)
settings.ALLOWED_HOSTS = ["*"]
clock, processor = time.perf_counter(), time.process_time()
answer = Client().get(sys.argv[1])
print(f"{time.perf_counter() - clock:5.2f}  {time.process_time() - processor:9.2f}  "
      f"{started - begun:5.2f}   {answer.status_code}        {sys.argv[1]}")
"""
"""Start as a server does, answer one page, and print clock, processor and the start's seconds."""


class PageTime(NamedTuple):
    """The seconds of a page: the first answer, the best one, and the processor's for that one."""

    best: float
    processor: float
    first: float
    who: str
    page: str


def crawl(client: Any, who: str, resolve: Any) -> list[PageTime]:
    """Return the times of the pages that links lead to from the front page."""
    found, seen, asked = list[PageTime](), set[str](), Counter[str]()
    queue = ["/"]
    while queue:
        page = queue.pop(0)
        if page in seen or page.startswith(FILES):
            continue
        seen.add(page)
        try:
            route = str(resolve(page).route)
        except django.urls.Resolver404:
            continue
        if asked[route] >= PAGES_EACH:
            continue
        tries = [_ask(client, page) for _ in range(TIMES)]
        if any(status != 200 for status, *_ in tries):
            continue
        asked[route] += 1
        best = min(tries, key=lambda one: one[1])
        found.append(PageTime(best[1], best[2], tries[0][1], who, page))
        queue += LINKS.findall(tries[0][3])
    return found


def _ask(client: Any, page: str) -> tuple[int, float, float, str]:
    clock, processor = time.perf_counter(), time.process_time()
    answer = client.get(page)
    body = b"" if answer.streaming else answer.content
    taken = time.perf_counter() - clock, time.process_time() - processor
    text = body.decode() if "html" in answer.headers.get("Content-Type", "") else ""
    return answer.status_code, *taken, text


def first_pages(campaigns: Sequence[str]) -> None:
    """Print how long the first page after a start takes, each in a process of its own."""
    print("clock  processor  start   status     the first page after a start", flush=True)
    for page in ("/", *campaigns):
        subprocess.run([sys.executable, "-c", FIRST, page], check=True)


def main() -> None:
    """Print the first pages and the slowest ones."""
    django.setup()
    from django.conf import settings  # noqa: PLC0415  not before the set-up
    from django.contrib.auth.models import User  # noqa: PLC0415
    from django.test import Client  # noqa: PLC0415
    from django.urls import resolve  # noqa: PLC0415

    from campaign.models import Campaign  # noqa: PLC0415

    logging.disable(logging.CRITICAL)
    settings.ALLOWED_HOSTS = ["*"]
    public = Campaign.objects.filter(public=True)
    first_pages([f"/campaigns/{one.slug}/" for one in public[:PAGES_EACH]])
    times = crawl(Client(), "visitor", resolve)
    for user in User.objects.filter(is_active=True).exclude(username__startswith="guest"):
        client = Client()
        client.force_login(user)
        times += crawl(client, user.username, resolve)
    load = os.getloadavg()[0]
    print(f"{len(times)} pages, {TIMES * len(times)} requests, load average {load:.1f}")
    print("best   processor  first   who        page")
    for one in sorted(times, reverse=True)[:SHOWN]:
        print(f"{one.best:5.2f}  {one.processor:9.2f}  {one.first:5.2f}   {one.who:<9}  {one.page}")


if __name__ == "__main__":
    main()
