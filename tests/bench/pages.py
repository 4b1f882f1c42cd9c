"""Time every page that people can reach by links, on the data of `make play`.

    SIRDAR_DATA=... .venv/bin/python -m tests.bench.pages

It crawls as a visitor and as each user of the database, at most three pages of each address of
docs/access.md, and asks for each page three times, in this process: seconds by the clock and of the
processor, without a server between.
"""

import logging
import os
import re
import time
from collections import Counter
from typing import Any, NamedTuple

import django
import django.urls

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "sirdar.settings")
PAGES_EACH, TIMES, SHOWN = 3, 3, 20
LINKS = re.compile(r'(?:href|src|data-\w+)="(/[^"#?]*)')
FILES = ("/static/", "/api/v1/")


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


def main() -> None:
    """Print the slowest pages."""
    django.setup()
    from django.conf import settings  # noqa: PLC0415  not before the set-up
    from django.contrib.auth.models import User  # noqa: PLC0415
    from django.test import Client  # noqa: PLC0415
    from django.urls import resolve  # noqa: PLC0415

    logging.disable(logging.CRITICAL)
    settings.ALLOWED_HOSTS = ["*"]
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
