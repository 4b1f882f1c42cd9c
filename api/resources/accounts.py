"""Accounts: registration, the caller's account, passwords, e-mail address and mail settings."""

from typing import Any

import msgspec
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.models import User
from django.contrib.auth.tokens import default_token_generator
from django.contrib.auth.views import PasswordResetConfirmView
from django.http import HttpResponse
from django.urls import reverse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle

from accounts import account_mail, registration, tokens
from accounts.forms import (
    ChangePasswordForm,
    EmailChangeForm,
    NewPasswordForm,
    PasswordResetRequestForm,
)
from api.http.authentication import refuse_if_locked_out
from api.http.endpoint import OwnEndpoint, PublicEndpoint, operation
from api.http.idempotency import WriteResult
from api.http.inputs import Empty, Input, wrong_in
from api.http.problems import Problem
from api.http.throttles import LogInThrottle
from campaign.services.mail import notifications
from campaign.web.error_pages import AGAIN

FIELDS = {"password1": "password", "password2": "password"}
"""The names of the form's fields in the API."""


class NewAccount(Input):
    """A name and a password; with an e-mail address, the user is notified of their turn."""

    username = serializers.CharField(max_length=150)
    password = serializers.CharField(max_length=200, trim_whitespace=False)
    email = serializers.EmailField(default="", allow_blank=True)


class AccountPart(msgspec.Struct, frozen=True):
    """A registered account; request a token with its name and password."""

    username: str
    links: dict[str, str]


class LettersDocument(msgspec.Struct, frozen=True):
    """The e-mails you get: for your turn, a near deadline and a new gazette."""

    turn: bool
    deadline: bool
    gazette: bool


class LetterSettingsInput(Input):
    """The e-mails you want; fields that are left out stay as they are."""

    turn = serializers.BooleanField(required=False)
    deadline = serializers.BooleanField(required=False)
    gazette = serializers.BooleanField(required=False)


class Accounts(PublicEndpoint):
    """New accounts."""

    @operation(AccountPart, status=201, takes=NewAccount, problems=("throttled",))
    def post(self, request: Request) -> Response:
        """Register an account.

        Registrations from one address are rate-limited.
        """
        given = NewAccount.read(request)
        sent = {"username": given["username"], "email": given["email"]}
        passwords = dict.fromkeys(("password1", "password2"), given["password"])
        form = registration.RegistrationForm({**sent, **passwords})
        seconds = registration.wait_before(request, form)
        if seconds:
            headers = {"Retry-After": str(seconds)}
            raise Problem("throttled", "Too many register from there.", headers=headers)
        if not form.is_valid():
            raise wrong_in(form, FIELDS)
        user = form.save()
        told = AccountPart(user.get_username(), {"tokens": reverse("api:tokens")})
        return Response(told, status=201, headers={"Cache-Control": "no-store"})


class Mail(OwnEndpoint):
    """The caller's e-mail settings."""

    @operation(LettersDocument)
    def get(self, request: Request) -> HttpResponse:
        """Retrieve your e-mail settings."""
        return self.tell(_letters(request.user))

    @operation(LettersDocument, takes=LetterSettingsInput, once=True)
    def put(self, request: Request) -> WriteResult:
        """Update your e-mail settings."""
        mailing = notifications.mailing_of(request.user)
        for kind, wanted in LetterSettingsInput.read(request).items():
            setattr(mailing, kind, wanted)
        mailing.save(update_fields=notifications.KINDS)
        return WriteResult(200, _letters(request.user))


def _letters(user: Any) -> LettersDocument:
    mailing = notifications.mailing_of(user)
    return LettersDocument(**{kind: getattr(mailing, kind) for kind in notifications.KINDS})


LONGEST = 200
NAMES = {
    "old_password": "password",
    "new_password1": "new_password",
    "new_password2": "new_password",
    "revoke": "revoke_tokens",
}
"""The names of the forms' fields in the API."""
UNKEPT = {"Cache-Control": "no-store"}
GOOD_NO_MORE = "That link is good no more: it was used, is older than a day, or is another's."


class AccountDocument(msgspec.Struct, frozen=True):
    """Your account. `email` is empty if you have none, `tokens` is the number of your tokens."""

    username: str
    email: str
    tokens: int
    links: dict[str, str]


class LetterPart(msgspec.Struct, frozen=True):
    """The outcome of a request for an e-mail."""

    told: str


class PasswordChange(Input):
    """The current password, the new one, and whether to revoke your tokens."""

    password = serializers.CharField(max_length=LONGEST, trim_whitespace=False)
    new_password = serializers.CharField(max_length=LONGEST, trim_whitespace=False)
    revoke_tokens = serializers.BooleanField(default=True)


class AddressChange(Input):
    """The new e-mail address, empty for none, and your password."""

    email = serializers.EmailField(allow_blank=True)
    password = serializers.CharField(max_length=LONGEST, trim_whitespace=False)


class PasswordResetInput(Input):
    """The e-mail address of an account whose password is forgotten."""

    email = serializers.EmailField()


class AnotherPassword(Input):
    """The new password."""

    new_password = serializers.CharField(max_length=LONGEST, trim_whitespace=False)


