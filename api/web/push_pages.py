"""The page of the browsers in which a user is notified, and the script that shows the notices."""

from pathlib import Path

from django.contrib.auth.decorators import login_required
from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from api import push
from campaign.web.visitor import visitor


@login_required
@require_safe
@never_cache
def push_page(request: HttpRequest) -> HttpResponse:
    """Show which browsers are notified; a script subscribes this one."""
    context = {"key": push.public_key(), "subscriptions": push.subscriptions_of(visitor(request))}
    return render(request, "api/push.html", context)


@require_safe
@never_cache
def service_worker(request: HttpRequest) -> HttpResponse:
    """Return the service worker; it may show notices for the whole site only from its root."""
    found = finders.find("api/service_worker.js")
    return HttpResponse(Path(str(found)).read_bytes(), content_type="text/javascript")
