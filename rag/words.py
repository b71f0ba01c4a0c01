"""Closed word classes that the reading of questions relies on."""

from __future__ import annotations

FUNCTION_WORDS = frozenset(
    """
    a about above after again against all also am an and any are aren as at be because been before
    being below between both but by can cannot could did didn do does doesn doing don down during
    each either else ever few for from further had has hasn have having he her here hers him his how
    i if in into is isn it its itself just let ll me might more most much must my neither no nor not
    now of off on once one only or other our ours out over own per please re s same shall she should
    so some such t than that the their theirs them then there these they this those through thus to
    too under until up upon us ve very via was wasn we were weren what when where which while who
    whom whose why will with within without won would yes yet you your
    """.split()
)
"""English words that carry grammar, not content."""

QUESTION_WORDS = frozenset(
    """
    answer define describe does explain give introduction know list many mean meaning name overview
    paper papers research researchers say says show shows stand stands studies study summarise summarize
    tell think topic use used using versus vs want well work works
    """.split()
)
"""Words that make a question without saying what it is about."""

SHARED_FUNCTION_WORDS = frozenset("a an as come die do in is no of on per se son was".split())
"""English words that are small words of another language too."""

FOREIGN_FUNCTION_WORDS = (
    frozenset(
        """
    aber auf aus bei das dem den der des die dies ein eine einem einen einer für ist mit nicht oder
    sich sind und von wann warum was welche wer wie wird wo zu zum zur au aux avec ce ces cette
    comment dans de des du elle elles en est et fait il ils la le les leur mais ne ou où par pas
    pour pourquoi qu quand que quel quelle quelles quels qui quoi sont sur un une al como con cual
    cuál cuando de del donde dónde el ella ellos en es esta está este la las los para pero por
    porque que qué quien quién según se son su sus un una y che chi ci come con cosa da del della
    delle dei di dove è gli il la le lo ma nel non per perché più quale quando si sono su un una uno
    ao aos com como da das de do dos e em é essa esse isso mais mas na nas no nos não o os ou para
    pela pelo por qual quais quando quem se são sua um uma aan dat de deze die dit een en het hoe in
    is met niet of om op te van voor waarom wat welke wie zijn
    """.split()
    )
    - SHARED_FUNCTION_WORDS
)
"""Small words of German, French, Spanish, Italian, Portuguese and Dutch that are no English words."""
