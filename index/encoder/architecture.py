"""What a sentence-transformers folder says about turning token states into a vector."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from index.errors import EncoderError

Pooling = Literal["mean", "cls"]

# By the last part of the classes' dotted paths, which differ between releases. Vectors get unit length
# either way: cosine is the only similarity used.
KNOWN_CHAINS = (["Transformer", "Pooling"], ["Transformer", "Pooling", "Normalize"])

POOLING_FLAG = "pooling_mode_"

# The names under which sentence-transformers looks up a prompt for each side, in its order.
QUERY_PROMPTS = ("query",)
DOCUMENT_PROMPTS = ("document", "passage", "corpus")

# These number positions from pad_token_id + 1, so that many position embeddings are never used.
OFFSET_POSITIONS = {"roberta", "xlm-roberta", "camembert", "mpnet"}

# Tokenizers without a limit of their own say 10^30; anything this long is no limit either.
NO_LIMIT = 1_000_000


@dataclass(frozen=True, slots=True)
class Architecture:
    """How states become a vector: pooling, input limit in tokens with special ones, and prefixes."""

    dimension: int
    max_tokens: int
    pooling: Pooling
    query_prompt: str = ""
    document_prompt: str = ""


def read_architecture(folder: Path, *, use_all_positions: bool) -> Architecture:
    """Read the folder's JSON files.

    Args:
        folder: a sentence-transformers model folder.
        use_all_positions: take as many tokens as there are position embeddings, even where
            `sentence_bert_config.json` asks for fewer.

    Raises:
        EncoderError: a file is unreadable, or asks for something that is not supported.
    """
    config = read_object(folder / "config.json")
    pooling = _read_pooling(_pooling_folder(folder) / "config.json")
    query_prompt, document_prompt = _read_prompts(folder)
    return Architecture(
        dimension=_positive_int(config, "hidden_size", folder / "config.json"),
        max_tokens=max_tokens(folder, config, use_all_positions=use_all_positions),
        pooling=pooling,
        query_prompt=query_prompt,
        document_prompt=document_prompt,
    )


def _pooling_folder(folder: Path) -> Path:
    """Where the pooling is described, once the chain of modules is known to be one we run."""
    file = folder / "modules.json"
    modules = read_modules(file)
    names = [kind for kind, _ in modules]
    if names not in KNOWN_CHAINS:
        raise EncoderError(
            f"{file}: the modules {', '.join(names) or '(none)'} are not supported; "
            "Transformer, Pooling and, optionally, Normalize are."
        )
    (_, transformer), (_, pooling), *_ = modules
    if transformer:
        raise EncoderError(f"{file}: the Transformer must lie in the model folder itself.")
    return folder / pooling


def read_modules(file: Path) -> list[tuple[str, str]]:
    """The chain in a `modules.json`: the kind of each, and its folder, empty for the model's own."""
    modules = _read_json(file)
    if not isinstance(modules, list) or not all(isinstance(module, dict) for module in modules):
        raise EncoderError(f"{file}: expected a list of modules.")
    return [
        (str(module.get("type", "")).rpartition(".")[2], str(module.get("path", ""))) for module in modules
    ]


def _read_pooling(file: Path) -> Pooling:
    config = read_object(file)
    if config.get("include_prompt", True) is False:
        raise EncoderError(f"{file}: pooling that leaves out the prompt (include_prompt) is not supported.")
    # sentence-transformers 6 writes one `pooling_mode`; earlier releases wrote a flag for each mode.
    asked = config.get("pooling_mode")
    if asked is None:
        flags = {
            key.removeprefix(POOLING_FLAG): on for key, on in config.items() if key.startswith(POOLING_FLAG)
        }
        modes = [
            {"mean_tokens": "mean", "cls_token": "cls"}.get(mode, mode) for mode, on in flags.items() if on
        ]
    else:
        modes = [asked] if isinstance(asked, str) else list(asked)
    if modes == ["mean"]:
        return "mean"
    if modes == ["cls"]:
        return "cls"
    found = " and ".join(map(str, modes)) or "nothing"
    raise EncoderError(f"{file}: pooling by {found} is not supported; mean and cls are.")


def _read_prompts(folder: Path) -> tuple[str, str]:
    """The prefixes of queries and of documents, empty where there are none."""
    config = read_object(folder / "config_sentence_transformers.json", required=False)
    prompts = config.get("prompts") or {}
    default = prompts.get(config.get("default_prompt_name"), "")

    def prompt(names: tuple[str, ...]) -> str:
        return str(next((prompts[name] for name in names if name in prompts), default))

    return prompt(QUERY_PROMPTS), prompt(DOCUMENT_PROMPTS)


def max_tokens(folder: Path, config: dict[str, Any], *, use_all_positions: bool = False) -> int:
    """Longest input, special tokens included: as `read_architecture` takes it. `config`: `config.json`."""
    positions = _positive_int(config, "max_position_embeddings", folder / "config.json")
    if config.get("model_type") in OFFSET_POSITIONS:
        positions -= int(config.get("pad_token_id") or 0) + 1
    if use_all_positions:
        return positions
    file = folder / "sentence_bert_config.json"
    transformer = read_object(file, required=False)
    if transformer.get("do_lower_case"):
        raise EncoderError(f"{file}: do_lower_case is not supported; a tokenizer that lower-cases is.")
    asked = transformer.get("max_seq_length")
    tokenizer = read_object(folder / "tokenizer_config.json", required=False).get("model_max_length")
    limits = [limit for limit in (asked, tokenizer) if isinstance(limit, int) and 0 < limit < NO_LIMIT]
    return min([positions, *limits])


def _positive_int(config: dict[str, Any], key: str, file: Path) -> int:
    value = config.get(key)
    if not isinstance(value, int) or value <= 0:
        raise EncoderError(f"{file}: expected a positive whole number under {key!r}, found {value!r}.")
    return value


def read_object(file: Path, *, required: bool = True) -> dict[str, Any]:
    """The JSON object in `file`; empty where it is missing and not required. Raises `EncoderError`."""
    if not required and not file.exists():
        return {}
    value = _read_json(file)
    if not isinstance(value, dict):
        raise EncoderError(f"{file}: expected a JSON object.")
    return value


def _read_json(file: Path) -> Any:
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise EncoderError(f"{file} is missing: not a sentence-transformers model folder.") from None
    except (OSError, ValueError) as error:
        raise EncoderError(f"{file} cannot be read: {error}") from error
