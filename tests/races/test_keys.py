"""An idempotency key stands for one request: its method, its whole address and its body."""

from io import BytesIO
from uuid import uuid4

from django.test import Client

from accounts.models import Scope
from accounts.tokens import create_token
from campaign.models import Campaign
from campaign.services.transfer import archive
from tests.people import People, sit_down


def test_a_key_does_not_answer_for_another_query(people: People) -> None:
    file = BytesIO()
    archive.export_campaign(sit_down(people), file, with_secret=True)
    token = create_token(people.umpire, "test", Scope.values)[1]
    client = Client(headers={"Authorization": f"Bearer {token}", "Idempotency-Key": str(uuid4())})

    def send(query: str) -> tuple[int, str]:
        address = f"/api/v1/imports/?{query}"
        answer = client.post(address, file.getvalue(), content_type="application/octet-stream")
        return answer.status_code, answer.json().get("slug") or answer.json()["type"]

    assert send("slug=one&public=true") == (201, "one")
    assert send("public=true&slug=one") == (201, "one"), "the order of the query does not matter"
    status, problem = send("slug=two&public=true")
    assert status == 422
    assert problem.endswith("/key-used/")
    assert not Campaign.objects.filter(slug="two").exists()
