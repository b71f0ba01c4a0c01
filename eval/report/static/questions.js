"use strict";
// The table of questions: search, filters, order. Rows are made in slices, as few as are looked at.

const SLICE = 50;
const COLLATOR = new Intl.Collator("en", { numeric: true });

/** What the reader has asked the table to show. */
const view = {
  text: "", category: "", outcome: "", change: "", metric: "", column: -1, sort: "order", descending: false, limit: SLICE,
};
const controls = {};
let shown = [];

function questionLink(id, ...children) {
  return h("a", { href: `#q=${encodeURIComponent(id)}` }, children);
}

function metricOf(side) {
  return side?.scores[view.column] ?? null;
}

function changeOf(question) {
  const [after, before] = [metricOf(question.candidate), metricOf(question.baseline)];
  return isNumber(after) && isNumber(before) ? after - before : null;
}

function sinking(question) {
  const rank = (side) => OUTCOMES[side.outcome].rank;
  return rank(question.candidate) - rank(question.baseline);
}

const SORTS = {
  order: { label: "order in the set", key: (question) => question.position },
  question: { label: "question", key: (question) => question.question },
  category: { label: "category", key: (question) => question.category },
  outcome: { label: "outcome, worst first", key: (question) => OUTCOMES[question.candidate.outcome].rank },
  metric: { label: "chosen metric", key: (question) => metricOf(question.candidate) },
  baseline: { label: "chosen metric in the baseline", key: (question) => metricOf(question.baseline), paired: true },
  change: { label: "change of the chosen metric", key: changeOf, paired: true },
  size: { label: "size of change, largest first", paired: true,
    key: (question) => (isNumber(question.change) ? -Math.abs(question.change) : null) },
  overall: { label: "overall change, worst first", key: (question) => question.change, paired: true },
};

const CHANGES = {
  "": { label: "all", holds: () => true },
  worse: { label: "worse", holds: (question) => question.change < 0 || sinking(question) < 0 },
  better: { label: "better", holds: (question) => question.change > 0 || sinking(question) > 0 },
  outcome: { label: "another outcome", holds: (question) => question.candidate.outcome !== question.baseline.outcome },
};

/** What is searched of a question; made when first searched for, so that the page opens sooner. */
function textOf(question) {
  question.text ??= [question.question, question.id, question.category, question.candidate.answer?.text ?? ""]
    .join("\n").toLowerCase();
  return question.text;
}

function matching(data) {
  const words = view.text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = data.questions.filter((question) => (!view.category || question.category === view.category)
    && (!view.outcome || question.candidate.outcome === view.outcome)
    && (!view.change || (question.baseline && CHANGES[view.change].holds(question)))
    && words.every((word) => textOf(question).includes(word)));
  const { key } = SORTS[view.sort];
  const keyed = found.map((question) => [key(question), question]);
  const direction = view.descending ? -1 : 1;
  keyed.sort(([a, first], [b, second]) => {
    // What has no value stays last either way.
    if (a === null || b === null) return (a === null) - (b === null) || first.position - second.position;
    const order = typeof a === "string" ? COLLATOR.compare(a, b) : a - b;
    return direction * order || first.position - second.position;
  });
  return keyed.map(([, question]) => question);
}

function rowOf(question, data) {
  const { candidate, baseline } = question;
  const { unit = "", higher_is_better: higher = true } = figureOfMetric.get(view.metric) ?? {};
  const toned = (difference, upward) => !difference ? "" : difference > 0 === upward ? "good" : "bad";
  const change = changeOf(question);
  return h("tr", {},
    h("th", { scope: "row" }, questionLink(question.id, question.question), h("small", {}, question.id)),
    h("td", {}, question.category),
    h("td", {}, outcomePill(candidate.outcome), baseline && baseline.outcome !== candidate.outcome
      ? h("small", {}, `was ${OUTCOMES[baseline.outcome].label}`) : null),
    h("td", { class: "numeric" }, number(metricOf(candidate), unit)),
    data.paired ? [
      h("td", { class: "numeric" }, number(metricOf(baseline), unit)),
      h("td", { class: `numeric ${toned(change, higher)}` }, signed(change, unit)),
      h("td", { class: `numeric ${toned(question.change, true)}` }, signed(question.change)),
    ] : null);
}

function drawRows(data) {
  shown = matching(data);
  const slice = shown.slice(0, view.limit);
  controls.body.replaceChildren(...slice.map((question) => rowOf(question, data)));
  controls.status.textContent = shown.length === data.questions.length
    ? count(shown.length, "question")
    : `${shown.length.toLocaleString("en")} of ${count(data.questions.length, "question")}`;
  controls.more.hidden = shown.length <= view.limit;
  controls.more.textContent = `Show ${Math.min(SLICE, shown.length - view.limit)} more`;
  controls.none.hidden = shown.length > 0;
  for (const [name, header] of Object.entries(controls.headers)) {
    if (view.sort === name) header.setAttribute("aria-sort", view.descending ? "descending" : "ascending");
    else header.removeAttribute("aria-sort");
  }
  controls.sort.value = view.sort;
  controls.metricHeader.textContent = view.metric || "metric";
}

