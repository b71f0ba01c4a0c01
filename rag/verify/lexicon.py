"""Closed word classes that the exact checks rely on: negations, hedges, directions, number words."""

from __future__ import annotations

import functools
from collections.abc import Mapping

from index.stores.lexical import analyze

NEGATORS = frozenset(
    """
    not no never neither nor none nobody nothing nowhere without lack lacks lacked lacking absence absent
    fail fails failed failing hardly scarcely barely rarely seldom non
    """.split()
)
"""Words that turn what follows them into its opposite, or nearly."""

DENYING = frozenset(
    """
    little few similar similarly comparable equal equally same unable despite regardless irrespective
    independent independently deficient deficiency knockout knockouts null deleted deletion depleted depletion
    ablated ablation loss lost devoid free undetectable abolished abolishes abrogated prevented prevents
    resisted resistant dispensable refute refuted contrary
    """.split()
)
"""Words by which a passage may say what a claim says with a negation: "was similar" of "did not differ".
They only excuse a negation that bears on words which the passage does not have."""

PRIVATIVES = frozenset(
    """
    lack lacks lacked lacking absence absent without deficient deficiency knockout knockouts null deleted
    deletion depleted depletion ablated ablation loss devoid free
    """.split()
)
"""Words for something not being there: "mice lacking FGF21" are "FGF21-deficient mice"."""

NO_NEGATION = (
    frozenset({"not", "only"}),
    frozenset({"not", "just"}),
    frozenset({"not", "merely"}),
    frozenset({"not", "simply"}),
    frozenset({"no", "matter"}),
    frozenset({"no", "doubt"}),
    frozenset({"or", "not"}),
    frozenset({"or", "without"}),
    frozenset({"if", "not"}),
)
"""Neighbours that take the negation out of a negator: "not only", "whether or not", "with or without"."""

NEGATIVE_FORMS: Mapping[str, str] = {
    negative: positive
    for pair in """
    insignificant:significant nonsignificant:significant insignificantly:significantly
    ineffective:effective inefficient:efficient inadequate:adequate insufficient:sufficient
    inaccurate:accurate inconsistent:consistent inconclusive:conclusive incomplete:complete
    incorrect:correct incorrectly:correctly inactive:active insensitive:sensitive incapable:capable
    unable:able unaffected:affected unaltered:altered unchanged:changed unclear:clear
    unlikely:likely unnecessary:necessary unrelated:related unsafe:safe unstable:stable
    unsuccessful:successful unsupervised:supervised unbiased:biased uncorrelated:correlated
    unknown:known unsuitable:suitable uncommon:common unreliable:reliable unavailable:available
    unaware:aware unseen:seen unlabeled:labeled unlabelled:labelled uncertain:certain unfair:fair
    impossible:possible implausible:plausible impractical:practical irrelevant:relevant
    irreversible:reversible infeasible:feasible unfeasible:feasible intractable:tractable
    """.split()
    for negative, positive in [pair.split(":")]
}
"""Words whose prefix negates, and what they negate: "ineffective" is read as "non effective"."""

NOT_NEGATED = frozenset({"nonsense", "nonetheless", "nonce"})
"""Words in "non" that negate nothing."""

HEDGES = frozenset(
    """
    may might could perhaps possibly possible probably presumably potentially likely plausibly conceivably
    suggest suggests suggested suggesting suggestive appear appears appeared seem seems seemed seemingly
    hypothesize hypothesized hypothesise hypothesised hypothesis speculate speculated putative tentative
    """.split()
)
"""Words by which authors hold back from stating what follows."""

ABSOLUTES = frozenset(
    """
    always invariably definitely certainly undoubtedly unquestionably conclusively definitively proves proved
    proven guarantee guarantees guaranteed
    """.split()
)
"""Words that state without reserve: a claim may not add one."""

CLAUSE_WORDS = frozenset("but whereas while although though which however unless except".split())
"""Words at which the reach of a negation ends."""

DISCOURSE_WORDS = frozenset(
    """
    however therefore moreover furthermore hence indeed thereby nevertheless nonetheless consequently
    accordingly additionally finally overall notably importantly interestingly percent cent percentage
    """.split()
)
"""Words that link sentences or stand for a sign, and are no content."""

