"""Forms for passwords and addresses, used by the pages and by the REST interface.

Where the password is required, a wrong one counts as a failed log-in.
"""

from datetime import timedelta
from functools import partial
from hashlib import sha256
from typing import Any

from axes.utils import reset
from django import forms
from django.contrib import messages
from django.contrib.auth import authenticate
from django.contrib.auth.forms import PasswordChangeForm, PasswordResetForm, SetPasswordForm
from django.contrib.auth.mixins import LoginRequiredMixin
from django.contrib.auth.models import User
from django.contrib.auth.views import PasswordChangeView, PasswordResetConfirmView
from django.contrib.messages.views import SuccessMessageMixin
from django.core import signing
from django.core.mail import EmailMessage
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse, reverse_lazy
from django.utils.crypto import get_random_string
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.generic import FormView

from accounts.login import (
    LEADS_ELSEWHERE,
    LIKE_THIS,
    LONGEST_PASSWORD,
    ONCE_MORE,
    ThrottledFormView,
)
from accounts.tokens import tokens_of
from campaign.models import Mailing
from campaign.services.mail_messages import (
    LONGEST_ADDRESS,
    TOKEN,
    deliver,
    mailing_of,
    one_line,
    site_url,
)
from campaign.web.visitor import duration_text, seconds_to_wait, visitor


class NewPasswordForm(SetPasswordForm):
    """A new password, twice."""

    def __init__(self, user: User, data: Any = None, **about: Any) -> None:
        super().__init__(user, data, **about)
        self.fields["new_password1"].help_text = LIKE_THIS
        self.fields["new_password2"].label = "New password again"
        self.fields["new_password2"].help_text = ONCE_MORE

    def save(self, commit: bool = True) -> User:
        """Save the password alone: another tab may change the name or the address meanwhile."""
        user: User = super().save(commit=False)
        if commit:
            user.save(update_fields=["password"])
        return user


class RenewPasswordForm(NewPasswordForm):
    """A new password in place of a forgotten one, by the link in an e-mail."""

    def save(self, commit: bool = True) -> User:
        """Save it, and forget the wrong ones that were tried: the new one opens at once."""
        user = super().save(commit)
        reset(username=user.get_username())
        return user


class LongestPasswordValidator:
    """A validator that refuses a new password of more than `LONGEST_PASSWORD` characters."""

    def validate(self, password: str, user: User | None = None) -> None:
        """Raise ValidationError for a password that is too long."""
        if len(password) > LONGEST_PASSWORD:
            raise forms.ValidationError(
                f"This password is too long. It must contain at most {LONGEST_PASSWORD} characters."
            )

    def get_help_text(self) -> str:
        return f"Your password must contain at most {LONGEST_PASSWORD} characters."


class CurrentPasswordForm(forms.BaseForm):
    """A form that requires the user's present password, `old_password`."""

    user: User
    request: HttpRequest

    @sensitive_variables("password")
    def clean_old_password(self) -> str:
        """Check the password as at log-in, with the same lock after too many wrong ones."""
        password: str = self.cleaned_data["old_password"]
        username = self.user.get_username()
        if authenticate(self.request, username=username, password=password) is None:
            raise forms.ValidationError("That is not your password. Capital letters matter.")
        return password


class ChangePasswordForm(CurrentPasswordForm, NewPasswordForm, PasswordChangeForm):
    """The old password, a new one twice, and whether to revoke the user's tokens."""

    revoke = forms.BooleanField(
        required=False,
        initial=True,
        label="Revoke my tokens",
        help_text="Your programs cannot log in until you give them a new token. Leave it "
        "ticked if somebody else may know your password.",
    )
    field_order = ["old_password", "new_password1", "new_password2", "revoke"]

    def __init__(self, user: User, request: HttpRequest, data: Any = None, **about: Any) -> None:
        super().__init__(user, data, **about)
        self.request = request

    def save(self, commit: bool = True) -> User:
        return super().save(commit) if self.cleaned_data["revoke"] else self._save_alone()

    def _save_alone(self) -> User:
        """Save the password past `User.save`, which would revoke the tokens."""
        user: User = self.user
        user.set_password(self.cleaned_data["new_password1"])
        User.objects.filter(pk=user.pk).update(password=user.password)
        return user


class EmailChangeForm(CurrentPasswordForm, forms.Form):
    """A new address, or none, and the password."""

    email = forms.EmailField(
        max_length=LONGEST_ADDRESS,
        required=False,
        label="New address",
        help_text="Empty: you get no e-mail, and no link if you forget your password.",
    )
    old_password = forms.CharField(
        strip=False,
        label="Your password",
        help_text="Anyone who reads e-mails at that address can have a new password sent there.",
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, user: User, request: HttpRequest, data: Any = None, **about: Any) -> None:
        super().__init__(data, **about)
        self.user, self.request = user, request

    def clean_email(self) -> str:
        new: str = self.cleaned_data["email"]
        if new == self.user.email:
            raise forms.ValidationError(
                "That is your address already." if new else "You have no address to remove."
            )
        return new


