"""Campaigns of all kinds played at random by their users: no page fails, and nobody is stuck.

The short form plays a few acts of each seed; the long one (`make long`) plays evenings of them.
`python -m pytest tests/random_users -m long -k 1007` repeats one seed, act by act.
"""

import pytest

from tests.random_users.page_forms import forms_on
from tests.random_users.play import play

SHORT, LONG = 10, 120
"""Acts of a campaign."""


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("seed", range(3))
def test_a_few_random_acts_leave_nobody_stuck(seed: int) -> None:
    play(seed, SHORT)


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("seed", range(1000, 1040))
def test_many_random_acts_leave_nobody_stuck(seed: int) -> None:
    play(seed, LONG)


def test_a_form_is_read_as_a_browser_sends_it() -> None:
    (form,) = forms_on(
        '<form method="post" action="/there/"><input type="hidden" name="head" value="7">'
        '<input type="checkbox" name="unit" value="1" checked>'
        '<input type="checkbox" name="unit" value="2"><select name="by"><option value="a">A'
        '</option><option value="b" selected>B</option></select><textarea name="text">So.'
        '</textarea><button name="do" value="go">Go</button></form>'
    )
    assert (form.address, form.method, form.buttons) == ("/there/", "post", [("do", "go")])
    sent = {"head": ["7"], "unit": ["1"], "by": ["b"], "text": ["So."]}
    assert form.press() == sent
    assert form.press(("do", "go"), text="No.") == sent | {"text": ["No."], "do": ["go"]}
