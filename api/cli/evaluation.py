"""`asktopic eval …`: run question sets, and say what has become better or worse."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from api.cli import make_questions
from api.cli.options import DataDir, Json, fail, settings_of, shown_errors

if TYPE_CHECKING:
    from api.settings import Settings
    from eval.questions.question import EvalQuestion
    from eval.questions.sets import QuestionSet
    from eval.runs.folder import RunFolder
    from index.ingest.progress import Progress

app = typer.Typer(
    name="eval",
    help="Evaluate answers and retrieval against question sets, offline.",
    no_args_is_help=True,
)

app.add_typer(make_questions.app)

GATE_CLOSED = 3
"""Exit status of `gate` where a run is not good enough; 1 is an error."""

RunPath = Annotated[Path, typer.Argument(metavar="RUN", help="Folder of a run.", show_default=False)]
Baseline = Annotated[
    Path | None,
    typer.Option(help="Run, or saved baseline, to compare with.", show_default=False),
]


@app.command()
def run(
    questions: Annotated[
        str,
        typer.Argument(
            metavar="SET",
            help="A shipped set such as `starter`, a questions.jsonl, or a folder in a form that is known.",
            show_default=False,
        ),
    ],
    split: Annotated[
        str | None, typer.Option(help="Part of the set, where it has several, such as train or test.")
    ] = None,
    corpus: Annotated[
        list[Path] | None,
        typer.Option(help="Ask over these files in place of the set's own; may be repeated."),
    ] = None,
    url: Annotated[str | None, typer.Option(help="Ask a running server in place of this program.")] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Folder of the run; one that was interrupted goes on.", show_default=False),
    ] = None,
    baseline: Baseline = None,
    sample: Annotated[int | None, typer.Option(min=1, help="Ask only so many, drawn by the seed.")] = None,
    seed: Annotated[int, typer.Option(help="Decides the order of asking, and draws.")] = 0,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Questions asked at the same time.")] = 1,
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Ask every question of a set, score the answers and write the report."""
    with shown_errors(interrupted="interrupted; what was asked is kept, name the folder with --out to go on"):
        from api.cli import evaluation_output, output
        from eval.compare.comparison import compare as compare_scores
        from eval.evaluate import sample as draw
        from eval.evaluate import score_run
        from eval.questions.sets import open_set
        from eval.report import write_report

        settings = settings_of(data_dir)
        chosen = open_set(questions, split=split)
        earlier = _scored(baseline) if baseline else None
        folder = out or _new_folder(settings, chosen.name)
        output.say(f"run folder: {folder}")
        with output.progress(quiet=as_json) as progress:
            asked = draw(chosen.questions, sample, seed)
            done = _asked(
                settings,
                chosen,
                asked,
                folder,
                corpus=corpus or [],
                url=url,
                seed=seed,
                workers=workers,
                progress=progress,
            )
        summary = score_run(done)
        comparison = compare_scores(earlier.scores, done.scores) if earlier else None
        write_report(done, folder / "report.html", baseline=earlier, summary=summary, comparison=comparison)
    evaluation_output.summary(summary, done, comparison, as_json=as_json)
    if summary.crashed == summary.questions:
        fail("every question failed; see the first errors above")


@app.command()
def compare(
    baseline: Annotated[Path, typer.Argument(metavar="BASELINE", help="Run before.", show_default=False)],
    candidate: Annotated[Path, typer.Argument(metavar="RUN", help="Run after.", show_default=False)],
    seed: Annotated[int, typer.Option(help="Of the resampling.")] = 0,
    as_json: Json = False,
) -> None:
    """Say what differs between two runs, and whether by more than chance."""
    with shown_errors():
        from api.cli import evaluation_output
        from eval.compare.comparison import compare as compare_scores

        before, after = _scored(baseline), _scored(candidate)
        _say_what_differs(before, after)
        result = compare_scores(before.scores, after.scores, seed=seed)
    evaluation_output.comparison(result, as_json=as_json)


@app.command()
def report(
    run_folder: RunPath,
    baseline: Baseline = None,
    thresholds: Annotated[
        Path | None, typer.Option(help="Show what the gate says by these.", show_default=False)
    ] = None,
    html: Annotated[
        Path | None, typer.Option(help="Write the page here.  [default: RUN/report.html]", show_default=False)
    ] = None,
    json_file: Annotated[Path | None, typer.Option("--json-file", help="Write one JSON document.")] = None,
    junit: Annotated[Path | None, typer.Option(help="Write JUnit XML.")] = None,
    markdown: Annotated[Path | None, typer.Option(help="Write Markdown for a pull request.")] = None,
) -> None:
    """Score a run anew and write its report."""
    with shown_errors():
        from api.cli import output
        from eval.evaluate import score_run
        from eval.report import write_report

        folder = _folder(run_folder)
        # A saved baseline has no questions: its scores are all there is.
        summary = score_run(folder) if folder.has_questions else None
        page = html or run_folder / "report.html"
        written = write_report(
            _folder(run_folder),
            page,
            baseline=_scored(baseline) if baseline else None,
            summary=summary,
            thresholds=thresholds,
            json_file=json_file,
            junit=junit,
            markdown=markdown,
        )
        for path in written:
            output.say(f"written: {path}")


