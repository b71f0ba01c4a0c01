"""The `asktopic` command. Each command imports what it needs when it is called, so help is instant."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from api.cli import evaluation
from api.cli.options import (
    DataDir,
    Json,
    engine_over,
    fail,
    filters_of,
    refuse_empty,
    settings_of,
    shown_errors,
)

app = typer.Typer(
    name="asktopic",
    help="Ask a research topic; read an answer whose every sentence is cited.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


app.add_typer(evaluation.app)

AnswerMode = Literal["auto", "extractive", "generative"]
Form = Literal["markdown", "bibtex", "ris"]

REFUSED = 3
"""Exit status of `ask` when the sources do not answer; 1 is an error."""


@app.command()
def ingest(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(metavar="PATH...", help="Files or folders to read.", show_default=False),
    ] = None,
    topic: Annotated[str | None, typer.Option(help="Topic of records whose source names none.")] = None,
    starter: Annotated[
        bool, typer.Option("--starter", help="Read the starter set that comes with asktopic.")
    ] = False,
    prune: Annotated[
        bool, typer.Option("--prune", help="Remove what came from the given paths and is no longer there.")
    ] = False,
    rebuild: Annotated[
        bool, typer.Option("--rebuild", help="Chunk and index every stored record anew.")
    ] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Fail if any record was quarantined.")] = False,
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Read papers, explainers and topics into the index.

    Takes topic and explainer page dumps, JSON and JSON Lines (plain, .gz, .xz), Markdown, MDX and
    reStructuredText. A bad record is set aside with its reason and the rest goes on.
    """
    with shown_errors(interrupted="interrupted; what was encoded is kept, run the same command to go on"):
        from api.cli import output
        from index.ingest.build import build
        from index.paths import starter_folder

        sources = [*(paths or []), *([starter_folder()] if starter else [])]
        if not sources and not rebuild:
            fail("nothing to ingest; name files or folders, or use --starter")
        if prune and not sources:
            fail("--prune needs the paths whose records it compares")
        refuse_empty(topic, "leave it out to take each record's own")
        settings = settings_of(data_dir)
        with output.progress(quiet=as_json) as progress:
            report = build(
                sources, settings.index, topic=topic, prune=prune, rebuild=rebuild, progress=progress
            )
    output.report(report, as_json=as_json)
    if (sources and not report.usable) or (strict and report.quarantined):
        raise typer.Exit(1)


