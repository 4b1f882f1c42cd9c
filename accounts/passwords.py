"""Change and reset passwords, by page and by REST.

Where the present password is required, a wrong one counts as a failed log-in. Every new password
ends the sessions elsewhere and revokes the tokens, however it is set; only users who change their
own on its page may keep their tokens.
"""

from typing import Any

from axes.utils import reset
from django import forms
from django.contrib.auth import authenticate
from django.contrib.auth.forms import PasswordChangeForm, PasswordResetForm, SetPasswordForm
from django.contrib.auth.models import User
from django.contrib.auth.views import PasswordChangeView, PasswordResetConfirmView
from django.contrib.messages.views import SuccessMessageMixin
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.urls import reverse_lazy
from django.utils.decorators import method_decorator
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
from campaign.services.mail_messages import site_url
from campaign.web.visitor import seconds_to_wait, visitor


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


class PasswordResetRequestForm(PasswordResetForm):
    """The address of a user who has forgotten the password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].label = "E-mail"
        self.fields["email"].help_text = "The one that you gave when you registered."


ON_ITS_WAY = (
    "If an account here has that address, an e-mail to it is on its way. Its link works for a day."
)


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
