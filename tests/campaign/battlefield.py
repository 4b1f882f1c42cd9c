"""A campaign that stands before a battle: one set down where its first march meets an enemy."""

from battles.contract import Brief, Report, Side
from battles.core.decoding import digest, encode
from battles.core.game import Step
from battles.journal import pack
from campaign.access import selectors
from campaign.models import Campaign
from campaign.rules.core import actions as a
from campaign.rules.core.play import MONTH
from campaign.rules.core.questions import OnMarch
from campaign.rules.core.state import MarchUnderWay, State
from campaign.services.journal import campaign_session, creation
from campaign.services.journal.campaign_session import set_columns
from campaign.services.pending_battle import PendingBattle
from tests.duel import told
from tests.people import SIEGE, People
from tests.played_once import play_once
from tests.positions import OPEN, hex_of, position

TARGET = "0640"


def before_battle(people: People, way: str, **agreed: object) -> Campaign:
    """Return the campaign with its first battle asked for, to be fought by `way`."""
    name = ("before battle", way, sorted(agreed.items()))
    return play_once(name, lambda: _march_to_battle(people, way, **agreed))


def _march_to_battle(people: People, way: str, **agreed: object) -> Campaign:
    seats = {"umpire": people.umpire, "egyptian": people.egyptian, "mahdist": people.mahdist}
    campaign = creation.create_campaign(creation.NewCampaignTerms(SIEGE, seats=seats))
    state = position(
        f"{OPEN}: 6 infantry british 3V", f"{TARGET}: 8 spears", "Khartoum: Gordon, 2 guns egyptian"
    )
    state.month = campaign.month
    _send_marching(state)
    state.agenda = [Step("phase", (name, phase or "", side)) for name, phase, side in MONTH[3:]]
    _set_down(campaign, state)
    campaign_session.perform(campaign.pk, "umpire:umpire", a.HandOver(way, **agreed))  # type: ignore[arg-type]
    campaign_session.perform(campaign.pk, "player:egyptian", a.Attack(hex_of(TARGET)))
    campaign.refresh_from_db()
    return campaign


def attack_again(campaign: Campaign) -> None:
    """The stack that attacked first may go on with its march, and attacks the same hex again."""
    campaign.refresh_from_db()
    state = selectors.state_now(campaign)
    _send_marching(state)
    data = encode(state)
    campaign.document, campaign.document_hash = pack(data), digest(data)
    campaign.save()
    campaign_session.perform(campaign.pk, "player:egyptian", a.Attack(hex_of(TARGET)))


def _send_marching(state: State) -> None:
    units = [unit.id for unit in state.units.values() if unit.hex == hex_of(OPEN)]
    state.march = MarchUnderWay(units, [hex_of(OPEN)], marches=1)
    state.question = OnMarch(state.side)


def _set_down(campaign: Campaign, state: State) -> None:
    """The campaign begins in that state: its first snapshot says so too."""
    data = encode(state)
    campaign.document, campaign.document_hash = pack(data), digest(data)
    set_columns(campaign, state)
    campaign.save()
    campaign.snapshots.update(document=pack(data), document_hash=digest(data))


def waiting(campaign: Campaign) -> PendingBattle:
    campaign.refresh_from_db()
    found = selectors.battle_awaited(campaign)
    assert found is not None
    return found


def brief(campaign: Campaign) -> Brief:
    return waiting(campaign).brief


def result(campaign: Campaign, winner: Side | None = Side.EGYPTIAN) -> Report:
    """Return a result from a table: the loser loses a unit, and the others are shaken."""
    return told(brief(campaign), winner, "tabletop")
