"""Asking systems in turns, and what comes back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import BaseModel

from eval.bench.peers.process import System
from eval.bench.peers.protocol import Batch, Found
from eval.bench.questions import BenchQuestion
from eval.percentile import median

BUSY_ROUNDS = 3
"""Rounds in which a system is asked by all threads at once."""

Turns = Sequence[Sequence[BenchQuestion]]
Specs = dict[str, tuple[str, BaseModel]]
"""For each system the module that runs it and what that module is told."""


@dataclass(slots=True)
class Measured:
    """One system's raw figures.

    `rounds` holds each turn's milliseconds, `cpu_ms` the processor time of all questions and `found`
    their results, all in the order asked; `rates` the questions a second of each busy round; `fill_s`
    the seconds that filling its store took, None where they are not known.
    """

    starts_s: list[float] = field(default_factory=list)
    rounds: list[tuple[float, ...]] = field(default_factory=list)
    cpu_ms: list[float] = field(default_factory=list)
    found: list[Found] = field(default_factory=list)
    rates: list[float] = field(default_factory=list)
    peak_mb: float = 0.0
    fill_s: float | None = None

    @property
    def ms(self) -> list[float]:
        return [value for turn in self.rounds for value in turn]

    @property
    def round_p50(self) -> list[float]:
        return [median(turn) for turn in self.rounds]


def measure(
    specs: Specs,
    folder: Path,
    warm_up: Sequence[str],
    turns: Turns,
    *,
    starts: int,
    threads: int,
    say: Callable[[str], None],
) -> dict[str, Measured]:
    """Start every system `starts` times, ask each all turns one question at a time, then with `threads`."""
    measured = {label: Measured() for label in specs}
    with ExitStack() as running:
        systems: dict[str, System] = {}
        for attempt in range(starts):
            for label, (module, spec) in specs.items():
                say(f"starting {label} ({attempt + 1} of {starts})")
                if label in systems:
                    systems[label].close()  # only one of a system lives at a time
                systems[label] = running.enter_context(System(module, spec, folder, warm_up[0]))
                measured[label].starts_s.append(systems[label].start_s)
        for system in systems.values():
            system.ask(Batch(warm_up=tuple(warm_up)))
        for number, turn in enumerate(turns):
            say(f"round {number + 1} of {len(turns)}: {len(turn)} questions")
            for label in _in_turn(list(specs), number):
                # One untimed question first: another system has just had the processor's caches.
                timed = systems[label].ask(Batch(warm_up=tuple(warm_up[:1]), questions=_texts(turn)))
                measured[label].rounds.append(timed.ms)
                measured[label].cpu_ms.extend(timed.cpu_ms)
                measured[label].found.extend(timed.found)
        for number, turn in enumerate(turns[:BUSY_ROUNDS]):
            say(f"busy round {number + 1}: {threads} threads")
            for label in _in_turn(list(specs), number):
                batch = Batch(warm_up=tuple(warm_up[:1]), questions=_texts(turn), threads=threads)
                timed = systems[label].ask(batch)
                measured[label].rates.append(len(turn) / timed.wall_s)
                measured[label].peak_mb = timed.peak_mb
    return measured


def _in_turn(labels: list[str], number: int) -> list[str]:
    """Shift the order by round, so that nobody always comes after the same one."""
    shift = number % len(labels)
    return [*labels[shift:], *labels[:shift]]


def _texts(turn: Sequence[BenchQuestion]) -> tuple[str, ...]:
    return tuple(question.text for question in turn)
