"""A server that speaks OpenAI's protocol and lies, in ways that are named and scripted.

It shows what an answer is worth when the model is not: `Liar` serves all ways at once, and the name of
the model says which (`liar:changed-number`). Each exchange keeps what was told, and which of it was a lie.
"""

from eval.trials.lying.exchange import Exchange
from eval.trials.lying.script import Lie, Script
from eval.trials.lying.server import MODEL, STRUCTURED, Liar
from eval.trials.lying.ways import WAYS, Way

__all__ = ["MODEL", "STRUCTURED", "WAYS", "Exchange", "Liar", "Lie", "Script", "Way"]