@app.command()
def ask(
    question: Annotated[str, typer.Argument(help="What you want to know.", show_default=False)],
    topic: Annotated[
        str | None, typer.Option("--topic", "-t", help="Slug, name or alias; all topics if absent.")
    ] = None,
    since: Annotated[
        str | None, typer.Option("--from", help="Only sources from this date on (YYYY-MM-DD).")
    ] = None,
    until: Annotated[
        str | None, typer.Option("--to", help="Only sources up to this date (YYYY-MM-DD).")
    ] = None,
    author: Annotated[
        list[str] | None, typer.Option(help="Only papers of this author; may be repeated.")
    ] = None,
    venue: Annotated[
        list[str] | None, typer.Option(help="Only papers of this venue; may be repeated.")
    ] = None,
    kind: Annotated[
        list[str] | None, typer.Option(help="paper, explainer or topic; may be repeated.")
    ] = None,
    max_sources: Annotated[
        int | None, typer.Option(min=1, max=20, help="Most sources to cite; 5 if absent, 20 in a list.")
    ] = None,
    after: Annotated[
        list[str] | None,
        typer.Option(help="A question asked before, which this one follows up; may be repeated."),
    ] = None,
    mode: Annotated[
        AnswerMode, typer.Option(help="`extractive` quotes; `generative` lets the configured model write.")
    ] = "auto",
    form: Annotated[
        Form | None, typer.Option("--format", help="The answer to take away.", show_default=False)
    ] = None,
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Ask a question and print the cited answer. Exits with 3 if the sources do not answer it."""
    from pydantic_core import PydanticSerializationError

    from api.cli import output
    from rag.answer import AskRequest, Turn

    with shown_errors():
        refuse_empty(topic, "leave it out to ask over all topics")
        filters = filters_of(since, until, author, venue, kind)
        limits = {} if max_sources is None else {"max_sources": max_sources}
        history = tuple(Turn(question=each) for each in after or ())
        request = AskRequest(
            question=question, topic=topic, filters=filters, history=history, mode=mode, **limits
        )
        try:
            request.model_dump_json()
        except PydanticSerializationError:  # a byte that the shell passed on as it was
            fail("the question or a filter is no text in UTF-8")
        with engine_over(settings_of(data_dir)) as engine:
            answer = engine.ask(request)
    if form:
        output.answer_as(answer, form)
    else:
        output.answer(answer, as_json=as_json)
    if not answer.answered:
        raise typer.Exit(REFUSED)


@app.command()
def serve(
    host: Annotated[
        str | None, typer.Option(help="Address to listen on.  [default: 127.0.0.1]", show_default=False)
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(min=0, max=65_535, help="Port to listen on.  [default: 8000]", show_default=False),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=64,
            help="Processes that serve.  [default: one a processor, four at most]",
            show_default=False,
        ),
    ] = None,
    data_dir: DataDir = None,
) -> None:
    """Serve the topic pages, the widget and the HTTP endpoint."""
    from api.server import run

    with shown_errors():
        run(settings_of(data_dir, host=host, port=port, workers=workers))


@app.command()
def topics(data_dir: DataDir = None, as_json: Json = False) -> None:
    """List the topics and what the index holds of each."""
    from api.cli import output

    with shown_errors(), engine_over(settings_of(data_dir)) as engine:
        found = engine.topics()
    output.topics(found, as_json=as_json)


@app.command()
def doctor(data_dir: DataDir = None, as_json: Json = False) -> None:
    """Check settings, encoder and index; exits with 1 if anything is wrong."""
    from api.cli import output
    from api.doctor import examine

    with shown_errors():
        checks = examine(lambda: settings_of(data_dir))
    output.checks(checks, as_json=as_json)
    if not all(check.ok for check in checks):
        raise typer.Exit(1)


@app.command()
def bench(
    papers: Annotated[
        Path | None,
        typer.Argument(help="Papers to measure over; the starter set if absent.", show_default=False),
    ] = None,
    topic: Annotated[str, typer.Option(help="Topic to ask inside.")] = "Reinforcement Learning",
    alias: Annotated[
        list[str] | None, typer.Option(help="Another name of the topic, such as RL; may be repeated.")
    ] = None,
    questions: Annotated[int, typer.Option(min=1, help="Questions asked of each system.")] = 200,
    limit: Annotated[int | None, typer.Option(min=1, help="Most papers to take.")] = None,
    whole: Annotated[
        bool, typer.Option("--whole", help="Take all papers, not the topic's alone; ask inside the topic.")
    ] = False,
    peers: Annotated[
        bool, typer.Option("--peers/--no-peers", help="Measure LlamaIndex, txtai and Haystack beside ours.")
    ] = True,
    starts: Annotated[
        int | None,
        typer.Option(
            min=1, help="Times to start each system.  [default: 3; starter set: 1]", show_default=False
        ),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Save the figures as JSON here.")] = None,
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Measure search, answers and the service beside LlamaIndex, txtai and Haystack, in one run."""
    from api.cli import output
    from eval.bench.peers.known import PEERS
    from eval.bench.run import run_bench

    with shown_errors():
        settings = settings_of(data_dir)
        result = run_bench(
            papers,
            topic,
            questions,
            limit,
            index=settings.index,
            answering=settings.answering,
            reranker=settings.reranker,
            say=output.say,
            aliases=tuple(alias or ()),
            starts=starts,
            whole=whole,
            peers=PEERS if peers else (),
        )
    output.bench(result, out, as_json=as_json)
