/** One question and what came of it. */

import { blockNodes, blocksOf } from "./blocks";
import type { Card } from "./card";
import type { Answer, Citation, Related, Source } from "./contract";
import { button, element, group } from "./dom";
import type { ServerEvent } from "./event-stream";
import { FeedbackForm } from "./feedback";
import { textNodes } from "./formulas";
import { withReferences } from "./references";
import { type Service, ServiceError } from "./service";
import { type Strings, fill } from "./strings";
import { byline, longDate, webUrl } from "./text";

/** What a turn needs of the element it stands in. */
export interface Surroundings {
  readonly service: Service;
  readonly strings: Strings;
  readonly locale: string;
  readonly card: Card;
  ask(question: string): void;
  /** Say it to a screen reader; what is seen is changed apart. */
  say(text: string): void;
  retry(turn: TurnView): void;
}

export class TurnView {
  readonly node = element("article", { class: "turn", part: "turn" });
  answer: Answer | null = null;
  readonly #body = element("div", { class: "answer", part: "answer", dir: "auto" });
  readonly #after = element("div", { class: "after" });
  #text = "";
  #sources: Source[] = [];
  #citations: Citation[] = [];
  /** What each block shown was made from, so that only a block that has changed is made anew. */
  #made: string[] = [];

  constructor(
    readonly question: string,
    private readonly around: Surroundings,
  ) {
    this.#body.append(element("p", { class: "pending" }, around.strings.searching));
    this.node.append(element("h3", { dir: "auto" }, question), this.#body, this.#after);
  }

  /** Show an answer that is whole already. */
  show(answer: Answer): void {
    this.#sources = answer.sources;
    this.#text = answer.answer;
    this.#finish(answer);
  }

  handle({ name, data }: ServerEvent): void {
    const value = JSON.parse(data);
    if (name === "sources") this.#know(value.sources, value.reading ?? []);
    else if (name === "delta") {
      this.#text += value.text;
      this.#render();
    } else if (name === "citation") {
      this.#citations.push(value);
      this.#render();
    } else if (name === "done") this.#finish(value);
    else if (name === "error") throw new ServiceError(value.message);
  }

  /** Say what went wrong, below whatever had arrived. */
  fail(message: string): void {
    this.#body.querySelector(".pending")?.remove();
    const retry = button(this.around.strings.retry, "retry", () => this.around.retry(this));
    this.#after.replaceChildren(element("p", { class: "error", role: "alert" }, message), retry);
  }

  #know(sources: Source[], reading: Related[]): void {
    this.#sources = sources;
    const { strings } = this.around;
    const pending = this.#body.querySelector(".pending");
    if (pending && reading.length) pending.textContent = fill(strings.writing, { count: reading.length });
    this.#after.replaceChildren(...(sources.length ? [this.#sourceList(sources)] : []));
  }

