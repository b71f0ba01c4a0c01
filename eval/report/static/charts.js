"use strict";
// Drawings, each with axes, a title, a description, and its figures as a table.

const FRAME = { width: 600, height: 330, left: 62, right: 26, top: 16, bottom: 52 };

function plotted({ id, title, description, xLabel, yLabel, xTicks, yTicks, marks }) {
  const { width, height, left, right, top, bottom } = FRAME;
  const floor = height - bottom;
  return svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", class: "chart",
    "aria-labelledby": `${id}-title ${id}-description` },
  svg("title", { id: `${id}-title` }, title),
  svg("desc", { id: `${id}-description` }, description),
  yTicks.map(({ at, label }) => svg("g", {},
    svg("line", { class: "grid", x1: left, x2: width - right, y1: at, y2: at }),
    svg("text", { class: "tick end", x: left - 8, y: at + 4 }, label))),
  marks,
  svg("line", { class: "axis", x1: left, x2: width - right, y1: floor, y2: floor }),
  xTicks.map(({ at, label }) => svg("g", {},
    svg("line", { class: "axis", x1: at, x2: at, y1: floor, y2: floor + 5 }),
    svg("text", { class: "tick middle", x: at, y: floor + 20 }, label))),
  svg("text", { class: "label middle", x: (left + width - right) / 2, y: height - 8 }, xLabel),
  svg("text", { class: "label middle", transform: `translate(14 ${(top + floor) / 2}) rotate(-90)` }, yLabel));
}

function figureOf(caption, chart, legend, details) {
  return h("figure", {}, h("figcaption", {}, caption), chart, legend,
    h("details", {}, h("summary", {}, "The figures as a table"), details));
}

function legendOf(entries) {
  return h("p", { class: "legend" }, entries.map(([className, label]) => h("span", {},
    svg("svg", { class: "key", viewBox: "0 0 24 12", "aria-hidden": "true" },
      className.startsWith("bar")
        ? svg("rect", { class: className, x: 1, y: 1, width: 22, height: 10 })
        : svg("line", { class: className, x1: 0, x2: 24, y1: 6, y2: 6 })), label)));
}

/** A round step of 1, 2 or 5 times a power of ten that cuts `span` into at most `parts`. */
function roundStep(span, parts) {
  const power = 10 ** Math.floor(Math.log10(span / parts));
  return power * [1, 2, 5, 10].find((factor) => power * factor * parts >= span * (1 - 1e-9));
}

function range(first, last, step) {
  return Array.from({ length: Math.floor((last - first) / step + 1e-9) + 1 }, (_, n) => first + n * step);
}

/** Error rate among the answers given, against how many are given, when the less confident are held back. */
function riskCoverage(data) {
  const curves = [["candidate", "this run", data.risk_coverage]];
  if (data.baseline_risk_coverage.length) curves.push(["baseline", "baseline", data.baseline_risk_coverage]);
  const highest = Math.max(0.1, ...curves.flatMap(([, , points]) => points.map((point) => point.risk)));
  const step = roundStep(highest, 5);
  const top = Math.ceil(highest / step - 1e-9) * step;
  const x = (coverage) => FRAME.left + coverage * (FRAME.width - FRAME.left - FRAME.right);
  const floor = FRAME.height - FRAME.bottom;
  const y = (risk) => floor - (risk / top) * (floor - FRAME.top);
  const path = (points) => points.map((point, index) =>
    `${index ? "L" : "M"}${x(point.coverage).toFixed(1)} ${y(point.risk).toFixed(1)}`).join("");
  const last = data.risk_coverage.at(-1);
  const chart = plotted({
    id: "risk", title: "Risk–coverage curve",
    description: `${percent(last.coverage)} of the questions are answered, ${percent(last.risk)} of them wrongly.`
      + " The table below gives the points.",
    xLabel: "questions answered, most confident first", yLabel: "wrong among them",
    xTicks: range(0, 1, 0.2).map((value) => ({ at: x(value), label: percent(value) })),
    yTicks: range(0, top, step).map((value) => ({ at: y(value), label: percent(value) })),
    marks: curves.toReversed().map(([name, , points]) => [
      svg("path", { class: `line ${name}`, d: path(points) }),
      points.length === 1
        ? svg("circle", { class: `dot ${name}`, cx: x(points[0].coverage), cy: y(points[0].risk), r: 4 })
        : null]),
  });
  const at = (points, coverage) => points.find((point) => point.coverage >= coverage - 1e-9);
  const rows = range(0.1, 1, 0.1).map((coverage) => [percent(coverage), ...curves.flatMap(([, , points]) => {
    const point = at(points, coverage);
    return point ? [percent(point.risk), number(point.confidence)] : [NONE, NONE];
  })]);
  const columns = ["answered, at least", ...curves.flatMap(([, label]) => [`wrong, ${label}`, `confidence, ${label}`])]
    .map((label, index) => ({ label, className: index ? "numeric" : "" }));
  return figureOf("Risk–coverage: the less confident answers held back", chart,
    legendOf(curves.map(([name, label]) => [`line ${name}`, label])),
    scrolling("Risk–coverage figures", table({ caption: "Risk–coverage", columns, rows })));
}

