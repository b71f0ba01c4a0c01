"""How well the verifier tells what a passage supports, in both directions, on real sentences.

    python -m eval.trials.verifier FOLDER [--abstracts 800] [--seed 0] [--encoder-cache .asktopic/encoder]

FOLDER is SciFact in BEIR layout with human evidence (see `eval.trials.claims`). Prints, for each of the two
bars:

- the share of edited sentences that are supported, beside the sentence they were made from and beside its
  whole abstract: after edits that change the meaning few should be, after rewordings all;
- the share of sentences that the nearest sentence of another paper supports, by cosine. Some of these say
  the same indeed, so this is an upper bound of what is wrong;
- of claims that people wrote, train and test, the share supported by the sentences that people marked for
  or against them, alone, with the title as context and with title and abstract as context; and by another
  abstract. The bar for rewordings was fitted on train; test is the figure.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import fmean
from typing import get_args

import numpy as np

from eval.trials.claims import JudgedClaim, Label, Source, Split, judged_claims, nearest_others, read_sources
from eval.trials.edits import CHANGES, REWORDINGS, Edit
from index.encoder import EncoderSettings, open_encoder
from index.text.sentences import sentences
from rag.verify import REWORDED, STRICT, Verifier, idf_of_texts

SHORTEST = 40
"""Characters below which a "sentence" is a heading."""


@dataclass
class Flags:
    """How often a kind of edit was flagged beside its own sentence and beside its abstract."""

    quote: list[bool] = field(default_factory=list)
    abstract: list[bool] = field(default_factory=list)


def flagged(
    verifier: Verifier, abstracts: Sequence[str], edits: Mapping[str, Edit], seed: int
) -> dict[str, Flags]:
    """Flag every edit of every sentence; an edit is seeded by its sentence alone."""
    found: dict[str, Flags] = defaultdict(Flags)
    for abstract in abstracts:
        for start, end in sentences(abstract):
            sentence = abstract[start:end]
            if end - start < SHORTEST:
                continue
            for name, edit in edits.items():
                edited = edit(sentence, Random(f"{seed} {name} {sentence}"))  # noqa: S311
                if edited and edited != sentence:
                    found[name].quote.append(not verifier.verify(edited, [sentence]).supported)
                    found[name].abstract.append(not verifier.verify(edited, [abstract]).supported)
    return found


def read_abstracts(folder: Path) -> list[str]:
    """Return the abstracts of the folder's corpus."""
    return [" ".join(source.sentences) for source in read_sources(folder).values()]


def auc(positives: Sequence[float], negatives: Sequence[float]) -> float:
    """Area under the ROC curve: how often a positive scores above a negative, ties counting half."""
    here, there = np.array(positives)[:, None], np.array(negatives)[None, :]
    return float(np.mean((here > there) + 0.5 * (here == there)))


def _edit_rows(verifier: Verifier, drawn: Sequence[str], seed: int) -> Iterator[str]:
    yield f"{'edited sentences, supported':30} {'n':>6} {'beside it':>10} {'its abstract':>13}"
    began, judged = time.perf_counter(), 0
    for kinds in (CHANGES, {"the same": _same, **REWORDINGS}):
        for name, flags in flagged(verifier, drawn, kinds, seed).items():
            count = len(flags.quote)
            judged += 2 * count
            shares = 1 - fmean(flags.quote), 1 - fmean(flags.abstract)
            yield f"  {name:28} {count:6} {shares[0]:10.1%} {shares[1]:13.1%}"
    yield f"  {judged:,} claims judged, {1e3 * (time.perf_counter() - began) / judged:.2f} ms each"


def _other_row(verifier: Verifier, pairs: Sequence[tuple[str, str, Source]]) -> str:
    alone = fmean(verifier.verify(claim, [other]).supported for claim, other, _ in pairs)
    context = fmean(verifier.verify(claim, [other], context=s.texts).supported for claim, other, s in pairs)
    return f"  {'another paper’s nearest':28} {len(pairs):6} {alone:10.1%}  with its source {context:.1%}"


def _claim_rows(verifier: Verifier, claims: Mapping[tuple[Split, Label], list[JudgedClaim]]) -> Iterator[str]:
    columns = "".join(f" {name:>8}" for name in ("alone", "title", "source", "another"))
    yield f"{'claims of people, supported':30} {'n':>6}{columns}"
    for (split, label), judged in claims.items():
        verdicts = [
            (
                verifier.verify(each.claim, each.evidence),
                verifier.verify(each.claim, each.evidence, context=each.source.texts[:1]),
                verifier.verify(each.claim, each.evidence, context=each.source.texts),
                verifier.verify(each.claim, each.other.texts[1:], context=each.other.texts[:1]),
            )
            for each in judged
        ]
        shares = [fmean(verdict.supported for verdict in column) for column in zip(*verdicts, strict=True)]
        yield f"  {label + ', ' + split:28} {len(judged):6} " + "{:7.1%} {:7.1%} {:7.1%} {:8.1%}".format(
            *shares
        )
        why = Counter(check for _, _, verdict, _ in verdicts for check in verdict.failed)
        told = ", ".join(f"{check} {count / len(judged):.1%}" for check, count in why.most_common())
        yield f"    with the source as context, against it speak: {told}"


def _same(sentence: str, chance: Random) -> str:
    del chance
    return f"{sentence} "


def main() -> None:
    """Run the measurement and print its figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--abstracts", type=int, default=800, help="how many, drawn at random")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--encoder-cache", type=Path, default=Path(".asktopic/encoder"))
    arguments = parser.parse_args()
    sources = read_sources(arguments.folder)
    texts = [" ".join(source.sentences) for source in sources.values()]
    idf = idf_of_texts(texts)
    chosen = Random(arguments.seed).sample(  # noqa: S311
        list(sources.values()), min(arguments.abstracts, len(sources))
    )
    encoder = open_encoder(EncoderSettings(), arguments.encoder_cache)
    others = list(nearest_others(chosen, encoder.encode_query, SHORTEST))
    claims = {
        (split, label): list(judged_claims(arguments.folder, sources, split, label, arguments.seed))
        for split in get_args(Split)
        for label in get_args(Label)
    }
    for name, bar in (("strict", STRICT), ("for rewordings", REWORDED)):
        verifier = Verifier(idf, bar=bar)
        lines = [f"the bar {name}: {bar}"]
        lines += _edit_rows(verifier, [" ".join(source.sentences) for source in chosen], arguments.seed)
        lines.append(_other_row(verifier, others))
        lines += _claim_rows(verifier, claims)
        print("\n".join(lines), end="\n\n", flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
