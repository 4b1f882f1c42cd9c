"""Tables as files, and sets of one's own: uploaded or written here, compared, kept, struck off."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from campaign import selectors, services, shelf, stored
from campaign.models import OwnTables
from campaign.rules.tables.editions import Edition, changed_names, changes, shipped
from campaign.views import drafts
from campaign.views.visitor import visitor
from sirdar.methods import posts_to


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Every table and scenario to take away, and the visitor's own sets."""
    context = {
        "here": "rules",
        "own": [(one, _changes_of(one)) for one in shelf.own_tables(request.user)],
        "tables": shipped().book.tables(),
        "scenarios": shipped().scenarios,
    }
    return render(request, "campaign/tables.html", context)


def _changes_of(own: OwnTables) -> str:
    """What in the set is not as shipped; or why it cannot be played by any more."""
    try:
        edition = shelf.edition_of(own)
    except services.Damaged as damaged:
        return str(damaged)
    return ", ".join(title_of(edition, name) for name in changed_names(edition))


def title_of(edition: Edition, name: str) -> str:
    """What a table or scenario calls itself."""
    return str(edition.source(name).document()["title"])


@require_safe
def shipped_file(request: HttpRequest, name: str) -> HttpResponse:
    return as_file(shipped(), name)


@require_safe
def campaign_file(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    campaign = selectors.campaign_for(request.user, slug)
    return as_file(stored.edition_of(selectors.state_now(campaign).book), name)


@login_required
@require_safe
def own_file(request: HttpRequest, number: int, name: str) -> HttpResponse:
    return as_file(shelf.edition_of(shelf.own_set(request.user, number)), name)


def as_file(edition: Edition, name: str) -> HttpResponse:
    """A table or scenario as a TOML file to be saved. Http404 when there is none of that name."""
    if name not in edition.texts:
        raise Http404(f"There is no table “{name}”.")
    headers = {"Content-Disposition": f'attachment; filename="{name}.toml"'}
    return HttpResponse(edition.text(name), "application/toml; charset=utf-8", headers=headers)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """A form for a new set. What is sent stays in it until it can be played by."""
    if request.method == "POST":
        return _laid_beside(request) if "lay" in request.POST else _keep(request)
    written = drafts.of_shipped(request.GET.getlist("table"))
    name = ""
    if (number := request.GET.get("like", "")).isdecimal():
        like = shelf.own_set(request.user, int(number))
        edition, name = shelf.edition_of(like), f"{like.name}, changed"
        written = [
            drafts.Draft(f"{one}.toml", edition.text(one), one) for one in changed_names(edition)
        ]
    return _form(request, name, written)


def _laid_beside(request: HttpRequest) -> HttpResponse:
    """The form as it was sent, with the shipped text of one table more."""
    written, refused = drafts.from_form(request)
    there = {draft.name for draft in written}
    added = drafts.of_shipped(set(request.POST.getlist("table")) - there)
    return _form(request, request.POST.get("name", ""), [*written, *added], refused=refused)


def _keep(request: HttpRequest) -> HttpResponse:
    name = request.POST.get("name", "")
    written, refused = drafts.from_form(request)
    wrong = None if refused else drafts.check(written)
    if not (refused or wrong or any(draft.problem for draft in written)):
        try:
            texts = {draft.name: draft.text for draft in written}
            own = services.name_tables(visitor(request), name, texts)
        except services.Refused as error:
            refused = str(error)
        else:
            messages.success(request, f"{own.name} is kept. Play by it, or try it on the bench.")
            return redirect("own-tables", own.pk)
    return _form(request, name, written, refused=refused, wrong=wrong, status=400)


def _form(
    request: HttpRequest,
    name: str,
    written: list[drafts.Draft],
    *,
    status: int = 200,
    **said: object,
) -> HttpResponse:
    context = {
        "here": "rules",
        "name": name,
        "drafts": written,
        "tables": [(one, title_of(shipped(), one)) for one in shipped().texts],
        **said,
    }
    return render(request, "campaign/tables_new.html", context, status=status)


@login_required
@require_safe
def one(request: HttpRequest, number: int) -> HttpResponse:
    """A set of one's own: what it changes, row by row."""
    own = shelf.own_set(request.user, number)
    context = {
        "here": "rules",
        "own": own,
        "changes": changes(shelf.edition_of(own)),
        "campaigns": own.tables.campaigns.filter(pk__in=selectors.campaigns_for(request.user)),
    }
    return render(request, "campaign/tables_one.html", context)


@login_required
@posts_to("own-tables", "number")
def forget(request: HttpRequest, number: int) -> HttpResponse:
    own = shelf.own_set(request.user, number)
    services.forget_tables(visitor(request), own.pk)
    messages.success(request, f"{own.name} is struck off. Campaigns played by it keep it.")
    return redirect("tables")