class PasswordResetRequestForm(PasswordResetForm):
    """The address of a user who has forgotten the password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].label = "E-mail"
        self.fields["email"].help_text = "The one that you gave when you registered."


# Confirm e-mail addresses by a signed link, and limit the number of letters about accounts.
#
# A new address counts once its owner has opened the link sent there, which works once, within a
# day. The token contains a hash of the old address, the password and the mail token. The mail token
# changes with the address, so that every older link stops working, and so do the unsubscribe links
# in mail to the old address.


GOOD_FOR = timedelta(days=1)
SALT = "sirdar.own-address"


def send_link(user: User, new: str) -> bool:
    """Send the link that confirms the new address; return whether the letter was sent."""
    meant = [user.pk, new, _mark(user, mailing_of(user))]
    token = signing.dumps(meant, salt=SALT)
    context = {"user": user, "url": site_url(reverse("confirm-email", args=[token]))}
    return _send_letter(user, new, "mail/email_change.txt", context)


def email_of_token(user: User, token: str) -> str:
    """Return the address the link confirms; "" if it is another user's, used, expired or forged."""
    try:
        user_id, new, mark = signing.loads(token, salt=SALT, max_age=GOOD_FOR)
    except (signing.BadSignature, ValueError):
        return ""
    mailing = Mailing.objects.filter(user=user).first()
    good = user_id == user.pk and mailing is not None and mark == _mark(user, mailing)
    return str(new) if good else ""


def confirm_email(user: User, token: str) -> str:
    """Make the link's address the user's and return it; return "" if the link is not valid.

    The old address is notified.
    """
    with transaction.atomic():
        locked_user = User.objects.select_for_update().get(pk=user.pk)
        new = email_of_token(locked_user, token)
        if new:
            _change_address(locked_user, new)
    if new:
        _notify_old_address(user, locked_user)
    return new


def remove_email(user: User) -> None:
    """Remove the user's address, so that they get no mail; the old address is notified."""
    with transaction.atomic():
        locked_user = User.objects.select_for_update().get(pk=user.pk)
        _change_address(locked_user, "")
    _notify_old_address(user, locked_user)


def _change_address(user: User, new: str) -> None:
    """Set the address and a new mail token, so that links in older letters stop working."""
    mailing = mailing_of(user)
    mailing.token = get_random_string(TOKEN)
    mailing.save(update_fields=["token"])
    user.email = new
    user.save(update_fields=["email"])


def _notify_old_address(before: User, now: User) -> None:
    """Notify the old address after the commit: the caller may have opened a transaction."""
    if before.email and before.email != now.email:
        context: dict[str, object] = {"user": now}
        send = partial(_send_letter, now, before.email, "mail/email_changed.txt", context)
        transaction.on_commit(send)


def _send_letter(user: User, to: str, template: str, context: dict[str, object]) -> bool:
    letter = EmailMessage(
        subject="Sirdar: your address",
        body=render_to_string(template, context),
        to=[one_line(to)],
        headers={"Auto-Submitted": "auto-generated"},
    )
    return deliver(letter, f"a letter about the address of {user.get_username()}")


def _mark(user: User, mailing: Mailing) -> str:
    return sha256(f"{user.email}\n{user.password}\n{mailing.token}".encode()).hexdigest()


ON_ITS_WAY = (
    "If an account here has that address, an e-mail to it is on its way. Its link works for a day."
)
UNDELIVERED = "The e-mail could not be sent. Check the address, or try later."


def wait_before_address(request: HttpRequest, user: User, new: str) -> int:
    """Return the seconds until a letter to that address may be sent; 0: now, and it is counted."""
    return seconds_to_wait(request, ("address", str(user.pk)), ("address-to", new.casefold()))


def too_many(seconds: int) -> str:
    """Return the message for a user who has to wait for so many seconds."""
    return f"Too many e-mails were sent: try again in {duration_text(seconds)}."


def send_forgotten(request: HttpRequest, form: PasswordResetRequestForm) -> None:
    """Mail a reset link to the users of the address in the form, unless too many went there."""
    if seconds_to_wait(request, ("forgotten-to", form.cleaned_data["email"].casefold())):
        return
    form.save(
        request=request,
        use_https=request.is_secure(),
        subject_template_name="mail/password_reset_subject.txt",
        email_template_name="mail/password_reset.txt",
        extra_email_context={"site": site_url("")},
    )


# The page to change a password, which ends sessions and tokens.
#
# Every new password ends the sessions elsewhere and revokes the tokens, however it is set. Only
# users who change their own on this page may keep their tokens.


