"""Requests that no source can answer: chat, tasks, code, opinions, personal advice, sums, hidden prompts.

Told by their form alone, and narrowly: "How do agents write poems?" and "Which algorithm is best for
sparse rewards?" are questions to papers. What is not recognised here is searched for and, with nothing
found, refused as any other question.
"""

from __future__ import annotations

import re
from typing import Literal

from rag.answer import Reason

Request = Literal["chat", "prompt", "code", "task", "opinion", "advice", "sum"]

# What may stand before the verb of a request.
_POLITELY = (
    r"^\W*(?:(?:hi|hello|hey|ok|okay|please|now|and|then|kindly)\b\W*)*"
    r"(?:(?:can|could|would|will) you (?:please |kindly )?|(?:i|we)(?:'d| would)? (?:want|need"
    r"|like) you to "
    r"|(?:please )?help me (?:to )?|let['’]s )?(?:please )?"
)
_MADE = (
    r"(?:poem|haiku|limerick|song|lyrics|story|joke|essay|email|e-mail|letter|speech|tweet|post|blog"
    r"|article"
    r"|report|thesis|dissertation|homework|assignment|cv|resume|résumé|slides|presentation|quiz|recipe|logo"
    r"|image|picture|drawing|meme|plan|schedule|itinerary|review|bio|caption|title|paragraph|summary)s?\b"
)
_CODE = (
    r"(?:code|script|program|function|class|snippet|notebook|app|website|web page|regex|query"
    r"|unit test)s?\b"
)
_LANGUAGE = (
    r"(?:python|pytorch|tensorflow|keras|jax|numpy|java|javascript|typescript|rust|matlab"
    r"|julia|golang|sql|html|c\+\+)"
)

