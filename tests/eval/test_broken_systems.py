"""Ten systems, each broken in one way, are caught by the metric that is meant for it.

Each is the real engine over the starter set with one thing spoilt on the way out; the gate that the
project's own CI runs has to close on it, and to name that metric.
"""

from __future__ import annotations

import functools
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from eval.compare.comparison import compare
from eval.evaluate import load_run
from eval.gate.gate import GateResult, check_gate
from eval.gate.thresholds import load_thresholds
from eval.questions.sets import QuestionSet, open_set
from eval.runs.execute import execute
from eval.runs.system import InProcess, System
from eval.scores import Scores
from eval.scoring import score
from index.encoder import Encoder
from index.ingest.build import build
from index.settings import IndexSettings
from index.text.sentences import sentences
from rag.answer import Answer, AskRequest, Citation, SearchRequest, SearchResponse, SourceRef
from rag.engine import Engine

THRESHOLDS = Path(__file__).parents[2] / "eval" / "sets" / "starter" / "thresholds.yaml"
SEED = 11


@pytest.fixture(scope="module")
def starter() -> QuestionSet:
    return open_set("starter")


class Remembering(InProcess):
    """The engine, which thinks once about what it is asked by eleven systems."""

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine)
        self.ask = functools.cache(engine.ask)
        self.search = functools.cache(engine.search)
        self.source = functools.cache(engine.source)


@pytest.fixture(scope="module")
def started(
    starter: QuestionSet, encoder: Encoder, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Engine]:
    """The engine over the set's corpus: the starter set and the documents with hidden instructions."""
    settings = IndexSettings(data_dir=tmp_path_factory.mktemp("evaluated") / "data")
    build(list(starter.paths), settings, encoder=encoder)
    with Engine(settings, encoder=encoder) as engine:
        yield engine


@pytest.fixture(scope="module")
def evaluated(started: Engine) -> Remembering:
    return Remembering(started)


def run(system: System, questions: QuestionSet, out: Path) -> Scores:
    folder = execute(system, questions.questions, out, set_name="starter", seed=SEED)
    return score(load_run(folder))


@pytest.fixture(scope="module")
def healthy(evaluated: Remembering, starter: QuestionSet, tmp_path_factory: pytest.TempPathFactory) -> Scores:
    return run(evaluated, starter, tmp_path_factory.mktemp("healthy") / "run")


def verdict(scores: Scores, baseline: Scores) -> GateResult:
    return check_gate(load_thresholds(THRESHOLDS), scores, baseline)


class Spoilt:
    """A system with its answers or its rankings passed through a function."""

    def __init__(
        self,
        engine: InProcess,
        answer: Callable[[InProcess, AskRequest, Answer], Answer] = lambda engine, request, answer: answer,
        ranking: Callable[[SearchResponse], SearchResponse] = lambda found: found,
    ) -> None:
        self.name, self.code = engine.name, engine.code
        self.source, self.readiness, self.warm_up = engine.source, engine.readiness, engine.warm_up

        def ask(request: AskRequest) -> Answer:
            return answer(engine, request, engine.ask(request))

        def search(request: SearchRequest) -> SearchResponse:
            return ranking(engine.search(request))

        self.ask, self.search = ask, search


def quoted(
    engine: InProcess, request: AskRequest, which: Callable[[list[tuple[int, int]]], int]
) -> Citation | None:
    """Cite one sentence of the source that is found first, exactly; None where nothing is found."""
    found = engine.search(SearchRequest(query=request.question, topic=request.topic, filters=request.filters))
    if not found.results:
        return None
    passage = found.results[0].passages[0]
    spans = sentences(passage.text)
    start, end = spans[which(spans)]
    return Citation(
        n=1,
        source_id=found.results[0].id,
        start_index=0,
        end_index=end - start,
        quote=passage.text[start:end],
        chunk_id=passage.chunk_id,
        field=passage.field,
        quote_start=passage.start + start,
        quote_end=passage.start + end,
        support="quoted",
        score=1.0,
    )


def saying(answer: Answer, text: str, citation: Citation) -> Answer:
    """The answer with one sentence in place of its own."""
    source = SourceRef(n=1, id=citation.source_id, kind="paper", title="", score=1.0)
    spoilt = {
        "answered": True,
        "kind": "passage",
        "reason": None,
        "answer": f"{text} [1]",
        "citations": (citation.model_copy(update={"end_index": len(text)}),),
        "sources": (source,),
    }
    return answer.model_copy(update=spoilt)


def reworded(answer: Answer, reword: Callable[[str], str]) -> Answer:
    """The answer with every sentence changed, and its quotes left as they are."""
    parts: list[str] = []
    citations = []
    length = 0
    for citation in answer.citations:
        text = reword(answer.answer[citation.start_index : citation.end_index])
        citations.append(citation.model_copy(update={"start_index": length, "end_index": length + len(text)}))
        parts.append(f"{text} [{citation.n}] ")
        length += len(parts[-1])
    return answer.model_copy(update={"answer": "".join(parts).strip(), "citations": tuple(citations)})


def shuffled(found: SearchResponse) -> SearchResponse:
    results = list(found.results)
    random.Random(SEED).shuffle(results)
    return found.model_copy(update={"results": tuple(results)})


def last_sentence(engine: InProcess, request: AskRequest, answer: Answer) -> Answer:
    citation = quoted(engine, request, lambda spans: len(spans) - 1)
    return saying(answer, citation.quote, citation) if answer.answered and citation else answer


