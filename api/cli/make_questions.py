"""`asktopic eval make …`: questions made from questions, from a corpus, or from what readers said."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from api.cli.options import DataDir, engine_over, settings_of, shown_errors

if TYPE_CHECKING:
    from collections.abc import Iterable

    from eval.questions.question import EvalQuestion
    from eval.questions.sets import QuestionSet
    from index.records import Record

app = typer.Typer(name="make", help="Make question sets.", no_args_is_help=True)

SetName = Annotated[str, typer.Argument(metavar="SET", help="Set to start from.", show_default=False)]
Out = Annotated[Path, typer.Argument(metavar="FOLDER", help="Set folder to write.", show_default=False)]
Corpus = Annotated[
    list[Path] | None, typer.Option(help="What the set is asked over, if not its own; may be repeated.")
]
Split = Annotated[str | None, typer.Option(help="Part of the set, where it has several.")]
Seed = Annotated[int, typer.Option(help="Decides every draw.")]
Replace = Annotated[bool, typer.Option("--replace", help="Replace the set in that folder.")]
SHOWN_BAD = 10


@app.command("near-miss")
def near_miss(
    questions: SetName,
    out: Out,
    share: Annotated[float, typer.Option(help="Share of the answerable questions.")] = 0.5,
    corpus: Corpus = None,
    split: Split = None,
    seed: Seed = 0,
    replace: Replace = False,
) -> None:
    """Take away the papers that answer some of the questions, which then must be refused."""
    with shown_errors():
        from eval.questions.make.near_miss import corpus_without, near_misses
        from eval.questions.make.writing import CannotMake

        start = _open(questions, split)
        records = _corpus(start, corpus)
        if not 0 < share <= 1:
            raise CannotMake(f"--share is {share}; expected a share above 0, and 1 at most")
        papers = {record.id: record.title for record in records if record.kind == "paper"}
        made = near_misses(start.questions, share=share, seed=seed, papers=papers)
        paths = corpus or start.paths
        kept = corpus_without(paths, made.left_out) if paths else _without(records, made.left_out)
        _write(out, made.questions, kept, replace=replace)


@app.command()
def paraphrases(
    questions: SetName,
    out: Out,
    each: Annotated[int, typer.Option(min=1, help="Most rewordings of one question.")] = 2,
    split: Split = None,
    seed: Seed = 0,
    replace: Replace = False,
) -> None:
    """Ask the same in other words, beside the originals."""
    with shown_errors():
        from eval.questions.make.paraphrase import paraphrases as reworded

        start = _open(questions, split)
        made = reworded(start.questions, each=each, seed=seed)
        _write(out, _beside(start.questions, made), own_corpus(start), replace=replace)


@app.command()
def typos(
    questions: SetName, out: Out, split: Split = None, seed: Seed = 0, replace: Replace = False
) -> None:
    """Misspell a word or two of every question, beside the originals."""
    with shown_errors():
        from eval.questions.make.typos import typos as misspelt

        start = _open(questions, split)
        made = misspelt(start.questions, seed=seed)
        _write(out, _beside(start.questions, made), own_corpus(start), replace=replace)


@app.command()
def injections(
    questions: SetName,
    out: Out,
    limit: Annotated[int | None, typer.Option(min=1, help="Most questions to take.")] = None,
    corpus: Corpus = None,
    split: Split = None,
    seed: Seed = 0,
    replace: Replace = False,
) -> None:
    """Hide instructions in copies of the documents that answer, and see who follows them."""
    with shown_errors():
        from eval.questions.make.injection import injections as injected

        start = _open(questions, split)
        records = _corpus(start, corpus)
        made = injected(start.questions, {record.id: record for record in records}, limit=limit, seed=seed)
        _write(out, made.questions, (*records, *made.records), replace=replace)


@app.command()
def catalog(
    out: Out,
    each: Annotated[int, typer.Option(min=1, help="Questions of each form and topic.")] = 5,
    seed: Seed = 0,
    replace: Replace = False,
    data_dir: DataDir = None,
) -> None:
    """Ask how many, which is the newest and who wrote it, with answers computed from the index."""
    with shown_errors():
        from eval.questions.make.catalog import catalog_questions, stored_papers

        with engine_over(settings_of(data_dir)) as engine:
            made = catalog_questions(stored_papers(engine), each=each, seed=seed)
        _write(out, made, replace=replace)


@app.command()
def corpus(
    paths: Annotated[
        list[Path], typer.Argument(metavar="PATH…", help="Files that ingest reads.", show_default=False)
    ],
    out: Annotated[Path, typer.Argument(metavar="FILE", help="JSON Lines to write.", show_default=False)],
    topic: Annotated[str, typer.Option("--topic", "-t", help="Keep this topic's papers.")],
    alias: Annotated[list[str] | None, typer.Option(help="Its other names; may be repeated.")] = None,
    without: Annotated[
        str | None, typer.Option(metavar="SET", help="Leave out what this set calls left out.")
    ] = None,
) -> None:
    """Write a topic's papers, without those that would answer what a set wants refused."""
    with shown_errors():
        from api.cli import output
        from eval.questions.make.near_miss import corpus_without
        from eval.questions.make.topic_corpus import left_out_by, topic_corpus
        from eval.runs.folder import write_lines
        from index.records import Topic, slugify

        left_out = left_out_by(_open(without, None).questions) if without else frozenset()
        about = Topic(slug=slugify(topic), name=topic, aliases=tuple(alias or ()))
        write_lines(out, topic_corpus(corpus_without(paths, left_out), about))
        output.say(f"written: {out}, {len(left_out):,} papers left out")


