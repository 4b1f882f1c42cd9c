"""Who asks, on the pages that lie behind the log-in."""

from typing import cast

from django.contrib.auth.models import User
from django.http import HttpRequest


def visitor(request: HttpRequest) -> User:
    """The user; `login_required` has seen to it that there is one."""
    return cast("User", request.user)
