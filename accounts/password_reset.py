"""A password that has been forgotten: a letter with a link, and a new one by whoever has the link.

Whoever asks is told the same whether anybody has that address or not.
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
    """The page on which somebody asks for the letter; few go to one address in an hour."""

    form_class = PasswordResetRequestForm
    template_name = "registration/password_reset.html"
    success_url = reverse_lazy("login")

    def form_valid(self, form: PasswordResetRequestForm) -> HttpResponse:
        messages.success(self.request, account_mail.ON_ITS_WAY)
        account_mail.send_forgotten(self.request, form)
        return HttpResponseRedirect(str(self.success_url))


class PasswordResetConfirmPage(ThrottledFormView, InvalidFormStatusView, PasswordResetConfirmView):
    """The page that the link leads to, once: then his sessions and his tokens have ended."""

    form_class = NewPasswordForm
    template_name = "registration/password_reset_confirm.html"
    success_url = reverse_lazy("login")

    def form_valid(self, form: NewPasswordForm) -> HttpResponse:
        messages.success(self.request, "Your password is new. Log in with it.")
        answer: HttpResponse = super().form_valid(form)
        return answer
