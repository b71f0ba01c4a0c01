"""Forms of questions, and how the same is asked otherwise.

Rules over the surface, no parser. English turns subject and verb round in a question ("Why does it
learn?" but "Tell me why it learns."), and where the subject ends cannot be told without a parser; so a
rule either needs no turning back, or holds only for forms in which the place is plain: the question
ends in its verb or adjective, "do" can just be dropped, "be" stands behind the subject.
"""

from __future__ import annotations

AUXILIARIES = (
    "is are was were am be been do does did has have had can could should shall will would may might must"
).split()
ASKING = "what which who whom whose when where why how".split()
ORDERING = "explain describe define list name compare summarise summarize outline give show find tell".split()
SECOND_CLAUSE = r"(?:,|;|\b(?:and|or|but) (?:what|why|how|when|which|who)\b)"
_AUX = rf"(?:{'|'.join(AUXILIARIES)})"
# Verbs that often end a question: base, third person, past.
FINAL_VERBS = {
    base: (third, past)
    for base, third, past in (
        row.split()
        for row in (
            "work works worked;say says said;mean means meant;do does did;state states stated;"
            "show shows showed;find finds found;use uses used;claim claims claimed;need needs needed;"
            "require requires required;achieve achieves achieved;matter matters mattered;"
            "help helps helped;fail fails failed;learn learns learned;happen happens happened;"
            "converge converges converged;propose proposes proposed;measure measures measured;"
            "predict predicts predicted;assume assumes assumed;optimise optimises optimised;"
            "optimize optimizes optimized;estimate estimates estimated;generalise generalises generalised;"
            "generalize generalizes generalized;guarantee guarantees guaranteed"
        ).split(";")
    )
}
_FINAL_PARTICIPLES = (
    "published introduced proposed released invented developed written trained evaluated tested used "
    "measured computed defined calculated estimated kept built made obtained collected derived"
).replace(" ", "|")
_ADJECTIVE = (
    r"(?:hard|difficult|important|useful|slow|fast|expensive|cheap|popular|common|rare|safe|simple|complex"
    r"|better|worse|necessary|robust|accurate|possible|true|[\w-]+-(?:efficient|free|optimal|dependent|hard)"
    r"|[a-z]{2,}(?:able|ible|ful|less|ous|ient))"
)
_PREDICATE_FIRST = (
    r"(?:wrong|known|meant|needed|required|new|special|different|missing|better|worse|left|behind"
    r"|\w+ed (?:by|in|for|when|from|with|to|about|as|on))\b"
)
_NO_CLAUSE = rf"(?!.*{SECOND_CLAUSE})"
_SOME = r"(?:typical|common|some|main|good|recent|popular|important)"
_SUBJECT = rf"(?P<x>(?!.*\b{_AUX}\b).+)"

