"""Fight a battle against the computer, by choosing among the legal actions until it is over.

::

    python examples/battle.py http://127.0.0.1:8000 --username gordon
    python examples/battle.py http://127.0.0.1:8000 --username gordon --offer abu-klea

The first lists the battles on offer. The second begins one, commands the Egyptian side of it and
prints what it does. The password is taken from SIRDAR_PASSWORD, or asked for.
"""

import argparse
import os
from getpass import getpass

from sirdar_client import AuthenticatedClient, body, logged_in, new_key, tagged
from sirdar_client.api.battles import (
    get_battle,
    get_battle_offers,
    get_fight,
    post_battles,
    post_fight_actions,
)
from sirdar_client.models import ActionBody, FightOptionsPart, LegalActionPart, OfferedBattle

PREFERENCE = ("fire", "charge", "order", "go", "form", "turn", "card", "next", "other", "done")
"""The kinds of choice in order of preference; the end of the turn comes last."""


def fight(client: AuthenticatedClient, offer: str, book: str) -> str:
    """Fight the battle to its end and return the result in words."""
    wanted = OfferedBattle(
        type_="offer",
        offer=offer,
        book=book,
        fought_by="players",
        egyptian="me",
        mahdist="computer",
    )
    begun = body(post_battles.sync(client=client, body=wanted, idempotency_key=new_key()))
    position, tag = tagged(get_fight.sync_detailed(begun.uuid, client=client))
    while position.options is not None:
        choice = choose(position.options)
        print(f"{position.turn}: {choice.label}", flush=True)
        position, tag = tagged(
            post_fight_actions.sync_detailed(
                begun.uuid,
                client=client,
                body=ActionBody.from_dict({"action": choice.action.to_dict()}),
                if_match=tag,
                idempotency_key=new_key(),
            )
        )
    result = body(get_battle.sync(begun.uuid, client=client))
    return f"{result.winner or 'nobody'} won after {result.turns} turns: {result.ending}"


def choose(options: FightOptionsPart) -> LegalActionPart:
    """Return the action to take: the likeliest of the first kind that there is."""
    return min(
        options.legal_actions,
        key=lambda legal: (PREFERENCE.index(legal.choice_kind), -(legal.chance or 0)),
    )


def main() -> None:
    """Fight as the command line says, or list the battles."""
    parser = argparse.ArgumentParser(description="Fight a battle of Sirdar against the computer.")
    parser.add_argument("server", help="such as http://127.0.0.1:8000")
    parser.add_argument("--username", required=True)
    parser.add_argument("--offer", help="the battle; without it, the battles are listed")
    parser.add_argument("--book", default="redcoats")
    given = parser.parse_args()
    password = os.environ.get("SIRDAR_PASSWORD") or getpass("Password: ")
    with logged_in(given.server, given.username, password) as client:
        if given.offer:
            print(fight(client, given.offer, given.book))
            return
        for offer in body(get_battle_offers.sync(client=client)).results:
            print(f"{offer.slug}: {offer.title} ({', '.join(offer.books)})")


if __name__ == "__main__":
    main()
