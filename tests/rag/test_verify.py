"""The verifier: what supports a claim, check by check."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from index.paths import starter_folder
from index.text.sentences import sentences
from rag.verify import REWORDED, Bar, Verifier, idf_of_texts

VERIFIER = Verifier(lambda term: 1.0)


def failed(claim: str, *passages: str) -> tuple[str, ...]:
    return VERIFIER.verify(claim, passages).failed


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("Accuracy rose by 38%.", "Accuracy rose by 38 %."),
        ("Accuracy rose by 38%.", "Accuracy rose by 38 percent."),
        ("Accuracy rose by 14%.", "Accuracy rose by 14.0 percent."),
        ("Accuracy rose by 14.0%.", "Accuracy rose by 14 per cent."),
        ("Accuracy was 14%.", r"Accuracy was \(14\%\)."),
        ("Accuracy was 0.89.", "Accuracy was 89%."),
        ("Accuracy was 89%.", "Accuracy was 0.89."),
        ("The set holds 86,476 papers.", "The set holds 86476 papers."),
        ("The set holds 86476 papers.", "The set holds 86 476 papers."),
        ("The set holds 86 476 papers.", "The set holds 86,476 papers."),
        ("The set holds 86,476 papers.", r"The set holds \(86{,}476\) papers."),
        ("It took 1.5 million steps.", "It took 1,500,000 steps."),
        ("It took 1.5 million steps.", "It took 1.5M steps."),
        ("It took 10k steps.", "It took ten thousand steps."),
        ("The rate was 10^-3.", "The rate was 10⁻³."),
        ("The rate was 10⁻³.", r"The rate was \(10^{-3}\)."),
        ("The rate was 0.003.", "The rate was 3 × 10^-3."),
        ("The slope was −0.5.", "The slope was -0.5."),
        ("The slope was -0.5.", r"The slope was \(-0.5\)."),
        ("Loss fell by 5%.", "Loss changed, and fell: -5%."),
        ("Ages were 10–20 years.", "Ages were 10-20 years."),
        ("Ages were 10 to 20 years.", "Ages were 10-20 years."),
        ("Gains were 10% and 20%.", "Gains were 10-20%."),
        ("Gains were 12%, 14% and 18%.", "Gains were 12, 14 and 18%."),
        ("Two arms were compared.", "The 2 arms were compared."),
        ("The 25 patients recovered.", "Twenty-five patients recovered."),
        ("The two groups improved.", "Both groups improved."),
        ("Training was 3x faster.", "Training was threefold faster."),
        ("Cost was 2 times larger.", "Cost was twice larger."),
        ("About 5,200 abstracts are searched.", "5,183 abstracts are searched."),
        ("More than 80% agreed.", "83.4% agreed."),
        ("The p-value was .05.", "The p-value was 0·05."),
        ("GPT-4 wins at chess.", "GPT-4 wins at chess."),
        ("Of all patients 76% recovered.", "Of all patients 76.3% recovered."),
        ("Double-strand breaks accumulate.", "Breaks of the strand accumulate."),
    ],
)
def test_a_number_may_be_written_otherwise(claim: str, passage: str) -> None:
    assert failed(claim, passage) == ()


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("Accuracy rose by 38%.", "Accuracy rose by 36%."),
        ("Accuracy rose by 38%.", "Accuracy rose for 38 people."),
        ("Accuracy rose for 38 people.", "Accuracy rose by 38%."),
        ("The set holds 86,476 papers.", "The set holds 86,467 papers."),
        ("It took 1.5 million steps.", "It took 1.5 billion steps."),
        ("The slope was -0.5.", "The slope was 0.5."),
        ("Ages were 10-30 years.", "Ages were 10–20 years."),
        ("The rate was 10^-4.", "The rate was 10⁻³."),
        ("Three arms were compared.", "The 2 arms were compared."),
        ("The rate was 0.05.", r"The rate was \(\alpha = 0.01\)."),
        ("About 5,300 abstracts are searched.", "5,183 abstracts are searched."),
        ("Exactly 5,200 abstracts are searched.", "5,183 abstracts are searched."),
        ("Training was fourfold faster.", "Training was threefold faster."),
        ("Of all patients 77% recovered.", "Of all patients 76.3% recovered."),
        ("Of all patients 76.3% recovered.", "Of all patients 76% recovered."),
        ("It took 2 days.", "It took 1.6 days."),
    ],
)
def test_another_number_is_noticed(claim: str, passage: str) -> None:
    assert failed(claim, passage) == ("numbers",)


def test_a_number_that_stands_for_another_of_the_same_sentence_is_noticed() -> None:
    passage = "Errors fell from 12 to 7 in 30 days."
    assert failed("Errors fell from 12 to 12 in 30 days.", passage) == ("numbers",)


def test_a_number_from_elsewhere_in_the_quotes_is_noticed() -> None:
    verdict = VERIFIER.verify(
        "The trained policy walked for 40 minutes.",
        ["The trained policy walked for 30 minutes. Another 40 robots were bought."],
    )
    assert verdict.notes == ("the number 40 stands in the quotes, but not where they speak of this",)


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("The drug does not improve sleep.", "The drug doesn't improve sleep."),
        ("The drug does not improve sleep.", "The drug doesn’t improve sleep."),
        ("The drug cannot improve sleep.", "The drug can't improve sleep."),
        ("The drug did not improve sleep.", "The drug failed to improve sleep."),
        ("The drug is not effective.", "The drug is ineffective."),
        ("The drug is effective.", "The drug is not ineffective."),
        ("The effect was not significant.", "The effect was non-significant."),
        ("No improvement of sleep was found.", "An improvement of sleep was not found."),
        ("It learns without labels.", "It learns with no labels."),
        ("It only plans and not only learns.", "It only plans and not only learns."),
        ("It needs no graph and no tree.", "It needs no graph or tree."),
        ("Vessels produce nitric oxide at rest.", "Vessels produce nitric oxide (NO) at rest."),
        ("It not only learns but plans.", "It learns and plans."),
        ("Mice lacking leptin grow fat.", "Leptin-deficient mice grow fat."),
        ("The mortality of treated men did not change.", "The mortality of treated men was similar."),
        ("The term is non-linear.", "The term is nonlinear."),
        ("It is unclear whether it learns.", "Whether or not it learns is unclear."),
        # The other half of the sentence is denied.
        ("The drug improves sleep.", "The drug improves sleep but does not improve mood."),
        ("The drug lowers fever.", "The drug does not improve mood, but lowers fever."),
    ],
)
def test_a_negation_may_be_worded_otherwise(claim: str, passage: str) -> None:
    assert failed(claim, passage) == ()


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("The drug does not improve sleep.", "The drug improves sleep."),
        ("The drug improves sleep.", "The drug does not improve sleep."),
        ("The drug improves sleep.", "The drug doesn’t improve sleep."),
        ("The drug improves sleep.", "The drug never improves sleep."),
        ("The term is linear.", "The term is nonlinear."),
        ("The drug is effective.", "The drug is ineffective."),
        ("The drug is ineffective.", "The drug is not ineffective."),
        ("It learns without labels.", "It learns with labels."),
        ("The drug improves mood.", "The drug improves sleep but does not improve mood."),
        (
            "The drug improves sleep and does improve mood.",
            "The drug improves sleep and does not improve mood.",
        ),
        ("No graph is not available here.", "No graph is available here."),
        ("They were not only found at night.", "They were only found at night."),
        ("Neither sleep nor mood improved.", "Sleep and mood improved."),
    ],
)
def test_a_negation_added_or_dropped_is_noticed(claim: str, passage: str) -> None:
    assert "negation" in failed(claim, passage)


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("The dose increases sleep.", "The dose decreases sleep."),
        ("Accuracy was higher after training.", "Accuracy was lower after training."),
        ("Accuracy was higher before training.", "Accuracy was higher after training."),
        ("PPO outperforms DQN on games.", "PPO underperforms DQN on games."),
        ("The method needs more data.", "The method needs less data."),
        ("The method improves recall.", "The method worsens recall."),
        ("Higher accuracy and higher cost were seen.", "Higher accuracy and lower cost were seen."),
        ("Sleep correlates positively with age.", "Sleep correlates negatively with age."),
        ("The tumour is HER2-positive here.", "The tumour is HER2-negative here."),
        (
            "Such antibodies encourage metastasis in mice.",
            "In mice, antibodies such as these delayed metastasis.",
        ),
    ],
)
def test_a_direction_swapped_is_noticed(claim: str, passage: str) -> None:
    assert failed(claim, passage) == ("direction",)


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("The dose reduces sleep.", "The dose decreases sleep."),
        ("Higher accuracy was seen.", "Higher accuracy and lower cost were seen."),
        ("Lower cost was seen.", "Higher accuracy and lower cost were seen."),
        ("It inhibits the channel's activity.", "It inhibits the activity of the channel."),
        ("The drug prevents stress-induced loss.", "Loss induced by stress is prevented by the drug."),
    ],
)
def test_a_direction_worded_otherwise_passes(claim: str, passage: str) -> None:
    assert failed(claim, passage) == ()


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("The agent was trained by PPO on games.", "The agent was trained by DQN on games."),
        ("The agent was trained in Berlin on games.", "The agent was trained in Madrid on games."),
        ("The protein binds to IL-6 in human blood.", "The protein binds to IL-8 in human blood."),
        ("The gene p53 is lost in such tumours.", "The gene p63 is lost in such tumours."),
    ],
)
def test_another_name_is_noticed(claim: str, passage: str) -> None:
    assert failed(claim, passage) == ("acronyms",)


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("The RL agent plays.", "The reinforcement learning agent plays."),
        ("The reinforcement learning agent plays.", "The RL agent plays."),
        ("Two GANs were trained.", "Two generative adversarial networks were trained."),
        ("It binds to TGF-β.", "It binds to TGF-beta."),
        ("It binds to IL6.", "It binds to IL-6."),
        ("Pretraining helps the model.", "Pre-training helps the model."),
        ("Pre-training helps the model.", "Pretraining helps the model."),
        ("The trial ran in the UK.", "The trial ran in the United Kingdom."),
        ("The trial was run in Germany.", "The trial was run by German hospitals."),
        ("Proximal policy optimisation (PPO) learns.", "Proximal policy optimization learns."),
        ("It treats Helicobacter pylori.", "It treats H. pylori."),
        ("ACCURACY ROSE IN THE TRIAL", "Accuracy rose in the trial."),
        ("The protein binds to IL-6 in blood.", "The protein binds to interleukin 6 in blood."),
        ("The protein binds to interleukin-6 in blood.", "The protein binds to IL-6 in blood."),
        (
            "Fibroblast growth factor 21 protects the heart.",
            "FGF21 protects the growth of heart fibroblasts.",
        ),
        ("Carriers of BRCA 1 fell ill.", "Carriers of BRCA1 fell ill."),
        ("Vitamin B6 (VB6) lowers the dose.", "Vitamin B6 lowers the dose."),
    ],
)
def test_a_name_may_be_spelled_out_or_abbreviated(claim: str, passage: str) -> None:
    assert failed(claim, passage) == ()


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("The drug improves sleep.", "The drug may improve sleep."),
        ("The drug improves sleep.", "Our results suggest that the drug improves sleep."),
        ("The drug improves sleep.", "The drug possibly improves sleep."),
        ("The drug always improves sleep.", "The drug improves sleep."),
        ("This proves that the drug improves sleep.", "This indicates that the drug improves sleep."),
    ],
)
def test_a_claim_surer_than_its_quote_is_noticed(claim: str, passage: str) -> None:
    assert failed(claim, passage) == ("hedges",)


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("The drug might improve sleep.", "The drug may improve sleep."),
        ("The drug may improve sleep.", "The drug improves sleep."),
        ("The drug improves sleep.", "The drug improves sleep, which may help recovery."),
        ("The trial began in spring.", "The trial began in spring, in May 2020."),
        ("We use a new loss.", "We suggest a new loss."),
    ],
)
def test_a_claim_no_surer_than_its_quote_passes(claim: str, passage: str) -> None:
    assert failed(claim, passage) == ()


def test_coverage_is_the_idf_weighted_share_of_the_terms() -> None:
    weights = {"cat": 3.0, "sleep": 1.0}
    verifier = Verifier(lambda term: weights.get(term, 0.5))
    assert verifier.verify("The cats sleep.", ["A sleeping dog."]).coverage == pytest.approx(0.25)
    assert verifier.verify("The cats sleep.", ["A cat eats."]).coverage == pytest.approx(0.75)
    assert verifier.verify("The cats sleep.", ["A cat.", "It slept, and sleeps."]).coverage == 1.0


def test_too_few_words_is_no_support_and_names_what_is_missing() -> None:
    verdict = VERIFIER.verify("Badgers dig tunnels quickly.", ["Foxes dig."])
    assert not verdict.supported
    assert verdict.failed == ("terms",)
    assert verdict.notes == (
        "the quotes hold too few of its words; they lack “Badgers”, “tunnels”, “quickly”",
    )


def test_the_bar_is_a_parameter() -> None:
    strict, lax = Verifier(lambda term: 1.0, bar=Bar(0.9)), Verifier(lambda term: 1.0, bar=Bar(0.4))
    claim, passage = "Badgers dig tunnels.", "Badgers make tunnels."
    assert not strict.verify(claim, [passage]).supported
    assert lax.verify(claim, [passage]).supported


def test_of_a_long_claim_the_same_share_leaves_too_much_open() -> None:
    verifier = Verifier(lambda term: 1.0, bar=REWORDED)
    assert verifier.verify("Badgers dig tunnels.", ["Badgers make homes."]).support == "terms"
    long = "Badgers dig long tunnels under old oaks, and foxes steal fresh eggs."
    verdict = verifier.verify(long, ["Badgers and foxes under old oaks steal things."])
    assert verdict.coverage > REWORDED.share
    assert verdict.failed == ("terms",)


def test_a_title_may_hold_names_and_words_but_no_numbers() -> None:
    claim, quote = "DQN plays Breakout well after 40 hours.", "The agent plays well after 40 hours."
    assert "acronyms" in failed(claim, quote)
    assert VERIFIER.verify(claim, [quote], context=["DQN learns Breakout"]).support == "terms"
    verdict = VERIFIER.verify(claim, ["The agent plays well."], context=["DQN learns Breakout in 40 hours"])
    assert verdict.failed == ("numbers",)


@pytest.mark.parametrize(
    "claim",
    [
        "Errors fell by 38% at night.",
        "“errors fell by 38 % at night”",
        "Errors fell by 38% at nights.",
        "Errors fell, by 38% at night.",
    ],
)
def test_a_quote_is_found_with_the_sentence_to_be_shown(claim: str) -> None:
    passages = ["Nothing here.", "We tried it. Errors fell by 38% at night. Later they rose."]
    verdict = VERIFIER.verify(claim, passages)
    assert (verdict.support, verdict.passage) == ("quoted", 1)
    assert verdict.span is not None
    assert passages[1][slice(*verdict.span)] == "Errors fell by 38% at night."


def test_several_sentences_are_one_quote() -> None:
    passage = "We tried it. Errors fell by 38% at night. Later they rose."
    verdict = VERIFIER.verify("Errors fell by 38% at night. Later they rose.", [passage])
    assert verdict.support == "quoted"
    assert verdict.span == (passage.index("Errors"), len(passage))


@pytest.mark.parametrize("claim", ["Errors fell by 36% at night.", "Errors never fell by 38% at night."])
def test_what_is_nearly_a_quote_but_says_otherwise_is_none(claim: str) -> None:
    verdict = VERIFIER.verify(claim, ["Errors fell by 38% at night."])
    assert (verdict.supported, verdict.support, verdict.span) == (False, None, None)


def test_part_of_a_sentence_is_no_quote_of_it() -> None:
    verdict = VERIFIER.verify("The drug helps.", ["Nobody believes that the drug helps."])
    assert verdict.support != "quoted"


def test_the_passage_that_holds_most_of_a_claim_is_named() -> None:
    verdict = VERIFIER.verify(
        "Badgers dig long tunnels.", ["Foxes dig.", "Tunnels that badgers dig are long."]
    )
    assert (verdict.support, verdict.passage) == ("terms", 1)


def test_a_claim_may_join_several_passages() -> None:
    first, second = "The policy was trained for 3 hours.", "Afterwards robots walked over 40 obstacles."
    claim = "The policy was trained for 3 hours, and robots walked over 40 obstacles."
    assert failed(claim, first, second) == ()
    assert failed(claim, first) == ("terms", "numbers")


@pytest.mark.parametrize("passages", [[], [""], [" \n "]])
def test_nothing_is_supported_by_nothing(passages: list[str]) -> None:
    verdict = VERIFIER.verify("Badgers dig.", passages)
    assert (verdict.supported, verdict.coverage) == (False, 0.0)
    assert verdict.notes == ("there is no quote to support it",)


@pytest.mark.parametrize("claim", ["", "It is.", "…", "42"])
def test_a_claim_without_content_is_not_supported(claim: str) -> None:
    assert not VERIFIER.verify(claim, [f"{claim} Badgers dig."]).supported


def test_notes_say_in_plain_words_what_is_wrong() -> None:
    verdict = VERIFIER.verify("All errors never fell by 38% at ACME.", ["All errors fell by 36% at last."])
    assert verdict.failed == ("numbers", "negation", "acronyms")
    assert "the number 38% stands in none of the quotes" in verdict.notes
    assert "no quote has the negation “never fell”" in verdict.notes
    assert "the name ACME stands in none of the quotes" in verdict.notes


def test_odd_input_is_judged_without_a_fault() -> None:
    for text in ("\\(", "9" * 5_000, "1e999999", "not " * 500, "10^" + "9" * 400, "A" * 5_000, "½ × 10⁹⁹⁹"):
        VERIFIER.verify(f"The cat {text} sleeps.", [f"A cat {text} sleeps."])


def test_idf_is_that_of_bm25_and_unknown_terms_weigh_most() -> None:
    idf = idf_of_texts(["cats sleep", "cats eat", "dogs eat cats"])
    assert idf("cat") == pytest.approx(math.log(1 + 0.5 / 3.5))
    assert idf("eat") == pytest.approx(math.log(1 + 1.5 / 2.5))
    assert idf("unheard") == pytest.approx(math.log(1 + 3.5 / 0.5))
    assert idf("unheard") > idf("sleep") > idf("eat") > idf("cat") > 0


def _starter_texts() -> list[str]:
    rows = [json.loads(line) for line in (starter_folder() / "corpus.jsonl").read_text("utf-8").splitlines()]
    return [row[field] for row in rows for field in ("description", "summary") if row.get(field)]


def test_every_sentence_of_the_starter_set_is_supported_by_itself_and_its_text() -> None:
    texts = _starter_texts()
    verifier = Verifier(idf_of_texts(texts))
    judged = 0
    for text in texts:
        for start, end in sentences(text):
            for passage in (text[start:end], text):
                assert verifier.verify(text[start:end], [passage]).notes == (), text[start:end]
                judged += 1
    assert judged > 200


def test_edits_of_real_sentences_are_caught_and_rewordings_pass(shared_data: Path) -> None:
    from eval.trials.edits import CHANGES, REWORDINGS
    from eval.trials.verifier import flagged, read_abstracts

    texts = read_abstracts(shared_data / "scifact")
    verifier, drawn = Verifier(idf_of_texts(texts)), texts[:80]
    for flags in flagged(verifier, drawn, CHANGES, seed=1).values():
        assert sum(flags.quote) >= 0.92 * len(flags.quote)
    passed = flagged(verifier, drawn, REWORDINGS, seed=1).values()
    assert sum(sum(flags.quote) for flags in passed) <= 0.01 * sum(len(flags.quote) for flags in passed)
