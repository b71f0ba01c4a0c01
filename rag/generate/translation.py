"""A question in another language, in English."""

from __future__ import annotations

from rag.generate.client import ModelClient, ModelFailed
from rag.generate.prompt import messages_to_translate
from rag.instructions import without_instructions
from rag.question import clean, is_foreign

LONGEST = 400
"""Code points of a translated question: longer is an answer, or an explanation."""


async def translated(client: ModelClient, question: str) -> str | None:
    """Return a question in English as the model has it; None where it fails or says something else.

    What comes back is only ever looked for in the sources, as any question is.
    """
    pieces = []
    try:
        async with client.reply(messages_to_translate(clean(question))) as reply:
            async for piece in reply.pieces:
                pieces.append(piece)
                if sum(map(len, pieces)) > 4 * LONGEST:
                    return None
    except ModelFailed:
        return None
    lines = [line.strip(" \t\"“”'*") for line in "".join(pieces).strip().splitlines() if line.strip()]
    if len(lines) != 1:
        return None
    text = without_instructions(clean(lines[0]))
    is_question = (
        0 < len(text) <= LONGEST and text.endswith("?") and not any(char in text for char in "<>[]{}`")
    )
    return text if is_question and not is_foreign(text) else None
