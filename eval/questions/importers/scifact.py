"""SciFact: claims with the sentences that support or contradict them (Wadden et al., 2020).

A BEIR folder that also has `evidence.jsonl`: a line a claim, with `claim_id`, `split`, `cited_doc_ids` and
`evidence`, which maps a document to a `label` and to rationales: lists of numbers into the document's
`sentences` in the corpus, each list enough by itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from eval.questions.gathering import Gathering
from eval.questions.importers.beir import DEFAULT_SPLIT, corpus, judged_queries, splits
from eval.questions.importers.importer import Imported, beside, chosen_split
from eval.questions.question import EvalQuestion, Nugget
from eval.questions.rows import json_lines
from index.sources.validation import shown

_LABELS = {"SUPPORT": "supported", "CONTRADICT": "contradicted"}


class SciFact:
    """A claim is asked as it stands. What the annotators found decides its category:

    - `supported`, `contradicted`, or `mixed` where documents disagree: the evidence sentences are nuggets,
      and one of the documents that hold them must be cited;
    - `no_evidence`: the documents it was written from are relevant, but no sentence of theirs decides it.
      It still counts for retrieval, so it stays answerable and has neither nuggets nor what to cite.

    The first rationale of a document is vital; as each is enough by itself, a sentence of another is as
    good. The sentences of the others are good to have.
    """

    name = "SciFact folder (a BEIR folder with evidence.jsonl)"

    def matches(self, path: Path) -> bool:
        return path.is_dir() and beside(path, "evidence.jsonl") is not None and bool(splits(path))

    def read(self, path: Path, split: str | None) -> Imported:
        chosen = chosen_split(path, split, splits(path), DEFAULT_SPLIT)
        gathering = Gathering(path)
        evidence = _evidence(path, gathering)
        queries = judged_queries(path, chosen, gathering)
        paths, records = corpus(path, gathering)
        wanted = {document for _, key, _, _ in queries for document in evidence.get(key, ())}
        sentences = _sentences(path, wanted)
        for where, key, text, grades in queries:
            with gathering.at(where):
                found = evidence.get(key, {})
                gathering.add(
                    where,
                    EvalQuestion(
                        id=key,
                        question=text,
                        category=_category(found),
                        relevant=dict(grades),
                        must_cite=tuple(document for document in found if grades.get(document)),
                        nuggets=_nuggets(found, sentences),
                        source="SciFact (Wadden et al., 2020)",
                        licence="CC BY 4.0; abstracts ODC-BY 1.0",
                    ),
                )
        return Imported(gathering.done(), paths, records, chosen)


Evidence = Mapping[str, tuple[str, Sequence[Sequence[int]]]]
"""Label and rationales by document."""


def _evidence(folder: Path, gathering: Gathering) -> dict[str, Evidence]:
    found: dict[str, Evidence] = {}
    file = beside(folder, "evidence.jsonl") or folder / "evidence.jsonl"
    for row in json_lines(file, gathering):
        with gathering.at(row.where):
            documents = row.values.get("evidence")
            if not isinstance(documents, dict):
                raise ValueError(f"evidence: expected an object, got {shown(documents)}")
            found[row.required("claim_id")] = {
                document: _labelled(document, value) for document, value in documents.items()
            }
    return found


def _labelled(document: str, value: Any) -> tuple[str, Sequence[Sequence[int]]]:
    label = value.get("label") if isinstance(value, dict) else None
    if label not in _LABELS:
        raise ValueError(
            f"evidence.{document}.label: expected one of {', '.join(_LABELS)}, got {shown(label)}"
        )
    groups = value.get("sentences")
    if not isinstance(groups, list) or not all(
        isinstance(group, list) and all(type(number) is int and number >= 0 for number in group)
        for group in groups
    ):
        raise ValueError(f"evidence.{document}.sentences: expected lists of whole numbers from 0")
    return _LABELS[label], groups


def _sentences(folder: Path, wanted: set[str]) -> dict[str, list[str]]:
    """Return the sentences of the wanted documents; one without any is left out."""
    file = beside(folder, "corpus.jsonl")
    found: dict[str, list[str]] = {}
    if file is None:
        return found
    for row in json_lines(file, Gathering(file)):  # its faults are the corpus's own
        key, sentences = str(row.values.get("_id")), row.values.get("sentences")
        if key in wanted and isinstance(sentences, list):
            found[key] = [str(sentence).strip() for sentence in sentences]
    return found


def _category(evidence: Evidence) -> str:
    labels = {label for label, _ in evidence.values()}
    return "no_evidence" if not labels else labels.pop() if len(labels) == 1 else "mixed"


def _nuggets(evidence: Evidence, sentences: Mapping[str, list[str]]) -> tuple[Nugget, ...]:
    """Return a nugget an evidence sentence. Raises `ValueError` on a document that the corpus lacks."""
    found: dict[str, Nugget] = {}
    for document, (_, rationales) in evidence.items():
        if document not in sentences:
            raise ValueError(f"evidence names document {document!r}, which has no sentences in the corpus")
        texts = sentences[document]
        # A few numbers point beyond the abstract's end.
        groups = [[texts[number] for number in group if number < len(texts)] for group in rationales]
        groups = [kept for group in groups if (kept := [text for text in group if text])]
        others = tuple(dict.fromkeys(text for group in groups[1:] for text in group))
        for text in groups[0] if groups else ():
            found.setdefault(text, Nugget(text=text, accepted=others))
        for text in others:
            found.setdefault(text, Nugget(text=text, vital=False))
    return tuple(found.values())
