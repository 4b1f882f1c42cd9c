"""The changes of an edition: row by row, and line by line for a scenario."""

from campaign.rules.tables.editions import (
    ChangedCell,
    ChangedRow,
    changed_names,
    changes,
    own_edition,
    shipped_edition,
)
from tests.own_tables import SIEGE, halted, text


def only(name, said):
    (changed,) = changes(own_edition({name: said}))
    assert changed.name == name
    return changed


def test_nothing_differs_from_what_is_shipped():
    assert changes(shipped_edition()) == ()
    assert changed_names(shipped_edition()) == ()


def test_a_changed_row_is_shown_cell_by_cell():
    changed = only("march", text("march", ('mahdist = "march, 50%"', 'mahdist = "no march"')))
    assert changed.title == "March table"
    assert changed.columns == ("low", "high", "mahdist", "british", "egyptian")
    same, none = ChangedCell("1", "1"), ChangedCell("no march", "no march")
    own = ChangedCell("march, 50%", "no march")
    assert changed.rows == (ChangedRow("changed", (same, same, own, none, none)),)


def test_every_row_of_a_table_that_is_all_changed():
    assert {row.kind for row in only("march", halted()).rows} == {"changed"}


def test_a_new_row_and_one_that_is_gone():
    last = '[[row]]\nplace = "Khartoum"\nboats = 2\n'
    new = '[[row]]\nplace = "Kassala"\nboats = 1\n'
    changed = only("town_entry", text("town_entry") + f"\n{new}")
    assert changed.rows == (ChangedRow("new", (ChangedCell("", "Kassala"), ChangedCell("", "1"))),)
    changed = only("town_entry", text("town_entry", (last, "")))
    assert changed.rows == (
        ChangedRow("gone", (ChangedCell("Khartoum", ""), ChangedCell("2", ""))),
    )


def test_effects_are_shown_as_the_file_writes_them():
    changed = only(
        "events_mahdist", text("events_mahdist", ('quantity = "1D6"', 'quantity = "2D6"'))
    )
    (row,) = changed.rows
    own = row.cells[changed.columns.index("effects")]
    assert 'quantity = "1D6"' in own.before
    assert 'quantity = "2D6"' in own.after
    assert own.after == own.before.replace("1D6", "2D6", 1)


def test_a_changed_heading_is_told():
    changed = only("march", text("march", ('title = "March table"', 'title = "Marching"')))
    assert changed.heading == (("title", ChangedCell("March table", "Marching")),)
    assert changed.rows == ()


def test_a_scenario_is_compared_line_by_line():
    changed = only(SIEGE, text(SIEGE, ("count = 5 }", "count = 7 }")))
    marks = [mark for mark, _ in changed.lines]
    assert marks == ["@", " ", " ", "-", "+", " ", " "]
    first = int(changed.lines[0][1])
    assert shipped_edition().text(SIEGE).splitlines()[first - 1] == changed.lines[1][1]
    assert "count = 5" in changed.lines[3][1]
    assert "count = 7" in changed.lines[4][1]


def test_a_scenario_and_an_event_table_that_are_not_shipped_are_new_in_every_line():
    scenario = text(SIEGE, (f'slug = "{SIEGE}"', 'slug = "our-siege"'))
    events = text("events_mahdist", ('id = "events_mahdist"', 'id = "events_ours"'))
    own = shipped_edition().replacing({"our-siege": scenario, "events_ours": events})
    assert set(changed_names(own)) == {"our-siege", "events_ours"}
    of_events, of_scenario = sorted(changes(own), key=lambda changed: changed.name)
    assert {row.kind for row in of_events.rows} == {"new"}
    assert {mark for mark, _ in of_scenario.lines} == {"@", "+"}
