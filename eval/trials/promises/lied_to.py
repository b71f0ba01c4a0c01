"""The promises, where a model that lies does the writing."""

from __future__ import annotations

from collections.abc import Sequence

from eval.trials.lying import MODEL, STRUCTURED, WAYS, Liar
from eval.trials.lying.forms import FORMS
from eval.trials.lying.meanings import MEANINGS
from eval.trials.promises.asking import Asking, spread
from eval.trials.promises.lies import lies_shown
from eval.trials.promises.trial import Breach, Tally, Trial
from index.encoder import Encoder
from index.settings import IndexSettings
from rag.engine import Engine
from rag.settings import LlmSettings

FIRST_WORD, WHOLE = 3.0, 6.0
"""Seconds that an engine waits for a liar's first word and for all of its reply: slow ones are many."""
_CLOSES = 5.0
"""Seconds after an answer within which the server has to see that nobody listens any more."""
_WRITABLE = ("known item", "with slips", "of a set", "general", "follow-up", "filtered", "hostile")
"""Kinds of questions that a model is asked to write for; the others never reach one."""


def told_ways() -> list[str]:
    """Return all ways, and again those that tell lies of their own, in the form of a schema."""
    return [*WAYS, *(f"{name}{STRUCTURED}" for name in (*MEANINGS, *FORMS))]


def told_by_liars(
    settings: IndexSettings, encoder: Encoder, askings: Sequence[Asking], ways: Sequence[str], each: int
) -> dict[str, Tally]:
    """Ask `each` questions of an engine for every way of lying; return what became of them, by way."""
    tallies = {}
    writable = [asking for asking in askings if asking.kind in _WRITABLE]
    liar = Liar()
    with liar.serving() as base_url:
        for way, dealt in zip(ways, spread(writable, len(ways), each), strict=True):
            llm = LlmSettings(
                base_url=base_url,
                model=f"{MODEL}{way}",
                first_token_timeout=FIRST_WORD,
                timeout=WHOLE,
            )
            with Engine(settings, encoder=encoder, llm=llm) as engine, Trial(engine) as trial:
                tallies[way] = _told_by(liar, trial, dealt)
    return tallies


def _told_by(liar: Liar, trial: Trial, askings: Sequence[Asking]) -> Tally:
    tally = Tally()
    for asking in askings:
        before = len(liar.exchanges)
        answer = trial.give(asking, tally, whole=False)
        exchanges = liar.since(before)
        tally.written += bool(exchanges)
        if answer is not None:
            tally.breaches += [
                Breach("no lie is shown", what, asking) for what in lies_shown(answer, exchanges)
            ]
        if any(exchange.wait(_CLOSES) is None for exchange in exchanges):
            tally.breaches.append(Breach("nobody is kept writing", "the call is still open", asking))
    return tally
