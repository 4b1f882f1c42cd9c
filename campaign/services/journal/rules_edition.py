"""Store the editions that campaigns and users play by, and check a campaign's rules version."""

from collections.abc import Mapping

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction

from battles import journal
from battles.core.decoding import encode
from campaign import serialization
from campaign.models import Campaign, OwnTables, TableSet
from campaign.rules.core.state import RULES
from campaign.rules.tables.editions import (
    Edition,
    digest_of,
    own_edition,
    remember,
    shipped_edition,
)
from campaign.services.errors import NotAllowed, Refused, UnfitRequest, visible

LONGEST_NAME = 60
MOST_OF_ONE = 100


def keep_tables(edition: Edition) -> TableSet:
    """Return the row that holds the edition's texts, created if it is missing."""
    packed = journal.pack(encode(edition.texts))
    return TableSet.objects.get_or_create(digest=edition.digest, defaults={"texts": packed})[0]


def keep_texts(texts: Mapping[str, str]) -> None:
    """Store the texts that came with a campaign, checked and ready to be played by.

    Raises TableError for the first wrong line.
    """
    digest = digest_of(texts)
    remember(shipped_edition().replacing(texts), digest)
    packed = journal.pack(encode(texts))
    TableSet.objects.get_or_create(digest=digest, defaults={"texts": packed})


def texts_of(campaign: Campaign) -> dict[str, str]:
    """Return every table and scenario the campaign is played by, as stored with it."""
    if campaign.tables is not None:
        return serialization.texts_in(campaign.tables)
    state = serialization.state_of(campaign.document, campaign.document_hash)
    return serialization.edition_of(state.edition).texts


def name_tables(owner: User, name: str, texts: Mapping[str, str]) -> OwnTables:
    """Store the shipped edition with these texts replaced, under that name.

    Raises TableError for the first wrong line, and UnfitRequest for a bad name, too many sets, or
    texts that change nothing.
    """
    name = visible(name, "name of the set", "name")
    if not 0 < len(name) <= LONGEST_NAME:
        raise UnfitRequest(f"Give the set a name of 1 to {LONGEST_NAME} characters.", "name")
    if OwnTables.objects.filter(owner=owner).count() >= MOST_OF_ONE:
        raise UnfitRequest(
            f"You have {MOST_OF_ONE} sets already; delete one that you no longer need."
        )
    if not texts:
        raise UnfitRequest("Choose a file, or add a shipped table and change it.", "files")
    edition = own_edition(texts)
    if edition.digest == shipped_edition().digest:
        message = "Nothing in these files differs from the tables as they are shipped."
        raise UnfitRequest(message, "files")
    tables = keep_tables(edition)
    same = OwnTables.objects.filter(owner=owner, tables=tables).exclude(name=name).first()
    if same is not None:
        message = f"You have these tables already: they are called {same.name!r}."
        raise UnfitRequest(message, "files")
    try:
        with transaction.atomic():
            return OwnTables.objects.create(owner=owner, name=name, tables=tables)
    except IntegrityError as error:
        raise UnfitRequest(
            f"You have a set called {name!r} already; give this one another name.", "name"
        ) from error


def delete_tables(owner: User, number: int) -> None:
    """Delete the set from its owner's list; campaigns that are played by it keep it."""
    if not OwnTables.objects.filter(owner=owner, pk=number).delete()[0]:
        raise NotAllowed("There is no such set of yours.")


class OtherRules(Refused):
    """A campaign whose rules version this program does not play."""


def is_settled(campaign: Campaign) -> bool:
    """Return whether the campaign has the program's rules version, or its umpire kept its own."""
    return campaign.rules in {RULES, campaign.rules_kept}


def check_playable(campaign: Campaign) -> None:
    """Raise OtherRules, with the remedy, unless this program can play the campaign's version."""
    keeps_rules = campaign.rules == campaign.rules_kept and not campaign.rules_pinned
    if campaign.rules == RULES or keeps_rules:
        return
    message = f"The campaign is played by version {campaign.rules} of the rules, this program by "
    if campaign.rules_pinned:
        raise OtherRules(
            f"{message}version {RULES}, and its umpire has pinned it: go on with it in a program "
            "of its version, or choose otherwise on its console."
        )
    raise OtherRules(
        f"{message}version {RULES}: its umpire chooses on its console whether it is kept on its "
        "version, migrated, or pinned. Until then it stands still, and nothing is lost."
    )
