"""Tokens as programs send them; browsers come with Django's session."""

from rest_framework.authentication import TokenAuthentication
from rest_framework.request import Request


class BearerToken(TokenAuthentication):
    """`Authorization: Bearer TOKEN` (RFC 6750)."""

    keyword = "Bearer"

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="sirdar"'
