"use strict";
// The run as a whole: gate, headline, comparison, categories, provenance.

const figureOfMetric = new Map();

function headlineCard(figure, change) {
  const share = !figure.unit && isNumber(figure.value) && figure.value >= 0 && figure.value <= 1;
  const said = change ? verdictOf(change) : null;
  return h("li", { class: "card" },
    h("h3", {}, figure.metric),
    h("p", { class: "value" }, number(figure.value, figure.unit),
      figure.unit ? h("span", { class: "unit" }, ` ${figure.unit}`) : null),
    share ? intervalMark({ low: 0, high: 1, value: figure.value, from: figure.low, to: figure.high,
      reference: change?.baseline }) : null,
    h("p", { class: "quiet" }, `95% interval ${interval(figure.low, figure.high, figure.unit)}, n = ${figure.n}`),
    said ? h("p", { class: `change ${said.tone}` }, sign(said.sign), ` ${signed(change.difference, figure.unit)} `,
      h("strong", {}, said.words)) : null,
    h("p", { class: "meaning" }, figure.meaning));
}

function headline(data, changes) {
  const { figures } = data.summary;
  const primary = figures.filter((figure) => data.primary.includes(figure.metric));
  const cards = primary.length ? primary : figures.slice(0, 6);
  fill("headline",
    outcomeBar(data),
    h("ul", { class: "cards" }, cards.map((figure) => headlineCard(figure, changes.get(figure.metric)))),
    h("details", {}, h("summary", {}, `All ${figures.length} figures`),
      scrolling("All figures", table({
        caption: "All figures",
        columns: ["metric", { label: "value", className: "numeric" }, { label: "95% interval", className: "numeric" },
          { label: "n", className: "numeric" }, "better", "interval by", { label: "meaning", className: "words" }],
        rows: figures.map((figure) => [h("code", {}, figure.metric), withUnit(figure.value, figure.unit),
          interval(figure.low, figure.high, figure.unit), String(figure.n),
          figure.higher_is_better ? "higher" : "lower", figure.interval, figure.meaning]),
      }))));
}

/** How many questions came out how, as one bar that is also a way into the table. */
function outcomeBar(data) {
  const total = data.questions.length;
  const tally = new Map();
  for (const question of data.questions) {
    tally.set(question.candidate.outcome, (tally.get(question.candidate.outcome) ?? 0) + 1);
  }
  const order = Object.keys(OUTCOMES).filter((outcome) => tally.has(outcome)).reverse();
  let start = 0;
  return h("div", { class: "outcomes" },
    svg("svg", { viewBox: "0 0 1000 14", preserveAspectRatio: "none", class: "outcome-bar", "aria-hidden": "true" },
      order.map((outcome) => {
        const width = (tally.get(outcome) / total) * 1000;
        start += width;
        const shape = { x: start - width, y: 0, width: Math.max(width - 2, 1), height: 14 };
        return svg("rect", { class: `part ${outcome}`, ...shape });
      })),
    h("ul", { class: "tally" }, order.map((outcome) => h("li", {}, h("button", {
      type: "button", class: "link", on: { click: () => showOutcome(outcome) } },
    svg("svg", { class: "swatch", viewBox: "0 0 10 10", "aria-hidden": "true" },
      svg("rect", { class: `part ${outcome}`, width: 10, height: 10 })),
    ` ${tally.get(outcome).toLocaleString("en")} ${OUTCOMES[outcome].label}`)))));
}

