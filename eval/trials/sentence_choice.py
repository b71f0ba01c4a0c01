"""Which sentence of an abstract is chosen, beside which ones a person chose as evidence.

    python -m eval.trials.sentence_choice FOLDER [--split test]

FOLDER is SciFact in BEIR layout with human evidence: `corpus.jsonl` (or `.xz`, `.gz`) and `evidence.jsonl`.
Its index is kept in the data folder, under `scifact/`. Prints, for each claim and abstract with human
evidence, the share in which the best sentence of that abstract, and one of the best three, is an evidence
sentence. How well the abstracts are found is what `asktopic eval run FOLDER` says.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean
from typing import Any

from index.encoder import Encoder, open_encoder
from index.fingerprint import fingerprint_of
from index.ingest.build import build
from index.paths import DataPaths
from index.settings import IndexSettings
from index.snapshot import Snapshot
from index.sources.opening import open_stream
from rag.evidence import sentences_of, weigh
from rag.passages import PassageReader
from rag.question import read_question
from rag.retrieve import Candidate
from rag.wording import Wording

SAME_WORDS = 0.7
"""Share of an evidence sentence's words that makes one of ours the same, where boundaries differ."""


def is_same(sentence: str, evidence: str) -> bool:
    """Whether a sentence of ours is the evidence sentence, give or take where it begins and ends."""
    words = set(evidence.split())
    return (
        sentence in evidence
        or evidence in sentence
        or len(words & set(sentence.split())) > SAME_WORDS * len(words)
    )


def _rows(file: Path) -> Iterator[dict[str, Any]]:
    with open_stream(file) as stream:
        while line := stream.readline(1_000_000):
            yield json.loads(line)


def _corpus(folder: Path) -> Path:
    return next(file for file in sorted(folder.iterdir()) if file.name.startswith("corpus.jsonl"))


def measure_sentences(
    snapshot: Snapshot, encoder: Encoder, folder: Path, split: str
) -> list[tuple[bool, bool]]:
    """Return, for each claim and abstract with evidence, whether it comes first and among the first three.

    Abstracts in which none of our sentences is an evidence sentence are left out.
    """
    rows_of: dict[str, list[int]] = {}
    for row in range(snapshot.chunks):
        rows_of.setdefault(snapshot.record_of(row).id, []).append(row)
    texts: dict[str, list[str]] = {entry["_id"]: entry["sentences"] for entry in _rows(_corpus(folder))}
    passages, hits = PassageReader(snapshot), []
    wording = Wording(snapshot.vocabulary, snapshot.frequency)
    for judged in _rows(folder / "evidence.jsonl"):
        if judged["split"] != split:
            continue
        question = read_question(judged["claim"], wording=wording)
        query = encoder.encode_query(question.search_text)
        weights = weigh(question, snapshot.lexical.documents, snapshot.frequency)
        for document, evidence in judged["evidence"].items():
            numbers = [i for group in evidence["sentences"] for i in group]
            # A few of the numbers point behind the abstract's end.
            wanted = [texts[document][i].strip() for i in numbers if i < len(texts[document])]
            chunks = [Candidate(row, 1.0, 0.0) for row in rows_of[document]]
            ranked = sentences_of(chunks, snapshot, passages, question, weights, query)
            quotable = [item.sentence.text for item in ranked if item.sentence.is_quotable]
            found = [any(is_same(sentence, text) for text in wanted) for sentence in quotable]
            if any(found):
                hits.append((found[0], any(found[:3])))
    return hits


def main() -> None:
    """Run the measurement and print its figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--split", default="test", choices=("train", "test"))
    parser.add_argument("--data-dir", type=Path, default=Path(".asktopic"))
    arguments = parser.parse_args()
    settings = IndexSettings(data_dir=arguments.data_dir / "scifact")
    encoder = open_encoder(settings.encoder, DataPaths(settings.data_dir).encoder)
    build([_corpus(arguments.folder)], settings, encoder=encoder)
    snapshot = Snapshot(settings, fingerprint_of(encoder, settings))
    hits = measure_sentences(snapshot, encoder, arguments.folder, arguments.split)
    snapshot.close()
    first, among_three = (fmean(column) for column in zip(*hits, strict=True))
    print(  # noqa: T201
        f"{arguments.split}: evidence sentence first {first:.3f}, among three {among_three:.3f}, "
        f"of {len(hits)} abstracts"
    )


if __name__ == "__main__":
    main()
