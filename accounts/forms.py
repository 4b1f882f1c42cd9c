"""Forms for passwords and addresses, used by the pages and by the REST interface.

Where the password is required, a wrong one counts as a failed log-in.
"""

from typing import Any

from django import forms
from django.contrib.auth import authenticate
from django.contrib.auth.forms import PasswordChangeForm, PasswordResetForm, SetPasswordForm
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.views.decorators.debug import sensitive_variables

from accounts.login import LIKE_THIS, ONCE_MORE


class NewPasswordForm(SetPasswordForm):
    """A new password, twice."""

    def __init__(self, user: User, data: Any = None, **about: Any) -> None:
        super().__init__(user, data, **about)
        self.fields["new_password1"].help_text = LIKE_THIS
        self.fields["new_password2"].label = "New password again"
        self.fields["new_password2"].help_text = ONCE_MORE


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
        if self.cleaned_data["revoke"]:
            user: User = super().save(commit)
            return user
        return self._save_alone()

    def _save_alone(self) -> User:
        """Save the password past `User.save`, which would revoke the tokens."""
        user: User = self.user
        user.set_password(self.cleaned_data["new_password1"])
        User.objects.filter(pk=user.pk).update(password=user.password)
        return user


class EmailChangeForm(CurrentPasswordForm, forms.Form):
    """A new address, or none, and the password."""

    email = forms.EmailField(
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
