"""Whether a confidence is what it says: of what is answered with 0.8, four in five should be answerable.

    python -m eval.trials.reliability RUN [RUN …]

Takes run folders of `asktopic eval run`. Prints for every tenth of confidence how many questions had it,
their mean confidence, and the share that the set calls answerable; then the expected calibration error (the
mean distance of the two, weighted by questions; Naeini et al., 2015) and the Brier score. Computed answers,
whose confidence is 1, and questions that were never searched for, whose confidence is 0, are left out.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from eval.runs.folder import RunFolder

BINS = 10


def pairs_of(folder: RunFolder) -> list[tuple[float, bool]]:
    """Return the confidence of each question of a run, and whether its sources answer it."""
    found = []
    for question in folder.questions:
        answer = folder.outcomes[question.id].answer
        if answer is not None and answer.kind != "catalog" and answer.confidence > 0:
            found.append((answer.confidence, question.answerable))
    return found


def calibration_error(pairs: Sequence[tuple[float, bool]]) -> float:
    """Return the expected calibration error over tenths of confidence, in [0, 1]."""
    return sum(
        len(members) / len(pairs) * abs(_mean([c for c, _ in members]) - _mean([a for _, a in members]))
        for members in _binned(pairs)
        if members
    )


def report(pairs: Sequence[tuple[float, bool]]) -> str:
    """Return the table and the two figures."""
    lines = [f"{'confidence':12} {'questions':>9} {'mean':>6} {'answerable':>10}"]
    for n, members in enumerate(_binned(pairs)):
        if members:
            mean, share = _mean([c for c, _ in members]), _mean([a for _, a in members])
            lines.append(f"{n / BINS:.1f} – {(n + 1) / BINS:.1f} {len(members):12} {mean:6.2f} {share:10.2f}")
    brier = _mean([(confidence - is_answerable) ** 2 for confidence, is_answerable in pairs])
    lines.append(f"expected calibration error {calibration_error(pairs):.3f}, Brier score {brier:.3f}")
    return "\n".join(lines)


def _binned(pairs: Sequence[tuple[float, bool]]) -> list[list[tuple[float, bool]]]:
    bins: list[list[tuple[float, bool]]] = [[] for _ in range(BINS)]
    for pair in pairs:
        bins[min(int(pair[0] * BINS), BINS - 1)].append(pair)
    return bins


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def main() -> None:
    """Read the runs and print what their confidence is worth."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("runs", type=Path, nargs="+")
    arguments = parser.parse_args()
    print(report([pair for run in arguments.runs for pair in pairs_of(RunFolder(run))]))  # noqa: T201


if __name__ == "__main__":
    main()
