"use strict";
// One question, opened: what was found, what was answered, and what was made of it. Built when opened.

const AROUND = 320; // code points shown on each side of a quote before a reader asks for more

function pillOf(tone, character, words) {
  return h("span", { class: `pill ${tone}` }, sign(character), ` ${words}`);
}

/** A stored field with the quote lit; a long one shows what stands around the quote. */
function passage(text, { start, end, found }) {
  if (!found) return h("p", { class: "passage" }, text);
  const length = lengthOf(text);
  const drawn = (from, to) => [
    from > 0 ? "\u2026 " : "", slice(text, from, start), h("mark", {}, slice(text, start, end)),
    slice(text, end, to), to < length ? " \u2026" : ""];
  const near = (at, step) => { // cut at a space, not inside a word
    let edge = at;
    while (edge > 0 && edge < length && !/\s/.test(slice(text, edge, edge + 1))) edge += step;
    return edge;
  };
  const from = start > AROUND * 1.3 ? near(start - AROUND, -1) : 0;
  const to = length - end > AROUND * 1.3 ? near(end + AROUND, 1) : length;
  const body = h("p", { class: "passage" }, drawn(from, to));
  if (from === 0 && to === length) return body;
  const more = h("button", { type: "button", class: "link", on: { click: () => {
    body.replaceChildren(...drawn(0, length).filter(Boolean));
    body.tabIndex = -1;
    body.focus();
    more.remove();
  } } }, `Show all ${length.toLocaleString("en")} characters`);
  return [body, more];
}

function citationOf(citation, data) {
  const source = data.sources[citation.source];
  const field = source?.fields[citation.field];
  return h("li", { class: "citation" },
    h("p", { class: "cited" }, h("span", { class: "number" }, `[${citation.n}]`), " ",
      h("cite", {}, source?.title || citation.source), ` \u00b7 ${citation.field}`,
      citation.grade === null ? null : [" ", gradePill(citation.grade)]),
    citation.found ? null : h("p", { class: "notice" }, sign("\u2717"),
      field === undefined ? " There is no such field to quote from. It quotes: "
        : " The quote is not in the stored text. It quotes: ",
      h("q", {}, citation.quote)),
    field === undefined ? null : passage(field, citation));
}

function verdictPill(statement) {
  if (!statement.citations.length) return pillOf("warn", "\u2298", "nothing cited");
  if (!statement.verdict) return null;
  const { supported, coverage } = statement.verdict;
  return pillOf(supported ? "good" : "bad", supported ? "\u2713" : "\u2717",
    `${supported ? "terms supported" : "not supported"}, ${percent(coverage)} of its terms`);
}

function statementOf(statement, answer, data) {
  const { verdict } = statement;
  return h("li", { class: "statement" },
    h("p", { class: "said" }, slice(answer.text, statement.start, statement.end)),
    h("p", {}, verdictPill(statement)),
    verdict && (verdict.failed.length || verdict.notes.length) ? h("ul", { class: "notes" },
      verdict.notes.map((note) => h("li", {}, note)),
      verdict.notes.length ? null : h("li", {}, `failed: ${verdict.failed.join(", ")}`)) : null,
    statement.citations.length ? h("ul", { class: "plain" },
      statement.citations.map((citation) => citationOf(citation, data))) : null);
}

/** The answer as a reader would see it; statements that nothing supports are underlined. */
function prose(answer) {
  const parts = [];
  let end = 0;
  for (const statement of answer.statements) {
    if (statement.start < end) continue; // two that overlap: the first is drawn
    parts.push(slice(answer.text, end, statement.start));
    const doubtful = !statement.citations.length || (statement.verdict && !statement.verdict.supported);
    const text = slice(answer.text, statement.start, statement.end);
    parts.push(doubtful ? h("span", { class: "doubtful" }, text, hidden(" (not supported)")) : text);
    ({ end } = statement);
  }
  parts.push(slice(answer.text, end, lengthOf(answer.text)));
  return h("p", { class: "prose" }, parts.filter(Boolean));
}

function answerOf(side, data) {
  const { answer } = side;
  if (side.error) return h("p", { class: "notice" }, sign("\u26a0"), " Asking failed: ", side.error);
  if (!answer) return h("p", { class: "quiet" }, "This run kept its scores alone, not its answers.");
  return [
    answer.answered ? prose(answer)
      : h("p", { class: "refusal" }, sign("\u2298"), " Refused. ", answer.reason),
    answer.notices.map((notice) => h("p", { class: "quiet" }, notice)),
    h("p", { class: "quiet" }, `confidence ${number(answer.confidence)}`,
      isNumber(side.ask_ms) ? `, ${withUnit(side.ask_ms, "ms")}` : ""),
    answer.statements.length ? h("details", { open: true },
      h("summary", {}, count(answer.statements.length, "statement"), " and what is cited"),
      h("ol", { class: "statements" }, answer.statements.map((each) => statementOf(each, answer, data)))) : null,
  ];
}

function gradePill(grade) {
  if (grade === null) return h("span", { class: "quiet" }, "unjudged");
  return grade > 0 ? pillOf("good", "\u2713", `relevant, grade ${grade}`) : pillOf("bad", "\u2717", "not relevant");
}

