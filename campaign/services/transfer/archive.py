"""Export and import a whole campaign as one file, and import crash files of random play."""

from collections.abc import Callable, Iterable, Sequence
from typing import IO, NamedTuple

import msgspec
from django.contrib.auth.models import User
from django.db import DataError, IntegrityError, transaction

from battles import journal
from battles.core.decoding import DocumentError, decode, decoder_for, digest, encode
from battles.core.tables import TableError
from battles.journal import unpack
from campaign import serialization
from campaign.access import selectors
from campaign.models import Branch, Campaign, Entry, MonthSeal, Seat, Snapshot
from campaign.rules.core.actions import AnyAction
from campaign.rules.core.pieces import Month, month_name
from campaign.rules.core.state import State
from campaign.rules.prose.questions import describe_action
from campaign.rules.tables.editions import shipped_edition
from campaign.rules.tables.scenario_loader import UnknownScenario
from campaign.services.errors import Damaged, UnfitRequest
from campaign.services.journal import dice
from campaign.services.journal.audit import (
    CANNOT_HAPPEN,
    check_fold,
    check_hashes,
    entries_of,
    first_state,
    fold_entry,
    verify_dice,
)
from campaign.services.journal.campaign_session import snapshot
from campaign.services.journal.creation import (
    NewCampaignTerms,
    begin_at,
    begin_branch,
    blank_campaign,
    free_title,
    save_position,
    save_under_free_slug,
    seat,
)
from campaign.services.journal.rules_edition import keep_texts, texts_of
from campaign.services.transfer import archive_rows
from campaign.services.transfer import bundle as b
from campaign.services.umpire.rulings import log_entry, umpire_of

EXPORT_NOTE = "The campaign was exported with the secret of its dice and all letters."
WITHOUT_THE_SEED = "Brought in from a file without its secret; the dice come from another chain."


def export_campaign(campaign: Campaign, file: IO[bytes], *, with_secret: bool = False) -> None:
    """Write the campaign with all its branches to the file.

    Without the secret, the file holds nothing that reveals the future: no seed, no sealed salts, no
    sheets of open months, no action that waits for dice. An import of it continues on another chain
    of dice. It holds the whole past, with or without fog of war. Persons are in it only by the
    names under which they acted.
    """
    with transaction.atomic():
        campaign = Campaign.objects.get(pk=campaign.pk)
        start = campaign.snapshots.get(entry=None)
        seats = archive_rows.seats_of(campaign)
        manifest = _manifest(campaign, seats, with_secret)
        entries = [_entry_part(entry) for entry in campaign.entries.order_by("branch", "number")]
        sheets = archive_rows.sheet_parts(campaign, seats, with_sealed=with_secret)
        logged = campaign.umpire_log.order_by("pk")
        umpire_log = [archive_rows.copy_fields(entry, b.ArchivedLogEntry) for entry in logged]
        open_to_all = with_secret or campaign.finished
        letters = archive_rows.letter_parts(campaign, seats) if open_to_all else []
        tables = texts_of(campaign)
    bundle = b.Bundle(
        manifest, unpack(start.document), tables, entries, sheets, umpire_log, letters
    )
    b.write_bundle(file, bundle)


def export_for_umpire(
    campaign: Campaign, umpire: User, file: IO[bytes], *, with_secret: bool
) -> None:
    """Write the campaign to the file; the umpire log says so if the secret is in it.

    Players read there that dice to come may have been worked out. Raises NotAllowed.
    """
    signature = umpire_of(campaign, umpire)
    if with_secret:
        log_entry(campaign, signature, EXPORT_NOTE)
    export_campaign(campaign, file, with_secret=with_secret)


def _manifest(campaign: Campaign, seats: Iterable[Seat], with_secret: bool) -> b.Manifest:
    return archive_rows.copy_fields(
        campaign,
        b.Manifest,
        format=b.FORMAT,
        anchor=campaign.public_anchor,
        head=_place_of(campaign.head),
        branches=[
            archive_rows.copy_fields(branch, b.ArchivedBranch, parent=_place_of(branch.parent))
            for branch in campaign.branches.select_related("parent")
        ],
        seals=[_seal_part(seal, with_secret) for seal in campaign.seals.all()],
        sha256={},
        seed=_seed_part(campaign) if with_secret else "",
        settings=archive_rows.copy_fields(campaign, b.SettingsPart),
        seats=[archive_rows.copy_fields(seat, b.ArchivedSeat) for seat in seats],
        throw=archive_rows.throw_part(campaign) if with_secret else None,
    )


