"""How the command line shows things: tables and text for people, one JSON document for programs."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from index.ingest.progress import Progress, Silent

if TYPE_CHECKING:
    from api.doctor import Check
    from index.ingest.build import BuildReport
    from rag.answer import Answer, TopicInfo

SHOWN_QUARANTINED = 20
BENCH_WIDTH = 150
"""Columns that the table of a benchmark takes with its longest figures."""


def _console() -> Console:
    # No highlighting: an answer is shown as it is, without numbers and paths coloured.
    return Console(highlight=False)


def print_json(value: object) -> None:
    print(json.dumps(value, ensure_ascii=False, indent=2))  # noqa: T201


def say(message: str) -> None:
    """Print a line of progress to standard error."""
    Console(stderr=True, highlight=False).print(escape(message), soft_wrap=True)


@contextmanager
def progress(*, quiet: bool) -> Iterator[Progress]:
    """Show bars with rate and time left on standard error, where that is a terminal."""
    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield Silent()
        return
    from rich import progress as bars

    with bars.Progress(
        bars.TextColumn("{task.description:<9}"),
        bars.BarColumn(),
        bars.MofNCompleteColumn(),
        bars.TextColumn("{task.fields[unit]}"),
        _Rate(),
        bars.TimeRemainingColumn(compact=True),
        console=console,
    ) as display:
        yield _Bars(display)


def report(result: BuildReport, *, as_json: bool) -> None:
    """Show what an ingest did."""
    quarantined = [
        {"where": item.where, "reason": item.reason, "excerpt": item.excerpt} for item in result.quarantined
    ]
    if as_json:
        print_json({**dataclasses.asdict(result), "quarantined": quarantined})
        return
    console = _console()
    for item in quarantined[:SHOWN_QUARANTINED]:
        console.print(f"quarantined {escape(item['where'])}: {escape(item['reason'])}", soft_wrap=True)
    if len(quarantined) > SHOWN_QUARANTINED:
        console.print(f"… and {len(quarantined) - SHOWN_QUARANTINED} more; --json lists them all")
    table = Table(box=None, header_style="bold")
    row = {
        "read": result.read,
        "new": result.new,
        "changed": result.changed,
        "unchanged": result.unchanged,
        "removed": result.removed,
        **({"rebuilt": result.rebuilt} if result.rebuilt else {}),
        "quarantined": len(quarantined),
        "encoded": result.encoded,
    }
    for name in row:
        table.add_column(name, justify="right")
    table.add_column("seconds", justify="right")
    table.add_row(*(f"{count:,}" for count in row.values()), f"{result.seconds:.1f}")
    console.print(table)


def answer(result: Answer, *, as_json: bool) -> None:
    """Show an answer with its sources, or why there is none."""
    if as_json:
        print_json(result.model_dump(mode="json", by_alias=True))
        return
    from api.markup import web_url

    console = _console()
    if result.reason is not None:
        console.print(f"No answer: {escape(result.reason.message)}")
        for related in result.related:
            console.print(f"  near: {escape(related.title)}  [dim]{related.date or ''}[/dim]", soft_wrap=True)
        return
    console.print(_emphasised(result))
    console.print()
    for source in result.sources:
        authors = ", ".join(source.authors[:3]) + (" et al." if (source.authors_total or 0) > 3 else "")
        address = web_url(source.url)
        details = " · ".join(str(part) for part in (authors, source.venue, source.date, address) if part)
        console.print(f"{escape(f'[{source.n}]')} {escape(source.title)}", soft_wrap=True)
        console.print(f"    [dim]{escape(details or source.kind)}[/dim]", soft_wrap=True)
    for notice in result.notices:
        console.print(f"Note: {escape(notice)}")


def answer_as(result: Answer, form: Literal["markdown", "bibtex", "ris"]) -> None:
    """Print an answer, or the references to what it cites, in a form that other programs take."""
    from api.export.bibtex import bibtex
    from api.export.markdown import answer_markdown
    from api.export.reference import Reference
    from api.export.ris import ris

    references = [Reference.of(source) for source in result.sources]
    writers = {
        "markdown": lambda: answer_markdown(result),
        "bibtex": lambda: bibtex(references),
        "ris": lambda: ris(references),
    }
    typer.echo(writers[form](), nl=False)


def _emphasised(result: Answer) -> str:
    """Return an answer in the terminal's markup: the titles that introduce a quote in italics."""
    from rag.compose.phrases import emphasised

    parts, done = [], 0
    quoted = [(citation.start_index, citation.end_index) for citation in result.citations]
    for start, end in emphasised(result.answer, quoted):
        parts += [
            escape(result.answer[done:start]),
            f"[italic]{escape(result.answer[start + 1 : end - 1])}[/italic]",
        ]
        done = end
    return "".join([*parts, escape(result.answer[done:])])