/** How long asking took, on a logarithmic scale. */
function latencyHistogram(data) {
  const { edges, counts, baseline_counts: before } = data.latency;
  const highest = Math.max(...counts, ...before, 1);
  const step = Math.max(1, roundStep(highest, 5));
  const top = Math.ceil(highest / step) * step;
  const [low, high] = [Math.log10(edges[0]), Math.log10(edges.at(-1))];
  const x = (ms) => FRAME.left + ((Math.log10(ms) - low) / (high - low)) * (FRAME.width - FRAME.left - FRAME.right);
  const floor = FRAME.height - FRAME.bottom;
  const y = (amount) => floor - (amount / top) * (floor - FRAME.top);
  const bars = (amounts, name, inset) => amounts.map((amount, index) => amount
    ? svg("rect", { class: `bar ${name}`, x: x(edges[index]) + inset, y: y(amount),
      width: Math.max(x(edges[index + 1]) - x(edges[index]) - 2 * inset, 1), height: floor - y(amount) })
    : null);
  const powers = range(Math.floor(low), Math.ceil(high), 1);
  // Where several powers of ten are shown, the numbers between them would run into each other.
  const factors = high - low > 2.5 ? [1] : high - low > 1.2 ? [1, 2, 5] : [1, 1.5, 2, 3, 5, 7];
  const ticks = powers.flatMap((power) => factors.map((factor) => factor * 10 ** power))
    .filter((ms) => ms >= edges[0] * 0.999 && ms <= edges.at(-1) * 1.001);
  const marked = data.summary.figures.filter((figure) => ["latency_p50", "latency_p95"].includes(figure.metric)
    && figure.value >= edges[0] && figure.value <= edges.at(-1));
  const total = counts.reduce((sum, amount) => sum + amount, 0);
  const chart = plotted({
    id: "latency", title: "Latency histogram",
    description: `${count(total, "question")}; ` + marked.map((figure) =>
      `${figure.metric.slice(-3)} ${withUnit(figure.value, "ms")}`).join(", ") + ". The table below gives the bars.",
    xLabel: "milliseconds to an answer (logarithmic)", yLabel: "questions",
    xTicks: ticks.map((ms) => ({ at: x(ms), label: Number(ms.toPrecision(2)).toLocaleString("en") })),
    yTicks: range(0, top, step).map((amount) => ({ at: y(amount), label: amount.toLocaleString("en") })),
    marks: [bars(counts, "candidate", 1), bars(before, "baseline", 1), marked.map((figure) => svg("g", {},
      svg("line", { class: "marker", x1: x(figure.value), x2: x(figure.value), y1: FRAME.top, y2: floor }),
      svg("text", { class: "tick halo", x: x(figure.value) + 4, y: FRAME.top + 10 }, figure.metric.slice(-3))))],
  });
  const shown = counts.map((_, index) => index).filter((index) => counts[index] || before[index]);
  const columns = ["milliseconds", "this run", ...(before.length ? ["baseline"] : [])]
    .map((label, index) => ({ label, className: index ? "numeric" : "" }));
  return figureOf("Latency: how long a question took", chart,
    legendOf([["bar candidate", "this run"], ...(before.length ? [["bar baseline", "baseline"]] : [])]),
    scrolling("Latency figures", table({ caption: "Latency histogram", columns,
      rows: shown.map((index) => [interval(edges[index], edges[index + 1], "ms"), String(counts[index]),
        ...(before.length ? [String(before[index])] : [])]) })));
}

/** A value and its interval on a line from `low` to `high`, with a stroke where `reference` lies. */
function intervalMark({ low, high, value, from, to, reference, tone = "plain" }) {
  const x = (at) => 4 + (Math.min(Math.max((at - low) / (high - low), 0), 1)) * 152;
  return svg("svg", { class: `interval ${tone}`, viewBox: "0 0 160 14", "aria-hidden": "true" },
    svg("line", { class: "rail", x1: 4, x2: 156, y1: 7, y2: 7 }),
    isNumber(reference) ? svg("line", { class: "reference", x1: x(reference), x2: x(reference), y1: 1, y2: 13 }) : null,
    isNumber(from) && isNumber(to) ? svg("line", { class: "span", x1: x(from), x2: x(to), y1: 7, y2: 7 }) : null,
    isNumber(value) ? svg("circle", { class: "point", cx: x(value), cy: 7, r: 4 }) : null);
}
