"""Of two who change the same thing with the same ETag, exactly one succeeds."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from accounts.models import Scope
from accounts.tokens import create_token
from campaign.services.journal import creation
from tests.patience import PATIENCE
from tests.people import gather

WAIT_FOR_THE_OTHER = 2
"""Seconds in which the second writer could finish, if the first did not keep it out."""


class Together:
    """Lets somebody else write when the first writer is about to change that table."""

    def __init__(self, table: str, other: Callable[[], Any]) -> None:
        self.update = f'UPDATE "{table}"'
        self.answers: list[Any] = []
        self.thread = threading.Thread(target=self._go, args=(other,))

    def _go(self, other: Callable[[], Any]) -> None:
        try:
            self.answers.append(other())
        finally:
            connection.close()

    def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.startswith(self.update) and not self.thread.ident:
            self.thread.start()
            self.thread.join(WAIT_FOR_THE_OTHER)
        return execute(sql, params, many, context)


@pytest.fixture
def umpire(transactional_db: None) -> Client:
    """A client of the umpire of the campaign `one`, logged in by token."""
    user = gather().umpire
    terms = creation.NewCampaignTerms("siege-of-khartoum", slug="one", seats={"umpire": user})
    creation.create_campaign(terms)
    token = create_token(user, "test", Scope.values)[1]
    return Client(headers={"Authorization": f"Bearer {token}"})


@pytest.mark.parametrize(
    ("address", "field", "table"),
    [
        ("/api/v1/campaigns/one/", "title", "campaign_campaign"),
        ("/api/v1/account/", "display_name", "auth_user"),
    ],
)
def test_the_second_of_two_writers_is_told_that_it_has_changed(
    umpire: Client, address: str, field: str, table: str
) -> None:
    tag = umpire.get(address).headers["ETag"]

    def change(value: str) -> int:
        answer = umpire.patch(
            address, {field: value}, content_type="application/json", headers={"If-Match": tag}
        )
        return answer.status_code

    other = Together(table, lambda: change("Second"))
    with connection.execute_wrapper(other):
        assert change("First") == 200
    other.thread.join(PATIENCE)
    assert other.answers == [412]
    assert umpire.get(address).json()[field] == "First"
