"""What a cross-encoder's folder says about scoring a pair: the reading of sentence-transformers' own."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from index.encoder.architecture import max_tokens, read_modules, read_object
from index.errors import EncoderError

Activation = Literal["sigmoid", "identity"]
EntailmentLabel = Literal["entailment", "neutral", "contradiction"]

_ENTAILMENT_LABELS: dict[str, EntailmentLabel] = {
    "entail": "entailment", "neutral": "neutral", "contradict": "contradiction",
}  # fmt: skip

# By the last part of the dotted path, which differs between releases of PyTorch.
_ACTIVATIONS: dict[str, Activation] = {"Sigmoid": "sigmoid", "Identity": "identity"}


@dataclass(frozen=True, slots=True)
class PairArchitecture:
    """Input limit in tokens, special ones included, and what turns the logit into a score.

    `token_types`: whether the tokenizer tells the sides of a pair apart; the model may still not ask.
    """

    max_tokens: int
    activation: Activation
    token_types: bool = True


def read_pair_architecture(folder: Path) -> PairArchitecture:
    """Read the JSON files of a Hugging Face sequence-classification model, saved by whichever library.

    Raises:
        EncoderError: a file is unreadable, or says that the model is no cross-encoder with one label, or
            asks for something that is not supported.
    """
    file = folder / "config.json"
    config = _classifier(file, "a reranker")
    labels = _labels(config)
    if labels != 1:
        raise EncoderError(f"{file}: a model with {labels} labels is no reranker; one with one label is.")
    own = _own_settings(folder, "a reranker")
    return PairArchitecture(
        max_tokens=max_tokens(folder, config),
        activation=_activation(file, config, own),
        token_types=_takes_types(folder),
    )


def read_entailment_architecture(folder: Path) -> tuple[PairArchitecture, dict[EntailmentLabel, int]]:
    """Read the JSON files of a natural-language-inference model, and at which place each label stands.

    The order of the three differs between published models, so it is taken from the names in `id2label`.

    Raises:
        EncoderError: a file is unreadable, or says that the model is no such classifier, or does not name
            its labels.
    """
    file = folder / "config.json"
    config = _classifier(file, "a model of entailment")
    _own_settings(folder, "a model of entailment")
    places = _label_places(file, config.get("id2label"))
    return PairArchitecture(max_tokens(folder, config), "identity", _takes_types(folder)), places


def _label_places(file: Path, names: Any) -> dict[EntailmentLabel, int]:
    found: dict[EntailmentLabel, int] = {}
    for place, name in names.items() if isinstance(names, dict) else ():
        for start, label in _ENTAILMENT_LABELS.items():
            if str(name).lower().startswith(start) and str(place).isdigit():
                found[label] = int(place)
    if not isinstance(names, dict) or len(names) != 3 or sorted(found.values()) != [0, 1, 2]:
        raise EncoderError(
            f"{file}: the labels {names} are not those of a model of entailment, which are entailment, "
            "neutral and contradiction; write their names into id2label."
        )
    return found


def _classifier(file: Path, wanted: str) -> dict[str, Any]:
    config = read_object(file)
    kinds = config.get("architectures") or ["nothing"]
    if not str(kinds[0]).endswith("ForSequenceClassification"):
        raise EncoderError(
            f"{file}: {kinds[0]} is not supported; {wanted} is a model for sequence classification."
        )
    return config


def _own_settings(folder: Path, wanted: str) -> dict[str, Any]:
    # Written by sentence-transformers from version 6 on, and what makes it read its other file. A folder
    # without it is one bare transformer.
    chain = folder / "modules.json"
    if chain.exists() and (modules := read_modules(chain)) != [("Transformer", "")]:
        names = ", ".join(f"{kind} in {path!r}" if path else kind for kind, path in modules)
        raise EncoderError(f"{chain}: modules other than a Transformer are not supported (found {names}).")
    own = read_object(folder / "config_sentence_transformers.json", required=False) if chain.exists() else {}
    if (own.get("prompts") or {}).get(own.get("default_prompt_name")):
        raise EncoderError(f"{folder}: {wanted} with a prompt is not supported.")
    return own


def _takes_types(folder: Path) -> bool:
    # Where the names are not given, the tokenizer's class decides, and those of models with token types
    # give them.
    inputs = read_object(folder / "tokenizer_config.json", required=False).get("model_input_names")
    return inputs is None or "token_type_ids" in inputs


def _labels(config: dict[str, Any]) -> int:
    """As transformers counts them: by their names, and two where it is not said."""
    names = config.get("id2label")
    return len(names) if isinstance(names, dict) else int(config.get("num_labels") or 2)


def _activation(file: Path, config: dict[str, Any], own: dict[str, Any]) -> Activation:
    """The first that is named, in the order in which sentence-transformers looks; else a sigmoid."""
    asked = (
        own.get("activation_fn")
        or (config.get("sentence_transformers") or {}).get("activation_fn")
        or config.get("sbert_ce_default_activation_function")  # before version 4
        or "torch.nn.Sigmoid"
    )
    kind = _ACTIVATIONS.get(str(asked).rpartition(".")[2])
    if kind is None:
        raise EncoderError(f"{file}: the activation {asked} is not supported; Sigmoid and Identity are.")
    return kind
