"""Slow forms that are sent again: what they begin is begun once."""

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from cryptography.fernet import InvalidToken
from django.conf import LazySettings
from django.contrib.auth.models import User
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.test import Client, RequestFactory
from django.urls import reverse

from campaign.models import Campaign
from ops import sent_once
from tests.patience import PATIENCE
from tests.people import SIEGE, People, logged_in

TOKEN, LATER = {"csrfmiddlewaretoken": "one"}, {"csrfmiddlewaretoken": "another"}
NEW = {"scenario": SIEGE, "mode": "orders", "egyptian": "me", "mahdist": "staff"}


def send_twice(client: Client, name: str, form: dict[str, Any], *args: object) -> list[str]:
    """Return where the two answers lead."""
    answers = [client.post(reverse(name, args=args), {**form, **TOKEN}) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [302, 302]
    return [answer["Location"] for answer in answers]


def test_from_a_page_that_is_shown_again_another_campaign_is_begun(people: People) -> None:
    client = logged_in(people.stranger)
    for token in (TOKEN, LATER):
        client.post(reverse("new"), {**NEW, **token})
    assert Campaign.objects.count() == 2


def test_a_form_that_was_refused_is_sent_again(people: People) -> None:
    client = logged_in(people.stranger)
    for _ in range(2):
        refused = client.post(reverse("new"), {**NEW, "scenario": "none", **TOKEN})
        assert refused.status_code == 400
        assert refused.context["form"].errors
    client.post(reverse("new"), {**NEW, **TOKEN})
    assert Campaign.objects.count() == 1


def test_a_file_is_imported_once_and_nobody_reads_that_its_name_is_taken(
    played: Campaign, umpire: Client
) -> None:
    data = umpire.get(reverse("export", args=[played.slug])).getvalue()
    form = {"slug": "copy", **TOKEN}
    for _ in range(2):
        file = SimpleUploadedFile("siege.sirdar", data)
        answer = umpire.post(reverse("import"), {**form, "file": file})
        assert answer["Location"] == reverse("console", args=["copy"])


def test_a_deleted_campaign_is_restored_once(campaign: Campaign, umpire: Client) -> None:
    umpire.post(reverse("delete-campaign", args=[campaign.slug]), {"head": "0"})
    (deleted,) = umpire.get(reverse("import")).context["deleted"]
    first, second = send_twice(umpire, "restore-campaign", {}, deleted.pk)
    assert first == second == reverse("console", args=[campaign.slug])


def sent_by(user: User) -> HttpRequest:
    request = RequestFactory().post("/slow/", TOKEN)
    request.user = user
    return request


def test_a_form_waits_for_the_answer_to_the_one_before() -> None:
    begun, may_answer, count = threading.Event(), threading.Event(), []

    @sent_once.sent_once
    def slow(request: HttpRequest) -> HttpResponse:
        count.append(request)
        begun.set()
        may_answer.wait(PATIENCE)
        return redirect("/done/")

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(slow, sent_by(User(pk=1)))
        assert begun.wait(PATIENCE)
        second = pool.submit(slow, sent_by(User(pk=1)))
        assert not second.done()
        may_answer.set()
        assert [done.result()["Location"] for done in (first, second)] == ["/done/"] * 2
    assert len(count) == 1


def test_of_forms_sent_at_the_same_moment_one_is_carried_out(
    settings: LazySettings, tmp_path: Path
) -> None:
    files = "django.core.cache.backends.filebased.FileBasedCache"
    settings.CACHES = {"default": {"BACKEND": files, "LOCATION": str(tmp_path)}}
    count: list[HttpRequest] = []
    together = threading.Barrier(4)

    @sent_once.sent_once
    def begin(request: HttpRequest) -> HttpResponse:
        count.append(request)
        return redirect("/done/")

    def send(number: int) -> str:
        together.wait(PATIENCE)
        return begin(sent_by(User(pk=number)))["Location"]

    with ThreadPoolExecutor(4) as pool:
        for number in range(1, 26):
            assert list(pool.map(send, [number] * 4)) == ["/done/"] * 4
    assert len(count) == 25


def test_a_form_that_failed_is_carried_out_when_it_is_sent_again() -> None:
    requests: list[HttpRequest] = []

    @sent_once.sent_once
    def failing(request: HttpRequest) -> HttpResponse:
        requests.append(request)
        if len(requests) == 1:
            raise ConnectionError
        return redirect("/done/")

    with pytest.raises(ConnectionError):
        failing(sent_by(User(pk=1)))
    assert failing(sent_by(User(pk=1)))["Location"] == "/done/"


def test_a_page_says_that_a_form_is_still_being_worked_on(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sent_once, "PATIENCE", 0.0)
    client, form = logged_in(people.stranger), {**NEW, **TOKEN}
    request = RequestFactory().post(reverse("new"), form)
    request.user = people.stranger
    cache.add(sent_once._key_of(request), "", 60)
    page = client.post(reverse("new"), form, follow=True)
    assert "is still being worked on" in page.content.decode()
    assert not Campaign.objects.exists()


def test_the_second_answer_says_what_the_first_said(campaign: Campaign, umpire: Client) -> None:
    path = reverse("command", args=[campaign.slug])
    form = {"do": "public delay", "delay": "2", **TOKEN}
    umpire.post(path, form)
    del umpire.cookies["messages"]  # of an answer that the browser has dropped
    page = umpire.get(umpire.post(path, form)["Location"]).content.decode()
    assert page.count("Spectators see the war with that delay from now on.") == 1


def test_a_secret_that_is_shown_once_is_kept_so_that_its_form_alone_reads_it(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: list[bytes] = []
    monkeypatch.setattr(sent_once, "_remember", lambda _, value: kept.append(value))
    form = {"name": "bot", "scopes": ["read"], "days": "30", **TOKEN}
    page = logged_in(people.umpire).post(reverse("account"), form)
    secret = page.context["secret"].encode()
    assert secret in page.content
    (answer,) = kept
    assert secret not in answer
    first, other = (RequestFactory().post("/", token) for token in (TOKEN, LATER))
    assert secret in sent_once._cipher(first).decrypt(answer)
    with pytest.raises(InvalidToken):
        sent_once._cipher(other).decrypt(answer)
