"""Whether the promises hold: asks a thousand questions and more, and checks every answer.

    python -m eval.trials.promises --data-dir DIR [--topic RL] [--questions 1000] [--seed 0]
    python -m eval.trials.promises --data-dir DIR --liar [--ways changed-number,silence] [--each 14]

With --liar the questions are asked of engines that write with a model which lies, in each of its ways (see
`eval.trials.lying`); no lie may be shown as supported. Exits with 1 if any promise was broken.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from eval.questions.make.catalog import stored_papers as papers_by_topic
from eval.questions.make.known_item import stored_papers
from eval.questions.sets import open_set, shipped_sets
from eval.trials.promises.asking import Asking, askings
from eval.trials.promises.lied_to import told_by_liars, told_ways
from eval.trials.promises.trial import Breach, Tally, Trial
from index.encoder import open_encoder
from index.paths import DataPaths
from index.settings import IndexSettings
from rag.engine import Engine

_SHOWN = 20
"""Breaches printed in full: more of the same say nothing new."""


def main() -> None:
    """Ask, check and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data-dir", type=Path, default=Path(".asktopic"))
    parser.add_argument("--topic", help="ask inside this topic; over all if absent")
    parser.add_argument("--questions", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--liar", action="store_true", help="write with a model that lies")
    parser.add_argument("--ways", default="", help="ways of lying, with commas; all if absent")
    parser.add_argument("--each", type=int, default=14, help="questions asked of each way")
    arguments = parser.parse_args()
    settings = IndexSettings(data_dir=arguments.data_dir)
    encoder = open_encoder(settings.encoder, DataPaths(settings.data_dir).encoder)
    with Engine(settings, encoder=encoder) as engine:
        asked = _askings(engine, arguments)
        found = {} if arguments.liar else _told_by_quotes(engine, asked)
    if arguments.liar:
        ways = [name for name in arguments.ways.split(",") if name] or told_ways()
        found = told_by_liars(settings, encoder, asked, ways, arguments.each)
    sys.exit(report(found))


def _askings(engine: Engine, arguments: argparse.Namespace) -> list[Asking]:
    catalog = DataPaths(arguments.data_dir).catalog
    papers, slug = stored_papers(catalog, arguments.topic)
    topics = [topic for topic in papers_by_topic(engine) if slug in (None, topic.slug)]
    sets = [question for name in shipped_sets() for question in open_set(name).questions]
    return askings(papers, topics, sets, slug, arguments.questions, arguments.seed)


def _told_by_quotes(engine: Engine, asked: Sequence[Asking]) -> dict[str, Tally]:
    tallies: dict[str, Tally] = {}
    with Trial(engine) as trial:
        for asking in asked:
            trial.give(asking, tallies.setdefault(asking.kind, Tally()))
    return tallies


def report(tallies: dict[str, Tally]) -> int:
    """Print what became of the requests, by kind, and the breaches; return the status to exit with."""
    columns = ("asked", "answered", "refused", "turned away", "written", "broken")
    lines = [f"{'kind':24}" + "".join(f"{column:>12}" for column in columns)]
    total = Tally()
    for kind, tally in tallies.items():
        lines.append(_row(kind, tally))
        total.asked += tally.asked
        total.answered += tally.answered
        total.refused += tally.refused
        total.turned_away += tally.turned_away
        total.written += tally.written
        total.breaches += tally.breaches
        total.supports += tally.supports
    lines.append(_row("all", total))
    lines.append("citations: " + ", ".join(f"{n:,} {name}" for name, n in total.supports.most_common()))
    broken = Counter(breach.promise for breach in total.breaches)
    lines += [f"broken: {promise}, {n} times" for promise, n in broken.most_common()]
    lines += [_told(breach) for breach in total.breaches[:_SHOWN]]
    print("\n".join(lines))  # noqa: T201
    return bool(total.breaches)


def _row(kind: str, tally: Tally) -> str:
    figures = (tally.asked, tally.answered, tally.refused, tally.turned_away, tally.written)
    return f"{kind:24}" + "".join(f"{figure:12,}" for figure in (*figures, len(tally.breaches)))


def _told(breach: Breach) -> str:
    asked = f"asked ({breach.asking.kind}): {breach.asking.request.question!r}"
    return f"  {breach.promise}: {breach.what}\n    {asked}"


if __name__ == "__main__":
    main()
