"""Accounts: registration, the caller's account, passwords, e-mail address and notifications."""

from functools import partial
from typing import Annotated, Any

import msgspec
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.models import User
from django.contrib.auth.tokens import default_token_generator
from django.contrib.auth.views import PasswordResetConfirmView
from django.db import transaction
from django.http import HttpResponse
from django.urls import reverse
from msgspec import UNSET, Meta, UnsetType, structs
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle

from accounts import email_addresses, login, passwords, tokens
from accounts.display_names import LONGEST_NAME, DisplayNameForm
from accounts.email_addresses import EmailChangeForm
from accounts.passwords import ChangePasswordForm, PasswordResetRequestForm, RenewPasswordForm
from api.http.authentication import refuse_if_locked_out
from api.http.encoding import EmailAddress, EmptyBody, RequestBody, wrong_in
from api.http.endpoint import OwnEndpoint, PublicEndpoint, operation
from api.http.idempotency import WriteResult
from api.http.problems import Problem
from api.http.throttles import LogInThrottle
from campaign.models import Mailing
from campaign.services import mail_messages
from campaign.web.error_pages import AGAIN

Username = Annotated[str, Meta(min_length=1, max_length=150)]
Secret = Annotated[str, Meta(min_length=1)]
NewSecret = Annotated[str, Meta(min_length=1, max_length=login.LONGEST_PASSWORD)]
NAMES = {
    "password1": "password",
    "password2": "password",
    "old_password": "password",
    "new_password1": "new_password",
    "new_password2": "new_password",
    "revoke": "revoke_tokens",
}
"""The names of the forms' fields in the API."""
NO_STORE = {"Cache-Control": "no-store"}
GOOD_NO_MORE = (
    "This link has expired: it was used, is older than a day, or belongs to another account."
)


class NewAccount(RequestBody, frozen=True):
    """A name and a password; with an e-mail address, the user is notified of their turn."""

    username: Username
    password: NewSecret
    email: EmailAddress | None = None


class AccountChange(RequestBody, frozen=True):
    """The new display name, or the new e-mail address and your password; null removes either.

    What is left out stays as it is.
    """

    email: EmailAddress | UnsetType | None = UNSET
    password: Secret | UnsetType = UNSET
    display_name: Annotated[str, Meta(max_length=LONGEST_NAME)] | UnsetType | None = UNSET


class PasswordChange(RequestBody, frozen=True):
    """The current password, the new one, and whether to revoke your tokens."""

    password: Secret
    new_password: NewSecret
    revoke_tokens: bool = True


class PasswordResetRequest(RequestBody, frozen=True):
    """The e-mail address of an account whose password is forgotten."""

    email: EmailAddress


class NewPassword(RequestBody, frozen=True):
    """The new password."""

    new_password: NewSecret


class NotificationsChange(RequestBody, frozen=True):
    """The e-mails you want; what is left out stays as it is."""

    on_turn: bool | UnsetType = UNSET
    on_deadline: bool | UnsetType = UNSET
    on_gazette: bool | UnsetType = UNSET


class AccountLinks(msgspec.Struct, frozen=True):
    """The addresses of your account and of what belongs to it."""

    self: str
    password: str
    notifications: str
    tokens: str
    webhooks: str


class AccountDocument(msgspec.Struct, frozen=True):
    """Your account."""

    username: str
    display_name: str | None
    email: str | None
    token_count: int
    links: AccountLinks


class NewAccountLinks(msgspec.Struct, frozen=True):
    """The address of the tokens of an account."""

    tokens: str


class NewAccountDocument(msgspec.Struct, frozen=True):
    """An account whose password is set; request a token with its name and password."""

    username: str
    links: NewAccountLinks


class NotificationsDocument(msgspec.Struct, frozen=True):
    """The e-mails you get."""

    on_turn: bool
    on_deadline: bool
    on_gazette: bool


