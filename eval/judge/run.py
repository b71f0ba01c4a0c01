"""Judging a run folder.

The verdicts lie beside the scores, in `judge.jsonl` and `judge.csv`, and never enter them: they depend on a
model that another reader may not have.
"""

from __future__ import annotations

import asyncio
import csv
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from pydantic import ValidationError

from eval.evaluate import load_run
from eval.judge.agreement import agreements
from eval.judge.client import JudgeClient
from eval.judge.items import Item, items_of
from eval.judge.records import Judgement, JudgeReport
from eval.judge.settings import JudgeSettings, JudgeUnavailable
from eval.runs.folder import BadRun, RunFolder, write_lines

LINES = "judge.jsonl"
TABLE = "judge.csv"
HEADER = ("question", "kind", "number", "verdict", "verifier")
TOLD_EVERY = 25
"""Items between two words about progress."""


def judge_run(
    folder: RunFolder, settings: JudgeSettings, say: Callable[[str], None] = lambda _: None
) -> JudgeReport:
    """Have a model judge every quoted statement and every nugget of a run.

    What it said before of the same item is kept; what failed is asked again. Each verdict is written as it
    comes, so that a run broken off goes on where it stood. Raises `JudgeUnavailable` where no judge is
    configured or none answers, `BadRun` where the folder holds no run.
    """
    if not settings.base_url or not settings.model:
        raise JudgeUnavailable(
            "no judge is configured; set ASKTOPIC_JUDGE__BASE_URL and ASKTOPIC_JUDGE__MODEL"
        )
    _ = folder.manifest
    items = {item.key(settings): item for item in items_of(load_run(folder))}
    file = folder.path / LINES
    known = _read(file)
    wanted = [item for key, item in items.items() if key not in known or known[key].verdict is None]
    reused = len(items) - len(wanted)
    if wanted:
        say(f"{settings.model} judges {len(wanted):,} items; {reused:,} were judged before")
        # What a broken-off run left torn is cut off, so that what is appended begins a line.
        write_lines(file, known.values())
        known |= asyncio.run(_judge_all(wanted, settings, file, say))
    # What the verifier says is computed anew each time; what a model said stays.
    current = [known[key].model_copy(update={"verifier": item.verifier}) for key, item in items.items()]
    write_lines(file, [*(found for key, found in known.items() if key not in items), *current])
    _write_table(folder.path / TABLE, current)
    return JudgeReport(
        model=settings.model,
        items=len(items),
        judged=len(wanted),
        reused=reused,
        failed=sum(judgement.verdict is None for judgement in current),
        agreement=agreements(current),
        input_tokens=sum(judgement.input_tokens for judgement in current),
        output_tokens=sum(judgement.output_tokens for judgement in current),
    )


async def _judge_all(
    items: Sequence[Item], settings: JudgeSettings, file: Path, say: Callable[[str], None]
) -> dict[str, Judgement]:
    found: dict[str, Judgement] = {}
    waiting = iter(items)
    async with JudgeClient(settings) as client:
        with file.open("a", encoding="utf-8") as out:

            async def work() -> None:
                for item in waiting:
                    judgement = await client.judge(item)
                    out.write(judgement.model_dump_json() + "\n")
                    out.flush()
                    found[judgement.key] = judgement
                    if len(found) % TOLD_EVERY == 0:
                        say(f"{len(found):,} of {len(items):,} judged")

            try:
                async with asyncio.TaskGroup() as tasks:
                    for _ in range(min(settings.concurrency, len(items))):
                        tasks.create_task(work())
            except ExceptionGroup as errors:
                raise _one_of(errors) from None
    return found


def _one_of(errors: ExceptionGroup) -> Exception:
    """Workers that meet the same wall say the same; one of them is enough. A fault of ours stays whole."""
    unavailable, others = errors.split(JudgeUnavailable)
    return errors if others or unavailable is None else unavailable.exceptions[0]


def _read(file: Path) -> dict[str, Judgement]:
    """Read earlier verdicts; a last line that a killed run left torn is passed over."""
    try:
        *whole, _torn = file.read_bytes().split(b"\n")
    except FileNotFoundError:
        return {}
    found: dict[str, Judgement] = {}
    for number, line in enumerate(whole, start=1):
        try:
            judgement = Judgement.model_validate_json(line)
        except ValidationError as error:
            raise BadRun(f"{file}:{number}: {error}") from error
        found[judgement.key] = judgement
    return found


def _write_table(file: Path, judgements: Iterable[Judgement]) -> None:
    rows: Iterable[Mapping[str, object]] = (
        {
            "question": judgement.question,
            "kind": judgement.kind,
            "number": judgement.number,
            "verdict": judgement.verdict or "failed",
            "verifier": "supported" if judgement.verifier else "not",
        }
        for judgement in judgements
    )
    with file.open("w", encoding="utf-8", newline="") as out:
        writer = csv.DictWriter(out, HEADER, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
