"""The index that a set is asked over: built from the set's own corpus, apart from the operator's."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from eval.questions.sets import QuestionSet
from eval.runs.folder import write_lines
from index.encoder import Encoder
from index.errors import AsktopicError, IndexMismatch
from index.ingest.build import build
from index.ingest.progress import Progress
from index.settings import IndexSettings


class BadCorpus(AsktopicError):
    """The corpus of a set cannot be ingested."""


def prepare_corpus(
    questions: QuestionSet,
    settings: IndexSettings,
    encoder: Encoder,
    *,
    corpus: Sequence[Path] = (),
    progress: Progress | None = None,
) -> IndexSettings:
    """Bring an index over a set's corpus up to date and return where it lies.

    `corpus` stands in for the paths that the set names. A set with neither is asked over the index in the
    data folder, as it is. The index is kept below `eval/` in the data folder, so that the next run of the
    set encodes nothing anew; where the program has changed what an index is, it is rebuilt. Raises
    `BadCorpus` where nothing of the corpus can be used.
    """
    paths = list(corpus or questions.paths)
    if not paths and not questions.records:
        return settings
    named = "\0".join(str(path.resolve()) for path in paths)
    label = f"{questions.name}-{hashlib.blake2b(named.encode(), digest_size=4).hexdigest()}"
    home = settings.data_dir / "eval" / "corpora" / label
    if questions.records and not corpus:
        home.mkdir(parents=True, exist_ok=True)
        write_lines(home / "records.jsonl", questions.records)
        paths.append(home / "records.jsonl")
    own = settings.model_copy(update={"data_dir": home / "index"})
    try:
        report = build(paths, own, prune=True, encoder=encoder, progress=progress)
    except IndexMismatch:
        # It is the evaluation's own, so nobody has to be asked whether to bring it up to date.
        report = build(paths, own, prune=True, rebuild=True, encoder=encoder, progress=progress)
    if not report.usable:
        why = "".join(f"; {item.where}: {item.reason}" for item in report.quarantined[:1])
        raise BadCorpus(f"nothing in {', '.join(map(str, paths))} can be ingested{why}")
    return own
