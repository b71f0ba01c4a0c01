/** The card of a citation: what it quotes, from where, and how that was checked. */

import type { Citation, Source } from "./contract";
import { button, element, reachable } from "./dom";
import { textNodes } from "./formulas";
import { type Strings, fill } from "./strings";
import { byline, webUrl } from "./text";

/** Milliseconds that a pointer rests on a chip before its card opens, and is away before it closes. */
const REST = 120;
const AWAY = 250;

/** Pixels between a chip and its card, and between a card and the edge of the window. */
const GAP = 8;

export interface CardContent {
  citation: Citation;
  source: Source | null;
}

export class Card {
  readonly node = element("div", { class: "card", part: "card", popover: "manual", role: "dialog" });
  #chip: HTMLElement | null = null;
  #timer = 0;
  /** The focus comes back to the chip from its card, which is no reason to open that again. */
  #isReturning = false;

  constructor(
    private readonly strings: () => Strings,
    private readonly locale: () => string,
    private readonly sourcePage: (id: string) => string,
    private readonly openPassage: (citation: Citation, opener: HTMLElement) => void,
  ) {
    this.node.addEventListener("pointerenter", () => clearTimeout(this.#timer));
    this.node.addEventListener("pointerleave", () => this.#closeSoon());
    this.node.addEventListener("focusout", (event) => this.#onFocusOut(event));
    this.node.addEventListener("keydown", (event) => this.#onTab(event));
  }

  get isOpen(): boolean {
    return this.node.matches(":popover-open");
  }

  /** Open the card of a chip that is pointed at, focused or pressed. */
  attach(chip: HTMLElement, sentence: HTMLElement | null, content: () => CardContent): void {
    const light = (isLit: boolean) => sentence?.classList.toggle("lit", isLit);
    chip.setAttribute("aria-haspopup", "dialog");
    chip.setAttribute("aria-expanded", "false");
    chip.addEventListener("pointerenter", () => light(true));
    chip.addEventListener("pointermove", ({ pointerType, movementX, movementY }) => {
      // A pointer that has not moved points at nothing: a card was closed, or the text has scrolled, below it.
      if (pointerType !== "mouse" || (movementX === 0 && movementY === 0)) return;
      clearTimeout(this.#timer);
      this.#timer = window.setTimeout(() => this.#open(chip, content()), REST);
    });
    chip.addEventListener("pointerleave", () => {
      light(false);
      this.#closeSoon();
    });
    chip.addEventListener("focus", () => {
      light(true);
      if (!this.#isReturning && chip.matches(":focus-visible")) this.#open(chip, content());
    });
    chip.addEventListener("blur", (event) => {
      light(false);
      this.#onFocusOut(event);
    });
    chip.addEventListener("click", () => {
      clearTimeout(this.#timer);
      this.#open(chip, content());
      this.node.querySelector<HTMLElement>("button, a")?.focus();
    });
  }

  /** Close, and give the focus back to the chip if the card had it. */
  close(): void {
    clearTimeout(this.#timer);
    if (!this.isOpen) return;
    const chip = this.#chip;
    const root = this.node.getRootNode() as ShadowRoot;
    const hadFocus = this.node.contains(root.activeElement);
    this.#chip = null;
    chip?.setAttribute("aria-expanded", "false");
    this.node.hidePopover();
    if (hadFocus) this.returnTo(chip);
  }

  /** Focus a chip without opening its card. */
  returnTo(chip: HTMLElement | null): void {
    this.#isReturning = true;
    chip?.focus({ preventScroll: true });
    this.#isReturning = false;
  }

  /** Beyond its ends the Tab key goes on from the chip: the card stands elsewhere in the document. */
  #onTab(event: KeyboardEvent): void {
    if (event.key !== "Tab") return;
    const inside = reachable(this.node);
    const root = this.node.getRootNode() as ShadowRoot;
    if (root.activeElement !== inside.at(event.shiftKey ? 0 : -1)) return;
    if (event.shiftKey) event.preventDefault(); // back to the chip itself, not to what precedes it
    this.close();
  }

  #closeSoon(): void {
    clearTimeout(this.#timer);
    const root = this.node.getRootNode() as ShadowRoot;
    const isUsed = () => this.node.contains(root.activeElement) || root.activeElement === this.#chip;
    this.#timer = window.setTimeout(() => isUsed() || this.close(), AWAY);
  }

  #onFocusOut(event: FocusEvent): void {
    const next = event.relatedTarget as Node | null;
    if (next && (this.node.contains(next) || next === this.#chip)) return;
    // A press on the card's own text takes the focus nowhere.
    if (!next && this.node.matches(":hover")) return;
    this.close();
  }

  #open(chip: HTMLElement, content: CardContent): void {
    if (this.#chip === chip && this.isOpen) return;
    this.#chip?.setAttribute("aria-expanded", "false");
    this.#chip = chip;
    chip.setAttribute("aria-expanded", "true");
    this.#fill(content, chip);
    if (!this.isOpen) this.node.showPopover();
    this.#place(chip);
  }

  #fill({ citation, source }: CardContent, chip: HTMLElement): void {
    const strings = this.strings();
    const title = source?.title ?? citation.source_id;
    const url = webUrl(source?.url);
    const support = supportOf(citation, strings);
    const context = button(strings.inContext, "primary", () => {
      this.close();
      this.openPassage(citation, chip);
    });
    const original = element(
      "a",
      { href: url ?? this.sourcePage(citation.source_id), target: "_blank", rel: "noopener noreferrer" },
      url ? strings.original : strings.page,
    );
    const dismiss = button("✕", "quiet dismiss", () => this.close());
    dismiss.setAttribute("aria-label", strings.back);
    this.node.setAttribute("aria-label", fill(strings.source, { n: citation.n, title }));
    this.node.replaceChildren(
      element("p", { class: "card-title", dir: "auto" }, ...textNodes(title)),
      ...(source ? [element("p", { class: "meta", dir: "auto" }, byline(source, this.locale()))] : []),
      ...(citation.quote === title ? [] : [element("blockquote", { dir: "auto" }, ...textNodes(citation.quote))]),
      ...(support ? [element("p", { class: "meta support" }, support)] : []),
      element("div", { class: "actions" }, context, original, dismiss),
    );
  }

  /** Below the chip, above it where there is more room; always inside the window. */
  #place(chip: HTMLElement): void {
    const anchor = chip.getBoundingClientRect();
    const { style } = this.node;
    style.maxHeight = "";
    const { width, height } = this.node.getBoundingClientRect();
    const below = innerHeight - anchor.bottom - 2 * GAP;
    const above = anchor.top - 2 * GAP;
    const isBelow = height <= below || below >= above;
    style.maxHeight = `${Math.max(isBelow ? below : above, 120)}px`;
    const shown = Math.min(height, isBelow ? below : above);
    style.top = `${isBelow ? anchor.bottom + GAP : anchor.top - GAP - shown}px`;
    style.left = `${Math.max(GAP, Math.min(anchor.left, innerWidth - width - GAP))}px`;
  }
}

function supportOf({ support, field }: Citation, strings: Strings): string {
  if (support === "terms") return strings.terms;
  if (support === "entailed") return strings.entailed;
  if (support === "counted") return strings.counted;
  if (support !== "quoted") return "";
  return field === "abstract" ? strings.quotedAbstract : field === "summary" ? strings.quotedSummary : strings.quoted;
}