class Accounts(PublicEndpoint):
    """New accounts."""

    @operation(NewAccountDocument, status=201, takes=NewAccount, problems=("throttled",))
    def post(self, request: Request) -> Response:
        """Register an account.

        Registrations from one address are rate-limited.
        """
        body = NewAccount.read(request)
        form = login.RegistrationForm(
            {
                "username": body.username,
                "email": body.email or "",
                **dict.fromkeys(("password1", "password2"), body.password),
            }
        )
        seconds = login.wait_before(request, form)
        if seconds:
            headers = {"Retry-After": str(seconds)}
            raise Problem("throttled", "Too many register from there.", headers=headers)
        user = form.save_unless_taken() if form.is_valid() else None
        if user is None:
            raise wrong_in(form, NAMES)
        return Response(_new_account(user), status=201, headers=NO_STORE)


class Notifications(OwnEndpoint):
    """The caller's e-mail settings."""

    @operation(NotificationsDocument)
    def get(self, request: Request) -> HttpResponse:
        """Retrieve your e-mail settings."""
        return self.answer(_notifications(mail_messages.mailing_of(request.user)))

    @operation(NotificationsDocument, takes=NotificationsChange, once=True)
    def patch(self, request: Request) -> WriteResult:
        """Change your e-mail settings."""
        mailing = mail_messages.mailing_of(request.user)
        changed = {
            kind.removeprefix("on_"): value
            for kind, value in structs.asdict(NotificationsChange.read(request)).items()
            if value is not UNSET
        }
        Mailing.objects.filter(pk=mailing.pk).update(**changed)
        mailing.refresh_from_db()
        return WriteResult(200, _notifications(mailing))


def _notifications(mailing: Mailing) -> NotificationsDocument:
    return NotificationsDocument(mailing.turn, mailing.deadline, mailing.gazette)


class ByPassword(OwnEndpoint):
    """An endpoint that asks for the password; attempts are limited as at log-in."""

    def get_throttles(self) -> list[BaseThrottle]:
        is_write = self.request.method not in ("GET", "HEAD", "OPTIONS")
        return [*super().get_throttles(), *([LogInThrottle()] if is_write else [])]


class OwnAccount(ByPassword):
    """The caller's account."""

    @operation(AccountDocument)
    def get(self, request: Request) -> HttpResponse:
        """Retrieve your account."""
        return self.answer(_account(request.user))

    @operation(AccountDocument, takes=AccountChange, problems=("unavailable",))
    def patch(self, request: Request) -> HttpResponse:
        """Change your display name or your e-mail address.

        Others see the display name in place of your username, which stays the name by which you log
        in. It is unique, whatever the case. A change of the address requires your password. A new
        address replaces the old one once you confirm it by the link sent to it; until then the
        answer has the old one. Null removes your address at once. The e-mails are rate-limited.
        """
        change = AccountChange.read(request)
        form = None
        if change.display_name is not UNSET:
            sent = {"display_name": change.display_name or ""}
            form = DisplayNameForm(User.objects.get(pk=request.user.pk), sent)
            if not form.is_valid():
                raise wrong_in(form)
        new = None
        if change.email is not UNSET:
            new = _check_email(request, change.email or "", change.password or "")
        if form is not None and not form.save():
            raise wrong_in(form)
        if new:
            # A mail server may take its time, and the transaction may still be rolled back.
            transaction.on_commit(partial(_send_link, request.user, new))
        elif new is not None:
            email_addresses.remove_email(request.user)
        return self.answer(_account(User.objects.get(pk=request.user.pk)))


def _check_email(request: Request, email: str, password: str) -> str:
    """Return the new address, "" for none. Raises a problem where it may not be changed now."""
    sent = {"email": email, "old_password": password}
    form = _check_form(request, EmailChangeForm(request.user, request, sent))
    new: str = form.cleaned_data["email"]
    if new and (seconds := email_addresses.wait_before_address(request, request.user, new)):
        wait = email_addresses.too_many(seconds)
        raise Problem("throttled", wait, headers={"Retry-After": str(seconds)})
    return new