def _place_of(entry: Entry | None) -> tuple[int, int] | None:
    """Return the branch and number of the entry."""
    return (entry.branch, entry.number) if entry else None


def _seed_part(campaign: Campaign) -> str:
    """Return the seed of the branch in play.

    It is empty for a campaign that was over when it was imported without its secret: such a
    campaign has a seed that no branch has used yet.
    """
    seed = bytes(campaign.secret_seed)
    branch = campaign.branches.get(number=campaign.branch)
    return seed.hex() if dice.anchor(seed, branch.number) == branch.anchor else ""


def _seal_part(seal: MonthSeal, with_secret: bool) -> b.SealPart:
    part = archive_rows.copy_fields(seal, b.SealPart)
    if not (seal.link or with_secret):
        part.salts = {}
    return part


def _entry_part(entry: Entry) -> b.ArchivedEntry:
    part = archive_rows.copy_fields(entry, b.ArchivedEntry)
    for name in _PACKED:
        setattr(part, name, msgspec.Raw(unpack(getattr(entry, name))))
    return part


_PACKED = ("action", "events", "rolls")


class Restoration(NamedTuple):
    """The person who restores a deleted campaign, and its people and battles.

    `bring_back` returns the people and battles to the campaign before it takes its position: who
    plays it decides whether a clock runs for its battle.
    """

    user: User
    bring_back: Callable[[Campaign], None]


def import_campaign(
    file: IO[bytes],
    *,
    slug: str = "",
    umpire: User | None = None,
    public: bool = False,
    restoration: Restoration | None = None,
) -> Campaign:
    """Create a new campaign from the file; an existing one is never touched.

    Everything is checked before it is stored: sizes and hashes of the parts, every entry's hash and
    place, the fold of the events against the exported state, every die of the closed months, every
    sheet against its receipts. The seats are vacant, nothing is signed, and the month gets a new
    deadline. A file without its secret continues on a new branch with its own chain. Without a
    `slug` it has the file's, with a number if that is taken. A second campaign of its umpire, or of
    the user who restores it, with the same title gets a number. Only a restored campaign is as old
    as the file says: another is new here. Raises UnfitRequest or Damaged for the first fault, and
    then nothing is stored.
    """
    bundle = b.read_bundle(file, own=restoration is not None)
    terms = _new_terms(bundle.manifest, slug, umpire, public)
    try:
        with transaction.atomic():
            return _save_campaign(bundle, terms, restoration)
    except (DataError, IntegrityError, OverflowError, *CANNOT_HAPPEN) as error:
        raise Damaged(
            f"The entries, branches, seals or sheets do not fit together: {error}."
        ) from error


def _new_terms(
    manifest: b.Manifest, slug: str, umpire: User | None, public: bool
) -> NewCampaignTerms:
    """Return the terms of the new campaign: played as the file says, only its umpire seated."""
    settings = manifest.settings
    archive_rows.check_settings(settings)
    return NewCampaignTerms(
        manifest.scenario,
        manifest.title,
        slug,
        public,
        {} if umpire is None else {Seat.Role.UMPIRE.value: umpire},
        mode=settings.mode,
        fog=settings.fog,
        dice_by_hand=settings.dice_by_hand,
        staff_level=settings.staff_level,
        when_ready=settings.when_ready,
        deadline_policy=settings.deadline_policy,
        public_delay=settings.public_delay,
    )


