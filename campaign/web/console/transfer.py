"""Export and import campaigns as files, and restore deleted ones."""

from tempfile import TemporaryFile

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import FileResponse, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from battles import journal
from battles.services.quota import limit_cpu
from campaign.access import permissions, saved_work, selectors
from campaign.models import Campaign
from campaign.services.errors import NameTaken, NotAllowed
from campaign.services.transfer import archive, deletion
from campaign.web.console.console import campaign_of
from campaign.web.console.umpire_forms import BundleForm
from campaign.web.visitor import head_seen, visitor
from ops.http_policy import posts_to
from ops.sent_once import sent_once

MOST_BYTES = 50_000_000  # bytes


@login_required
@require_safe
@never_cache
def export(request: HttpRequest, slug: str) -> FileResponse:
    """Return the campaign with all branches as a file; with the secret of its dice if asked.

    The umpire log says that the secret was exported.
    """
    campaign = campaign_of(request, slug)
    file = TemporaryFile()  # noqa: SIM115  the answer closes it
    with_secret = request.method == "GET" and request.GET.get("secret") == "1"
    archive.export_for_umpire(campaign, visitor(request), file, with_secret=with_secret)
    file.seek(0)
    return FileResponse(file, as_attachment=True, filename=f"{campaign.slug}.sirdar")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sent_once
def bring_in(request: HttpRequest) -> HttpResponse:
    """Import a campaign from a file; the user becomes its umpire."""
    form = BundleForm(request.POST or None, request.FILES or None)
    if form.is_valid():
        campaign = _brought_in(request, form)
        if campaign is not None:
            messages.success(request, f"{campaign.title} is here. You are its umpire.")
            return redirect("console", campaign.slug)
    deleted = deletion.deleted_campaigns(visitor(request))
    context = {"here": "front", "form": form, "deleted": deleted, "kept_for": saved_work.KEPT_FOR}
    status = 400 if form.errors else 200
    return render(request, "campaign/console/import.html", context, status=status)


def _brought_in(request: HttpRequest, form: BundleForm) -> Campaign | None:
    file = form.cleaned_data["file"]
    if (file.size or 0) > MOST_BYTES:
        form.add_error("file", f"No campaign takes more than {MOST_BYTES // 1_000_000} megabytes.")
        return None
    try:
        with limit_cpu(visitor(request)):
            return archive.import_campaign(
                file.file,
                slug=form.cleaned_data["slug"],
                umpire=visitor(request),
                public=form.cleaned_data["public"],
            )
    except NameTaken as error:
        form.add_error("slug", str(error))
        return None
    except journal.Refused as refused:
        form.add_error("file", str(refused))
        return None


@login_required
@posts_to("campaign", "slug")
def delete(request: HttpRequest, slug: str) -> HttpResponse:
    """Delete the campaign as its umpire, or the one who plays it alone, has seen it."""
    campaign = selectors.campaign_for(request.user, slug)
    try:
        deletion.delete_campaign(
            campaign.pk, visitor(request), expected_head=head_seen(request.POST)
        )
    except NotAllowed as refused:
        raise PermissionDenied(str(refused)) from refused
    except journal.Refused as refused:
        messages.error(request, str(refused))
        is_umpire = permissions.may_advance(request.user, campaign)
        return redirect("console" if is_umpire else "seats", slug)
    days = saved_work.KEPT_FOR.days
    messages.success(
        request, f"{campaign.title} is deleted. For {days} days you can restore it on this page."
    )
    return redirect("import")


@login_required
@posts_to("import")
@sent_once
def restore(request: HttpRequest, number: int) -> HttpResponse:
    """Restore a campaign that the user has deleted."""
    try:
        with limit_cpu(visitor(request)):
            campaign = deletion.restore_campaign(number, visitor(request))
    except journal.Refused as refused:
        messages.error(request, str(refused))
        return redirect("import")
    messages.success(
        request,
        f"{campaign.title} is restored, with its players. Its invitations, channels, webhooks and "
        "tokens for it alone did not come back.",
    )
    is_umpire = permissions.may_advance(request.user, campaign)
    return redirect("console" if is_umpire else "campaign", campaign.slug)
