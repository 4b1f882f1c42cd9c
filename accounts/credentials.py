"""Change a password or the e-mail address, or reset a forgotten password by a link sent by mail.

A new address takes the password, and a link sent to it. Nobody can find out whether an address
belongs to another user: it may, and is not looked up.
"""

from typing import Any

from django.contrib import messages
from django.contrib.auth.mixins import LoginRequiredMixin
from django.contrib.auth.models import User
from django.contrib.auth.views import PasswordChangeView, PasswordResetConfirmView
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.cache import never_cache
from django.views.generic import FormView

from accounts import account_mail
from accounts.forms import (
    ChangePasswordForm,
    EmailChangeForm,
    NewPasswordForm,
    PasswordResetRequestForm,
)
from accounts.login import ThrottledFormView
from accounts.tokens import tokens_of
from campaign.web.visitor import visitor

# The page to change a password, and the end of tokens and sessions with it.
#
# Every new password ends the sessions elsewhere and revokes the tokens, however it is set. Only
# users who change their own on this page may keep their tokens.


class RevokeTokensValidator:
    """A hook among the password validators, which Django calls whenever a password is set."""

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
class PasswordChangePage(ThrottledFormView, InvalidFormStatusView, PasswordChangeView):
    """The page to change one's password; the session there goes on, all others end."""

    form_class = ChangePasswordForm
    template_name = "registration/password_change.html"
    success_url = reverse_lazy("tokens")

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "request": self.request}

    def get_context_data(self, **about: Any) -> dict[str, Any]:
        tokens = tokens_of(visitor(self.request)).count()
        return super().get_context_data(tokens=tokens, **about)

    def form_valid(self, form: ChangePasswordForm) -> HttpResponse:
        answer: HttpResponse = super().form_valid(form)
        ended = "Sessions elsewhere have ended" + (
            " and your tokens are revoked." if form.cleaned_data["revoke"] else "; tokens go on."
        )
        messages.success(self.request, f"Your password is changed. {ended}")
        return answer


# Reset a forgotten password by a link sent by mail.
#
# The answer is the same whether anybody has that address or not.


class PasswordResetPage(ThrottledFormView, InvalidFormStatusView):
    """The page on which a user asks for the letter; only a few per hour go to one address."""

    form_class = PasswordResetRequestForm
    template_name = "registration/password_reset.html"
    success_url = reverse_lazy("login")

    def form_valid(self, form: PasswordResetRequestForm) -> HttpResponse:
        messages.success(self.request, account_mail.ON_ITS_WAY)
        account_mail.send_forgotten(self.request, form)
        return HttpResponseRedirect(str(self.success_url))


class PasswordResetConfirmPage(ThrottledFormView, InvalidFormStatusView, PasswordResetConfirmView):
    """The page behind the link, valid once; it ends the user's sessions and tokens."""

    form_class = NewPasswordForm
    template_name = "registration/password_reset_confirm.html"
    success_url = reverse_lazy("login")

    def form_valid(self, form: NewPasswordForm) -> HttpResponse:
        messages.success(self.request, "Your password is new. Log in with it.")
        answer: HttpResponse = super().form_valid(form)
        return answer


@method_decorator(never_cache, name="dispatch")
class EmailChangePage(LoginRequiredMixin, ThrottledFormView, InvalidFormStatusView):
    """The page on which a user asks for the letter that confirms their new address."""

    form_class = EmailChangeForm
    template_name = "registration/email_change.html"
    success_url = reverse_lazy("address")

    def get_form_kwargs(self) -> dict[str, Any]:
        about = {"user": visitor(self.request), "request": self.request}
        return {**super().get_form_kwargs(), **about}

    def form_valid(self, form: EmailChangeForm) -> HttpResponse:
        user, new = visitor(self.request), form.cleaned_data["email"]
        if not new:
            account_mail.remove_email(user)
            messages.success(self.request, "You have no address now, and get no e-mail.")
            return HttpResponseRedirect(str(self.success_url))
        if seconds := account_mail.wait_before_address(self.request, user, new):
            return self._later(form, seconds)
        return self._sent(form, user, new)

    def _later(self, form: EmailChangeForm, seconds: int) -> HttpResponse:
        form.add_error(None, account_mail.too_many(seconds))
        answer = self.render_to_response(self.get_context_data(form=form), status=429)
        answer["Retry-After"] = str(seconds)
        return answer

    def _sent(self, form: EmailChangeForm, user: User, new: str) -> HttpResponse:
        if not account_mail.send_link(user, new):
            form.add_error(None, account_mail.UNDELIVERED)
            return self.form_invalid(form)
        said = f"An e-mail to {new} is on its way. Its link works once, for a day."
        messages.success(self.request, said)
        return HttpResponseRedirect(str(self.success_url))


@method_decorator(never_cache, name="dispatch")
class EmailConfirmPage(LoginRequiredMixin, View):
    """The page behind the link; GET changes nothing, because mail programs open links."""

    def get(self, request: HttpRequest, token: str) -> HttpResponse:
        new = account_mail.email_of_token(visitor(request), token)
        return render(request, "registration/email_confirm.html", {"new": new})

    def post(self, request: HttpRequest, token: str) -> HttpResponse:
        new = account_mail.confirm_email(visitor(request), token)
        if not new:
            return render(request, "registration/email_confirm.html", {"new": ""}, status=400)
        messages.success(request, f"From now on e-mails to you go to {new}.")
        return redirect("address")
