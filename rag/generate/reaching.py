"""Whether the model's server answers, without asking it to write: that could cost money."""

from __future__ import annotations

from index.errors import AsktopicError
from rag.settings import LlmSettings

PATIENCE_S = 10.0
"""Seconds within which a list of models comes, or the server is not there."""
NAMED = 3
"""Models that are named of a long list."""


def reach(settings: LlmSettings) -> str:
    """Ask the server which models it has; say what was found.

    Raises `AsktopicError`, saying what to change. What the server says is not repeated: it may hold the key.
    """
    import openai

    from rag.generate.client import NO_KEY

    where = f"{settings.model} at {settings.host}"
    try:
        with openai.OpenAI(
            base_url=settings.base_url,
            api_key=settings.api_key.get_secret_value() or NO_KEY,
            timeout=PATIENCE_S,
            max_retries=0,
        ) as client:
            names = [model.id for model in client.models.list().data]
    except openai.APIConnectionError:
        raise AsktopicError(f"{settings.host} does not answer; check ASKTOPIC_LLM__BASE_URL") from None
    except openai.APIStatusError as error:
        if error.status_code in (404, 405, 501):  # a server need not have this route
            return f"{where}; it answers, and lists no models"
        advice = "check ASKTOPIC_LLM__API_KEY" if error.status_code in (401, 403) else "look at its log"
        raise AsktopicError(f"{settings.host} answers with status {error.status_code}; {advice}") from None
    except Exception:  # noqa: BLE001 - what is no list of models can fail in any layer below
        raise AsktopicError(
            f"{settings.host} answers, but not as OpenAI's protocol has it; ASKTOPIC_LLM__BASE_URL "
            "usually ends in /v1"
        ) from None
    if settings.model in names:
        return f"{where}; it answers"
    # Some servers take any name, others one that they do not list.
    return f"{where}; it answers, but lists other models: {', '.join(names[:NAMED]) or 'none'}"