_PATTERNS: tuple[tuple[Request, str], ...] = (
    (
        "chat",
        r"^\W*(?:hi|hello|hey|hallo|howdy|greetings|good (?:morning|afternoon|evening|day|night))"
        r"(?: (?:there|all|everyone|again|bot|assistant|you|team))*\W*$"
        r"|^\W*(?:thanks|thank you|thx|cheers|many thanks)\b[^?]{0,60}$"
        r"|^\W*(?:ok|okay|cool|great|nice|perfect|awesome|wow|bye|goodbye|see you|sorry|yes|no"
        r"|test|help)"
        r"(?: \w+)?\W*$"
        r"|^\W*(?:how are you|how['’]?s it going|what['’]?s up)\b.{0,20}$"
        r"|\b(?:who|what) are you\b(?! \w+ing)|\bwhat(?:['’]s| is) your name\b"
        r"|\bare you (?:an? )?(?:\w+ )?(?:bot|robot|ai|human|person|machine|real|chatgpt|gpt\S*"
        r"|llm|model|conscious"
        r"|sentient|alive|there)\b"
        r"|\bwho (?:made|built|created|trained|programmed|runs|owns) you\b|^\W*how do you work\W*$"
        r"|^\W*(?:what|how) (?:can|do|could|should) (?:you|i|we) (?:do|ask|use|help|ask you"
        r"|do here|ask here"
        r"|use this|use you|help me|do for me)\b.{0,20}$"
        r"|^\W*what (?:is|does) this (?:page|site|website|tool|box|thing|service|widget)\b.{0,20}$"
        r"|\bwh(?:at|ich) (?:kinds? of |sorts? of |types? of )?(?:questions|things) (?:can|may"
        r"|could|do) (?:i|you|we)\b"
        r"|^\W*can you (?:help|assist)(?: me)?(?: with this)?\W*$|^\W*tell me about yourself\b",
    ),
    (
        "prompt",
        r"\byour (?:(?:system|hidden|initial|secret|original|full|exact|internal) )*(?:prompt"
        r"|instructions?|guidelines"
        r"|rules|configuration|password|api key|training data)\b"
        r"|\b(?:show|reveal|print|repeat|output|leak|display|give|tell|dump)\b.{0,20}\b(?:the|all)?\s?"
        r"(?:system|hidden|initial|secret) (?:prompt|instructions|message)"
        r"|\brepeat (?:everything|the text|all the words|the words) above\b",
    ),
    (
        "code",
        _POLITELY + rf"(?:write|generate|create|make|give|show|send|build|develop)\b.{{0,40}}\b{_CODE}"
        rf"|{_POLITELY}(?:code|program|implement|debug|refactor|fix|install|compile|deploy"
        rf"|port)\b(?! (?:is|are)\b)"
        rf"|{_POLITELY}(?:write|build|make|create|give|show)\b.{{0,60}}\bin {_LANGUAGE}"
        rf"|\bhow (?:do|can|could|should|would) (?:i|we|you) (?:\w+ )?(?:implement|code|program"
        rf"|install|write|debug"
        rf"|import|run)\b.*\b(?:in|with|using|on) {_LANGUAGE}"
        r"|\bmy (?:code|script|program|(?:training )?loop|training run|notebook|implementation)\b"
        r"|```|\bpip install\b"
        r"|\btraceback\b",
    ),
    (
        "task",
        _POLITELY + r"(?:write|compose|draft|translate|rewrite|rephrase|paraphrase|proofread|draw|paint"
        r"|sing|pretend"
        r"|role-?play|act as|remind|book|order|buy|send|call|download|email)\b"
        rf"|{_POLITELY}(?:make|create|generate|give|tell|prepare|produce|do|finish|plan)\b"
        rf"(?: (?:me|us|an?|the|my|some|your|another|short|long|funny|good|nice"
        rf"|\w+-word))+ (?:\w+ )?{_MADE}"
        rf"|{_POLITELY}(?:summari[sz]e|list|read|print|export|copy|show)\b (?:me )?(?:this"
        rf"|the (?:whole|entire|full)"
        r"|all (?:of )?(?:the|your|these)|everything|my|the following|every)\b"
        r"|\btranslate\b.{0,80}\b(?:in|into|to) (?:german|french|spanish|italian|portuguese|dutch"
        r"|chinese|japanese"
        r"|korean|russian|arabic|hindi|latin|english)\b(?=\W*$)"
        r"|^\W*(?:set|start) (?:an?|the) (?:alarm|timer|reminder)\b",
    ),
    (
        "opinion",
        r"\byour (?:own |personal |honest )?(?:favou?rite|opinion|view|views|thoughts|preference"
        r"|take|feelings?)\b"
        r"|\bdo you (?:really |personally )?(?:like|love|hate|prefer|enjoy|agree|recommend|feel"
        r"|dream|want)\b"
        r"|\b(?:would|could|will) you (?:rather|prefer|recommend|choose|pick|suggest)\b"
        r"|\bin your (?:opinion|view)\b"
        r"|\bwhat do you (?:think|make) (?:of|about)\b|\bworth (?:learning|studying|reading"
        r"|buying|it|my|the hype)\W*$"
        r"|\b(?:overrated|underrated|overhyped)\W*$"
        r"|\b(?:is|are) \S+ (?:the )?(?:coolest|prettiest|most beautiful|ugliest|most fun)\b",
    ),
    (
        "advice",
        r"\bshould (?:i|we) (?:\w+ )?(?:invest|buy|sell|sue|marry|divorce|quit|resign|apply|major"
        r"|take (?:the|this|my)|see a"
        r"|stop taking|do a (?:phd|master)|become|learn|study|eat|move to)\b"
        r"|\bmy (?:doctor|symptoms?|pain|headaches?|medication|dose|blood pressure|pregnancy"
        r"|landlord|lawyer|employer"
        r"|boss|visa|taxes|mortgage|career|salary|homework|exam|girlfriend|boyfriend|wife|husband"
        r"|savings|pension)\b"
        r"|\bcan (?:i|we) (?:legally|sue|be sued)\b|\bis it legal (?:to|for)\b"
        r"|\bi (?:have|feel|am|['’]m) (?:\w+ ){0,2}(?:pain|fever|rash|depressed|sick|pregnant"
        r"|a headache|dizzy)\b",
    ),
    (
        "sum",
        r"^\W*(?:(?:what(?:['’]s| is)|calculate|compute|solve|evaluate|simplify|how much is)\b)?[\s:]*"
        r"(?=[^a-z]*[-+*/^=×÷][^a-z]*\d)[\d\s.,()x+*/^=×÷-]+\??$"
        r"|^\W*(?:please )?(?:calculate|compute|solve|integrate|differentiate|factori[sz]e"
        r"|simplify)\b.*[\d=^]"
        r"|\bwhat(?:['’]s| is) (?:the )?(?:square root|derivative|integral|factorial|\d+ ?%"
        r"|\d+ percent) of\b"
        r"(?=.*(?:\d|\bx\b))",
    ),
)
_FORMS = tuple((request, re.compile(pattern, re.I)) for request, pattern in _PATTERNS)

_THANKS = re.compile(r"^\W*(?:thanks|thank you|thx|cheers|many thanks)\b", re.I)
_SAID: dict[Request, str] = {
    "prompt": "There are no hidden instructions to show: answers are made of sentences of the sources",
    "code": "This page quotes papers and explainers and writes no code",
    "task": "This page answers questions from papers and explainers and does no other tasks",
    "opinion": "This page has no opinions: it quotes what papers and explainers say",
    "advice": "This page gives no personal advice: it quotes what papers and explainers say",
    "sum": "This page does no sums: it quotes what papers and explainers say",
}


def request_in(text: str) -> Request | None:
    """Return what a text asks for that no source can give, or None where it may be a question to them."""
    return next((request for request, pattern in _FORMS if pattern.search(text)), None)


def reason_out_of_scope(text: str, topic: str | None) -> Reason | None:
    """Decline a request that is no question to the sources, and say what may be asked instead.

    `topic` is the name of the topic asked in, if any.
    """
    request = request_in(text)
    if request is None:
        return None
    about = f" about {topic}" if topic else ""
    if request == "chat" and _THANKS.match(text):
        return Reason(
            code="about_this_service", message=f"You are welcome. Ask another question{about} any time."
        )
    if request == "chat":
        return Reason(
            code="about_this_service",
            message=f"Hello! Ask a question{about}, and it is answered in sentences of the papers and "
            "explainers here, each with its source. How many papers there are, which are the newest and who "
            "wrote them can be asked too.",
        )
    return Reason(
        code="out_of_scope",
        message=f"{_SAID[request]}. Ask what they say{about}: what something is, how it works, "
        "what was found.",
    )
