"""Display names, which other people see in place of user names, and the page to choose one.

The user name stays what a person logs in with. A display name is like nobody else's display name or
user name, whatever the case and the alphabet, and is written in the letters of one alphabet.
"""

import json
import unicodedata
from functools import cache
from importlib import resources
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.models import DisplayName
from campaign.web.visitor import visitor

LONGEST_NAME = 40
MARKS = " .'’-"
"""The characters that a display name may contain besides letters and digits."""
RESERVED = frozenset(
    {
        *("admin", "administrator", "moderator", "sirdar", "system", "the system", "you", "guest"),
        *("nobody", "nobody yet", "vacant", "umpire", "the umpire", "the clock", "the public"),
        *("staff", "the staff", "computer", "the computer", "the computer's staff", "its players"),
    }
)
"""Names that pages use for a role, the program or nobody."""
KEPT_BACK = "“{}” is reserved. Choose another name."
TAKEN = (
    "Somebody else is called that, or logs in by that name, or by one that looks the same. "
    "Choose another."
)


def fold_name(name: str) -> str:
    """Return a name without the differences that nobody sees: case, and look-alike letters."""
    return _by_look(unicodedata.normalize("NFKC", name).casefold().replace("’", "'"))


def looks(name: str) -> frozenset[str]:
    """Return the forms in which a name is compared: two names that may be confused share one.

    Capitals and small letters are compared separately: the Greek capitals ΑΝΝΑ look like ANNA, the
    Greek small letters αννα do not look like anna.
    """
    capitals = _by_look(unicodedata.normalize("NFKC", name).replace("’", "'"))
    return frozenset((fold_name(name), capitals.casefold()))


def _by_look(text: str) -> str:
    return "".join(_prototypes().get(letter, letter) for letter in text)


@cache
def _prototypes() -> dict[str, str]:
    """Return one letter for each group of letters that look alike, by Unicode's confusables.

    Only the data of the package is read: its own functions keep twenty times as much in memory.
    """
    data = resources.files("confusable_homoglyphs").joinpath("confusables.json")
    alike = {
        letter: {letter, *(other["c"] for other in others)}
        for letter, others in json.loads(data.read_text(encoding="utf-8")).items()
        if len(letter) == 1
    }
    groups = {
        letter: set().union(*(alike.get(other, {other}) for other in near))
        for letter, near in alike.items()
    }
    return {
        letter: min(candidate for candidate in near if len(candidate) == 1)
        for letter, near in groups.items()
    }


def is_reserved(name: str) -> bool:
    """Return whether pages use the name, or one that looks like it, for a role or for nobody."""
    return any(looks(name) & looks(word) for word in RESERVED)


def is_taken(name: str, user: User | None) -> bool:
    """Return whether another user has that display name or user name, or one that looks like it."""
    others = User.objects.exclude(pk=user.pk) if user else User.objects.all()
    if others.filter(username__iexact=name).exists():
        return True
    alike = looks(name)
    called = others.values_list("username", "first_name").iterator()
    return any(alike & looks(other_name) for names in called for other_name in names if other_name)


class DisplayNameForm(forms.Form):
    """A display name; empty to be called by the user name again."""

    display_name = forms.CharField(
        required=False,
        max_length=LONGEST_NAME,
        label="Display name",
        help_text=(
            f"At most {LONGEST_NAME} letters, figures, spaces and . ' -. Empty: your user name."
        ),
    )

    def __init__(self, user: User, data: Any = None, **about: Any) -> None:
        super().__init__(data, initial={"display_name": user.first_name}, **about)
        self.user = user

    def clean_display_name(self) -> str:
        """Return the name with single spaces. Refuses one that could pass for somebody else's."""
        typed = unicodedata.normalize("NFKC", self.cleaned_data["display_name"])
        name = " ".join(typed.split())
        if not name:
            return ""
        if strange := next((character for character in name if not _is_plain(character)), ""):
            raise forms.ValidationError(
                f"A name has letters, figures, spaces and . ' -, but not “{strange}”."
                if strange.isprintable()
                else "A name has no invisible characters. Type it again, without pasting."
            )
        if not any(character.isalpha() for character in name):
            raise forms.ValidationError("A name needs a letter.")
        if len({_alphabet(character) for character in name if character.isalpha()}) > 1:
            raise forms.ValidationError("Write the name in the letters of one alphabet.")
        if is_reserved(name):
            raise forms.ValidationError(KEPT_BACK.format(name))
        if is_taken(name, self.user):
            raise forms.ValidationError(TAKEN)
        return name

    def save(self) -> bool:
        """Store the name; return False, with an error, if somebody else has just taken it."""
        name = self.cleaned_data["display_name"]
        try:
            with transaction.atomic():
                # Of two requests of one user the second waits, and replaces the name of the first.
                User.objects.select_for_update().get(pk=self.user.pk)
                DisplayName.objects.filter(user=self.user).delete()
                if name:
                    DisplayName.objects.create(user=self.user, folded=fold_name(name))
                User.objects.filter(pk=self.user.pk).update(first_name=name)
        except IntegrityError:
            self.add_error("display_name", TAKEN)
            return False
        self.user.first_name = name
        return True


def _is_plain(character: str) -> bool:
    """Return whether a name may contain it: a letter, an accent, a digit, one of MARKS."""
    kind = unicodedata.category(character)
    return character in MARKS or kind.startswith("L") or kind in ("Nd", "Mn", "Mc")


def _alphabet(letter: str) -> str:
    """Return the alphabet of a letter: in mixed ones a Cyrillic o would pass for a Latin one."""
    return unicodedata.name(letter, "?").partition(" ")[0]


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def display_name_page(request: HttpRequest) -> HttpResponse:
    """Show and store the display name of the user."""
    user = User.objects.get(pk=visitor(request).pk)
    form = DisplayNameForm(user, request.POST or None)
    if request.method == "POST" and form.is_valid() and form.save():
        called = user.first_name or user.get_username()
        messages.success(request, f"Others now see you as {called}.")
        return redirect("display-name")
    status = 400 if form.errors else 200
    return render(request, "accounts/display_name.html", {"form": form}, status=status)