def _save_campaign(
    bundle: b.Bundle, terms: NewCampaignTerms, restoration: Restoration | None
) -> Campaign:
    people = [restoration.user] if restoration else [*terms.seats.values()]
    campaign = _campaign(bundle, terms, people)
    seat(campaign, terms.seats)
    entries = (_entry(campaign, part) for part in bundle.entries)
    Entry.objects.bulk_create(entries, batch_size=500)
    _keep_branches(campaign, bundle.manifest.branches)
    _keep_seals(campaign, bundle.manifest.seals)
    archive_rows.restore_rows(campaign, bundle)
    if restoration:
        campaign.created = bundle.manifest.created
        campaign.save(update_fields=["created"])
        restoration.bring_back(campaign)
    check_hashes(campaign)
    state = _at_head(campaign, bundle.manifest)
    save_position(campaign, state)
    check_fold(campaign)
    verify_dice(campaign)
    archive_rows.recall_knowledge(campaign)
    if bundle.manifest.seed and bundle.manifest.throw is not None:
        archive_rows.restore_throw(campaign, bundle.manifest.throw)
    if not bundle.manifest.seed and state.result is None:
        dice.open_branch(campaign, reason=WITHOUT_THE_SEED, by=dice.SERVER)
        begin_branch(campaign, state)
    return campaign


def _campaign(bundle: b.Bundle, terms: NewCampaignTerms, people: Sequence[User]) -> Campaign:
    """Create the campaign at its beginning, with the file's seed or a new one."""
    manifest = bundle.manifest
    _keep_tables(bundle)
    try:  # by the tables in the file, for the scenario may be one of somebody's own
        state = serialization.state_in(bundle.start)
        serialization.edition_of(state.edition).scenario(manifest.scenario)
    except UnknownScenario as error:
        raise UnfitRequest(str(error)) from error
    if (state.scenario, state.month) != (manifest.scenario, manifest.first_month):
        raise Damaged(f"{b.START} in the file is the beginning of another campaign.")
    campaign = blank_campaign(terms, state, _seed_of(manifest))
    campaign.public_anchor = manifest.anchor
    campaign.title = free_title(manifest.title, people)
    campaign.adjourned = manifest.settings.adjourned
    campaign.letter_post = manifest.settings.letter_post
    campaign.rules = manifest.settings.rules or _last_rules(bundle) or state.rules
    campaign.rules_pinned = manifest.settings.rules_pinned
    campaign.rules_kept = manifest.settings.rules_kept
    save_under_free_slug(campaign, terms.slug, manifest.slug or manifest.title)
    snapshot(state, campaign.pk, state.month).save()
    return campaign


def _last_rules(bundle: b.Bundle) -> str:
    """Return the rules version by which the head was played; "" where nothing was played."""
    head = bundle.manifest.head
    return next((part.rules for part in bundle.entries if (part.branch, part.number) == head), "")


def _keep_tables(bundle: b.Bundle) -> None:
    try:
        keep_texts(bundle.tables)
    except TableError as error:
        raise UnfitRequest(f"A table in the file has an error: {error}.") from error


def _seed_of(manifest: b.Manifest) -> bytes:
    if not manifest.seed:
        return dice.new_seed()
    seed = bytes.fromhex(manifest.seed)
    # Branches before an import without the secret have the seed of another site.
    in_play = [branch for branch in manifest.branches if branch.number == manifest.branch]
    if any(dice.anchor(seed, branch.number) != branch.anchor for branch in in_play):
        raise Damaged("The secret in the file does not belong to the anchor of its branch.")
    return seed


def _entry(campaign: Campaign, part: b.ArchivedEntry) -> Entry:
    fields = msgspec.structs.asdict(part)
    for name in _PACKED:
        fields[name] = journal.pack(bytes(fields[name]))
    return Entry(campaign=campaign, **fields)


def _keep_branches(campaign: Campaign, parts: Sequence[b.ArchivedBranch]) -> None:
    """Store the branches; each starts at an entry of an earlier one, and every entry is on one."""
    numbers = [part.number for part in parts]
    if numbers != list(range(len(parts))):
        raise Damaged("The branches in the file are not numbered from 0.")
    if campaign.entries.exclude(branch__in=numbers).exists():
        raise Damaged("An entry in the file lies on a branch that is not in it.")
    for part in parts:
        fields = msgspec.structs.asdict(part)
        if part.parent is not None and part.parent[0] >= part.number:
            raise Damaged(f"Branch {part.number} in the file springs from a later one.")
        fields["parent"] = _find(campaign, part.parent)
        Branch.objects.create(campaign=campaign, **fields)
    if not parts or parts[0].anchor != campaign.public_anchor:
        raise Damaged("The first branch in the file does not have the campaign’s anchor.")


