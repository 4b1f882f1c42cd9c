"""A password of one's own, changed by whoever knows the old one, and what ends with it.

Sessions elsewhere end with every new password. So do tokens, whoever sets it and wherever; only
whoever changes his own here may keep them.
"""

from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.contrib.auth.views import PasswordChangeView
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.urls import reverse_lazy
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache
from django.views.generic import FormView

from accounts.forms import ChangePasswordForm
from accounts.login import ThrottledFormView
from api.http import authentication
from campaign.web.visitor import visitor


class RevokeTokensValidator:
    """Among the validators of passwords, for Django tells those of every password that is set."""

    def validate(self, password: str, user: User | None = None) -> None:
        """Every password will do."""

    def get_help_text(self) -> str:
        return "Programs have to log in anew: a new password revokes all tokens."

    def password_changed(self, password: str, user: User) -> None:
        authentication.tokens_of(user).delete()


class InvalidFormStatusView(FormView):
    """A page with a form, that says by its status as well that what was given will not do."""

    http_method_names = ["get", "head", "options", "post"]

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """As of every view; some of Django's look at their link before they look at the method."""
        if str(request.method).lower() not in self.http_method_names:
            return self.http_method_not_allowed(request, *args, **kwargs)
        return super().dispatch(request, *args, **kwargs)

    def form_invalid(self, form: Any) -> HttpResponse:
        return self.render_to_response(self.get_context_data(form=form), status=400)


@method_decorator(never_cache, name="dispatch")
class PasswordChangePage(ThrottledFormView, InvalidFormStatusView, PasswordChangeView):
    """The page on which somebody changes his password; he stays logged in there, and there only."""

    form_class = ChangePasswordForm
    template_name = "registration/password_change.html"
    success_url = reverse_lazy("tokens")

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "request": self.request}

    def get_context_data(self, **about: Any) -> dict[str, Any]:
        tokens = authentication.tokens_of(visitor(self.request)).count()
        return super().get_context_data(tokens=tokens, **about)

    def form_valid(self, form: ChangePasswordForm) -> HttpResponse:
        answer: HttpResponse = super().form_valid(form)
        ended = "Sessions elsewhere have ended" + (
            " and your tokens are revoked." if form.cleaned_data["revoke"] else "; tokens go on."
        )
        messages.success(self.request, f"Your password is changed. {ended}")
        return answer
