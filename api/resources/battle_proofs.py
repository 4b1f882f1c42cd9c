"""A battle held against its journal and its book: dice thrown again, clauses it has used."""

from django.http import HttpResponse
from rest_framework.request import Request

from api.documents.battles import BattleProofDocument
from api.http.endpoint import Listed, OpenEndpoint, operation
from api.resources.reports import AppliedPart
from battles import services
from battles.access import selectors
from battles.web.rules_pages import used_in


class ProofOfBattle(OpenEndpoint):
    """Whether a battle's dice have fallen as they are written."""

    @operation(BattleProofDocument)
    def get(self, request: Request, uuid: str) -> HttpResponse:
        """Fight it again with its own dice, and compare entry by entry."""
        battle = selectors.whole_battle_for(request.user, uuid)
        if battle.head_id is None:
            return self.tell(BattleProofDocument(None, "", ""))
        key = bytes(battle.key).hex()
        try:
            proof = services.verify_battle(battle)
        except services.Damaged as damaged:
            return self.tell(BattleProofDocument(False, str(damaged), key))
        return self.tell(BattleProofDocument(True, "", key, **proof._asdict()))


class TraceOfBattle(OpenEndpoint):
    """Which clauses of its book a battle has used."""

    @operation(Listed[AppliedPart])
    def get(self, request: Request, uuid: str) -> HttpResponse:
        """Return how often each clause was used, in the order of the book."""
        battle = selectors.whole_battle_for(request.user, uuid)
        used = [line for chapter in used_in(battle) for line in chapter.lines if line.times]
        told = [AppliedPart(line.traced.clause.number, line.times) for line in used]
        return self.tell({"results": told})
