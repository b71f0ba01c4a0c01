"""How well the verifier tells what a passage supports, on real sentences.

    python -m eval.trials.verifier FOLDER [--split test] [--abstracts 800] [--seed 0]

FOLDER is SciFact in BEIR layout with human evidence (see `eval.trials.sentence_choice`). Prints:

- for each kind of edit, the share of edited sentences that are flagged, once beside the sentence they were
  made from and once beside its whole abstract. Edits that change the meaning should be, rewordings and the
  sentence itself should not;
- for human evidence that supports a claim, against the same number of sentences of another abstract, the
  area under the ROC curve of coverage and the share found supported.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

import numpy as np

from eval.trials.edits import CHANGES, REWORDINGS, Edit
from index.paths import starter_folder
from index.sources.opening import open_stream
from index.text.sentences import sentences
from rag.verify import Verifier, idf_of_texts

_LONGEST_LINE = 1_000_000
SHORTEST = 40
"""Characters below which a "sentence" is a heading."""


@dataclass
class Flags:
    """How often a kind of edit was flagged beside its own sentence and beside its abstract."""

    quote: list[bool] = field(default_factory=list)
    abstract: list[bool] = field(default_factory=list)


def flagged(
    verifier: Verifier, abstracts: Sequence[str], edits: Mapping[str, Edit], seed: int
) -> dict[str, Flags]:
    """Flag every edit of every sentence; an edit is seeded by its sentence alone."""
    found: dict[str, Flags] = defaultdict(Flags)
    for abstract in abstracts:
        for start, end in sentences(abstract):
            sentence = abstract[start:end]
            if end - start < SHORTEST:
                continue
            for name, edit in edits.items():
                edited = edit(sentence, Random(f"{seed} {name} {sentence}"))  # noqa: S311
                if edited and edited != sentence:
                    found[name].quote.append(not verifier.verify(edited, [sentence]).supported)
                    found[name].abstract.append(not verifier.verify(edited, [abstract]).supported)
    return found


@dataclass(frozen=True, slots=True)
class Pair:
    claim: str
    evidence: str
    other: str


def evidence_pairs(folder: Path, split: str, label: str, seed: int) -> Iterator[Pair]:
    """Yield each claim with its human evidence and with as many sentences of another abstract."""
    texts: dict[str, list[str]] = {row["_id"]: row["sentences"] for row in _rows(_corpus(folder))}
    ids, chance = sorted(texts), Random(seed)  # noqa: S311
    for judged in _rows(folder / "evidence.jsonl"):
        for document, evidence in judged["evidence"].items():
            if judged["split"] != split or evidence["label"] != label:
                continue
            numbers = sorted({i for group in evidence["sentences"] for i in group})
            # A few of the numbers point behind the abstract's end.
            wanted = [texts[document][i] for i in numbers if i < len(texts[document])]
            other = chance.choice([each for each in ids if each != document])
            yield Pair(judged["claim"], " ".join(wanted), " ".join(texts[other][: len(wanted)]))


def read_abstracts(folder: Path) -> list[str]:
    """Return the abstracts of the folder's corpus."""
    return [row["text"] for row in _rows(_corpus(folder))]


def auc(positives: Sequence[float], negatives: Sequence[float]) -> float:
    """Area under the ROC curve: how often a positive scores above a negative, ties counting half."""
    here, there = np.array(positives)[:, None], np.array(negatives)[None, :]
    return float(np.mean((here > there) + 0.5 * (here == there)))


def _rows(file: Path) -> Iterator[dict[str, Any]]:
    with open_stream(file) as stream:
        while line := stream.readline(_LONGEST_LINE):
            yield json.loads(line)


def _corpus(folder: Path) -> Path:
    return next(file for file in sorted(folder.iterdir()) if file.name.startswith("corpus.jsonl"))


def _starter_texts() -> list[str]:
    rows: Iterator[dict[str, Any]] = _rows(starter_folder() / "corpus.jsonl")
    return [" ".join(filter(None, (row.get("abstract"), row.get("summary")))) for row in rows]


def _same(sentence: str, chance: Random) -> str:
    del chance
    return f"{sentence} "


def main() -> None:
    """Run the measurement and print its figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--split", default="test", choices=("train", "test"))
    parser.add_argument("--abstracts", type=int, default=800, help="how many, drawn at random")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    texts = read_abstracts(arguments.folder)
    verifier = Verifier(idf_of_texts(texts))
    drawn = Random(arguments.seed).sample(texts, min(arguments.abstracts, len(texts)))  # noqa: S311
    drawn += [text for text in _starter_texts() if text]
    lines = [f"{'edit':20} {'n':>6} {'flagged':>8} {'beside abstract':>16}"]
    began, judged = time.perf_counter(), 0
    for kinds in (CHANGES, {"the same": _same, **REWORDINGS}):
        for name, flags in flagged(verifier, drawn, kinds, arguments.seed).items():
            judged += 2 * len(flags.quote)
            lines.append(
                f"{name:20} {len(flags.quote):6} {fmean(flags.quote):8.1%} {fmean(flags.abstract):16.1%}"
            )
    lines.append(f"{judged:,} claims judged, {1e3 * (time.perf_counter() - began) / judged:.2f} ms each")
    verdicts = {}
    for label in ("SUPPORT", "CONTRADICT"):
        pairs = list(evidence_pairs(arguments.folder, arguments.split, label, arguments.seed))
        verdicts[label] = [verifier.verify(pair.claim, [pair.evidence]) for pair in pairs]
        others = [verifier.verify(pair.claim, [pair.other]) for pair in pairs]
        area = auc([v.coverage for v in verdicts[label]], [v.coverage for v in others])
        lines.append(
            f"{label}: {len(pairs)} claims; AUC of coverage against another abstract {area:.3f}; found"
            f" supported {fmean(v.supported for v in verdicts[label]):.1%},"
            f" by another abstract {fmean(v.supported for v in others):.1%}"
        )
    print("\n".join(lines))  # noqa: T201


if __name__ == "__main__":
    main()