def topics(found: Sequence[TopicInfo], *, as_json: bool) -> None:
    if as_json:
        print_json([topic.model_dump(mode="json") for topic in found])
        return
    # No table: in a narrow terminal it would cut the slug, which is what one asks with.
    console = _console()
    for topic in found:
        aliases = f" ({', '.join(topic.aliases)})" if topic.aliases else ""
        counts = [f"papers {topic.papers:,}", f"explainers {topic.explainers:,}"]
        latest = [f"latest {topic.latest}"] if topic.latest else []
        console.print(f"[bold]{escape(topic.slug)}[/bold]  {escape(topic.name + aliases)}", soft_wrap=True)
        console.print(f"    [dim]{' · '.join(counts + latest)}[/dim]", soft_wrap=True)


def checks(found: Sequence[Check], *, as_json: bool) -> None:
    if as_json:
        print_json([dataclasses.asdict(check) for check in found])
        return
    console = _console()
    for check in found:
        mark = "[green]ok  [/green]" if check.ok else "[red]FAIL[/red]"
        console.print(f"{mark} {check.name}: {escape(check.detail)}", soft_wrap=True)


def bench(result: dict[str, Any], out: Path | None, *, as_json: bool) -> None:
    """Show measured figures, and save them if asked to."""
    if out is not None:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(json.dumps(result, indent=2) + "\n")
    if as_json:
        print_json(result)
        return
    console = _console()
    console.print(escape(result["title"]))
    table = Table(box=None, header_style="bold")
    columns = list(result["rows"][0])
    for name in columns:
        table.add_column(name, justify="left" if name == "system" else "right", no_wrap=True)
    for row in result["rows"]:
        table.add_row(*(escape(str(row[name])) for name in columns))
    # Wider than a small terminal: cut figures would be worse than lines that the terminal wraps.
    Console(highlight=False, width=max(console.width, BENCH_WIDTH)).print(table)
    for line in result["notes"]:
        console.print(escape(line), soft_wrap=True)


class _Bars:
    """A `Progress` drawn as one bar a stage."""

    def __init__(self, display: Any) -> None:
        self._display, self._task = display, None

    def stage(self, name: str, total: int | None, unit: str) -> None:
        if self._task is not None and self._display.tasks[self._task].total is None:
            done = self._display.tasks[self._task].completed
            self._display.update(self._task, total=done)
        self._task = self._display.add_task(name, total=total, unit=unit)

    def advance(self, count: int = 1) -> None:
        self._display.advance(self._task, count)


def _Rate() -> Any:  # noqa: N802 - a column class made when rich's bars are needed
    from rich.progress import ProgressColumn, Task
    from rich.text import Text

    class RateColumn(ProgressColumn):
        """Shows finished items a second."""

        def render(self, task: Task) -> Text:
            speed = task.finished_speed or task.speed
            return Text(f"{speed:,.0f}/s" if speed else "")

    return RateColumn()