def wrong_paper(engine: InProcess, request: AskRequest, answer: Answer) -> Answer:
    """Cite, for every sentence, a sentence that does stand in another paper."""
    others = [related for related in answer.related if related.kind == "paper"]
    if not answer.citations or not others:
        return answer
    text = engine.source(others[0].id).fields[0]
    start, end = sentences(text.text)[0]
    wrong = {
        "source_id": others[0].id,
        "field": text.field,
        "quote": text.text[start:end],
        "quote_start": start,
        "quote_end": end,
    }
    citations = tuple(citation.model_copy(update=wrong) for citation in answer.citations)
    return answer.model_copy(update={"citations": citations})


def cites_everything(engine: InProcess, request: AskRequest, answer: Answer) -> Answer:
    citations = list(answer.citations)
    for related in answer.related:
        text = engine.source(related.id).fields[0]
        start, end = sentences(text.text)[0]
        citations += [
            citation.model_copy(
                update={
                    "source_id": related.id,
                    "field": text.field,
                    "quote": text.text[start:end],
                    "quote_start": start,
                    "quote_end": end,
                }
            )
            for citation in answer.citations
        ]
    return answer.model_copy(update={"citations": tuple(citations)})


def other_number(text: str) -> str:
    return re.sub(r"\d+", lambda number: str(int(number[0]) + 1), text)


def without_not(text: str) -> str:
    return re.sub(
        r"\b(?:is|are|was|were|does|do|did|can|could|would|will)?\s*\b(?:not|no|never)\b ?", " ", text
    )


def refuses(engine: InProcess, request: AskRequest, answer: Answer) -> Answer:
    refusal = {"answered": False, "kind": "refusal", "answer": "", "citations": (), "sources": ()}
    return answer.model_copy(update=refusal)


def never_refuses(engine: InProcess, request: AskRequest, answer: Answer) -> Answer:
    if answer.answered:
        return answer
    citation = quoted(engine, request, lambda spans: 0)
    return saying(answer, citation.quote, citation) if citation else answer


def echoes(engine: InProcess, request: AskRequest, answer: Answer) -> Answer:
    citation = quoted(engine, request, lambda spans: 0)
    return saying(answer, request.question, citation) if answer.answered and citation else answer


def crashes_on_every_seventh() -> Callable[[InProcess, AskRequest, Answer], Answer]:
    count = 0

    def spoil(engine: InProcess, request: AskRequest, answer: Answer) -> Answer:
        nonlocal count
        count += 1
        if count % 7 == 0:
            raise MemoryError("no room for the seventh")
        return answer

    return spoil


@dataclass(frozen=True)
class Broken:
    name: str
    system: Callable[[InProcess], System]
    metric: str


BROKEN = (
    Broken("shuffled ranking", lambda engine: Spoilt(engine, ranking=shuffled), "ndcg@10"),
    Broken("last sentence always", lambda engine: Spoilt(engine, last_sentence), "nuggets_vital_strict"),
    Broken("cites the wrong paper", lambda engine: Spoilt(engine, wrong_paper), "must_cite"),
    Broken("cites everything", lambda engine: Spoilt(engine, cites_everything), "citation_precision"),
    Broken(
        "changes a number",
        lambda engine: Spoilt(engine, lambda _e, _r, answer: reworded(answer, other_number)),
        "number_accuracy",
    ),
    Broken(
        'drops "not"',
        lambda engine: Spoilt(engine, lambda _e, _r, answer: reworded(answer, without_not)),
        "citation_recall",
    ),
    Broken("refuses all", lambda engine: Spoilt(engine, refuses), "answer_rate"),
    Broken("never refuses", lambda engine: Spoilt(engine, never_refuses), "refusal_recall"),
    Broken("echoes the question", lambda engine: Spoilt(engine, echoes), "nuggets_vital_strict"),
    Broken("crashes on every seventh", lambda engine: Spoilt(engine, crashes_on_every_seventh()), "crashed"),
)


def test_the_healthy_system_passes_the_gate(healthy: Scores) -> None:
    result = verdict(healthy, healthy)
    assert [check.message for check in result.checks if not check.passed] == []


@pytest.mark.parametrize("broken", BROKEN, ids=lambda broken: broken.name)
def test_a_broken_system_is_caught_by_the_metric_meant_for_it(
    broken: Broken, evaluated: Remembering, starter: QuestionSet, healthy: Scores, tmp_path: Path
) -> None:
    scores = run(broken.system(evaluated), starter, tmp_path / "run")
    failed = {check.metric for check in verdict(scores, healthy).checks if not check.passed}
    assert broken.metric in failed
    change = next(
        row for row in compare(healthy, scores, resamples=200).metrics if row.metric == broken.metric
    )
    assert change.losses > change.wins


def test_two_identical_runs_do_not_differ(
    started: Engine, starter: QuestionSet, healthy: Scores, tmp_path: Path
) -> None:
    again = run(InProcess(started), starter, tmp_path / "run")
    timed = {"latency_ms", "search_ms", "latency_p50", "latency_p95", "latency_p99"}
    first, second = compare(healthy, again), compare(healthy, again)
    assert first == second
    for row in first.metrics:
        if row.metric not in timed:
            assert (row.metric, row.difference, row.p) == (row.metric, 0.0, 1.0)
