"""Reset a forgotten password by a link sent by mail.

The answer is the same whether anybody has that address or not.
"""

from django.contrib import messages
from django.contrib.auth.views import PasswordResetConfirmView
from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse_lazy

from accounts import account_mail
from accounts.forms import NewPasswordForm, PasswordResetRequestForm
from accounts.login import ThrottledFormView
from accounts.password_change import InvalidFormStatusView


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
