/** A source's stored text with the quote marked. */

import type { Citation, StoredSource } from "./contract";
import { element } from "./dom";
import { textNodes } from "./formulas";
import type { Strings } from "./strings";
import { byline, utf16Index, webUrl } from "./text";

/** The nodes of a passage; exactly the stored characters, so that a reader can compare. */
export function passageNodes(
  source: StoredSource,
  { field, quote, quote_start: start, quote_end: end }: Citation,
  page: string,
  strings: Strings,
  locale: string,
): Node[] {
  const { heading = "", text = "" } = source.fields.find((each) => each.field === field) ?? {};
  const [from, to] = [utf16Index(text, start), utf16Index(text, end)];
  const href = webUrl(source.url) ?? page;
  const link = element(
    "a",
    { href, target: "_blank", rel: "noopener noreferrer", dir: "auto" },
    ...textNodes(source.title),
  );
  const nodes: Node[] = [
    element("h3", {}, link),
    element("p", { class: "meta", dir: "auto" }, byline(source, locale)),
    ...(source.retracted ? [element("p", { class: "error" }, strings.retracted)] : []),
  ];
  if (field === "title" && source.title === quote) {
    // A record that was counted, not quoted from: all of it is what there is to see.
    return [...nodes, ...source.fields.flatMap((each) => [...headed(each.heading), verbatim(each.text)])];
  }
  nodes.push(...headed(heading));
  if (text.slice(from, to) !== quote) {
    return [...nodes, element("p", { class: "note" }, strings.changed), element("blockquote", {}, quote)];
  }
  const marked = element("mark", {}, ...textNodes(quote, { verbatim: true }));
  return [...nodes, verbatim(text.slice(0, from), marked, text.slice(to))];
}

function headed(heading: string): Node[] {
  return heading ? [element("h4", { dir: "auto" }, ...textNodes(heading))] : [];
}

function verbatim(...parts: (string | Node)[]): Node {
  const nodes = parts.flatMap((part) => (typeof part === "string" ? textNodes(part, { verbatim: true }) : [part]));
  return element("p", { class: "text", dir: "auto" }, ...nodes);
}
