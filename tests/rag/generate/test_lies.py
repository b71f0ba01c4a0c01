"""Whatever a model tells, in whatever way: an answer comes that keeps every promise, and no lie is shown."""

from __future__ import annotations

import pytest

from eval.trials.lying import WAYS
from eval.trials.promises.asking import Asking
from eval.trials.promises.lied_to import told_by_liars, told_ways
from index.encoder import Encoder
from index.settings import IndexSettings
from rag.answer import AskRequest

# They take seconds each, waiting; `python -m eval.trials.promises --liar` asks them too.
_SLOW = {"slow-drip", "silence", "silence-midway", "no-reply", "rate-limited", "rate-limited-for-hours"}


@pytest.mark.parametrize("way", [way for way in told_ways() if way not in _SLOW])
def test_no_promise_is_broken(way: str, starter_settings: IndexSettings, encoder: Encoder) -> None:
    questions = ("What is reward hacking?", "How does offline reinforcement learning avoid unseen actions?")
    askings = [Asking("general", AskRequest(question=each, topic="RL")) for each in questions]
    tally = told_by_liars(starter_settings, encoder, askings, [way], len(askings))[way]
    assert tally.breaches == []
    assert (tally.asked, tally.answered, tally.written) == (2, 2, 2)


def test_what_is_slow_is_a_way() -> None:
    assert set(WAYS) >= _SLOW
