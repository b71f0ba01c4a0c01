"""Ask a system every question of a set, and keep what it said.

What came of a question is written at once, so that a run that was killed goes on where it stopped.
"""

from __future__ import annotations

import datetime as dt
import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager, suppress
from pathlib import Path

from pydantic import BaseModel, JsonValue

from eval import machine
from eval.outcome import Outcome, Ranked
from eval.questions.question import EvalQuestion
from eval.questions.reading import fingerprint, write_questions
from eval.runs import trec
from eval.runs.folder import BadRun, RunFolder, write_lines
from eval.runs.manifest import Manifest, SetInfo
from eval.runs.system import System, SystemFailed
from index.errors import AsktopicError, IndexLocked, UnknownSource
from index.ingest.lock import exclusive
from index.ingest.progress import Progress, Silent
from rag.answer import MAX_QUESTION, SearchRequest, SourceInfo

LOCK = "run.lock"
DEPTH = 100
"""Sources retrieved for each question: what recall@100 needs, and the most that search gives."""
SAME = ("system", "code", "set", "settings", "seed")
"""What of a manifest has to agree for a run to be taken up again."""


def execute(
    system: System,
    questions: Sequence[EvalQuestion],
    out: Path,
    *,
    set_name: str,
    settings: Mapping[str, JsonValue] | None = None,
    corpus: str = "",
    model: str = "",
    seed: int = 0,
    workers: int = 1,
    progress: Progress | None = None,
) -> RunFolder:
    """Ask every question, and write the run folder but for its scores.

    Questions are asked in an order that the seed shuffles, so that no category has the cold caches to
    itself. With several workers latencies are those under that load. Where `out` holds a part of the same
    run, only what is missing, or failed, is asked; where it holds another, `BadRun` says what differs. One
    failing question is an outcome with an `error`; a system that is not ready at all raises `SystemFailed`.
    An index that holds what a question calls left out could answer what it is to refuse: `BadRun`.
    """
    if not questions:
        raise BadRun("the set has no questions to ask")
    ready = system.readiness()
    if not ready.ready:
        raise SystemFailed(f"{system.name} is not ready: {ready.message}")
    _check_left_out(system, questions)
    manifest = Manifest(
        system=system.name,
        code=system.code,
        set=SetInfo(name=set_name, fingerprint=fingerprint(questions), questions=len(questions)),
        settings=dict(settings or {}),
        corpus=corpus or f"{ready.sources:,} sources, {ready.chunks:,} passages",
        model=model,
        seed=seed,
        workers=workers,
        machine=f"{machine.processor()}; {machine.system()}",
        started=dt.datetime.now(dt.UTC),
    )
    with _alone(out):
        return _execute(system, questions, out, manifest, progress or Silent())


def _execute(
    system: System, questions: Sequence[EvalQuestion], out: Path, manifest: Manifest, progress: Progress
) -> RunFolder:
    done = _take_up(out, manifest, questions)
    missing = [question for question in questions if question.id not in done]
    random.Random(manifest.seed).shuffle(missing)  # noqa: S311 - an order, no secret
    if missing:
        system.warm_up()
    progress.stage("ask", len(missing), "questions")
    with _appending(out / "outcomes.jsonl") as append:
        for outcome in _ask_all(system, missing, manifest.workers):
            append(outcome)
            progress.advance()
    folder = RunFolder(out)
    outcomes = folder.outcomes
    _finish(folder, system, [outcomes[question.id] for question in questions])
    return RunFolder(out)


def _check_left_out(system: System, questions: Sequence[EvalQuestion]) -> None:
    """Raise `BadRun` where a source that must not be there is."""
    for source_id in sorted({source for question in questions for source in question.without}):
        with suppress(UnknownSource):
            system.source(source_id)
            raise BadRun(
                f"{system.name} holds {source_id!r}, which answers a question that is to be refused; "
                "`asktopic eval make corpus` makes a corpus without such sources"
            )


def ask(system: System, question: EvalQuestion) -> Outcome:
    """Ask one question, then for the ranking behind it. Whatever goes wrong is told in `error`.

    The ranking is that of the question as it was understood: a follow-up means nothing without what it
    follows, and search takes no history.
    """
    request = question.request()
    try:
        started = time.perf_counter()
        answer = system.ask(request)
        ask_ms = _since(started)
        search = SearchRequest(
            query=answer.understood.text[:MAX_QUESTION],
            topic=request.topic,
            filters=request.filters,
            limit=DEPTH,
        )
        started = time.perf_counter()
        found = system.search(search)
        search_ms = _since(started)
    except Exception as error:  # noqa: BLE001 - whatever a system throws is its failure, and is shown
        message = error.message if isinstance(error, AsktopicError) else f"{type(error).__name__}: {error}"
        return Outcome(question_id=question.id, error=message)
    ranked = {
        result.id: Ranked(id=result.id, title=result.title, score=result.score) for result in found.results
    }
    return Outcome(
        question_id=question.id,
        ranked=tuple(ranked.values()),
        answer=answer,
        ask_ms=ask_ms,
        search_ms=search_ms,
    )


