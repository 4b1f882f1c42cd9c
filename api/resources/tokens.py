"""Bearer tokens: create one with name and password, list and revoke them."""

from typing import Any, ClassVar

import msgspec
from django.contrib.auth import authenticate
from django.http import HttpResponse
from django.urls import reverse
from rest_framework import serializers
from rest_framework.permissions import AllowAny, BasePermission, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle

from api.documents.scalars import Moment
from api.http import authentication
from api.http.authentication import BearerToken, refuse_if_locked_out
from api.http.endpoint import Endpoint, Listed, OwnEndpoint, operation
from api.http.inputs import Input
from api.http.problems import Problem
from api.http.throttles import LogInThrottle
from api.models import Scope, Token


class TokenLine(msgspec.Struct, frozen=True):
    """A token without its secret. `used` is to the hour; without `expires` it is permanent."""

    id: int
    name: str
    scopes: tuple[str, ...]
    created: Moment
    used: Moment | None
    expires: Moment | None
    links: dict[str, str]


class NewToken(msgspec.Struct, frozen=True):
    """A new token; `token` is the secret to send, shown only in this answer.

    It is rejected from `expires` on.
    """

    token: str
    user: str
    name: str
    scopes: tuple[str, ...]
    expires: Moment | None
    links: dict[str, str]


class Credentials(Input):
    """A username and password, and the scopes of the token: all, if left out.

    `read` is everything you may see, `orders` what a player does (sheets, answers, seats), `umpire`
    what an umpire does (create, advance, rule, rewind). `name` is that of the program.
    """

    username = serializers.CharField(max_length=150)
    password = serializers.CharField(max_length=200, trim_whitespace=False)
    name = serializers.CharField(max_length=60, default="A program")
    scopes = serializers.ListField(
        child=serializers.ChoiceField(Scope.choices), required=False, max_length=3
    )


class Tokens(Endpoint):
    """Your tokens."""

    authentication_classes: ClassVar[list[Any]] = Endpoint.authentication_classes
    scope = Scope.READ

    def get_authenticators(self) -> list[Any]:
        asked = self.request.method if self.request else ""
        return [] if asked == "POST" else super().get_authenticators()

    def get_permissions(self) -> list[BasePermission]:
        return [AllowAny() if self.request.method == "POST" else IsAuthenticated()]

    def get_throttles(self) -> list[BaseThrottle]:
        return [LogInThrottle()] if self.request.method == "POST" else super().get_throttles()

    @operation(Listed[TokenLine])
    def get(self, request: Request) -> HttpResponse:
        """List your tokens, the newest first."""
        return self.tell(
            {"results": [_line(one) for one in authentication.tokens_of(request.user)]}
        )

    @operation(NewToken, status=201, takes=Credentials)
    def post(self, request: Request) -> Response:
        """Create a token with a username and password.

        The token is shown only in this answer, and valid for 90 days. If you have 20 tokens, it
        replaces the oldest one created here for a program of the same name.
        """
        wanted = Credentials.read(request)
        given = {name: wanted[name] for name in ("username", "password")}
        user = authenticate(request, **given)
        refuse_if_locked_out(request)
        if user is None:
            raise Problem(
                "not-authenticated",
                "Nobody has that name and password, or the account is closed.",
                headers={"WWW-Authenticate": BearerToken().authenticate_header(request)},
            )
        scopes = wanted.get("scopes", Scope.values)
        token, key = authentication.create_token(
            user, wanted["name"], scopes, lasts=authentication.LOGIN_TOKEN_LIFETIME
        )
        made = NewToken(
            token=key,
            user=user.get_username(),
            name=token.name,
            scopes=tuple(token.scopes),
            expires=token.expires,
            links=_links(token),
        )
        headers = {"Cache-Control": "no-store", "Location": _links(token)["self"]}
        return Response(made, status=201, headers=headers)

    @operation(status=204)
    def delete(self, request: Request) -> Response:
        """Revoke the token sent with this request."""
        if not isinstance(request.auth, Token):
            raise Problem("not-authenticated", "Send the token that is to be revoked.")
        request.auth.delete()
        return Response(status=204)


class OneToken(OwnEndpoint):
    """A token of yours."""

    scope = Scope.READ

    @operation(TokenLine)
    def get(self, request: Request, number: int) -> HttpResponse:
        """Retrieve a token."""
        return self.tell(_line(_mine(request, number)))

    @operation(status=204)
    def delete(self, request: Request, number: int) -> Response:
        """Revoke a token.

        Requests with it are rejected from now on.
        """
        _mine(request, number).delete()
        return Response(status=204)


def _mine(request: Request, number: int) -> Token:
    found = authentication.tokens_of(request.user).filter(pk=number).first()
    if found is None:
        raise Problem("not-found", "You have no such token.")
    return found


def _line(token: Token) -> TokenLine:
    return TokenLine(
        id=token.pk,
        name=token.name,
        scopes=tuple(token.scopes),
        created=token.created,
        used=token.used,
        expires=token.expires,
        links=_links(token),
    )


def _links(token: Token) -> dict[str, str]:
    return {"self": reverse("api:token", args=[token.pk])}