RULES: tuple[tuple[str, tuple[str, ...]], ...] = (
    # Several things against each other.
    (
        r"what (?:is|are) the (?:main )?differences? between (?P<x>.+ and .+)",
        ("How do {x} differ?", "Compare {x}.", "Explain the difference between {x}."),
    ),
    (
        rf"how (?:does|do) (?P<a>(?!.*\bthat\b).+) differ from (?P<b>(?!.*\b{_AUX}\b).+)",
        ("What is the difference between {a} and {b}?", "Compare {a} with {b}.", "How is {a} unlike {b}?"),
    ),
    (
        rf"how does (?P<a>(?!.*\bthat\b).+) compare (?:with|to) (?P<b>(?!.*\b{_AUX}\b).+)",
        ("Compare {a} with {b}.", "How do {a} and {b} compare?", "I would like a comparison of {a} and {b}."),
    ),
    (
        r"how do (?P<a>(?!.*\bthat\b).+ and .+) (?:differ|compare)",
        ("What is the difference between {a}?", "Compare {a}."),
    ),
    # What a thing is. "The … of …" is a property, which is told and not defined.
    (
        rf"what is (?!the\b|it\b|this\b|that\b|being\b){_NO_CLAUSE}(?!{_PREDICATE_FIRST})"
        r"(?!.*\b(?:for|about|like|of|from|to|by)$)(?!.*\b(?:used|known|needed|done) \w+$)" + _SUBJECT,
        ("Define {x}.", "Explain what {x} is.", "Can you tell me what {x} is?", "What is meant by {x}?"),
    ),
    (
        rf"what (?P<be>is|was) (?P<x>the {_NO_CLAUSE}(?!(?!.*\bbetween\b).*\band\b)"
        r"(?!.*\b(?:for|about|like|of|from|to|by|used|known|based)$)"
        rf"(?!.*\b{_AUX}\b).+)",
        ("Can you tell me what {x} {be}?", "I would like to know what {x} {be}."),
    ),
    (
        rf"what are (?P<x>the {_NO_CLAUSE}(?!.*\b(?:for|about|like|from|to|by|used|known|based)$)"
        rf"(?!.*\b{_AUX}\b).+)",
        ("List {x}.", "Can you tell me what {x} are?", "Please name {x}."),
    ),
    (
        rf"what are (?!the\b|these\b|those\b|they\b){_NO_CLAUSE}(?!.*\bof\b|{_SOME}\b)(?!{_PREDICATE_FIRST})"
        r"(?!.*\b(?:for|about|like|from|to|by|used|known|based)$)" + _SUBJECT,
        ("Define {x}.", "Explain what {x} are.", "Can you tell me what {x} are?"),
    ),
    (
        rf"what are (?=.*\bof\b|{_SOME}\b)(?!the\b|these\b|those\b){_NO_CLAUSE}(?!{_PREDICATE_FIRST})"
        r"(?!.*\b(?:for|about|like|from|to|by|used|known|based)$)" + _SUBJECT,
        ("List {x}.", "Can you tell me what {x} are?", "Please name {x}."),
    ),
    (
        rf"what (?P<be>is|are) (?P<x>(?!.*\b{_AUX}\b).+?) "
        r"(?P<end>(?:(?:used|good|useful|needed) )?for|about|like|made of|used to do)",
        ("Can you tell me what {x} {be} {end}?", "Explain what {x} {be} {end}."),
    ),
    (
        rf"(?P<q>what (?:is|are) {_PREDICATE_FIRST}.*)",
        ("Can you tell me {q}?", "I would like to know {q}."),
    ),
    (
        r"what is (?!it\b|this$|that$)(?P<x>.+)",
        ("What's {x}?",),
    ),
    # Where a thing comes from.
    # Whether "imitating experts" or "dueling networks" is plural cannot be told from its form.
    (
        r"(?:which|what) (?:paper|work|article|study) (?:first )?"
        r"(?:introduced|proposed|presented) (?!\w+ing\b)" + _SUBJECT,
        ("Where {was} {x} first proposed?", "In which paper {was} {x} introduced?"),
    ),
    (
        r"(?:which|what) (?:paper|work|article|study) (?:first )?"
        r"(?P<introduced>introduced|proposed|presented) " + _SUBJECT,
        ("Find the paper that {introduced} {x}.", "Name the paper that {introduced} {x}."),
    ),
    # Reasons.
    (
        rf"why (?P<be>is|are|was|were) (?P<x>.+) (?P<how>{_ADJECTIVE})",
        ("What makes {x} {how}?", "Explain why {x} {be} {how}.", "For what reason {be} {x} {how}?"),
    ),
    (
        r"why (?P<q>(?:is|are|was|were|do|does|did|can|should|could|would|must|might) (?!not\b).+)",
        ("For what reason {q}?",),
    ),
    # "do" is dropped and leaves a plain sentence; what follows must begin a subject.
    (
        rf"(?P<w>(?:how|why|when|where)(?: (?!{_AUX}\b)\w+){{0,2}}?) do (?!i\b|you\b|we\b|one\b)"
        r"(?P<x>\S+ .+)",
        ("Can you tell me {w} {x}?", "I would like to know {w} {x}."),
    ),
    (
        r"how (?:do|can|should) (?:i|you|we|one) (?P<x>.+)",
        ("Tell me how to {x}.", "Can you explain how to {x}?"),
    ),
    (
        r"do (?!i\b|you\b|we\b|they\b|not\b)(?P<x>\S+ .+)",
        ("Is it true that {x}?", "Can you tell me whether {x}?"),
    ),
    # The question ends in its verb, participle or adjective.
    (
        r"(?P<w>what|how|why|when|where) (?P<do>does|do|did) "
        rf"(?P<x>(?!.*\b(?:(?:i|you|we|to|{_AUX})\b|(?:help|let|make) )).+) "
        rf"(?P<verb>{'|'.join(FINAL_VERBS)})",
        ("Explain {w} {x} {inflected}.", "Can you tell me {w} {x} {inflected}?"),
    ),
    (
        rf"(?P<w>when|where|how|why) (?P<be>is|are|was|were) (?P<x>(?!.*\b{_AUX}\b).+) "
        rf"(?P<done>{_FINAL_PARTICIPLES})",
        ("Can you tell me {w} {x} {be} {done}?", "I would like to know {w} {x} {be} {done}."),
    ),
    (
        r"(?P<w>how|why|when) (?P<be>is|are|was|were) (?-i:(?P<x>[A-Z]\w*[A-Z\d][\w-]*)) "
        r"(?P<rest>[a-z]+(?:ed|en|ept|ilt)\b.*)",
        ("Explain {w} {x} {be} {rest}.", "Can you tell me {w} {x} {be} {rest}?"),
    ),
    (
        r"(?P<w>why|how|when) (?P<may>can|could|should|must|might|will|would) "
        r"(?P<x>(?!.*\b(?:that|to|and)\b)[^,]+?) be (?P<rest>.+)",
        ("Explain {w} {x} {may} be {rest}.", "I would like to know {w} {x} {may} be {rest}."),
    ),
    (
        rf"(?P<be>is|are) (?!there\b|it\b|this\b)(?P<x>(?!.*\b(?:that|which|how|or|{_AUX})\b).+) "
        rf"(?P<how>{_ADJECTIVE})",
        ("Can you tell me whether {x} {be} {how}?", "Is it true that {x} {be} {how}?"),
    ),
    (
        r"(?P<be>is|are) there (?P<x>.+)",
        ("Can you tell me whether there {be} {x}?", "Do we know whether there {be} {x}?"),
    ),
    # Amounts and manners, which are asked for in other words and the same order.
    (
        r"how much (?P<more>\w+er|more|less) than (?P<b>.+) "
        rf"(?P<be>is|are|was|were) (?P<a>(?!.*\b{_AUX}\b).+)",
        ("By how much {be} {a} {more} than {b}?",),
    ),
    (
        r"how much (?P<q>(?:does|do|did|can|could) .*"
        r"\b(?:reduce|improve|increase|decrease|lower|raise|cut)\b.*)",
        ("By how much {q}?", "To what extent {q}?"),
    ),
    (
        rf"how much (?!of\b|more\b|less\b|fewer\b|\w+er\b|better\b|{_AUX}\b)(?P<q>.+)",
        ("What amount of {q}?",),
    ),
    (
        r"how many (?!of\b|more\b|less\b|fewer\b)(?!.*\b(?:is|are|was|were|has|have)\b)(?P<q>.+)",
        ("What number of {q}?",),
    ),
    (
        r"how many (?P<x>.+) are there(?P<rest>(?: .+)?)",
        ("Can you tell me how many {x} there are{rest}?", "What is the number of {x}{rest}?"),
    ),
    (
        r"how (?P<adjective>accurate|large|big|fast|long|high|old|deep) (?P<be>is|are|was|were) "
        rf"(?P<x>(?!.*\b{_AUX}\b)(?!.*\b(?:to|than|compared)\b).+)",
        ("What {was_or_is} the {noun} of {x}?", "I would like to know how {adjective} {x} {be}."),
    ),
    (
        r"how fast (?P<q>(?:does|do|did) .+)",
        ("How quickly {q}?", "At what speed {q}?"),
    ),
    (r"how fast (?P<q>(?:can|could) .+)", ("How quickly {q}?",)),
    (r"how (?P<q>(?:is|are|was|were|does|do|did|can|could) (?!not\b|.*\bdo\b).+)", ("In what way {q}?",)),
    (r"when (?P<q>(?:do|does|is|are|can|should) (?!not\b).+)", ("Under which circumstances {q}?",)),
    # "what" and "which" where a noun follows.
    (rf"which (?P<q>(?!of\b|one\b|ones\b|{_AUX}\b).+)", ("What {q}?",)),
    (
        rf"what (?P<q>(?!(?:{_AUX}|happens?|else|makes?|causes?|about)\b)(?:\w+ ){{1,3}}?(?:does|do|did) .+)",
        ("Which {q}?",),
    ),
    # The asking word is the subject: the order stays.
    (
        rf"(?P<q>(?:which|what|who) (?!about\b|if\b|of\b|{_AUX}\b)(?!.*\b{_AUX}\b).+)",
        ("Can you tell me {q}?", "I would like to know {q}."),
    ),
    # Orders.
    (rf"(?P<q>(?:{'|'.join(ORDERING)}) .+)", ("Please {q}.", "Can you {q}?", "I would like you to {q}.")),
    # A title and a question about it.
    (rf"(?P<a>[^:]+): (?P<q>(?:{'|'.join([*AUXILIARIES, *ASKING])})\b.+)", ("Regarding “{a}”: {q}?",)),
)
"""Pairs of a pattern, matched in any case against a whole question without its question mark and with its
first word in small letters, and templates of what to ask in its place. Templates are filled with the
pattern's groups, and with `was`, `inflected`, `noun` and `was_or_is`, which have to agree with them."""
