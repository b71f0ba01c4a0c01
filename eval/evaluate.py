"""From a run folder to its figures: what every command that scores, compares or shows a run uses."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path

from eval.case import Run, cases_of
from eval.questions.question import EvalQuestion
from eval.runs.folder import RunFolder
from eval.scoring import score
from eval.summary import Summary, summarise
from rag.verify import Verifier, idf_of_texts


def load_run(folder: RunFolder) -> Run:
    """Read what a run asked and was answered. The verifier weighs terms by the texts that the run cites."""
    texts = [field.text for source in folder.sources.values() for field in source.fields]
    return Run(
        cases=cases_of(folder.questions, folder.outcomes),
        sources=folder.sources,
        verifier=Verifier(idf_of_texts(texts)),
    )


def score_run(folder: RunFolder) -> Summary:
    """Score a run with the metrics of this program, and write `scores.csv` and `summary.json`.

    Raises `BadRun` where the folder does not hold all that was asked: its scores are left as they are.
    """
    folder.check_questions()
    scores = score(load_run(folder))
    scores.write(folder.path / "scores.csv")
    summary = summarise(scores)
    (folder.path / "summary.json").write_text(summary.model_dump_json(indent=2), "utf-8")
    return summary


def sample(questions: Sequence[EvalQuestion], size: int | None, seed: int) -> tuple[EvalQuestion, ...]:
    """Draw so many questions, in the order of the set; all where there are no more."""
    if size is None or size >= len(questions):
        return tuple(questions)
    kept = set(random.Random(seed).sample(range(len(questions)), size))  # noqa: S311 - a draw, no secret
    return tuple(question for n, question in enumerate(questions) if n in kept)


def save_baseline(folder: RunFolder, out: Path) -> None:
    """Keep of a run what later ones are compared with: what produced it, and its scores."""
    out.mkdir(parents=True, exist_ok=True)
    manifest = json.loads(folder.manifest.model_dump_json())
    (out / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n", "utf-8")
    folder.scores.write(out / "scores.csv")
