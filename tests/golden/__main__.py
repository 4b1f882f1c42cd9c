"""Records the golden months again: `python -m tests.golden [1884-09 ...]`.

Without a month those that are there are recorded again. Look at the difference before you commit
it: it says what a change of the rules, of the tables or of the staff has done to a month.
"""

import sys

from campaign.rules.core.pieces import month_from_text
from tests.golden.month import FOLDER, folders, record, write


def main(wanted: list[str]) -> int:
    for name in wanted or [folder.name for folder in folders()]:
        month = record(month_from_text(name))
        write(FOLDER / name, month)
        sys.stdout.write(f"{name}: {len(month.entries)} actions recorded\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
