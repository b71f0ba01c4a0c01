"""Which importer reads a path: decided by names and first bytes."""

from __future__ import annotations

from pathlib import Path

from eval.questions.importers.beir import Beir
from eval.questions.importers.importer import Importer
from eval.questions.importers.pubmedqa import PubMedQA, PubMedQAOriginal
from eval.questions.importers.ragas import Ragas
from eval.questions.importers.scholarqa import ScholarQA, ScholarQACS
from eval.questions.importers.scifact import SciFact
from eval.questions.importers.table import Table
from eval.questions.importers.trec import Trec


def importers() -> tuple[Importer, ...]:
    """Every importer, the narrower format before the wider one that it is a case of."""
    return (
        SciFact(),
        Beir(),
        PubMedQA(),
        PubMedQAOriginal(),
        ScholarQACS(),
        Ragas(),
        ScholarQA(),
        Table(),
        Trec(),
    )


def importer_of(path: Path) -> Importer | None:
    """Return the importer that knows this file or folder; None if none does."""
    return next((importer for importer in importers() if importer.matches(path)), None)