def _find(campaign: Campaign, place: tuple[int, int] | None) -> Entry | None:
    """Return the entry of that branch and number. Raises Damaged if it is missing."""
    if place is None:
        return None
    branch, number = place
    entry = campaign.entries.filter(branch=branch, number=number).first()
    if entry is None:
        raise Damaged(f"Entry {number} of branch {branch} is missing in the file.")
    return entry


def _keep_seals(campaign: Campaign, parts: Sequence[b.SealPart]) -> None:
    branches = set(campaign.branches.values_list("number", flat=True))
    for part in parts:
        if part.branch not in branches:
            raise Damaged(f"The file has a seal of branch {part.branch}, and no such branch.")
    last: dict[int, int] = {}
    for part in parts:
        last[part.branch] = max(last.get(part.branch, 0), part.month)
    for part in parts:
        if part.link is None and part.month < last[part.branch]:
            raise Damaged(
                f"The dice of {month_name(Month(part.month))}, branch {part.branch}, cannot be "
                "checked: the month is over, and its link is not in the file."
            )
    MonthSeal.objects.bulk_create(
        MonthSeal(campaign=campaign, **msgspec.structs.asdict(part)) for part in parts
    )


def _at_head(campaign: Campaign, manifest: b.Manifest) -> State:
    """Return the state at the head by the events alone, and store the snapshots of every branch."""
    if manifest.branch >= len(manifest.branches):
        raise Damaged(f"Branch {manifest.branch}, where the campaign stands, is not in the file.")
    campaign.head, campaign.branch = _find(campaign, manifest.head), manifest.branch
    states = {branch.number: _fold_journal(campaign, branch) for branch in campaign.branches.all()}
    branch = journal.lineage(selectors.parents_of(campaign), campaign.branch)
    if campaign.head != selectors.entries_on(campaign, branch).last():
        raise Damaged("The head named in the file is not the last entry of its branch.")
    state = states[campaign.branch]
    if digest(encode(state)) != manifest.document_hash:
        raise Damaged("The events in the file do not give the state that was exported.")
    return state


def _fold_journal(campaign: Campaign, branch: Branch) -> State:
    state = first_state(campaign, branch)
    for entry in entries_of(campaign, branch):
        Snapshot.objects.bulk_create(fold_entry(state, entry))
    return state


LONGEST_REASON = 200
"""The most characters of the reason of a branch."""


class Crash(msgspec.Struct):
    """A crash file: the state, and the action that failed in it."""

    scenario: str
    seed: int
    number: int
    error: str
    state: msgspec.Raw
    action: msgspec.Raw


def is_crash(data: bytes) -> bool:
    """Return whether the file is a crash file, and not an exported campaign."""
    return data.lstrip()[:1] == b"{"


def import_crash(
    data: bytes, *, slug: str = "", umpire: User | None = None, public: bool = False
) -> Campaign:
    """Create a campaign in the state of the crash; the reason of its first branch is the error.

    It is played by the shipped tables if those of the crash are not known here. Raises UnfitRequest
    for a file of another kind or with a state that cannot be read.
    """
    try:
        crash: Crash = decoder_for(Crash).decode(data)
        state = decode(bytes(crash.state), State)
    except (msgspec.DecodeError, DocumentError) as error:
        raise UnfitRequest(
            f"This is no file that a crash of random play has left: {error}."
        ) from error
    try:
        serialization.edition_of(state.edition)
    except Damaged:
        state.edition = shipped_edition().digest
    title = f"Crash of {crash.scenario}, seed {crash.seed}, action {crash.number}"
    seats = {} if umpire is None else {Seat.Role.UMPIRE.value: umpire}
    terms = NewCampaignTerms(crash.scenario, title, slug, public, seats)
    return begin_at(state, terms, reason=_reason(state, crash), by="random play")


def _reason(state: State, crash: Crash) -> str:
    """Return the last line of the error, and the action that was tried."""
    tried = decoder_for(AnyAction | None).decode(crash.action)
    attempt = "" if tried is None else f" Tried: {describe_action(state, tried)}"
    last = crash.error.strip().splitlines()[-1] if crash.error.strip() else "no error is recorded"
    return f"Random play broke here: {last}.{attempt}"[:LONGEST_REASON]
