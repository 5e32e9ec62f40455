"""Compare two files of `python tests/bench/run.py --json FILE`.

    python tests/bench/compare.py BEFORE.json AFTER.json [--factor 1.1]

A change is the median of after / before over all pairs of rounds; its band leaves out a tenth of the pairs at
each end. Where both files timed a yardstick in the same rounds, each time is divided by its yardstick's, so
that a machine that is slower as a whole changes nothing. Slower is what takes more than `factor` times as
long and has its whole band above 1: then the exit code is 1. One round gives no band.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import result_files  # type: ignore[import-not-found]  # beside this file, where python looks

if TYPE_CHECKING:
    from numpy.typing import NDArray

YARDSTICK = "yardstick"


class Change(NamedTuple):
    """A row of the table."""

    name: str
    before: float  # nanoseconds, the median
    after: float
    low: float  # after / before: the lower end of the band, the median, the upper end
    ratio: float
    high: float

    def slower(self, factor: float) -> bool:
        """Whether it is slower by more than the factor, and by more than noise."""
        return self.ratio > factor and self.low > 1


def changes(before: dict[str, result_files.Rows], after: dict[str, result_files.Rows]) -> list[Change]:
    """Return what both have, what got slower most first."""
    found = []
    for title, rows in before.items():
        for name, row in rows.items():
            other = after.get(title, {}).get(name, {})
            for column in [c for c in row if c in other and c != YARDSTICK]:
                old, new = np.array(row[column]), np.array(other[column])
                label = name if column == "meiro" else f"{name}, {column}"
                a, b = _in_yardsticks(row, column), _in_yardsticks(other, column)
                if a is None or b is None:
                    a, b = old, new
                low, ratio, high = np.quantile(np.divide.outer(b, a), (0.1, 0.5, 0.9))
                middles = float(np.median(old)), float(np.median(new))
                found.append(Change(f"{title}: {label}", *middles, float(low), float(ratio), float(high)))
    return sorted(found, key=lambda change: -change.ratio)


def _in_yardsticks(row: dict[str, list[float]], column: str) -> NDArray[np.float64] | None:
    """Return the times of the rounds in the yardstick's of the same rounds, or None without one."""
    if len(row.get(YARDSTICK, ())) != len(row[column]):
        return None
    times: NDArray[np.float64] = np.array(row[column]) / np.array(row[YARDSTICK])
    return times


def main() -> int:
    """Print the table; return 1 if something got slower."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument(
        "--factor", type=float, default=1.1, help="slower than this is a failure; default: 1.1"
    )
    asked = parser.parse_args()
    if not asked.factor >= 1:
        parser.error(f"--factor must be at least 1, not {asked.factor}")
    before, after = (result_files.read(path)["tables"] for path in (asked.before, asked.after))
    found = changes(before, after)
    if not found:
        print("the two files have no row in common")
        return 2
    print("| | before, ns | after, ns | after / before | band | |\n|---|--:|--:|--:|--:|---|")
    for x in found:
        verdict = ""
        if x.slower(asked.factor):
            verdict = "SLOWER"
        elif x.ratio < 1 / asked.factor and x.high < 1:
            verdict = "faster"
        numbers = f"{x.before:.2f} | {x.after:.2f} | {x.ratio:.2f} | {x.low:.2f} to {x.high:.2f}"
        print(f"| {x.name} | {numbers} | {verdict} |")
    slower = [x.name for x in found if x.slower(asked.factor)]
    names = f": {'; '.join(slower)}" if slower else ""
    print(f"\n{len(slower)} of {len(found)} are slower by more than {asked.factor:g}{names}")
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
