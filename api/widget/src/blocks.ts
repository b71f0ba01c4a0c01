/** An answer's text as paragraphs and list items, its markers as chips, its cited sentences as spans. */

import type { Citation } from "./contract";
import { element } from "./dom";
import { textNodes } from "./formulas";
import { utf16Index } from "./text";

/** A piece of a block: plain text, text inside a cited sentence, or the marker of a citation. */
export type Segment =
  | { kind: "text"; text: string; cited: Citation | null }
  | { kind: "marker"; text: string; citation: Citation };

export interface Block {
  isItem: boolean;
  segments: Segment[];
}

interface Span {
  from: number;
  to: number;
  citation: Citation;
}

/**
 * Take an answer apart. A bracketed number is a marker only outside the sentence that a citation quotes
 * and only with a citation of that number: "as shown in [2]" inside a quoted sentence is no marker.
 */
export function blocksOf(answer: string, citations: Citation[]): Block[] {
  const spans = citations.map((citation) => ({
    from: utf16Index(answer, citation.start_index),
    to: utf16Index(answer, citation.end_index),
    citation,
  }));
  const blocks: Block[] = [];
  for (const { 0: line, index } of answer.matchAll(/[^\n]+/g)) {
    const isItem = line.startsWith("- ");
    const start = index + (isItem ? 2 : 0);
    blocks.push({ isItem, segments: segmentsOf(answer, start, index + line.length, spans) });
  }
  return blocks;
}

function segmentsOf(answer: string, start: number, end: number, spans: Span[]): Segment[] {
  const segments: Segment[] = [];
  let at = start;
  const plain = (to: number) => {
    while (at < to) {
      const inside = spans.find(({ from, to: last }) => from <= at && at < last);
      const next = inside ? inside.to : Math.min(to, ...spans.map(({ from }) => from).filter((from) => from > at));
      const stop = Math.min(next, to);
      segments.push({ kind: "text", text: answer.slice(at, stop), cited: inside?.citation ?? null });
      at = stop;
    }
  };
  for (const { 0: marker, 1: number, index } of answer.slice(start, end).matchAll(/\[(\d+)\]/g)) {
    const position = start + index;
    const isQuoted = spans.some(
      ({ from, to, citation }) => from <= position && position < to && citation.quote.includes(marker),
    );
    const own = spans.filter(({ citation }) => citation.n === Number(number));
    const span = own.findLast(({ to }) => to <= position) ?? own[0];
    if (isQuoted || !span) continue;
    plain(position);
    segments.push({ kind: "marker", text: marker, citation: span.citation });
    at = position + marker.length;
  }
  plain(end);
  return segments;
}

/** The nodes of a block. Between cited sentences, `*…*` names a paper; inside them a star is a star. */
export function blockNodes(
  { segments }: Block,
  chip: (citation: Citation, sentence: HTMLElement | null) => Node,
): Node[] {
  const sentences = new Map<Citation, HTMLElement>();
  return segments.flatMap((segment) => {
    if (segment.kind === "marker") return [chip(segment.citation, sentences.get(segment.citation) ?? null)];
    if (!segment.cited) return emphasised(segment.text);
    const sentence = element("span", { class: "sentence" }, ...textNodes(segment.text));
    sentences.set(segment.cited, sentence);
    return [sentence];
  });
}

function emphasised(text: string): Node[] {
  return text.split(/\*([^*\n]+)\*(?= \(|:)/).flatMap((part, i) => {
    if (!part) return [];
    return i % 2 === 1 ? [element("cite", {}, ...textNodes(part))] : textNodes(part);
  });
}
