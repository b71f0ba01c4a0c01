"""Which model judges, and how it is reached."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, SecretStr

from index.errors import AsktopicError


class JudgeUnavailable(AsktopicError):
    """No judge is configured, or its endpoint cannot be used."""

    code = "judge_unavailable"
    status = 503


class JudgeSettings(BaseModel):
    """Any endpoint that speaks OpenAI's chat completions. Without `base_url` nothing is ever connected to."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    base_url: Annotated[str, Field(pattern=r"^(https?://\S+)?$", description="such as http://host/v1")] = ""
    model: str = ""
    api_key: Annotated[SecretStr, Field(description="empty where the endpoint asks for none")] = SecretStr("")
    timeout: Annotated[float, Field(gt=0, description="seconds for one reply")] = 60.0
    max_retries: Annotated[int, Field(ge=0, le=20, description="after 429, 5xx or a lost connection")] = 4
    concurrency: Annotated[int, Field(ge=1, le=64, description="requests at once")] = 4
    seed: int = 0
