"""Battles checked against their journal and book: the dice replayed, the clauses applied."""

from django.http import HttpResponse
from rest_framework.request import Request

from api.documents.battles import BattleProofDocument
from api.http.endpoint import Listed, OpenEndpoint, operation
from api.resources.reports import AppliedPart
from battles import services
from battles.access import selectors
from battles.web.rules_pages import used_in


class ProofOfBattle(OpenEndpoint):
    """A check of a battle's dice."""

    @operation(BattleProofDocument)
    def get(self, request: Request, id: str) -> HttpResponse:
        """Verify a battle's dice.

        The battle is replayed with its own dice, and every entry compared.
        """
        battle = selectors.whole_battle_for(request.user, id)
        if battle.head_id is None:
            return self.tell(BattleProofDocument(None, None, None))
        key = bytes(battle.key).hex()
        try:
            proof = services.verify_battle(battle)
        except services.Damaged as damaged:
            return self.tell(BattleProofDocument(False, str(damaged), key))
        return self.tell(
            BattleProofDocument(True, None, key, proof.entries, proof.rolls, proof.dice)
        )


class TraceOfBattle(OpenEndpoint):
    """The clauses that a battle has applied."""

    @operation(Listed[AppliedPart])
    def get(self, request: Request, id: str) -> HttpResponse:
        """List the clauses that a battle has applied, with counts.

        They are in the order of the book.
        """
        battle = selectors.whole_battle_for(request.user, id)
        used = [line for chapter in used_in(battle) for line in chapter.lines if line.times]
        told = [AppliedPart(line.traced.clause.number, line.times) for line in used]
        return self.tell({"results": told})
