"""Who is registered, and which letters he gets."""

from typing import Any

import msgspec
from django.http import HttpResponse
from django.urls import reverse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import registration
from api.contract import operation
from api.endpoint import OwnEndpoint, PublicEndpoint
from api.inputs import Input, wrong_in
from api.problems import Problem
from api.repeats import Done
from campaign.services.mail import notifications

FIELDS = {"password1": "password", "password2": "password"}
"""The fields of the form, as they are called here."""


class NewAccount(Input):
    """A name and a password; an address for those who want word when it is their turn."""

    username = serializers.CharField(max_length=150)
    password = serializers.CharField(max_length=200, trim_whitespace=False)
    email = serializers.EmailField(default="", allow_blank=True)


class AccountPart(msgspec.Struct, frozen=True):
    """Somebody who has been registered; ask for a token with that name and the password."""

    username: str
    links: dict[str, str]


class LettersDocument(msgspec.Struct, frozen=True):
    """Which letters you get: when it is your turn, when a deadline nears, when a month is out."""

    turn: bool
    deadline: bool
    gazette: bool


class Letters(Input):
    """Which letters you want; what is not said stays as it is."""

    turn = serializers.BooleanField(required=False)
    deadline = serializers.BooleanField(required=False)
    gazette = serializers.BooleanField(required=False)


class Accounts(PublicEndpoint):
    """New accounts."""

    @operation(AccountPart, status=201, takes=NewAccount, problems=("throttled",))
    def post(self, request: Request) -> Response:
        """Register; not too often from one address."""
        given = NewAccount.read(request)
        sent = {"username": given["username"], "email": given["email"]}
        passwords = dict.fromkeys(("password1", "password2"), given["password"])
        form = registration.RegistrationForm({**sent, **passwords})
        seconds = registration.wait_before(request._request, form)
        if seconds:
            headers = {"Retry-After": str(seconds)}
            raise Problem("throttled", "Too many register from there.", headers=headers)
        if not form.is_valid():
            raise wrong_in(form, FIELDS)
        user = form.save()
        told = AccountPart(user.get_username(), {"tokens": reverse("api:tokens")})
        return Response(told, status=201, headers={"Cache-Control": "no-store"})


class Mail(OwnEndpoint):
    """Which letters you get."""

    @operation(LettersDocument)
    def get(self, request: Request) -> HttpResponse:
        return self.tell(_letters(request.user))

    @operation(LettersDocument, takes=Letters, once=True)
    def put(self, request: Request) -> Done:
        """Choose which letters you get."""
        mailing = notifications.mailing_of(request.user)
        for kind, wanted in Letters.read(request).items():
            setattr(mailing, kind, wanted)
        mailing.save(update_fields=notifications.KINDS)
        return Done(200, _letters(request.user))


def _letters(user: Any) -> LettersDocument:
    mailing = notifications.mailing_of(user)
    return LettersDocument(**{kind: getattr(mailing, kind) for kind in notifications.KINDS})
