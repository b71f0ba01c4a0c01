"use strict";
// Numbers and verdicts in words.

const MINUS = "\u2212";
const NONE = "\u2013";

const OUTCOMES = {
  crashed: { label: "crashed", sign: "\u26a0", tone: "bad", rank: 0 },
  unanswerable_answered: { label: "unanswerable, answered", sign: "\u2717", tone: "bad", rank: 1 },
  wrong: { label: "wrong", sign: "\u2717", tone: "bad", rank: 2 },
  refused: { label: "refused", sign: "\u2298", tone: "warn", rank: 3 },
  answered: { label: "answered, not judged", sign: "\u00b7", tone: "plain", rank: 4 },
  right: { label: "right", sign: "\u2713", tone: "good", rank: 5 },
  rightly_refused: { label: "rightly refused", sign: "\u2713", tone: "good", rank: 6 },
  unknown: { label: "not known", sign: "\u00b7", tone: "plain", rank: 7 },
};

function isNumber(value) {
  return typeof value === "number" && Number.isFinite(value);
}

/** Three decimals for a share; about three digits for what has a unit. */
function number(value, unit = "") {
  if (!isNumber(value)) return NONE;
  const size = Math.abs(value);
  const digits = !unit ? 3 : size >= 100 ? 0 : size >= 10 ? 1 : 2;
  const text = size.toLocaleString("en", { minimumFractionDigits: unit && Number.isInteger(value) ? 0 : digits,
    maximumFractionDigits: digits });
  return value < 0 && Number(text.replaceAll(",", "")) !== 0 ? MINUS + text : text;
}

function withUnit(value, unit) {
  return isNumber(value) && unit ? `${number(value, unit)} ${unit}` : number(value, unit);
}

function signed(value, unit = "") {
  if (!isNumber(value)) return NONE;
  const text = number(value, unit);
  return value > 0 && !/^[0.,]*$/.test(text) ? `+${text}` : text;
}

function interval(low, high, unit = "") {
  return isNumber(low) && isNumber(high) ? `${number(low, unit)} to ${number(high, unit)}` : NONE;
}

function probability(p) {
  if (!isNumber(p)) return NONE;
  return p < 0.001 ? "< 0.001" : p.toFixed(3);
}

function count(value, noun) {
  return `${value.toLocaleString("en")} ${noun}${value === 1 ? "" : "s"}`;
}

function percent(share) {
  return `${Math.round(share * 1000) / 10}%`;
}

/** What a difference with its interval says: a change counts where the interval leaves out zero. */
function verdictOf({ difference, low, high, higher_is_better: higher }) {
  if (!isNumber(difference)) return { words: "not comparable", tone: "plain", sign: NONE };
  if (difference === 0) return { words: "no change", tone: "plain", sign: "=" };
  const sign = difference > 0 ? "\u25b2" : "\u25bc";
  if (!(low > 0 || high < 0)) return { words: "no clear change", tone: "plain", sign };
  const better = difference > 0 === higher;
  return { words: better ? "better" : "worse", tone: better ? "good" : "bad", sign };
}

function outcomePill(outcome) {
  const { label, sign: character, tone } = OUTCOMES[outcome];
  return h("span", { class: `pill ${tone}` }, sign(character), ` ${label}`);
}
