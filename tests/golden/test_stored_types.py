"""Stored documents keep their names, types and defaults: campaigns outlive their program."""

import msgspec

from tests.golden.stored_types import LIST, describe_types, stored_types

CHANGED = (
    "What is stored has changed. Later programs have to read the campaigns of today: let a class "
    "that is renamed keep its tag (`tag=`) and a field its name (`name=`), give a new field a "
    "default, and put it last in a list. For anything else count the version up and write an "
    'upgrade. Then: manage.py shell -c "from tests.golden.stored_types import *; write_list()"'
)


class Marched(msgspec.Struct, tag=True, tag_field="type", omit_defaults=True):
    hex: int
    by: list[int] = []


def test_what_is_stored_is_as_listed() -> None:
    assert stored_types() == LIST.read_text(encoding="utf-8"), CHANGED


def test_a_class_and_a_field_stand_in_the_list_as_they_are_stored() -> None:
    listed = "Marched {type: Marched}\n  hex: int\n  by: [int...] = []\n"
    assert describe_types([Marched], set()) == listed
    assert msgspec.json.encode(Marched(1734)) == b'{"type":"Marched","hex":1734}'