@app.command()
def gate(
    thresholds: Annotated[Path, typer.Argument(metavar="THRESHOLDS", help="YAML file.", show_default=False)],
    run_folder: RunPath,
    baseline: Baseline = None,
    as_json: Json = False,
) -> None:
    """Check a run against floors, regressions and what must never happen; exits with 3 if it fails."""
    with shown_errors():
        from api.cli import evaluation_output
        from eval.gate.gate import check_gate
        from eval.gate.thresholds import load_thresholds

        bounds, run_scored = load_thresholds(thresholds), _scored(run_folder)
        earlier = _scored(baseline) if baseline else None
        if earlier:
            _say_what_differs(earlier, run_scored)
        result = check_gate(bounds, run_scored.scores, earlier.scores if earlier else None)
    evaluation_output.gate(result, as_json=as_json)
    if not result.passed:
        raise typer.Exit(GATE_CLOSED)


@app.command()
def judge(run_folder: RunPath, as_json: Json = False) -> None:
    """Let a language model judge a run's statements and facts, beside its scores and never in them.

    The endpoint is any that speaks OpenAI's chat completions: set ASKTOPIC_JUDGE__BASE_URL,
    ASKTOPIC_JUDGE__MODEL and, where it asks for one, ASKTOPIC_JUDGE__API_KEY.
    """
    with shown_errors(interrupted="interrupted; what was judged is kept, run the same command to go on"):
        from api.cli import evaluation_output, output
        from eval.judge.run import judge_run

        result = judge_run(_folder(run_folder), settings_of(None).judge, say=output.say)
    evaluation_output.judged(result, run_folder, as_json=as_json)


@app.command("save-baseline")
def keep(
    run_folder: RunPath, out: Annotated[Path, typer.Argument(metavar="FOLDER", show_default=False)]
) -> None:
    """Keep of a run what later ones are compared with: its scores, and what produced it."""
    with shown_errors():
        from api.cli import output
        from eval.evaluate import save_baseline

        save_baseline(_scored(run_folder), out)
        output.say(f"written: {out}")


@app.command("import")
def import_set(
    source: Annotated[
        str, typer.Argument(help="File or folder in a form that is known.", show_default=False)
    ],
    out: Annotated[Path, typer.Argument(help="Set folder to write.", show_default=False)],
    split: Annotated[str | None, typer.Option(help="Part of the set, where it has several.")] = None,
) -> None:
    """Read a set of another form (BEIR, TREC, PubMedQA, SciFact, ScholarQABench, RAGAS, CSV) into ours."""
    with shown_errors():
        from api.cli import output
        from api.cli.make_questions import own_corpus
        from eval.questions.make.writing import write_set
        from eval.questions.sets import open_set

        found = open_set(source, split=split)
        write_set(out, found.questions, own_corpus(found))
        output.say(f"written: {out}, {len(found.questions):,} questions")


def _asked(
    settings: Settings,
    chosen: QuestionSet,
    asked: tuple[EvalQuestion, ...],
    out: Path,
    *,
    corpus: list[Path],
    url: str | None,
    seed: int,
    workers: int,
    progress: Progress,
) -> RunFolder:
    """Ask a server, or the engine of this process over the set's corpus."""
    from eval.runs.execute import execute
    from eval.runs.system import InProcess, Server

    if url is not None:
        if corpus:
            fail("--corpus is what this program would ask over; a server has its own")
        with Server(url) as server:
            return execute(
                server, asked, out, set_name=chosen.name, seed=seed, workers=workers, progress=progress
            )
    from eval.runs.corpus import prepare_corpus
    from index.encoder import open_encoder
    from index.paths import DataPaths
    from rag.engine import Engine
    from rag.rerank import open_reranker

    cache = DataPaths(settings.data_dir).encoder
    encoder, reranker = open_encoder(settings.encoder, cache), open_reranker(settings.reranker, cache)
    index = prepare_corpus(chosen, settings.index, encoder, corpus=corpus, progress=progress)
    with Engine(
        index, settings.answering, encoder=encoder, reranker=reranker, today=settings.clock
    ) as engine:
        return execute(
            InProcess(engine),
            asked,
            out,
            set_name=chosen.name,
            settings=settings.model_dump(
                mode="json", include={"answering", "chunks", "encoder", "exact_chunks", "reranker"}
            ),
            seed=seed,
            workers=workers,
            progress=progress,
        )


def _new_folder(settings: Settings, name: str) -> Path:
    return settings.data_dir / "eval" / "runs" / f"{name}-{dt.datetime.now():%Y%m%d-%H%M%S}"


def _folder(path: Path) -> RunFolder:
    from eval.runs.folder import RunFolder

    folder = RunFolder(path)
    _ = folder.manifest  # raises where there is no run
    return folder


def _say_what_differs(before: RunFolder, after: RunFolder) -> None:
    """Say on standard error what else than the code differs, for that may be what made the difference."""
    from api.cli import output

    for name, was, now in (
        ("set", before.manifest.set.fingerprint, after.manifest.set.fingerprint),
        ("corpus", before.manifest.corpus, after.manifest.corpus),
        ("system", before.manifest.system, after.manifest.system),
    ):
        if was != now:
            output.say(f"note: the {name} differs: {was} before, {now} now")


def _scored(path: Path) -> RunFolder:
    """Open a run with scores, computing them where an interrupted command has not."""
    folder = _folder(path)
    if not (path / "scores.csv").exists():
        from eval.evaluate import score_run

        score_run(folder)
    return folder