  #render(): void {
    this.#body.querySelector(".pending")?.remove();
    const blocks = blocksOf(this.#text, this.#citations);
    blocks.forEach((block, i) => {
      const made = JSON.stringify(block);
      if (this.#made[i] === made) return;
      this.#made[i] = made;
      const node = element(
        "p",
        block.isItem ? { class: "item" } : {},
        ...blockNodes(block, (citation, sentence) => this.#chip(citation, sentence)),
      );
      const old = this.#body.children[i];
      if (old) old.replaceWith(node);
      else this.#body.append(node);
    });
  }

  #chip(citation: Citation, sentence: HTMLElement | null): Node {
    const { strings, card } = this.around;
    const source = () => this.#sources.find(({ n }) => n === citation.n) ?? null;
    const title = source()?.title ?? citation.source_id;
    const chip = button(`[${citation.n}]`, "marker", () => {});
    chip.setAttribute("aria-label", fill(strings.source, { n: citation.n, title }));
    card.attach(chip, sentence, () => ({ citation, source: source() }));
    return chip;
  }

  #finish(answer: Answer): void {
    this.answer = answer;
    this.#sources = answer.sources;
    this.#citations = answer.citations;
    // The whole answer counts: what was streamed is the same, unless something on the way lost a piece.
    if (answer.answered || answer.answer) this.#text = answer.answer;
    this.#render();
    this.#body.querySelector(".pending")?.remove();
    const { strings } = this.around;
    this.node.classList.toggle("refusal", !answer.answered);
    this.node.classList.toggle("fact", answer.kind === "catalog");
    if (!answer.answered) this.#body.prepend(this.#badge(strings.refused));
    else if (answer.kind === "catalog") this.#body.prepend(this.#badge(strings.computed));
    if (answer.reason) this.#body.append(element("p", { class: "reason" }, answer.reason.message));
    this.#after.replaceChildren(
      ...this.#understood(answer),
      ...answer.notices.map(note),
      ...(answer.sources.length ? [this.#sourceList(answer.sources)] : []),
      ...(answer.id ? [this.#actions(answer, answer.id)] : []),
      ...(answer.followups.length ? [this.#followups(answer.followups)] : []),
      ...(answer.related.length ? [this.#relatedList(answer)] : []),
    );
  }

  #badge(text: string): HTMLElement {
    this.#made.unshift(""); // it takes the place of a block, and none is made any more
    return element("p", { class: "badge" }, text);
  }

  /** How the question was read, where that is not as it was typed. */
  #understood({ understood }: Answer): Node[] {
    const { strings, locale } = this.around;
    const { from, to } = understood.filters ?? {};
    const read = [
      ...(understood.text.trim() === this.question.trim() ? [] : [fill(strings.readAs, { text: understood.text })]),
      ...(from ? [fill(strings.since, { date: longDate(from, locale) })] : []),
      ...(to ? [fill(strings.until, { date: longDate(to, locale) })] : []),
    ];
    return read.length ? [note(read.join(" · "))] : [];
  }

  #sourceList(sources: Source[]): HTMLElement {
    const items = sources.map((source) => element("li", { value: String(source.n) }, ...this.#entry(source)));
    return group("h4", this.around.strings.sources, "sources", element("ol", {}, ...items));
  }

  #relatedList({ answered, related }: Answer): HTMLElement {
    const { strings } = this.around;
    const items = related.map((each) => element("li", {}, ...this.#entry(each)));
    return group("h4", answered ? strings.related : strings.nearest, "related", element("ul", {}, ...items));
  }

  /** A title that links to its original where that may be followed, else to what is stored of it. */
  #entry(source: Related): Node[] {
    const { service, locale } = this.around;
    const href = webUrl(source.url) ?? service.sourcePage(source.id);
    const attributes = { href, target: "_blank", rel: "noopener noreferrer", dir: "auto" };
    return [
      element("a", attributes, ...textNodes(source.title)),
      element("div", { class: "meta", dir: "auto" }, byline(source, locale)),
    ];
  }

  #followups(followups: string[]): HTMLElement {
    const { strings } = this.around;
    const buttons = followups.map((question) => suggestion(question, () => this.around.ask(question)));
    return group("h4", strings.askNext, "suggestions", ...buttons);
  }

  #follow(topic: string, question: string): HTMLElement {
    const { service, strings } = this.around;
    const href = service.feedOf(topic, question);
    const link = element("a", { class: "quiet", href, target: "_blank", rel: "noopener" }, strings.followShort);
    link.setAttribute("aria-label", strings.follow);
    return link;
  }

  /** Take the answer away, link to it, say what it was worth. */
  #actions(answer: Answer, id: string): HTMLElement {
    const { service, strings, locale, say } = this.around;
    const page = service.answerPage(id);
    const said = element("span", { class: "said" });
    const copying = (text: string, done: string) => async () => {
      try {
        await navigator.clipboard.writeText(text);
        said.textContent = done;
        say(done);
      } catch {
        said.textContent = text; // not allowed here; the reader can still select it
      }
    };
    const copy = button(strings.copyShort, "quiet", () => {
      void copying(withReferences(answer, strings.references, locale, page), strings.copied)();
    });
    copy.setAttribute("aria-label", strings.copy);
    const link = button(strings.linkShort, "quiet", () => void copying(page, strings.linked)());
    link.setAttribute("aria-label", strings.link);
    const follow = answer.topic ? [this.#follow(answer.topic, answer.question)] : [];
    const feedback = new FeedbackForm(service, id, strings, say);
    return element(
      "div",
      { class: "taking", part: "actions" },
      element("div", { class: "actions" }, ...(answer.answered ? [copy] : []), link, ...follow, ...feedback.buttons, said),
      feedback.node,
    );
  }
}

/** A question that is asked by pressing it. */
export function suggestion(question: string, onClick: () => void): HTMLButtonElement {
  const node = button(textNodes(question), "suggestion", onClick);
  node.dir = "auto";
  return node;
}

function note(text: string): HTMLElement {
  return element("p", { class: "note", dir: "auto" }, text);
}
