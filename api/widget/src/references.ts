/** An answer to take away: its text with numbered references. */

import type { Answer } from "./contract";
import { byline, webUrl } from "./text";

export function withReferences(answer: Answer, heading: string, locale: string, page: string | null): string {
  const references = answer.sources.map((source) => {
    const about = byline(source, locale);
    return `[${source.n}] ${[source.title, about, webUrl(source.url)].filter(Boolean).join(". ")}`;
  });
  return [
    answer.question,
    answer.answer || (answer.reason?.message ?? ""),
    ...(references.length ? [`${heading}\n${references.join("\n")}`] : []),
    ...(page ? [page] : []),
  ].join("\n\n");
}
