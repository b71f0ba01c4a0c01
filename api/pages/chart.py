"""Papers by week, as bars that need no script."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from api.markup import Markup, render
from api.pages.parts import count, day
from rag.answer import Week

WIDTH, HEIGHT, GAP = 10, 48, 2
"""Units of a bar's width, of the highest bar, and between two bars."""
RECENT = 4
"""Weeks at the end that are told apart, since the figures beside the chart speak of them."""


def weekly(weeks: Sequence[Week]) -> Markup:
    """A bar a week, the last four in another shade; nothing where there was no paper at all."""
    most = max((week.papers for week in weeks), default=0)
    if most == 0:
        return Markup()
    first, last = weeks[0].first, weeks[-1].first + dt.timedelta(days=6)
    bars = []
    for position, week in enumerate(weeks):
        # A week with one paper is seen beside one with hundreds.
        height = max(round(HEIGHT * week.papers / most, 1), 1.5) if week.papers else 0.5
        bars.append(
            render(
                '<rect class="$shade" x="$x" y="$y" width="$width" height="$height">'
                "<title>$papers in the week from $day</title></rect>",
                shade="recent" if position >= len(weeks) - RECENT else "earlier",
                x=position * (WIDTH + GAP),
                y=str(HEIGHT - height),
                width=WIDTH,
                height=str(height),
                papers=count(week.papers, "paper"),
                day=day(week.first),
            )
        )
    return render(
        '<figure class="chart"><svg viewBox="0 0 $width $height" role="img" aria-label="$label" '
        'preserveAspectRatio="none">$bars</svg><figcaption>$caption</figcaption></figure>',
        width=len(weeks) * (WIDTH + GAP) - GAP,
        height=HEIGHT,
        label=f"Papers a week: at most {most:,}, in the last week {weeks[-1].papers:,}",
        bars=bars,
        caption=f"Papers a week, from {day(first)} to {day(last)}; {most:,} at most",
    )
