"""A password that has been forgotten: a letter with a link, and a new one by whoever has the link.

Whoever asks is told the same whether anybody has that address or not.
"""

from typing import Any

from django.contrib import messages
from django.contrib.auth.forms import PasswordResetForm
from django.contrib.auth.views import PasswordResetConfirmView, PasswordResetView
from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse_lazy

from campaign.services.mail import address
from campaign.views import throttles
from sirdar.log_in import Counted
from sirdar.passwords import Chosen, Refusing

ON_ITS_WAY = (
    "If anybody here has that address, a letter to him is on its way. Its link is good for a day."
)


class WhoseLetter(PasswordResetForm):
    """The address of somebody who has forgotten his password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].label = "E-mail"
        self.fields["email"].help_text = "The one that you gave when you registered."


class Forgotten(Counted, Refusing, PasswordResetView):
    """The page on which somebody asks for the letter; few go to one address in an hour."""

    form_class = WhoseLetter
    template_name = "registration/forgotten.html"
    email_template_name = "mail/password.txt"
    subject_template_name = "mail/password_subject.txt"
    extra_email_context = {"site": address("")}
    success_url = reverse_lazy("login")

    def form_valid(self, form: WhoseLetter) -> HttpResponse:
        messages.success(self.request, ON_ITS_WAY)
        if throttles.wait(self.request, ("forgotten-to", form.cleaned_data["email"].casefold())):
            return HttpResponseRedirect(str(self.success_url))
        answer: HttpResponse = super().form_valid(form)
        return answer


class Renew(Counted, Refusing, PasswordResetConfirmView):
    """The page that the link leads to, once: then his sessions and his tokens have ended."""

    form_class = Chosen
    template_name = "registration/renew.html"
    success_url = reverse_lazy("login")

    def form_valid(self, form: Chosen) -> HttpResponse:
        messages.success(self.request, "Your password is new. Log in with it.")
        answer: HttpResponse = super().form_valid(form)
        return answer