function gate(result) {
  if (!result) return;
  const failed = result.checks.filter((check) => !check.passed);
  const rows = [...failed, ...result.checks.filter((check) => check.passed)].map((check) => [
    check.name,
    h("span", { class: `pill ${check.passed ? "good" : "bad"}` }, sign(check.passed ? "\u2713" : "\u2717"),
      check.passed ? " passed" : " failed"),
    check.kind.replace("_", " "),
    withUnit(check.value, figureOfMetric.get(check.metric)?.unit),
    number(check.bound, figureOfMetric.get(check.metric)?.unit),
    [check.message, check.questions.length ? h("details", {}, h("summary", {}, "Open a question"),
      h("ul", { class: "plain" }, check.questions.map((id) => h("li", {}, questionLink(id, id))))) : null],
  ]);
  fill("gate",
    h("p", { class: `banner ${result.passed ? "good" : "bad"}` }, sign(result.passed ? "\u2713" : "\u2717"), " ",
      h("strong", {}, result.passed ? "Passed" : "Failed"),
      failed.length ? `: ${failed.length} of ${count(result.checks.length, "check")}`
        : `: ${count(result.checks.length, "check")}`),
    h("details", { open: failed.length > 0 }, h("summary", {}, "Checks"), scrolling("Checks of the gate", table({
      caption: "Checks of the gate",
      columns: ["check", "result", "kind", { label: "value", className: "numeric" },
        { label: "bound", className: "numeric" }, { label: "in words", className: "words" }],
      rows,
    }))));
}

function comparison(found) {
  if (!found) return;
  // One scale for all that share a unit, so that lengths can be compared.
  const reach = new Map();
  for (const row of found.metrics) {
    const { unit = "" } = figureOfMetric.get(row.metric) ?? {};
    const sizes = [row.low, row.high, row.difference].filter(isNumber).map(Math.abs);
    reach.set(unit, Math.max(reach.get(unit) ?? 1e-9, ...sizes));
  }
  const cells = (row) => {
    const { unit = "" } = figureOfMetric.get(row.metric) ?? {};
    const said = verdictOf(row);
    const most = reach.get(unit);
    return [
      h("code", {}, row.metric),
      number(row.baseline, unit), number(row.candidate, unit),
      [signed(row.difference, unit), unit ? ` ${unit}` : ""],
      [intervalMark({ low: -most, high: most, value: row.difference, from: row.low, to: row.high, reference: 0,
        tone: said.tone }), h("span", { class: "nowrap" }, interval(row.low, row.high, unit))],
      h("span", { class: `change nowrap ${said.tone}` }, sign(said.sign), ` ${said.words}`),
      probability(row.p), probability(row.p_holm),
      `${row.wins} / ${row.ties} / ${row.losses}`, number(row.detectable, unit), String(row.n),
    ];
  };
  const numeric = (label) => ({ label, className: "numeric" });
  const show = (caption, rows) => scrolling(caption, table({
    caption,
    columns: ["metric", numeric("baseline"), numeric("this run"), numeric("difference"), "95% interval", "verdict",
      numeric("p"), numeric("p, Holm"), numeric("win / tie / loss"), numeric("detectable"), numeric("n")],
    rows: rows.map(cells),
  }));
  const primary = found.metrics.filter((row) => row.primary);
  const others = found.metrics.filter((row) => !row.primary);
  const missing = [[found.only_baseline, "only in the baseline"], [found.only_candidate, "only in this run"]]
    .filter(([ids]) => ids.length);
  fill("comparison",
    h("p", { class: "quiet" }, `${count(found.questions, "question")} that both runs were asked. A change is called `
      + "better or worse where its 95% interval leaves out zero; \u201cdetectable\u201d is the smallest difference that "
      + "this many questions would probably show. Paired sign-flip test; Holm over the primary metrics; "
      + `${found.resamples.toLocaleString("en")} resamples, seed ${found.seed}.`),
    missing.map(([ids, where]) => h("details", { class: "notice" },
      h("summary", {}, `${count(ids.length, "question")} ${where}, and left out`), h("p", {}, ids.join(", ")))),
    found.unpaired.length ? h("p", { class: "notice" },
      `No question has a value in both runs for ${found.unpaired.join(", ")}.`) : null,
    primary.length ? [h("h3", {}, "Primary metrics, declared beforehand"),
      show("Comparison, primary metrics", primary)] : null,
    others.length ? h("details", { open: !primary.length }, h("summary", {}, `${count(others.length, "other metric")}`),
      show("Comparison, other metrics", others)) : null);
}