function update(data, change) {
  Object.assign(view, { limit: SLICE }, change);
  view.column = data.metrics.indexOf(view.metric);
  drawRows(data);
}

function select(label, options, onChange) {
  const id = `control-${label}`;
  const element = h("select", { id, on: { change: (event) => onChange(event.target.value) } },
    options.map(([value, text]) => h("option", { value }, text)));
  return [element, h("p", { class: "control" }, h("label", { for: id }, label), element)];
}

function showOutcome(outcome) {
  controls.outcome.value = outcome;
  controls.outcome.dispatchEvent(new Event("change"));
  byId("questions").focus();
}

function questionTable(data) {
  const names = [...new Set(data.questions.map((question) => question.category))].sort(COLLATOR.compare);
  const outcomes = Object.keys(OUTCOMES)
    .filter((outcome) => data.questions.some((question) => question.candidate.outcome === outcome));
  const metrics = [...data.metrics].sort((a, b) => data.primary.includes(b) - data.primary.includes(a));
  const sorts = Object.entries(SORTS).filter(([, sort]) => data.paired || !sort.paired);
  const search = h("input", { type: "search", id: "control-search", autocomplete: "off", spellcheck: "false",
    placeholder: "words of the question, its id or answer", on: { input: () => update(data, { text: search.value }) } });
  const [category, categoryControl] = select("category", [["", "all"], ...names.map((name) => [name, name])],
    (value) => update(data, { category: value }));
  const [outcome, outcomeControl] = select("outcome",
    [["", "all"], ...outcomes.map((name) => [name, OUTCOMES[name].label])], (value) => update(data, { outcome: value }));
  const [change, changeControl] = select("change", Object.entries(CHANGES).map(([value, { label }]) => [value, label]),
    (value) => update(data, { change: value }));
  const [metric, metricControl] = select("metric", metrics.map((name) => [name, name]),
    (value) => update(data, { metric: value }));
  const [sort, sortControl] = select("order", sorts.map(([value, { label }]) => [value, label]),
    (value) => update(data, { sort: value, descending: false }));
  const first = { text: "", category: "", outcome: "", change: "", metric: metrics[0] ?? "",
    sort: data.paired ? "size" : "order", descending: false };
  const reset = h("button", { type: "button", on: { click: () => {
    for (const element of [search, category, outcome, change]) element.value = "";
    metric.value = first.metric;
    update(data, first);
    search.focus();
  } } }, "Reset");
  const header = (name, label, className) => h("th", { scope: "col", class: className }, h("button", {
    type: "button", class: "sort",
    on: { click: () => update(data, { sort: name, descending: view.sort === name && !view.descending }) },
  }, label));
  const metricHeader = h("span");
  const headers = { question: header("question", "question"), category: header("category", "category"),
    outcome: header("outcome", "outcome"), metric: header("metric", metricHeader, "numeric") };
  if (data.paired) {
    Object.assign(headers, { baseline: header("baseline", "baseline", "numeric"),
      change: header("change", "change", "numeric"), overall: header("overall", "overall change", "numeric") });
  }
  Object.assign(controls, {
    outcome, sort, headers, metricHeader, body: h("tbody"), status: h("p", { role: "status", class: "quiet" }),
    more: h("button", { type: "button", on: { click: () => {
      const next = view.limit;
      view.limit += SLICE;
      controls.body.append(...shown.slice(next, view.limit).map((question) => rowOf(question, data)));
      controls.more.hidden = shown.length <= view.limit;
      controls.more.textContent = `Show ${Math.min(SLICE, shown.length - view.limit)} more`;
      controls.body.rows[next].querySelector("a").focus();
    } } }),
    none: h("p", { class: "empty" }, "No question is like that."),
  });
  fill("questions",
    h("form", { class: "controls", role: "search", "aria-label": "Questions",
      on: { submit: (event) => event.preventDefault() } },
    h("p", { class: "control wide" }, h("label", { for: "control-search" }, "search"), search),
    categoryControl, outcomeControl, data.paired ? changeControl : null, metrics.length ? metricControl : null,
    sortControl, reset),
    controls.status,
    data.paired ? h("p", { class: "quiet" }, "Overall change: mean over the primary metrics that a question has in both "
      + "runs, each turned so that more is better.") : null,
    scrolling("Table of questions", h("table", { class: "questions" },
      h("caption", { class: "hidden" }, "Questions"),
      h("thead", {}, h("tr", {}, Object.values(headers))), controls.body)),
    controls.none, controls.more);
  update(data, first);
}
