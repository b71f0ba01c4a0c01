"use strict";
// Reads the data that lies in the page, and draws it.

(() => {
  const data = JSON.parse(byId("data").textContent);
  for (const figure of data.summary.figures) figureOfMetric.set(figure.metric, figure);
  const changes = new Map((data.comparison?.metrics ?? []).map((row) => [row.metric, row]));
  data.paired = data.questions.some((question) => question.baseline);
  data.questions.forEach((question, position) => {
    question.position = position;
  });

  const { manifest, baseline_manifest: before } = data;
  byId("subtitle").textContent = `asktopic ${manifest.code.version}, ${manifest.started.slice(0, 10)}`
    + (data.summary.crashed ? `; ${count(data.summary.crashed, "question")} crashed` : "")
    + (before ? `; baseline of ${before.started.slice(0, 10)}, version ${before.code.version}` : "");

  gate(data.gate);
  headline(data, changes);
  comparison(data.comparison);
  categories(data);
  const drawings = [
    data.risk_coverage.length ? riskCoverage(data) : null,
    data.latency ? latencyHistogram(data) : null,
  ].filter(Boolean);
  if (drawings.length) fill("charts", h("div", { class: "figures" }, drawings));
  questionTable(data);
  provenance(data);

  const dialog = byId("detail");
  dialog.addEventListener("close", () => {
    document.title = data.title;
    const link = [...document.querySelectorAll("#questions tbody a")]
      .find((each) => each.getAttribute("href") === location.hash);
    // The address no longer names a question, and no step is added to the way back.
    if (location.hash) history.replaceState(null, "", location.href.split("#")[0]);
    link?.focus();
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close(); // beside the sheet
  });
  addEventListener("hashchange", () => followAddress(data));
  followAddress(data);
})();
