"""Change a user's e-mail address: a signed link confirms the new one, by page and by REST.

A new address counts once its owner has opened the link sent there, which works once, within a day.
The token contains a hash of the old address, the password and the mail token. The mail token
changes with the address, so that every older link stops working, and so do the unsubscribe links in
mail to the old address. The number of letters about accounts is limited.
"""

from datetime import timedelta
from functools import partial
from hashlib import sha256
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.mixins import LoginRequiredMixin
from django.contrib.auth.models import User
from django.core import signing
from django.core.mail import EmailMessage
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse, reverse_lazy
from django.utils.crypto import get_random_string
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.cache import never_cache

from accounts.login import ThrottledFormView
from accounts.passwords import CurrentPasswordForm, InvalidFormStatusView
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


UNDELIVERED = "The e-mail could not be sent. Check the address, or try later."


def wait_before_address(request: HttpRequest, user: User, new: str) -> int:
    """Return the seconds until a letter to that address may be sent; 0: now, and it is counted."""
    return seconds_to_wait(request, ("address", str(user.pk)), ("address-to", new.casefold()))


def too_many(seconds: int) -> str:
    """Return the message for a user who has to wait for so many seconds."""
    return f"Too many e-mails were sent: try again in {duration_text(seconds)}."


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