_AXES = (
    """
    increase rise rose risen grow grew elevate elevated raise raised upregulate upregulated up gain boost
    enlarge expand exceed augment amplify escalate maximize maximise upward multiply
    | decrease fall fell fallen shrink shrank lower lowered reduce reduction drop decline downregulate
    downregulated down lose loss diminish lessen minimize minimise downward attenuate mitigate
    """,
    "high higher highest great greater greatest elevated | low lower lowest less small smaller",
    """
    large larger largest big bigger biggest great greater greatest maximum maximal
    | small smaller smallest little minimum minimal
    """,
    "more most many greater | less least lesser few fewer fewest",
    """
    improve better best outperform superior superiority surpass beat enhance improvement ameliorate good
    strengthen beneficial benefit advantage excel
    | worsen worse worst underperform inferior inferiority degrade deteriorate impair bad weaken degradation
    harmful harm disadvantage hurt hinder
    """,
    """
    activate activation promote induce induction stimulate facilitate enable cause trigger accelerate
    | inactivate inactivation deactivate inhibit inhibition suppress suppression block prevent repress
    abolish disable impede decelerate
    """,
    "before prior precede preceding pre early earlier earliest | after following post late later latest",
    "fast faster fastest quick quicker quickly rapid rapidly | slow slower slowest slowly",
    "long longer longest lengthen prolong | short shorter shortest shorten",
    "strong stronger strongest strongly | weak weaker weakest weakly",
    "positive positively | negative negatively",
    "above over | below under beneath",
    "easy easier easiest simple simpler | hard harder hardest difficult complex",
    "cheap cheaper cheapest inexpensive | costly costlier expensive",
    "deep deeper deepest | shallow shallower shallowest",
    "sensitive sensitivity susceptible | resistant resistance",
    "include including includes | exclude excluding excludes",
    "success succeed successful | failure fail",
    "same similar identical equal | different distinct unequal",
    "all every always | some sometimes",
    "young younger youngest | old older oldest",
    "hot hotter warm warmer | cold colder cool cooler",
    "first initial initially | last final finally",
    "safe safer | dangerous",
    "frequent frequently often common | rare rarely seldom infrequent",
    "convex | concave",
    "online | offline",
    "win won winning | lose lost losing",
    "rich richer | poor poorer",
    "dense | sparse",
    "homogeneous | heterogeneous",
    "internal | external",
    "upstream | downstream",
    "acute | chronic",
    "dominant | recessive",
)

_TRENDS = """
    increase rise grow elevate elevation raise upregulate gain boost enlarge expand amplify augment enhance
    enhancement promote promotion induce induction stimulate facilitate trigger accelerate activate activation
    strengthen encourage support higher greater more larger improve improvement potentiate drive prolong
    exacerbate aggravate worsen
    | decrease fall shrink lower reduce reduction drop decline downregulate diminish lessen minimize attenuate
    mitigate inhibit inhibition suppress suppression block prevent repress abolish disable impede slow delay
    impair weaken hinder less fewer smaller low protect protective rescue restrict abrogate disrupt damage
    silence counteract ameliorate alleviate reverse discourage
"""


def trend(word: str) -> int:
    """Return +1 for a word, in lower case, of something becoming more, -1 for less, and 0 for any other.

    Coarser than `points`: of two texts about one subject, with only risings in the one and only fallings in
    the other, one says the contrary.
    """
    return 0 if word in _POINTS_NOWHERE else _trends().get(_first_term(word), 0)


@functools.lru_cache(20_000)
def _first_term(word: str) -> str:
    return next(iter(analyze(word)), "")


@functools.cache
def _trends() -> Mapping[str, int]:
    sides = zip((1, -1), _TRENDS.split("|"), strict=True)
    return {term: sign for sign, words in sides for word in words.split() for term in analyze(word)}


_POINTS_NOWHERE = frozenset("activity activities active actively activator activators".split())
"""Words that share a stem with one that points."""


def points(word: str) -> tuple[tuple[int, int], ...]:
    """Return the axes on which a word, in lower case, points, each with +1 or -1."""
    return () if word in _POINTS_NOWHERE else _pointing(word)


@functools.lru_cache(20_000)
def _pointing(word: str) -> tuple[tuple[int, int], ...]:
    return _directions().get(_first_term(word), ())


@functools.cache
def _directions() -> Mapping[str, tuple[tuple[int, int], ...]]:
    found: dict[str, dict[int, int]] = {}
    for axis, sides in enumerate(_AXES):
        for sign, words in zip((1, -1), sides.split("|"), strict=True):
            for word in words.split():
                for term in analyze(word):
                    found.setdefault(term, {})[axis] = sign
    return {term: tuple(axes.items()) for term, axes in found.items()}


UNITS: Mapping[str, int] = {
    word: value
    for value, word in enumerate(
        """
        zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
        sixteen seventeen eighteen nineteen
        """.split()
    )
}
TENS: Mapping[str, int] = {
    word: 10 * value
    for value, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2)
}
SCALES: Mapping[str, float] = {
    "hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12,
}  # fmt: skip
MULTIPLES: Mapping[str, float] = {
    "twice": 2, "double": 2, "doubled": 2, "doubles": 2, "doubling": 2, "twofold": 2, "triple": 3,
    "tripled": 3, "triples": 3, "threefold": 3, "thrice": 3, "quadruple": 4, "quadrupled": 4, "fourfold": 4,
    "fivefold": 5, "tenfold": 10, "half": 0.5, "halved": 0.5, "halves": 0.5, "halving": 0.5,
}  # fmt: skip
"""Words that state a factor."""
IMPLIED: Mapping[str, float] = {"both": 2, "pair": 2, "couple": 2, "single": 1, "dozen": 12, "quarter": 0.25}
"""Words of a passage that bear a claim's number without stating one."""