class RevokeTokensValidator:
    """A validator that revokes the user's tokens, as Django calls it whenever a password is set."""

    def validate(self, password: str, user: User | None = None) -> None:
        """Accept every password."""

    def get_help_text(self) -> str:
        return "Programs have to log in again: a new password revokes all tokens."

    def password_changed(self, password: str, user: User) -> None:
        tokens_of(user).delete()


class InvalidFormStatusView(FormView):
    """A page with a form that answers invalid data with status 400."""

    http_method_names = ["get", "head", "options", "post"]

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Check the method first; some of Django's views check their link before the method."""
        if str(request.method).lower() not in self.http_method_names:
            return self.http_method_not_allowed(request, *args, **kwargs)
        return super().dispatch(request, *args, **kwargs)

    def form_invalid(self, form: Any) -> HttpResponse:
        return self.render_to_response(self.get_context_data(form=form), status=400)


@method_decorator(never_cache, name="dispatch")
class PasswordChangePage(
    SuccessMessageMixin, ThrottledFormView, InvalidFormStatusView, PasswordChangeView
):
    """The page to change one's password; the session there goes on, all others end."""

    form_class = ChangePasswordForm
    template_name = "registration/password_change.html"
    success_url = reverse_lazy("account")

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "request": self.request}

    def get_context_data(self, **about: Any) -> dict[str, Any]:
        tokens = tokens_of(visitor(self.request)).count()
        return super().get_context_data(tokens=tokens, **about)

    def get_success_message(self, cleaned_data: dict[str, Any]) -> str:
        ended = (
            " and your tokens are revoked."
            if cleaned_data["revoke"]
            else "; your tokens stay valid."
        )
        return f"Your password is changed. Sessions elsewhere have ended{ended}"


# Reset a forgotten password by a link sent by mail.
#
# The answer is the same whether anybody has that address or not.


class PasswordResetPage(SuccessMessageMixin, ThrottledFormView, InvalidFormStatusView):
    """The page on which a user asks for the letter; only a few per hour go to one address."""

    form_class = PasswordResetRequestForm
    template_name = "registration/password_reset.html"
    extra_context = LEADS_ELSEWHERE
    success_url = reverse_lazy("login")
    success_message = ON_ITS_WAY

    def form_valid(self, form: PasswordResetRequestForm) -> HttpResponse:
        send_forgotten(self.request, form)
        return super().form_valid(form)


class PasswordResetConfirmPage(
    SuccessMessageMixin, ThrottledFormView, InvalidFormStatusView, PasswordResetConfirmView
):
    """The page behind the link, valid once; it ends the user's sessions and tokens."""

    form_class = RenewPasswordForm
    template_name = "registration/password_reset_confirm.html"
    extra_context = LEADS_ELSEWHERE
    success_url = reverse_lazy("login")
    success_message = "Your password is changed. Log in with the new one."


@method_decorator(never_cache, name="dispatch")
class EmailChangePage(LoginRequiredMixin, ThrottledFormView, InvalidFormStatusView):
    """The page on which a user asks for the letter that confirms their new address."""

    form_class = EmailChangeForm
    template_name = "registration/email_change.html"
    success_url = reverse_lazy("email")

    def get_form_kwargs(self) -> dict[str, Any]:
        about = {"user": visitor(self.request), "request": self.request}
        return {**super().get_form_kwargs(), **about}

    def form_valid(self, form: EmailChangeForm) -> HttpResponse:
        user, new = visitor(self.request), form.cleaned_data["email"]
        if not new:
            remove_email(user)
            messages.success(self.request, "Your e-mail address is removed: you get no e-mails.")
            return HttpResponseRedirect(str(self.success_url))
        if seconds := wait_before_address(self.request, user, new):
            form.add_error(None, too_many(seconds))
            answer = self.render_to_response(self.get_context_data(form=form), status=429)
            answer["Retry-After"] = str(seconds)
            return answer
        if not send_link(user, new):
            form.add_error(None, UNDELIVERED)
            return self.form_invalid(form)
        message = f"An e-mail to {new} is on its way. Its link works once, for a day."
        messages.success(self.request, message)
        return HttpResponseRedirect(str(self.success_url))


@method_decorator(never_cache, name="dispatch")
class EmailConfirmPage(LoginRequiredMixin, View):
    """The page behind the link; GET changes nothing, because mail programs open links."""

    def get(self, request: HttpRequest, token: str) -> HttpResponse:
        new = email_of_token(visitor(request), token)
        return render(request, "registration/email_confirm.html", {"new": new})

    def post(self, request: HttpRequest, token: str) -> HttpResponse:
        new = confirm_email(visitor(request), token)
        if not new:
            return render(request, "registration/email_confirm.html", {"new": ""}, status=400)
        messages.success(request, f"From now on e-mails to you go to {new}.")
        return redirect("email")
