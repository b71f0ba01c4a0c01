"""HTML that is escaped by construction."""

from __future__ import annotations

import pytest

from api.markup import Markup, inline, prose, render, web_url

HOSTILE = '<img src=x onerror="alert(1)">&amp;\'$name ${name}'


def test_text_is_escaped_in_content_and_in_attributes() -> None:
    page = render('<a title="$text">$text</a>', text=HOSTILE)
    escaped = "&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&amp;amp;&#x27;$name ${name}"
    assert page == f'<a title="{escaped}">{escaped}</a>'


def test_markup_is_kept_and_a_series_of_it_joined() -> None:
    items = [render("<li>$n</li>", n=n) for n in (1, 2)]
    assert render("<ul>$items</ul>", items=items) == "<ul><li>1</li><li>2</li></ul>"


def test_a_missing_value_is_an_error() -> None:
    with pytest.raises(KeyError, match="name"):
        render("<p>$name</p>")


def test_joining_text_to_markup_makes_it_text_again() -> None:
    joined = Markup("<b>") + HOSTILE
    assert "<b>" not in render("$joined", joined=joined)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            r"policy \(\pi\) of",
            r'policy <math display="inline" aria-label="\pi"><mrow><mi>π</mi></mrow></math> of',
        ),
        (
            r"\[ a < b \]",
            '<math display="block" aria-label="a &lt; b">'
            "<mrow><mi>a</mi><mo>&lt;</mo><mi>b</mi></mrow></math>",
        ),
        ("$$x$$", '<math display="block" aria-label="x"><mrow><mi>x</mi></mrow></math>'),
        ("from $5 to $10", "from $5 to $10"),
        (r"\(\text{<img src=x>}\)", r'<code class="formula">\text{&lt;img src=x&gt;}</code>'),
        (r"\(\text{<b>x</b>}\)", r'<code class="formula">\text{&lt;b&gt;x&lt;/b&gt;}</code>'),
        (r"\(\href{javascript:a()}{x}\)", r'<code class="formula">\href{javascript:a()}{x}</code>'),
        (r"an open \( stays", r"an open \( stays"),
    ],
)
def test_formulas_are_readable_text(text: str, expected: str) -> None:
    assert inline(text) == expected


def test_paragraphs_are_cut_at_blank_lines() -> None:
    assert prose("One.\n\n \n<Two>\nthree.\n") == "<p>One.</p><p>&lt;Two&gt;\nthree.</p>"


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "JAVASCRIPT://example.org/%0aalert(1)",
        "data:text/html,x",
        "//example.org/x",
        "/local",
        "http:",
        "http://[::1",
        " javascript:alert(1)",
        "",
    ],
)
def test_only_web_addresses_become_links(url: str) -> None:
    assert web_url(url) == ""


def test_a_web_address_is_kept_as_it_is() -> None:
    assert web_url("https://example.org/a?b=1&c=2#d") == "https://example.org/a?b=1&c=2#d"


@pytest.mark.parametrize(
    "url", ["https://ok.example/\nUR  - https://evil", "http://user:pw@evil.example/", "http://a b"]
)
def test_an_address_is_one_plain_line(url: str) -> None:
    assert web_url(url) == ""
