"""Choose which mails to receive, by the link in each mail, without logging in."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from campaign.models import Mailing
from campaign.services import mail
from campaign.web.visitor import visitor

WORDS = {
    mail.TURN: "when it is my turn, with the receipts for my orders",
    mail.DEADLINE: "when a deadline nears",
    mail.GAZETTE: "when a month is out, with its paper",
}
ONE_CLICK = "List-Unsubscribe"
"""The field that mail programs send to unsubscribe with one click (RFC 8058)."""


@require_safe
@login_required
def own_mail(request: HttpRequest) -> HttpResponse:
    """Redirect to the user's own preferences."""
    return redirect("mail", mail.mailing_of(visitor(request)).token)


@csrf_exempt  # the token in the address is what proves that the reader of the letter sends it
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def choice(request: HttpRequest, token: str) -> HttpResponse:
    """Show and store the preferences; one click in a mail program ends all mails."""
    mailing = Mailing.objects.select_related("user").filter(token=token).first()
    if mailing is None:
        raise Http404("This link is not one of ours, or has been cut short on its way.")
    if request.method != "POST":
        return render(
            request,
            "campaign/seats/mail_preferences.html",
            {"mailing": mailing, "kinds": _kinds(mailing)},
        )
    for kind in mail.KINDS:
        setattr(mailing, kind, kind in request.POST and ONE_CLICK not in request.POST)
    mailing.save(update_fields=mail.KINDS)
    messages.success(request, "Your choice is noted.")
    return redirect("mail", token)


def _kinds(mailing: Mailing) -> list[tuple[str, str, bool]]:
    return [(kind, words, getattr(mailing, kind)) for kind, words in WORDS.items()]