@app.command("known-items")
def known_items(
    out: Out,
    count: Annotated[int, typer.Option(min=1, help="Most questions to make.")] = 1_000,
    topic: Annotated[
        str | None, typer.Option("--topic", "-t", help="Only this topic's papers, asked inside it.")
    ] = None,
    seed: Seed = 0,
    replace: Replace = False,
    data_dir: DataDir = None,
) -> None:
    """Make questions of the stored papers, each of which should find its own: for speed, and a first look."""
    with shown_errors():
        from eval.questions.make.known_item import known_items as made_of
        from eval.questions.make.known_item import stored_papers
        from index.paths import DataPaths

        papers, slug = stored_papers(DataPaths(settings_of(data_dir).data_dir).catalog, topic)
        _write(out, made_of(papers, count, topic=slug, seed=seed), replace=replace)


@app.command()
def feedback(
    file: Annotated[Path, typer.Argument(help="JSON Lines of feedback.", show_default=False)],
    out: Out,
    comments: Annotated[bool, typer.Option(help="Keep what readers wrote.")] = True,
    replace: Replace = False,
) -> None:
    """Draft questions from answers that readers found no help, for a person to finish."""
    with shown_errors():
        from api.cli import output
        from eval.questions.make.feedback import drafts_from_feedback
        from index.errors import SourceError

        try:
            with file.open("rb") as lines:
                drafts = drafts_from_feedback(lines, comments=comments)
        except OSError as error:
            raise SourceError(file, None, f"cannot be read: {error.strerror}") from error
        for bad in drafts.bad[:SHOWN_BAD]:
            output.say(f"{file}:{bad.line}: {bad.reason}")
        if len(drafts.bad) > SHOWN_BAD:
            output.say(f"… and {len(drafts.bad) - SHOWN_BAD} more lines that are no feedback")
        _write(out, drafts.questions, replace=replace)
        output.say("These are drafts: say of each what a good answer holds, then take `draft` away.")


def _open(name: str, split: str | None) -> QuestionSet:
    from eval.questions.sets import open_set

    return open_set(name, split=split)


def _corpus(start: QuestionSet, corpus: list[Path] | None) -> list[Record]:
    """Read the documents that a set is asked over."""
    from eval.questions.make.writing import CannotMake
    from index.sources.base import Read
    from index.sources.detect import read

    if not corpus and start.records:
        return list(start.records)
    paths = corpus or start.paths
    if not paths:
        raise CannotMake(f"{start.name} has no corpus of its own; name it with --corpus")
    return [item.record for path in paths for item in read(path) if isinstance(item, Read)]


def own_corpus(start: QuestionSet) -> list[Record]:
    """The documents that come with a set, if any: a set made from it stands on its own."""
    return _corpus(start, None) if start.paths or start.records else []


def _without(records: Iterable[Record], left_out: frozenset[str]) -> list[Record]:
    return [record for record in records if record.id not in left_out]


def _beside(originals: Iterable[EvalQuestion], made: Iterable[EvalQuestion]) -> list[EvalQuestion]:
    """Put made questions beside those they were made of, in one cluster, so that they can be compared."""
    return [*(q.model_copy(update={"cluster": q.group}) for q in originals), *made]


def _write(
    out: Path, questions: Iterable[EvalQuestion], records: Iterable[Record] = (), *, replace: bool
) -> None:
    from api.cli import output
    from eval.questions.make.writing import write_set

    output.say(f"written: {out}, {write_set(out, questions, records, replace=replace):,} questions")