def _since(started: float) -> float:
    """Return the milliseconds since a reading of the clock, to the microsecond."""
    return round((time.perf_counter() - started) * 1_000, 3)


def _ask_all(system: System, questions: Sequence[EvalQuestion], workers: int) -> Iterator[Outcome]:
    """Yield outcomes as they come."""
    if workers == 1:
        yield from (ask(system, question) for question in questions)
        return
    with ThreadPoolExecutor(workers) as pool:
        futures = [pool.submit(ask, system, question) for question in questions]
        try:
            for future in as_completed(futures):
                yield future.result()
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def _take_up(out: Path, manifest: Manifest, questions: Sequence[EvalQuestion]) -> Mapping[str, Outcome]:
    """Begin a run folder, or return what an interrupted run of the same kind has already asked."""
    file = out / "manifest.json"
    if file.exists():
        found = RunFolder(out).manifest
        differing = [name for name in SAME if getattr(found, name) != getattr(manifest, name)]
        if differing:
            raise BadRun(
                f"{out} holds another run: {', '.join(differing)} differ; name another folder, or remove it"
            )
        return _mend(out / "outcomes.jsonl")
    if any(entry.name != LOCK for entry in out.iterdir()):
        raise BadRun(f"{out} holds something that is no run; name another folder")
    write_questions(out / "questions.jsonl", questions)
    # Last, for a folder with a manifest is a run that can be taken up.
    file.write_text(manifest.model_dump_json(indent=2), "utf-8")
    return {}


@contextmanager
def _alone(out: Path) -> Iterator[None]:
    """Make the folder and hold it for the block. Raises `BadRun` where that cannot be."""
    made = not out.exists()
    try:
        out.mkdir(parents=True, exist_ok=True)
        with exclusive(out / LOCK):
            try:
                yield
            finally:
                (out / LOCK).unlink()
                if made and not any(out.iterdir()):
                    out.rmdir()
    except IndexLocked:
        raise BadRun(f"another run writes into {out}; wait for its end, or name another folder") from None
    except OSError as error:
        raise BadRun(f"{out} cannot be written: {error.strerror}") from error


def _mend(file: Path) -> Mapping[str, Outcome]:
    """Return the outcomes of a file without those that failed, which are asked again, and without a last
    line that was written in part."""
    outcomes = {name: found for name, found in RunFolder(file.parent).outcomes.items() if found.answer}
    if file.exists():
        write_lines(file, outcomes.values())
    return outcomes


@contextmanager
def _appending(file: Path) -> Iterator[Callable[[BaseModel], None]]:
    """Give a function that appends a line and sees to it that it is on its way to the disk."""
    with file.open("a", encoding="utf-8") as lines:

        def append(line: BaseModel) -> None:
            lines.write(line.model_dump_json(by_alias=True) + "\n")
            lines.flush()

        yield append


def _finish(folder: RunFolder, system: System, outcomes: Sequence[Outcome]) -> None:
    """Write what is known only when all was asked, and the outcomes in the order of the set."""
    out = folder.path
    write_lines(out / "outcomes.jsonl", outcomes)
    cited = {c.source_id for outcome in outcomes if outcome.answer for c in outcome.answer.citations}
    write_lines(out / "sources.jsonl", _sources(system, sorted(cited)))
    trec.write_run(out / "run.trec", {o.question_id: o.ranked for o in outcomes}, tag="asktopic")
    trec.write_qrels(out / "qrels.trec", folder.questions)
    provenances = [outcome.answer.provenance for outcome in outcomes if outcome.answer]
    manifest = folder.manifest.model_copy(
        update={
            "finished": dt.datetime.now(dt.UTC),
            # Several where the index changed while the run went on: that is for its reader to see.
            "index": ", ".join(sorted({provenance.index for provenance in provenances})),
            "encoder": ", ".join(sorted({provenance.encoder for provenance in provenances})),
            "answerer": ", ".join(sorted({f"{p.answerer} of {p.version}" for p in provenances})),
            "reranker": ", ".join(sorted({p.reranker for p in provenances if p.reranker})),
        }
    )
    (out / "manifest.json").write_text(manifest.model_dump_json(indent=2), "utf-8")


def _sources(system: System, ids: Sequence[str]) -> Iterator[SourceInfo]:
    """Yield the sources that exist; a quote of one that does not is found out by its metric.

    A system that cannot be asked for them raises `SystemFailed`: its quotes are not to be called made up.
    """
    for source_id in ids:
        with suppress(UnknownSource):
            yield system.source(source_id)