class Password(ByPassword):
    """The caller's password."""

    @operation(AccountDocument, takes=PasswordChange)
    def put(self, request: Request) -> HttpResponse:
        """Change your password.

        It requires your current password; a wrong one counts as a failed log-in. All your other
        sessions end. Your tokens are revoked too, including the one sent, unless `revoke_tokens` is
        false.
        """
        change = PasswordChange.read(request)
        twice = dict.fromkeys(("new_password1", "new_password2"), change.new_password)
        sent = {"old_password": change.password, "revoke": change.revoke_tokens, **twice}
        form = _check_form(request, ChangePasswordForm(request.user, request, sent))
        user = form.save()
        if request.auth is None:
            update_session_auth_hash(request, user)
        return self.answer(_account(user))


class EmailConfirmation(OwnEndpoint):
    """The confirmation of an e-mail address."""

    @operation(AccountDocument, takes=EmptyBody, once=True)
    def post(self, request: Request, token: str) -> WriteResult:
        """Confirm your new e-mail address.

        `token` is the last part of the link sent to it.
        """
        EmptyBody.read(request)
        if not email_addresses.confirm_email(request.user, token):
            raise Problem("refused", GOOD_NO_MORE)
        return WriteResult(200, _account(User.objects.get(pk=request.user.pk)))


class PasswordResets(PublicEndpoint):
    """Requests to reset a password."""

    throttle_classes = [LogInThrottle]

    @operation(status=204, takes=PasswordResetRequest, problems=("throttled",))
    def post(self, request: Request) -> Response:
        """Request an e-mail with a link that resets a password.

        The answer does not reveal whether the address belongs to an account.
        """
        form = PasswordResetRequestForm({"email": PasswordResetRequest.read(request).email})
        if not form.is_valid():
            raise wrong_in(form)
        passwords.send_forgotten(request, form)
        return Response(status=204, headers=NO_STORE)


class PasswordReset(PublicEndpoint):
    """A password reset by the link in an e-mail."""

    throttle_classes = [LogInThrottle]

    @operation(NewAccountDocument, takes=NewPassword, problems=("throttled",))
    def post(self, request: Request, uid: str, token: str) -> Response:
        """Reset a password.

        `uid` and `token` are the last two parts of the link in the e-mail. All sessions and tokens
        of the account end.
        """
        new = NewPassword.read(request).new_password
        user = PasswordResetConfirmView().get_user(uid)
        if not isinstance(user, User) or not default_token_generator.check_token(user, token):
            raise Problem("refused", GOOD_NO_MORE)
        form = RenewPasswordForm(user, dict.fromkeys(("new_password1", "new_password2"), new))
        if not form.is_valid():
            raise wrong_in(form, NAMES)
        return Response(_new_account(form.save()), headers=NO_STORE)


def _check_form(request: Request, form: Any) -> Any:
    """Return the form if it is valid; the problem `throttled` after too many wrong passwords."""
    valid = form.is_valid()
    refuse_if_locked_out(request)
    if not valid:
        raise wrong_in(form, NAMES)
    return form


def _send_link(user: User, new: str) -> None:
    """Send the e-mail that confirms the address."""
    if not email_addresses.send_link(user, new):
        raise Problem("unavailable", email_addresses.UNDELIVERED, headers={"Retry-After": AGAIN})


def _new_account(user: User) -> NewAccountDocument:
    return NewAccountDocument(user.get_username(), NewAccountLinks(reverse("api:tokens")))


def _account(user: User) -> AccountDocument:
    return AccountDocument(
        user.get_username(),
        user.first_name or None,
        user.email or None,
        tokens.tokens_of(user).count(),
        AccountLinks(
            self=reverse("api:account"),
            password=reverse("api:account-password"),
            notifications=reverse("api:account-notifications"),
            tokens=reverse("api:tokens"),
            webhooks=reverse("api:webhooks"),
        ),
    )
