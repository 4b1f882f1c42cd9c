"""Turn the result of a battle on a real table into its report.

People count figures or stands; the book converts them into the fates of campaign units.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import msgspec
from django.contrib.auth.models import User

from battles.access import selectors, viewers
from battles.access.viewers import SignedReport
from battles.contract import Brief, Report, Unfit, conserve
from battles.contract.book import Ended, UnitRemainder
from battles.contract.generic_book import counted_by_troops
from battles.contract.registry import book
from battles.history import serialization
from battles.history.journal import Refused
from battles.models import Battle
from battles.prose import RosterLine
from battles.services.record import BattleRequest, record_table_report

AFLOAT = "afloat"
"""The formation of a vessel on a roster, in every book that has vessels."""
MODEL_SCALES = (1, 2, 3, 4, 6)
"""The numbers of models that may stand on a table for each figure or stand of the book."""


class ModelScale(NamedTuple):
    """The number of models on the table for each figure of the book.

    The book's rules count figures, so a figure that is hit comes off with all its models, and the
    models that are left are whole figures. Leaders and vessels are always one model.
    """

    models: int = 1

    def for_each(self, line: RosterLine) -> int:
        """Return how many models stand for each figure of a line of the roster."""
        return 1 if line.formation in ("", AFLOAT) else self.models

    def came(self, line: RosterLine) -> int:
        """Return how many models of a line came to the battle."""
        return line.came * self.for_each(line)

    def figures(self, line: RosterLine, models: int, figure: str) -> int:
        """Return how many figures so many models are. Raises Unfit unless they are whole figures.

        `figure` is the book's word for a figure.
        """
        each, came = self.for_each(line), self.came(line)
        if not 0 <= models <= came:
            raise Unfit(f"Of {line.name} {came} models came: 0 to {came} can be left.")
        whole, over = divmod(models, each)
        if over:
            raise Unfit(
                f"{models} models are not whole {figure}s, of {each} models each: "
                f"{line.name} has {whole * each} or {(whole + 1) * each} left."
            )
        return whole


def check(lines: Iterable[RosterLine], left: Mapping[int, UnitRemainder]) -> None:
    """Raise Unfit unless every line of the roster has a count no larger than what came."""
    known = {line.number: line for line in lines}
    unknown = sorted(set(left) - set(known))
    if unknown:
        raise Unfit(f"Nobody on the roster has number {unknown[0]}.")
    for number, line in known.items():
        if number not in left:
            raise Unfit(f"Nothing is said of number {number}, {line.name}.")
        if not 0 <= left[number].figures <= line.came:
            raise Unfit(f"Of number {number}, {line.name}, 0 to {line.came} can be left.")


def report_from_table(
    brief: Brief, slug: str, left: Mapping[int, UnitRemainder], ended: Ended
) -> Report:
    """Return the report of a battle from what is left on the table. Raises Unfit."""
    found = book(slug)
    end = found.pages.end
    if end is None:
        report = counted_by_troops(brief, slug, left, ended)
    else:
        state = found.engine.drawn_up(brief)
        end(state, left, ended)
        report = msgspec.structs.replace(
            found.engine.report(state),
            winner=ended.winner,
            ending=ended.ending,
            turns=ended.turns,
        )
    conserve(brief, report)
    return report


TAKEN = "The result stands."


def signed_by_others(battle: Battle, user: User) -> tuple[SignedReport, ...]:
    """Return the reports that others have signed and the user may agree to."""
    keeper = viewers.keeper_of(battle.owner)
    return keeper.signed(battle.owner, battle.brief_id, user) if keeper else ()


def take_report(battle: Battle, user: User, report: Report) -> str:
    """Bring the report to the battle's owner; return a message about it.

    Raises Refused for a user who may not report it, or when it does not count.
    """
    if not selectors.may_report(battle, user):
        raise Refused("You are not one of those who report this battle, or it is over already.")
    keeper = viewers.keeper_of(battle.owner)
    if keeper is not None:
        return keeper.report(battle.owner, user, report)
    asked = BattleRequest(battle.public, battle.asked_by, battle.brief_id)
    record_table_report(battle.owner, serialization.brief_of(battle), report, asked=asked)
    return TAKEN
