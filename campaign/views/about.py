"""What this is and to whom it is owed."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe


@require_safe
def about(request: HttpRequest) -> HttpResponse:
    return render(request, "campaign/about.html", {"here": "about"})
