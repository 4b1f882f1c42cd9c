"""Answers that are encoded and compressed once, and cost a 304 when nothing has changed."""

from functools import cached_property
from gzip import compress
from hashlib import sha256

from django.http import HttpResponse
from django.middleware.gzip import re_accepts_gzip
from django.utils.cache import get_conditional_response, patch_vary_headers
from rest_framework.request import Request

from api.encoding import encode
from api.problems import Problem

FOR_EVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "public, no-cache"
ASK_AGAIN_ALONE = "private, no-cache"
WORTH_COMPRESSING = 1000  # bytes; less fits into one packet either way


class Document:
    """An answer as bytes. Its entity tag is weak, as the bytes differ when compressed."""

    def __init__(self, content: object) -> None:
        self.body = encode(content)
        self.etag = f'W/"{sha256(self.body).hexdigest()[:32]}"'

    @cached_property
    def compressed(self) -> bytes:
        return compress(self.body, compresslevel=6, mtime=0)


def respond(request: Request, document: Document, caching: str) -> HttpResponse:
    """The document in the form and encoding asked for, or 304 to one who has it already."""
    accepts = re_accepts_gzip.search(request.headers.get("Accept-Encoding", ""))
    encoded = accepts is not None and len(document.body) >= WORTH_COMPRESSING
    response = HttpResponse(
        document.compressed if encoded else document.body,
        content_type=request.accepted_renderer.media_type,
        headers={"ETag": document.etag, "Cache-Control": caching},
    )
    if encoded:
        response["Content-Encoding"] = "gzip"
    patch_vary_headers(response, ["Accept-Encoding"])
    answer = get_conditional_response(request, etag=document.etag, response=response)
    if answer is None or answer.status_code == 412:
        raise Problem("precondition-failed", "What is here is not what `If-Match` names.")
    return answer