function categories(data) {
  const names = Object.keys(data.summary.categories);
  if (!names.length) return;
  const all = data.summary.figures.map((figure) => figure.metric)
    .filter((metric) => names.some((name) => data.summary.categories[name].some((each) => each.metric === metric)));
  const primary = all.filter((metric) => data.primary.includes(metric));
  const holder = h("div");
  const draw = (metrics) => {
    const cell = (name, metric) => {
      const figure = data.summary.categories[name].find((each) => each.metric === metric);
      if (!figure || !isNumber(figure.value)) return h("td", { class: "numeric quiet" }, NONE, hidden("none"));
      const shaded = !figure.unit && figure.value >= 0 && figure.value <= 1;
      const goodness = figure.higher_is_better ? figure.value : 1 - figure.value;
      return h("td", { class: shaded ? `numeric heat heat-${Math.round(goodness * 5)}` : "numeric" },
        number(figure.value, figure.unit),
        h("small", {}, interval(figure.low, figure.high, figure.unit).replace(" to ", "\u2013"), ` n ${figure.n}`));
    };
    holder.replaceChildren(scrolling("Metrics by category", h("table", { class: "heatmap" },
      h("caption", { class: "hidden" }, "Metrics by category, each with its 95% interval and number of questions"),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "category"),
        metrics.map((metric) => h("th", { scope: "col", class: "numeric" }, h("code", {}, metric),
          figureOfMetric.get(metric)?.higher_is_better === false ? h("small", {}, "lower is better") : null)))),
      h("tbody", {}, names.map((name) => h("tr", {}, h("th", { scope: "row" }, name),
        metrics.map((metric) => cell(name, metric))))))));
  };
  const all_shown = h("input", { type: "checkbox", id: "all-metrics",
    on: { change: (event) => draw(event.target.checked ? all : primary) } });
  draw(primary.length ? primary : all);
  fill("categories",
    primary.length && primary.length < all.length
      ? h("p", { class: "control" }, all_shown, h("label", { for: "all-metrics" }, ` all ${all.length} metrics`)) : null,
    holder);
}

function provenance(data) {
  const facts = (manifest) => ({
    "system": manifest.system, "version": manifest.code.version, "code": manifest.code.fingerprint,
    "question set": manifest.set.name, "questions": String(manifest.set.questions),
    "set fingerprint": manifest.set.fingerprint, "index": manifest.index, "encoder": manifest.encoder,
    "answerer": manifest.answerer, "reranked by": manifest.reranker, "corpus": manifest.corpus, "model": manifest.model || "none",
    "seed": String(manifest.seed), "workers": String(manifest.workers), "machine": manifest.machine,
    "started": manifest.started, "finished": manifest.finished ?? "not finished",
    ...Object.fromEntries(Object.entries(manifest.settings).map(([name, value]) =>
      [name, typeof value === "string" ? value : JSON.stringify(value)])),
  });
  const own = facts(data.manifest);
  const other = data.baseline_manifest ? facts(data.baseline_manifest) : null;
  const names = [...new Set([...Object.keys(own), ...Object.keys(other ?? {})])];
  const differs = (name) => other && own[name] !== other[name];
  fill("provenance", scrolling("What produced the run", table({
    caption: "What produced the run",
    className: "facts",
    columns: other ? ["", "this run", "baseline", ""].map((label, index) =>
      ({ label: label || hidden(index ? "same or different" : "what") })) : [{ label: hidden("what") }, "this run"],
    rows: names.filter((name) => own[name] || other?.[name]).map((name) => [name, own[name] || NONE,
      ...(other ? [other[name] || NONE, differs(name) ? h("span", { class: "tag" }, "differs") : ""] : [])]),
  })));
}
