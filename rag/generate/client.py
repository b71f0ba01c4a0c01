"""A server of OpenAI's chat completions, asked for a stream of text within limits of time and money."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any, Literal
from weakref import WeakKeyDictionary

from rag.answer import Usage
from rag.generate.handing import estimated_tokens
from rag.generate.prompt import Message
from rag.generate.retrying import pause_before
from rag.generate.spending import Spending
from rag.settings import LlmSettings

Trouble = Literal["unreachable", "refused", "rate_limited", "slow", "broken", "budget", "resting"]

NO_KEY = "none"
"""Sent where there is no key: the client insists on one, local servers ignore it."""
FAILURES, REST_S = 3, 30.0
"""Answers in a row for which the server failed, after which it is not asked for so many seconds: a reader
should not wait for what three before waited for in vain."""
LONGEST_REST_S = 600.0
"""However long a server that is at its limit says that it will be: an operator may raise the limit."""
CHARACTERS = 8
"""Characters a token that are read at most: a server that heeds no limit is cut off."""


class ModelFailed(Exception):
    """The model gave no answer, or not all of it. Readers are told in the writer's own words."""

    def __init__(self, trouble: Trouble) -> None:
        super().__init__(trouble)
        self.trouble: Trouble = trouble


class Reply:
    """A reply in pieces, and what it cost so far."""

    def __init__(self, pieces: AsyncIterator[str], messages: Sequence[Message]) -> None:
        self.pieces = pieces
        self._asked = sum(estimated_tokens(message["content"]) for message in messages)
        self._characters = 0
        self._counted: Usage | None = None

    def told(self, text: str) -> None:
        self._characters += len(text)

    def counted(self, usage: Any) -> None:
        """Take the server's own count, if it is one."""
        with suppress(TypeError, ValueError, AttributeError):
            given = Usage(input_tokens=usage.prompt_tokens, output_tokens=usage.completion_tokens)
            if 0 <= given.input_tokens < 10_000_000 and 0 <= given.output_tokens < 10_000_000:
                self._counted = given

    @property
    def usage(self) -> Usage:
        written = -(-self._characters // 4)
        return self._counted or Usage(input_tokens=self._asked, output_tokens=written, estimated=True)


class ModelClient:
    """Puts messages to the model. May be used from several event loops, one after another."""

    def __init__(self, settings: LlmSettings, spending: Spending | None = None) -> None:
        self.settings, self._spending = settings, spending
        self._turns: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = WeakKeyDictionary()
        # What the server has been found not to know; asked for again after a restart.
        self._knows_schema = settings.output != "plain"
        self._schema_worked = False
        self._knows_usage = True
        self._failures, self._rests_until = 0, 0.0
        self._resting: Trouble = "resting"

    @property
    def name(self) -> str:
        return f"{self.settings.model}@{self.settings.host}"

    @property
    def knows_schema(self) -> bool:
        """Whether a reply in the form of a JSON schema is asked for."""
        return self._knows_schema

    def load(self) -> None:
        """Load the client library. Nothing is connected to."""
        import openai  # noqa: F401

    @asynccontextmanager
    async def reply(
        self, messages: Sequence[Message], schema: dict[str, Any] | None = None
    ) -> AsyncIterator[Reply]:
        """Ask; the block reads the pieces, and leaving it closes the connection.

        Raises `ModelFailed`, here or where the pieces are read.
        """
        self._may_ask()
        # Loaded by the first answer of a process, in 2 s: nobody else waits, and the server is not to blame.
        await asyncio.to_thread(self.load)
        started = time.monotonic()
        loop = asyncio.get_running_loop()
        turn = self._turns.setdefault(loop, asyncio.Semaphore(self.settings.concurrency))
        try:
            await asyncio.wait_for(turn.acquire(), self.settings.first_token_timeout)
        except TimeoutError:
            raise ModelFailed("slow") from None
        try:
            async with self._connection() as client:
                holder: list[Reply] = []
                reply = Reply(self._pieces(client, messages, schema, started, holder), messages)
                holder.append(reply)
                try:
                    yield reply
                    self._failures = 0
                except ModelFailed:
                    self._failed()
                    raise
                finally:
                    await reply.pieces.aclose()  # type: ignore[attr-defined]  # it is a generator
                    if self._spending:
                        usage = reply.usage
                        self._spending.add(self.settings.cost(usage.input_tokens, usage.output_tokens))
        finally:
            turn.release()

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[Any]:
        from openai import AsyncOpenAI

        client = AsyncOpenAI(
            base_url=self.settings.base_url,
            api_key=self.settings.api_key.get_secret_value() or NO_KEY,
            timeout=self.settings.timeout,
            # Its own tries come sooner than a `Retry-After` of more than a minute allows.
            max_retries=0,
        )
        try:
            yield client
        finally:
            await client.close()

    async def _pieces(
        self,
        client: Any,
        messages: Sequence[Message],
        schema: dict[str, Any] | None,
        started: float,
        holder: Sequence[Reply],
    ) -> AsyncIterator[str]:
        import openai

        settings = self.settings
        left = settings.max_output_tokens * CHARACTERS
        stream: Any = None
        chunks: Any = None
        try:
            opening = self._opened(client, messages, schema, started + settings.first_token_timeout)
            stream = await self._within(started, settings.first_token_timeout, opening)
            chunks = aiter(stream)
            limit = settings.first_token_timeout
            while left > 0:
                try:
                    chunk = await self._within(started, limit, anext(chunks))
                except StopAsyncIteration:
                    return
                if getattr(chunk, "usage", None):
                    holder[0].counted(chunk.usage)
                text = _text_of(chunk)
                if text:
                    limit = settings.timeout
                    left -= len(text)
                    holder[0].told(text)
                    yield text
        except (TimeoutError, openai.APITimeoutError):
            raise ModelFailed("slow") from None
        except openai.RateLimitError:
            raise ModelFailed("rate_limited") from None
        except openai.APIConnectionError:
            raise ModelFailed("unreachable") from None
        except openai.APIStatusError as error:
            raise ModelFailed("refused" if error.status_code < 500 else "broken") from None
        except (GeneratorExit, asyncio.CancelledError):
            raise
        except Exception:  # noqa: BLE001 - what a server sends can fail in any layer below
            raise ModelFailed("broken") from None
        finally:
            # The library closes neither with the other.
            if chunks is not None:
                with suppress(Exception):
                    await chunks.aclose()
            if stream is not None:
                with suppress(Exception):
                    await stream.close()

    async def _opened(
        self, client: Any, messages: Sequence[Message], schema: dict[str, Any] | None, until: float
    ) -> Any:
        """Open the stream, again where the server is busy and would be free by `until`.

        A server that knows no schema, or no count of tokens, is asked without.
        """
        import openai

        settings = self.settings
        with_schema, with_usage = schema is not None and self._knows_schema, self._knows_usage
        tried = 0
        while True:
            asked: dict[str, Any] = {
                "model": settings.model,
                "messages": list(messages),
                "stream": True,
                "temperature": settings.temperature,
                "max_tokens": settings.max_output_tokens,
            }
            if settings.seed is not None:
                asked["seed"] = settings.seed
            if with_schema:
                asked["response_format"] = schema
            if with_usage:
                asked["stream_options"] = {"include_usage": True}
            try:
                opened = await client.chat.completions.create(**asked)
            except openai.APIStatusError as error:
                refused = error.status_code in (400, 422)
                # llama-cpp-python's server fails over a schema, with 500, where others refuse it.
                failed = error.status_code >= 500 and not self._schema_worked
                pause = pause_before(tried, error.status_code, error.response.headers)
                if pause is not None and self._may_wait(tried, pause, until):
                    await asyncio.sleep(pause)
                    tried += 1
                elif with_schema and settings.output == "auto" and (refused or failed):
                    with_schema, tried = False, 0
                elif with_usage and refused:
                    with_usage = False
                else:
                    if error.status_code == 429 and pause is not None:
                        self._rest("rate_limited", pause)
                    raise
            except openai.APIConnectionError as error:
                pause = pause_before(tried, None, {})
                late = isinstance(error, openai.APITimeoutError)
                if late or pause is None or not self._may_wait(tried, pause, until):
                    raise
                await asyncio.sleep(pause)
                tried += 1
            else:
                # Kept only now: what was refused for another reason is no sign of what a server knows.
                self._knows_usage = with_usage
                if schema is not None:
                    self._knows_schema = self._schema_worked = with_schema
                return opened

    def _may_wait(self, tried: int, pause: float, until: float) -> bool:
        return tried < self.settings.max_retries and time.monotonic() + pause < until

    async def _within(self, started: float, limit: float, awaited: Any) -> Any:
        """Wait until so many seconds after the start."""
        return await asyncio.wait_for(awaited, max(0.001, started + limit - time.monotonic()))

    def _may_ask(self) -> None:
        if time.monotonic() < self._rests_until:
            raise ModelFailed(self._resting)
        budget = self.settings.budget_per_day
        if budget and self._spending and self._spending.today() >= budget:
            raise ModelFailed("budget")

    def _failed(self) -> None:
        self._failures += 1
        if self._failures >= FAILURES:
            self._failures = 0
            self._rest("resting", REST_S)

    def _rest(self, trouble: Trouble, seconds: float) -> None:
        """Do not ask for so many seconds; readers are told `trouble`."""
        until = time.monotonic() + min(seconds, LONGEST_REST_S)
        if until > self._rests_until:
            self._resting, self._rests_until = trouble, until


def _text_of(chunk: Any) -> str:
    """Return a chunk's text; nothing of what is no text, such as a call of a tool."""
    choices = getattr(chunk, "choices", None) or []
    delta = getattr(choices[0], "delta", None) if choices else None
    content = getattr(delta, "content", None)
    return content if isinstance(content, str) else ""
