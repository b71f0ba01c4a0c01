/** Text of the service: offsets, addresses, dates. */

import type { Related } from "./contract";

/** The UTF-16 index of a code point index: offsets of the service count code points, JavaScript's do not. */
export function utf16Index(text: string, codePoints: number): number {
  let index = 0;
  for (let left = codePoints; left > 0 && index < text.length; left--) {
    index += (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
  }
  return index;
}

/** `url` if it is an absolute http or https URL, else null: no other scheme is ever a link. */
export function webUrl(url: string | undefined): string | null {
  if (!url || !URL.canParse(url)) return null;
  return ["http:", "https:"].includes(new URL(url).protocol) ? url : null;
}

/** "20 January 2026 · RSS · Ada Example, Ben Example +2", in the reader's language. */
export function byline({ authors = [], authors_total: total, date, venue }: Related, locale: string): string {
  const more = total && total > authors.length ? ` +${total - authors.length}` : "";
  return [date && longDate(date, locale), venue, authors.join(", ") + more].filter(Boolean).join(" · ");
}

/** @param date such as `2026-01-20` */
export function longDate(date: string, locale: string): string {
  const day = new Date(date);
  if (Number.isNaN(day.valueOf())) return date;
  // British order for English: "20 January 2026", as the pages have it.
  const format = { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" } as const;
  return day.toLocaleDateString(locale === "en" ? "en-GB" : locale, format);
}
