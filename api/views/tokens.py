"""Tokens for programs: name and password give one, and whoever sends it can revoke it."""

from typing import ClassVar

from django.contrib.auth import authenticate
from rest_framework import serializers
from rest_framework.authtoken.models import Token
from rest_framework.permissions import AllowAny, BasePermission, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle

from api.authentication import BearerToken
from api.endpoint import Endpoint
from api.inputs import Input
from api.problems import Problem
from api.throttles import LogInThrottle


class Credentials(Input):
    """What a token is given for."""

    username = serializers.CharField(max_length=150)
    password = serializers.CharField(max_length=200, trim_whitespace=False)


class Tokens(Endpoint):
    """POST name and password for the user's token; DELETE revokes the one that is sent."""

    authentication_classes: ClassVar[list[type]] = [BearerToken]

    def get_authenticators(self) -> list[BearerToken]:
        return [] if self.request.method == "POST" else super().get_authenticators()

    def get_permissions(self) -> list[BasePermission]:
        return [AllowAny() if self.request.method == "POST" else IsAuthenticated()]

    def get_throttles(self) -> list[BaseThrottle]:
        return [LogInThrottle()] if self.request.method == "POST" else super().get_throttles()

    def post(self, request: Request) -> Response:
        wanted = Credentials.read(request)
        user = authenticate(request, **wanted)
        if user is None:
            raise Problem(
                "not-authenticated",
                "Nobody has that name and password, or the account is closed.",
                headers={"WWW-Authenticate": BearerToken().authenticate_header(request)},
            )
        token, fresh = Token.objects.get_or_create(user=user)
        return Response(
            {"token": token.key, "user": user.get_username()},
            status=201 if fresh else 200,
            headers={"Cache-Control": "no-store"},
        )

    def delete(self, request: Request) -> Response:
        request.auth.delete()
        return Response(status=204)
