"""TREC topics and qrels: `<top>` blocks, TREC-COVID's `<topic>`, or a tab-separated id and text a line."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path

from eval.questions.gathering import BadQuestionSet, Gathering
from eval.questions.importers.beir import MAX_QRELS, Judgements, whole_number
from eval.questions.importers.importer import Imported, beside, chosen_split, judged
from eval.questions.question import EvalQuestion
from eval.questions.rows import MAX_DOCUMENT
from index.errors import SourceError
from index.sources.opening import decode_head, read_head, read_text

_BLOCK = re.compile(r"<top(?:ic)?\b(?P<attributes>[^>]*)>(?P<body>.*?)(?=</?top(?:ic)?\b|\Z)", re.S | re.I)
_OPENING = re.compile(r"\s*(?:<\?xml[^>]*>\s*)?(?:<!DOCTYPE[^>]*>\s*)?<top(?:ic)?s?\b", re.I)
_FIELD = re.compile(r"<(num|title|query|question|desc)\b[^>]*>([^<]*)", re.I)
_NUMBER = re.compile(r'\bnumber\s*=\s*["\']?([^"\'\s>]+)', re.I)
_LABEL = re.compile(r"^\s*(?:Number|Topic|Description)\s*:", re.I)
_LINE = re.compile(r"\S+\t[^\t]*[^\W\d_][^\t]*")
_COLUMNS = ("topic", "iteration", "document", "grade")

Topics = Iterator[tuple[int, str, str]]
"""Line, id and text of each topic."""


class Trec:
    """Topics with their judgements, which lie beside them in files whose names hold `qrels`.

    The text asked is TREC-COVID's `question` where there is one, else the title, else the description. A
    topic that is not judged is left out, as `trec_eval` leaves it out. Where there are several files of
    qrels, the split is the part of the name behind `qrels`: `test` for `qrels.test.txt`.
    """

    name = "TREC topics (<top> blocks, or id and text parted by a tab) with qrels beside them"

    def matches(self, path: Path) -> bool:
        topics = _topics_file(path)
        if topics is None:
            return False
        opening = _opening(topics)
        lines = [line for line in opening.split("\n")[:-1] or [opening] if line.strip()]
        tabbed = bool(lines) and all(_LINE.fullmatch(line) for line in lines)
        return bool(_OPENING.match(opening)) or (tabbed and bool(_qrels_files(topics.parent)))

    def read(self, path: Path, split: str | None) -> Imported:
        topics = _topics_file(path)
        files = _qrels_files(topics.parent) if topics else {}
        if topics is None or not files:
            raise BadQuestionSet(f"{path}: expected TREC qrels beside the topics, in a file named qrels…")
        chosen = chosen_split(path, split, files, "test")
        gathering = Gathering(topics)
        judgements = read_qrels(files[chosen], gathering)
        text = ""
        with gathering.at(str(topics)):
            text = read_text(topics, MAX_DOCUMENT)
        for line, key, asked in _blocks(text) if _OPENING.match(text) else _lines(text):
            where = f"{topics}:{line}"
            with gathering.at(where):
                if not key:
                    raise ValueError("num: expected a topic's number, found none")
                if key in judgements:
                    question = EvalQuestion(
                        id=key, question=asked, relevant=dict(judgements[key]), source=f"TREC {topics.stem}"
                    )
                    gathering.add(where, question)
        corpus = beside(topics.parent, "corpus.jsonl")
        return Imported(gathering.done(), (corpus,) if corpus else (), split=chosen)


def read_qrels(path: Path, gathering: Gathering) -> Judgements:
    """Read four columns: topic, iteration (unused), document, grade. A negative grade counts as 0."""
    found: dict[str, dict[str, int]] = {}
    lines: list[str] = []
    with gathering.at(str(path)):
        lines = read_text(path, MAX_QRELS).split("\n")
    for number, line in enumerate(lines, 1):
        cells = line.split()
        if not cells:
            continue
        with gathering.at(f"{path}:{number}"):
            if len(cells) != len(_COLUMNS):
                raise ValueError(f"expected four columns ({', '.join(_COLUMNS)}), got {len(cells)}")
            topic, _, source, grade = cells
            found.setdefault(topic, {}).update(judged([(source, whole_number(grade))]))
    return found


def _topics_file(path: Path) -> Path | None:
    if path.is_file():
        return None if "qrels" in path.name.casefold() else path
    if not path.is_dir():
        return None
    named = [file for file in sorted(path.iterdir()) if file.is_file() and "topics" in file.name.casefold()]
    return next((file for file in named if "qrels" not in file.name.casefold()), None)


def _qrels_files(folder: Path) -> dict[str, Path]:
    """Return the files of judgements by split."""
    found = {}
    for file in sorted(folder.iterdir()):
        before, marker, behind = file.name.casefold().partition("qrels")
        if marker and file.is_file():
            stem = re.sub(r"(\.(txt|tsv|qrels|gz|xz))+$", "", behind)
            found[stem.strip("._- ") or before.strip("._- ") or "qrels"] = file
    return found


def _opening(path: Path) -> str:
    try:
        return decode_head(read_head(path)) or ""
    except SourceError:
        return ""


def _blocks(text: str) -> Topics:
    line, at = 1, 0
    for block in _BLOCK.finditer(text):
        line, at = line + text.count("\n", at, block.start()), block.start()
        fields = {
            name.casefold(): " ".join(_LABEL.sub("", html.unescape(value)).split())
            for name, value in _FIELD.findall(block["body"])
        }
        number = _NUMBER.search(block["attributes"])
        key = fields.get("num") or (number[1] if number else "")
        asked = next(
            (fields[name] for name in ("question", "title", "query", "desc") if fields.get(name)), ""
        )
        yield line, key, asked


def _lines(text: str) -> Topics:
    for number, line in enumerate(text.split("\n"), 1):
        key, _, asked = line.partition("\t")
        if line.strip():
            yield number, key.strip(), asked.strip()
