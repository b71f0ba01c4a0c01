"use strict";
// Building nodes. Everything that the data says enters the page as text, here and nowhere else.

const SVG_NAMESPACE = "http://www.w3.org/2000/svg";

/** An element. Attributes that are null, undefined or false are left out; `on` maps events to listeners. */
function h(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** An element of a drawing. */
function svg(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG_NAMESPACE, tag), attributes, children);
}

function filled(element, { on = {}, ...attributes }, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? "" : value);
    }
  }
  for (const [event, listener] of Object.entries(on)) element.addEventListener(event, listener);
  // `append` makes text of strings: markup in them stays what it is, characters.
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return element;
}

function byId(id) {
  return document.getElementById(id);
}

/** Show a section of the page with what belongs in it. */
function fill(id, ...children) {
  const section = byId(id);
  section.append(...children.flat(Infinity).filter(Boolean));
  section.hidden = false;
}

/** A table of text with its column headers; the first cell of each row is the row's header. */
function table({ caption, columns, rows, className = "" }) {
  return h("table", { class: className },
    h("caption", { class: "hidden" }, caption),
    h("thead", {}, h("tr", {}, columns.map((column) => h("th", { scope: "col", class: column.className },
      column.label ?? column)))),
    h("tbody", {}, rows.map(([first, ...rest]) => h("tr", {},
      h("th", { scope: "row" }, first),
      rest.map((cell, index) => h("td", { class: columns[index + 1].className }, cell))))));
}

/** A table may be wider than a phone: it then scrolls by itself, by keyboard too. */
function scrolling(label, ...children) {
  return h("div", { class: "scrolling", role: "region", "aria-label": label, tabindex: "0" }, children);
}

/** Text for screen readers alone. */
function hidden(text) {
  return h("span", { class: "hidden" }, text);
}

/** A sign for the eye beside words that say the same. */
function sign(character) {
  return h("span", { class: "sign", "aria-hidden": "true" }, character);
}

/** A slice in code points, as the records count; strings here count UTF-16 units. */
function slice(text, start, end) {
  return /[\ud800-\udfff]/.test(text) ? Array.from(text).slice(start, end).join("") : text.slice(start, end);
}

function lengthOf(text) {
  return /[\ud800-\udfff]/.test(text) ? Array.from(text).length : text.length;
}
