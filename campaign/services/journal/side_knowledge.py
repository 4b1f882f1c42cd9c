"""Store what each side knows, in the transaction in which it happens."""

from collections.abc import Sequence

from battles.contract.brief import Side
from battles.core.decoding import encode
from battles.core.game import Outcome
from battles.history.journal import pack
from campaign import rules, serialization
from campaign.access import fog_of_war
from campaign.models import Campaign, Entry, Knowledge
from campaign.rules import sight
from campaign.rules.core.state import State


def begin(campaign: Campaign, state: State) -> None:
    """Store both sides' knowledge at the beginning of the campaign; nothing without fog of war."""
    if campaign.fog:
        for side in Side:
            _write(campaign, fog_of_war.month_of(state), sight.initial_knowledge(state, side))


def keep(
    campaign: Campaign,
    before: bytes | memoryview,
    entries: Sequence[Entry],
    played: Sequence[Outcome],
) -> None:
    """Store what both sides have learnt from the outcomes, one row for each month.

    `before` is the packed state from which they were played. Without fog of war nothing is stored.
    """
    if not (campaign.fog and entries):
        return
    state = serialization.state_of(before)
    month = fog_of_war.month_of(state)
    both = [_known(campaign, side, month, entries[0].number) for side in Side]
    for outcome in played:
        for event in outcome.events:
            rules.fold(state, [event])
            if fog_of_war.month_of(state) != month:
                _write_all(campaign, month, both)
                month = fog_of_war.month_of(state)
            for known in both:
                sight.learn(known, state, event)
    _write_all(campaign, month, both)


def _known(campaign: Campaign, side: Side, month: int, before: int) -> sight.SideKnowledge:
    """Return the side's knowledge before that entry."""
    row = campaign.knowledge.filter(branch=campaign.branch, month=month, side=side).first()
    return fog_of_war.known_in(row) if row else fog_of_war.recalled(campaign, side, month, before)


def _write_all(campaign: Campaign, month: int, both: Sequence[sight.SideKnowledge]) -> None:
    for known in both:
        _write(campaign, month, known)


def _write(campaign: Campaign, month: int, known: sight.SideKnowledge) -> None:
    Knowledge.objects.update_or_create(
        campaign=campaign,
        branch=campaign.branch,
        month=month,
        side=known.side,
        defaults={"document": pack(encode(known))},
    )