class OwnAccount(OwnEndpoint):
    """The caller's account."""

    @operation(AccountDocument)
    def get(self, request: Request) -> HttpResponse:
        """Retrieve your account."""
        return self.tell(_account(request.user))


class ByPassword(OwnEndpoint):
    """An endpoint that asks for the password; attempts are limited as at log-in."""

    def get_throttles(self) -> list[BaseThrottle]:
        return [*super().get_throttles(), LogInThrottle()]


class Password(ByPassword):
    """The caller's password."""

    @operation(AccountDocument, takes=PasswordChange)
    def put(self, request: Request) -> HttpResponse:
        """Change your password.

        It requires your current password; a wrong one counts as a failed log-in. All your other
        sessions end. Your tokens are revoked too, including the one sent, unless `revoke_tokens` is
        false.
        """
        given = PasswordChange.read(request)
        twice = dict.fromkeys(("new_password1", "new_password2"), given["new_password"])
        sent = {"old_password": given["password"], "revoke": given["revoke_tokens"], **twice}
        form = _checked(request, ChangePasswordForm(request.user, request, sent))
        user = form.save()
        if request.auth is None:
            update_session_auth_hash(request, user)
        return self.tell(_account(user))


class Address(ByPassword):
    """The caller's e-mail address."""

    @operation(AccountDocument, also={202: AccountDocument}, takes=AddressChange)
    def put(self, request: Request) -> HttpResponse:
        """Change your e-mail address.

        Answers 202 for a new address, which replaces the old one once you confirm it by the link
        sent to it. An empty address removes yours at once. The e-mails are rate-limited.
        """
        given = AddressChange.read(request)
        sent = {"email": given["email"], "old_password": given["password"]}
        new = _checked(request, EmailChangeForm(request.user, request, sent)).cleaned_data["email"]
        if new:
            _write(request, new)
        else:
            account_mail.remove_email(request.user)
        response = self.tell(_account(User.objects.get(pk=request.user.pk)))
        response.status_code = 202 if new else 200
        return response


class AddressByLetter(OwnEndpoint):
    """The confirmation of an e-mail address."""

    @operation(AccountDocument, takes=Empty, once=True)
    def post(self, request: Request, letter: str) -> WriteResult:
        """Confirm your new e-mail address.

        `letter` is the last part of the link sent to it.
        """
        Empty.read(request)
        if not account_mail.confirm_email(request.user, letter):
            raise Problem("refused", GOOD_NO_MORE)
        return WriteResult(200, _account(User.objects.get(pk=request.user.pk)))


class Recoveries(PublicEndpoint):
    """Password resets."""

    throttle_classes = [LogInThrottle]

    @operation(LetterPart, status=202, takes=PasswordResetInput, problems=("throttled",))
    def post(self, request: Request) -> Response:
        """Request an e-mail with a link that resets a password.

        The answer does not reveal whether the address belongs to an account.
        """
        form = PasswordResetRequestForm(PasswordResetInput.read(request))
        if not form.is_valid():
            raise wrong_in(form)
        account_mail.send_forgotten(request, form)
        return Response(LetterPart(account_mail.ON_ITS_WAY), status=202, headers=UNKEPT)


class PasswordRecovery(PublicEndpoint):
    """A password reset by the link in an e-mail."""

    throttle_classes = [LogInThrottle]

    @operation(AccountPart, takes=AnotherPassword, problems=("throttled",))
    def post(self, request: Request, uid: str, letter: str) -> Response:
        """Reset a password.

        `uid` and `letter` are the last two parts of the link in the e-mail. All sessions and tokens
        of the account end.
        """
        new = AnotherPassword.read(request)["new_password"]
        user = PasswordResetConfirmView().get_user(uid)
        if not isinstance(user, User) or not default_token_generator.check_token(user, letter):
            raise Problem("refused", GOOD_NO_MORE)
        form = NewPasswordForm(user, dict.fromkeys(("new_password1", "new_password2"), new))
        if not form.is_valid():
            raise wrong_in(form, NAMES)
        told = AccountPart(form.save().get_username(), {"tokens": reverse("api:tokens")})
        return Response(told, headers=UNKEPT)


def _checked(request: Request, form: Any) -> Any:
    """Return the form if it is valid; the problem `throttled` after too many wrong passwords."""
    valid = form.is_valid()
    refuse_if_locked_out(request)
    if not valid:
        raise wrong_in(form, NAMES)
    return form


def _write(request: Request, new: str) -> None:
    """Send the e-mail that confirms the address."""
    if seconds := account_mail.wait_before_address(request, request.user, new):
        told = account_mail.too_many(seconds)
        raise Problem("throttled", told, headers={"Retry-After": str(seconds)})
    if not account_mail.send_link(request.user, new):
        raise Problem("unavailable", account_mail.UNDELIVERED, headers={"Retry-After": AGAIN})


def _account(user: User) -> AccountDocument:
    names = ("account-password", "account-address", "mail", "tokens", "webhooks")
    links = {name.removeprefix("account-"): reverse(f"api:{name}") for name in names}
    return AccountDocument(
        user.get_username(),
        user.email,
        tokens.tokens_of(user).count(),
        {"self": reverse("api:account"), **links},
    )