function rankingOf(side) {
  if (!side.ranked.length) return h("p", { class: "quiet" }, "No ranking was kept.");
  const cited = new Set(side.answer?.statements.flatMap((each) => each.citations.map((citation) => citation.source)));
  return [
    h("ol", { class: "ranking" }, side.ranked.map((source) => h("li", { class: source.grade > 0 ? "relevant" : "" },
      h("span", {}, source.title || source.id), " ", gradePill(source.grade),
      cited.has(source.id) ? [" ", h("span", { class: "tag" }, "cited")] : null))),
    side.missed.length ? [h("p", { class: "quiet" }, `Relevant, but not among the first ${side.ranked.length}:`),
      h("ul", { class: "ranking" }, side.missed.map((source) => h("li", {}, source.title || source.id, " ",
        gradePill(source.grade), " ",
        h("span", { class: "quiet" }, source.rank === null ? "not found" : `rank ${source.rank}`))))] : null,
  ];
}

function supportOf({ support, forbidden }) {
  return pillOf(...(forbidden ? ["bad", "\u2717", "stated wrongly"] : SUPPORT.get(support)));
}

const SUPPORT = new Map([[1, ["good", "\u2713", "stated"]], [0.5, ["warn", "\u25d0", "partly stated"]],
  [0, ["bad", "\u2717", "missing"]]]);

function nuggetsOf(question, side) {
  return h("ul", { class: "nuggets" }, question.nuggets.map((nugget, index) => h("li", {},
    side.nuggets[index] ? [supportOf(side.nuggets[index]), " "] : null,
    nugget.text, " ", nugget.vital ? h("span", { class: "tag" }, "vital") : null)));
}

function scoresOf(question, data) {
  const rows = data.metrics.map((metric, index) => [metric, question.candidate.scores[index],
    question.baseline?.scores[index]]).filter(([, after, before]) => isNumber(after) || isNumber(before));
  const numeric = (label) => ({ label, className: "numeric" });
  return scrolling("Scores of this question", table({
    caption: "Scores of this question",
    columns: ["metric", numeric("this run"), ...(question.baseline ? [numeric("baseline"), numeric("change")] : [])],
    rows: rows.map(([metric, after, before]) => {
      const { unit = "" } = figureOfMetric.get(metric) ?? {};
      return [h("code", {}, metric), withUnit(after, unit), ...(question.baseline
        ? [withUnit(before, unit), isNumber(after) && isNumber(before) ? signed(after - before, unit) : NONE] : [])];
    }),
  }));
}

function factsOf(question) {
  const facts = [["topic", question.topic], ["category", question.category], ["filters", question.filters],
    ["as of", question.as_of], ["cannot be answered", question.why_not], ["must cite", question.must_cite.join(", ")],
    ["gold answer", question.gold_answer],
    ...question.history.flatMap(([asked, said]) => [["asked before", asked], ["answered before", said]])];
  return h("dl", { class: "facts" }, facts.filter(([, value]) => value)
    .map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
}

/** A part of the question for this run, and beside it for the baseline where it has one. */
function sides(title, question, draw) {
  const { candidate, baseline } = question;
  return h("section", { class: "part-of" }, h("h3", {}, title),
    baseline?.kept
      ? h("div", { class: "sides" },
        h("div", {}, h("h4", {}, "This run"), draw(candidate)),
        h("div", {}, h("h4", {}, "Baseline"), draw(baseline)))
      : draw(candidate));
}

function neighbour(question, step, label, data) {
  const list = shown.includes(question) ? shown : data.questions;
  const next = list[list.indexOf(question) + step];
  return h("a", { class: "button", href: next ? `#q=${encodeURIComponent(next.id)}` : null,
    role: next ? null : "link", "aria-disabled": next ? null : "true" }, label);
}

function drawDetail(question, data) {
  const { baseline, candidate } = question;
  const judged = candidate.ranked.length || candidate.missed.length || baseline?.ranked.length;
  byId("detail").replaceChildren(
    h("div", { class: "toolbar" },
      h("div", { class: "pager" }, neighbour(question, -1, "Previous", data), neighbour(question, 1, "Next", data)),
      h("button", { type: "button", on: { click: () => byId("detail").close() } }, "Close")),
    h("div", { class: "body" },
      h("p", { class: "eyebrow" }, question.id, " ", outcomePill(candidate.outcome),
        baseline && baseline.outcome !== candidate.outcome
          ? [" was ", outcomePill(baseline.outcome)] : null),
      h("h2", { id: "detail-heading", tabindex: "-1" }, question.question),
      factsOf(question),
      sides("Answer", question, (side) => answerOf(side, data)),
      question.nuggets.length ? sides("Nuggets", question, (side) => nuggetsOf(question, side)) : null,
      judged ? sides("Ranking", question, rankingOf) : null,
      h("section", { class: "part-of" }, h("h3", {}, "Scores"), scoresOf(question, data))));
}

/** Open the question that the address names, or close what is open. */
function followAddress(data) {
  const dialog = byId("detail");
  const named = /^#q=(.+)$/.exec(location.hash)?.[1];
  let id = null;
  try {
    id = named === undefined ? null : decodeURIComponent(named);
  } catch { /* not an address of ours */ }
  const question = data.questions.find((each) => each.id === id);
  if (!question) {
    if (dialog.open) dialog.close();
    return;
  }
  drawDetail(question, data);
  document.title = `${question.question} \u00b7 ${data.title}`;
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
  byId("detail-heading").focus();
}
