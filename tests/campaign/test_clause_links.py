"""Clauses named in brackets are links to their pages; what is HTML already stays as it is."""

import re

import pytest
from django.test import Client
from django.utils.safestring import mark_safe

from campaign.templatetags.campaigns import clause_addresses, link_clauses


def targets(html: str) -> list[str]:
    return re.findall(r'<a href="([^"]+)">[^<]+</a>', html)


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        ("It is too late. (5.1)", ["5.1"]),
        ("by the table (9.4 to 9.9); the enemy", ["9.4", "9.9"]),
        ("Both (4.1, 4.2).", ["4.1", "4.2"]),
        ("Event (5.2 II).", ["5.2 II"]),
        ("Events (5.2).", ["5.2 I"]),
        ("suffers (2.3 on average) 5.1 units (99.9)", []),
    ],
)
def test_clauses_in_brackets_become_links(text: str, clauses: list[str]) -> None:
    pages = clause_addresses()
    assert targets(link_clauses(text)) == [pages[clause] for clause in clauses]


def test_html_and_what_is_a_link_or_a_picture_already_stay() -> None:
    kept = mark_safe('<a href="/x">x (5.1)</a><svg aria-label="a (5.1)"><title>(5.1)</title></svg>')
    assert link_clauses(kept) == kept
    assert link_clauses("<b>(5.1)").startswith("&lt;b&gt;(<a ")


def test_every_clause_has_a_page(client: Client) -> None:
    for address in set(clause_addresses().values()):
        assert client.get(address).status_code == 200, address
