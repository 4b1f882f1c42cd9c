"""The fighting of a month, place by place, as a telegram puts it."""

from collections.abc import Iterator, Mapping, Sequence

from campaign.gazette.editions import Edition
from campaign.gazette.facts import Facts, Fight
from campaign.rules.english.names import dateline, side_adjective
from campaign.rules.english.words import capital, in_words, listed, pick, times
from campaign.rules.map import HexId
from campaign.rules.pieces import Month, Side

_TOLD_BY_THE_GOVERNMENT = {
    Side.EGYPTIAN: (
        "Our columns came into action here",
        "Our troops attacked",
        "The troops advanced to the attack",
    ),
    Side.MAHDIST: (
        "The Mahdi’s men attacked",
        "The Mahdist banners came on",
        "The Mahdists delivered an assault",
    ),
}
_TOLD_BY_THE_CAMP = {
    Side.EGYPTIAN: ("The Government’s troops attacked", "The soldiers of the Government came out"),
    Side.MAHDIST: ("Our banners went forward", "Our men attacked", "The believers closed in"),
}
_TOLD_ABROAD = {
    Side.EGYPTIAN: ("The Egyptian force attacked", "The troops of the Khedive advanced"),
    Side.MAHDIST: ("The Mahdists attacked", "The followers of the Mahdi fell upon the place"),
}
_VOICES: Mapping[Side | None, Mapping[Side, Sequence[str]]] = {
    Side.EGYPTIAN: _TOLD_BY_THE_GOVERNMENT,
    Side.MAHDIST: _TOLD_BY_THE_CAMP,
    None: _TOLD_ABROAD,
}
_HELD = ("The position was held", "The attack was beaten off", "The defenders stood their ground")
_CARRIED = ("The position was carried", "The attack succeeded", "The defenders gave way")
_OPEN = ("Night ended it with nothing decided", "Neither party had the better of it")


def telegrams(edition: Edition, facts: Facts) -> Iterator[str]:
    """A paragraph for each place where there was fighting, the most important first."""
    for hex_id, fights in facts.by_importance().items():
        yield _telegram(edition, facts.month, hex_id, fights)


def shares(*counted: tuple[int, str]) -> str:
    """Return `Two succeeded and one failed.`; `Both failed.`, `It failed.` where all did."""
    told = [(many, words) for many, words in counted if many]
    if len(told) > 1:
        return capital(f"{listed([f'{in_words(many)} {words}' for many, words in told])}.")
    ((many, words),) = told
    every = {1: "It", 2: "Both"}.get(many, "All")
    return f"{every} {words}."


def _telegram(edition: Edition, month: Month, hex_id: HexId, fights: Sequence[Fight]) -> str:
    outcome, toll = _outcome(month, hex_id, fights), _toll(edition, fights)
    lines = (*_attacks(edition, month, fights), outcome, toll)
    return " ".join((dateline(hex_id, month), *lines))


def _attacks(edition: Edition, month: Month, fights: Sequence[Fight]) -> Iterator[str]:
    phrases = _VOICES[edition.side]
    for side in Side:
        many = sum(fight.attacker is side for fight in fights)
        if many:
            phrase = pick(phrases[side], fights[0].hex, month)
            yield f"{phrase}{_so_often(many)}."


def _so_often(many: int) -> str:
    often = {1: "", 2: " twice", 3: " three times"}
    return often.get(many, f", {in_words(many)} times in the month")


def _outcome(month: Month, hex_id: HexId, fights: Sequence[Fight]) -> str:
    held = sum(fight.winner is fight.attacker.enemy for fight in fights)
    carried = sum(fight.winner is fight.attacker for fight in fights)
    if len(fights) == 1:
        phrases = _HELD if held else _CARRIED if carried else _OPEN
        return f"{pick(phrases, hex_id, month)}."
    return shares(
        (carried, "succeeded"),
        (held, "failed"),
        (len(fights) - held - carried, "decided nothing"),
    )


def _toll(edition: Edition, fights: Sequence[Fight]) -> str:
    lost = {side: sum(fight.lost.get(side, 0) for fight in fights) for side in Side}
    ours = edition.side
    if ours is not None and any(lost.values()):
        we = f"we lost {times(lost[ours], 'unit')}" if lost[ours] else "we lost nobody"
        they = times(lost[ours.enemy], "unit") if lost[ours.enemy] else "nobody"
        return capital(f"{we}, the enemy {they}.")
    told = [
        f"the {side_adjective(side)} side lost {times(many, 'unit')}"
        for side, many in lost.items()
        if many
    ]
    return capital(f"{' and '.join(told)}.") if told else "No unit was lost on either side."
