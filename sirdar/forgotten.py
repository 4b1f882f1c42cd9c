"""A password that has been forgotten: a letter with a link, and a new one by whoever has the link.

Whoever asks is told the same whether anybody has that address or not.
"""

from django.contrib import messages
from django.contrib.auth.views import PasswordResetConfirmView
from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse_lazy

from campaign.account_forms import Chosen, WhoseLetter
from campaign.views import own_letters
from sirdar.log_in import Counted
from sirdar.passwords import Refusing


class Forgotten(Counted, Refusing):
    """The page on which somebody asks for the letter; few go to one address in an hour."""

    form_class = WhoseLetter
    template_name = "registration/forgotten.html"
    success_url = reverse_lazy("login")

    def form_valid(self, form: WhoseLetter) -> HttpResponse:
        messages.success(self.request, own_letters.ON_ITS_WAY)
        own_letters.send_forgotten(self.request, form)
        return HttpResponseRedirect(str(self.success_url))


class Renew(Counted, Refusing, PasswordResetConfirmView):
    """The page that the link leads to, once: then his sessions and his tokens have ended."""

    form_class = Chosen
    template_name = "registration/renew.html"
    success_url = reverse_lazy("login")

    def form_valid(self, form: Chosen) -> HttpResponse:
        messages.success(self.request, "Your password is new. Log in with it.")
        answer: HttpResponse = super().form_valid(form)
        return answer
