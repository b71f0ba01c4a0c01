"""Asking the judge over HTTP."""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType
from typing import Any, Self

from eval.judge.items import Item
from eval.judge.prompt import Message, Reply, messages_for, read_reply, repair
from eval.judge.records import Judgement
from eval.judge.settings import JudgeSettings, JudgeUnavailable

_NO_KEY = "none"
"""Sent where there is no key: the client insists on one, local servers ignore it."""
_LONGEST_FAILURE = 200


class JudgeClient:
    """Puts items to the model, at temperature 0.

    A reply that cannot be read is asked for once more and then recorded as failed. Requests refused for
    load (429), server errors and lost connections are repeated after a pause that grows, or that the
    server names.
    """

    def __init__(self, settings: JudgeSettings) -> None:
        from openai import AsyncOpenAI

        self._settings = settings
        self._client = AsyncOpenAI(
            base_url=settings.base_url,
            api_key=settings.api_key.get_secret_value() or _NO_KEY,
            timeout=settings.timeout,
            max_retries=settings.max_retries,
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._client.close()

    async def judge(self, item: Item) -> Judgement:
        """Judge one item. Raises `JudgeUnavailable` where no other item could be judged either."""
        import openai

        messages = messages_for(item.kind, item.claim, item.passages)
        spent = [0, 0]
        try:
            text = await self._complete(messages, spent)
            reply = read_reply(text)
            if reply is None:
                text = await self._complete(repair(messages, text), spent)
                reply = read_reply(text)
        except (openai.AuthenticationError, openai.PermissionDeniedError, openai.NotFoundError) as error:
            raise JudgeUnavailable(f"the judge refuses to be asked: {self._told(error)}") from None
        except openai.APIConnectionError as error:
            raise JudgeUnavailable(
                f"no judge answers at {self._settings.base_url}: {self._told(error)}"
            ) from None
        except openai.OpenAIError as error:
            return self._judgement(item, None, spent, self._told(error))
        failure = "" if reply else self._clean(f"not the JSON that was asked for: {text}")
        return self._judgement(item, reply, spent, failure)

    async def _complete(self, messages: Sequence[Message], spent: list[int]) -> str:
        sent: Any = list(messages)
        completion = await self._client.chat.completions.create(
            model=self._settings.model, messages=sent, temperature=0.0, seed=self._settings.seed
        )
        if completion.usage:
            spent[0] += completion.usage.prompt_tokens
            spent[1] += completion.usage.completion_tokens
        # Endpoints that only resemble OpenAI's may leave either out.
        return (completion.choices[0].message.content or "") if completion.choices else ""

    def _judgement(self, item: Item, reply: Reply | None, spent: Sequence[int], failure: str) -> Judgement:
        return Judgement(
            key=item.key(self._settings),
            question=item.question,
            kind=item.kind,
            number=item.number,
            model=self._settings.model,
            verdict=reply.verdict if reply else None,
            reason=self._clean(reply.reason) if reply else "",
            failure=failure,
            verifier=item.verifier,
            input_tokens=spent[0],
            output_tokens=spent[1],
        )

    def _told(self, error: Exception) -> str:
        return self._clean(f"{type(error).__name__}: {error}")

    def _clean(self, text: str) -> str:
        """Fold and cut a text for a file or a terminal. Some servers repeat the key they were sent."""
        secret = self._settings.api_key.get_secret_value()
        text = text.replace(secret, "[key]") if secret else text
        return " ".join("".join(c if c.isprintable() else " " for c in text).split())[:_LONGEST_FAILURE]
