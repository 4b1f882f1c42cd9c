"""Write the golden files again: `python -m tests.golden [tables | 1884-09 ...]`.

Without a word it lists where the shipped tables depart from the recorded ones, and carries out the
actions of the golden months again with their dice. `tables` records the shipped tables first, for
the tests to play by from now on: for a new table, row or scenario, and for a number that the tests
hold to be another than before. A month that is named is played afresh, by the player's choices of
today. Look at the difference before you commit it: it says what a change has done.
"""

import sys

from campaign.rules.core.pieces import month_from_text
from tests.golden import tables
from tests.golden.month import FOLDER, folders, read, record, replayed, write


def main(names: list[str]) -> int:
    if "tables" in names:
        tables.record_tables()
    tables.record_departures()
    tables.play_by_recorded_tables()
    for folder in folders():
        if folder.name not in names:
            write(folder, replayed(read(folder)))
    for name in names:
        if name != "tables":
            month = record(month_from_text(name))
            write(FOLDER / name, month)
            sys.stdout.write(f"{name}: {len(month.entries)} actions recorded\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
