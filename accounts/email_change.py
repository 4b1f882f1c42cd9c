"""Pages to change the e-mail address, with the password and a link sent to the new one.

Nobody can find out whether an address belongs to another user: it may, and is not looked up.
"""

from typing import Any

from django.contrib import messages
from django.contrib.auth.mixins import LoginRequiredMixin
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.cache import never_cache

from accounts import account_mail
from accounts.forms import EmailChangeForm
from accounts.login import ThrottledFormView
from accounts.passwords import InvalidFormStatusView
from campaign.web.visitor import visitor


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
