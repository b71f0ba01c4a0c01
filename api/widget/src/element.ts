import { Card } from "./card";
import type { Answer, Citation, EarlierTurn } from "./contract";
import { button, element, group, reachable } from "./dom";
import { passageNodes } from "./passage";
import { BrokenStream, Service, ServiceError } from "./service";
import { type Strings, fill, languageOf, stringsOf } from "./strings";
import css from "./styles.css?inline";
import { Transcript } from "./transcript";
import { type Surroundings, TurnView, suggestion } from "./turn";

/** Earlier turns sent with a question: enough to resolve "it" and "those", far below the body limit. */
const MAX_HISTORY = 6;

/** Space in pixels left above a question that is scrolled to the top. */
const HEADROOM = 12;

/** Distance in pixels from the end within which the reader counts as reading along. */
const AT_END = 24;

/** A button that opens a panel, where a reader asks about a topic and reads a cited answer. */
export class AskTopic extends HTMLElement {
  #turns: TurnView[] = [];
  #running: AbortController | null = null;
  #opener: HTMLElement | null = null;
  #isDescribed = false;
  #isRestored = false;
  #own: Partial<Strings> = {};

  readonly #launch = button("", "launch primary", () => this.toggle());
  readonly #title = element("h2", { id: "title", dir: "auto" });
  readonly #closing = button("", "quiet close", () => this.close());
  readonly #clearing = button("", "quiet clear", () => this.clear());
  readonly #status = element("p", { class: "hidden-text", role: "status" });
  readonly #examples = element("div", { class: "examples" });
  readonly #log = element("div", {
    class: "log",
    role: "log",
    "aria-live": "off", // read sentence by sentence as it streams, it would drown the reader
    tabindex: "0",
  });
  readonly #label = element("label", { for: "question", class: "hidden-text" });
  readonly #input = element("textarea", { id: "question", rows: "1", maxlength: "2000", dir: "auto" });
  readonly #send = element("button", { type: "submit", class: "primary" });
  readonly #stop = button("", "stop", () => this.#running?.abort());
  readonly #form = element(
    "form",
    { part: "form" },
    this.#label,
    element("div", { class: "row" }, this.#input, this.#send, this.#stop),
  );
  readonly #passage = element("section", { class: "passage", part: "passage", tabindex: "0" });
  readonly #card = new Card(
    () => this.strings,
    () => this.#language,
    (id) => this.#service.sourcePage(id),
    (citation, opener) => void this.#openPassage(citation, opener),
  );
  readonly #panel = element(
    "div",
    { class: "panel", part: "panel", id: "panel", popover: "manual", role: "dialog", "aria-labelledby": "title" },
    element("header", { part: "header" }, this.#title, this.#clearing, this.#closing),
    this.#status,
    this.#log,
    this.#passage,
    this.#form,
    this.#card.node,
  );

  connectedCallback(): void {
    if (this.shadowRoot) return; // moved within the page
    const root = this.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet(); // a constructed sheet needs no `unsafe-inline`
    sheet.replaceSync(css);
    root.adoptedStyleSheets = [sheet];
    this.#launch.setAttribute("part", "launch");
    this.#launch.setAttribute("aria-controls", "panel");
    this.#launch.setAttribute("aria-expanded", "false");
    this.#log.append(this.#examples);
    this.#stop.hidden = true;
    this.#passage.hidden = true;
    this.#clearing.hidden = true;
    this.#name(null);
    root.append(element("div", { class: "root" }, this.#launch, this.#panel));
    root.addEventListener("keydown", (event) => this.#onKey(event as KeyboardEvent));
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submit();
    });
    this.#log.addEventListener("scroll", () => this.#card.close(), { passive: true });
  }

  disconnectedCallback(): void {
    this.#running?.abort();
  }

  /** What the widget says: its language's strings, with those that the page has set. */
  get strings(): Strings {
    return stringsOf(this.#language, this.#own);
  }

  set strings(own: Partial<Strings>) {
    this.#own = own;
    this.#isDescribed = false;
    this.#name(null);
  }

  toggle(): void {
    if (this.#isOpen) this.close();
    else this.open();
  }

  /** Open the panel and put the cursor into the question. */
  open(): void {
    if (this.#isOpen) return;
    this.#panel.showPopover(); // the top layer, above whatever the page stacks
    this.#launch.setAttribute("aria-expanded", "true");
    this.#restore();
    this.#input.focus();
    if (!this.#isDescribed) void this.#describe();
    this.#tell("open", {});
  }

  /** Close the panel and return the focus to the button. */
  close(): void {
    if (!this.#isOpen) return;
    this.#card.close();
    this.#panel.hidePopover();
    this.#launch.setAttribute("aria-expanded", "false");
    this.#launch.focus();
    this.#tell("close", {});
  }

  /** Ask a question, as if the reader had typed it. Does nothing while an answer is being given. */
  ask(question: string): void {
    const asked = question.trim();
    if (!asked || this.#running) return;
    this.open();
    this.#ask(asked);
  }

  /** Forget the questions and answers of this topic, here and in the browser's storage. */
  clear(): void {
    this.#running?.abort();
    this.#transcript.clear();
    this.#card.close();
    for (const turn of this.#turns) turn.node.remove();
    this.#turns = [];
    this.#clearing.hidden = true;
    this.#log.append(this.#examples);
    this.#input.focus();
  }

  get #isOpen(): boolean {
    return this.#panel.matches(":popover-open");
  }

  get #topic(): string | null {
    return this.getAttribute("topic") || null;
  }

  get #language(): string {
    const closest = this.closest("[lang]")?.getAttribute("lang");
    return languageOf(closest || document.documentElement.lang || "en");
  }

  get #service(): Service {
    const endpoint = this.getAttribute("endpoint");
    return new Service(endpoint ? new URL(endpoint.replace(/\/*$/, "/"), document.baseURI) : new URL(import.meta.url));
  }

  get #transcript(): Transcript {
    return new Transcript(new URL(".", this.#service.base), this.#topic);
  }

  #tell(name: string, detail: object): void {
    this.dispatchEvent(new CustomEvent(`ask-topic-${name}`, { detail, bubbles: true, composed: true }));
  }

  /** Write every string, with the topic's name where it is known. */
  #name(name: string | null): void {
    const { strings } = this;
    this.#launch.textContent = strings.launch;
    this.#title.textContent = name ? fill(strings.titleOf, { name }) : strings.launch;
    this.#label.textContent = name ? fill(strings.labelOf, { name }) : strings.label;
    this.#input.placeholder = strings.label;
    this.#closing.textContent = "✕";
    this.#closing.setAttribute("aria-label", strings.close);
    this.#clearing.textContent = strings.clearShort;
    this.#clearing.setAttribute("aria-label", strings.clear);
    this.#send.textContent = strings.send;
    this.#stop.textContent = strings.stop;
    this.#log.setAttribute("aria-label", strings.log);
    this.#passage.setAttribute("aria-label", strings.passage);
  }

  /** Name the topic and offer the first questions. */
  async #describe(): Promise<void> {
    if (!this.#topic) return;
    this.#isDescribed = true;
    try {
      const { name, examples = [] } = await this.#service.topic(this.#topic);
      this.#name(name);
      const buttons = examples.map((text) => suggestion(text, () => this.#ask(text)));
      const offered = group("h3", this.strings.tryAsking, "suggestions", ...buttons);
      this.#examples.replaceChildren(...(buttons.length ? [offered] : []));
    } catch (error) {
      this.#isDescribed = false; // tried again when the panel is next opened
      const message = this.#failureMessage(error);
      this.#examples.replaceChildren(element("p", { class: "error", role: "alert" }, message));
    }
  }

  /** Show what was asked before, the first time that the panel opens. */
  #restore(): void {
    if (this.#isRestored) return;
    this.#isRestored = true;
    for (const answer of this.#transcript.read()) this.#add(answer.question).show(answer);
    this.#log.scrollTop = this.#log.scrollHeight;
  }

  #onKey(event: KeyboardEvent): void {
    if (event.isComposing) return; // the key belongs to an input method's candidate
    if (event.key === "Escape" && this.#isOpen) {
      event.preventDefault();
      if (this.#card.isOpen) this.#card.close();
      else if (this.#passage.hidden) this.close();
      else this.#closePassage();
    } else if (event.key === "Enter" && !event.shiftKey && event.target === this.#input) {
      event.preventDefault();
      this.#submit();
    } else if (event.key === "Tab" && !event.defaultPrevented) this.#keepFocus(event);
  }

  /** Where the panel covers the whole window, the focus must not go to what nobody sees behind it. */
  #keepFocus(event: KeyboardEvent): void {
    if (!this.#isOpen || this.#panel.getBoundingClientRect().width < document.documentElement.clientWidth) return;
    const inside = reachable(this.#panel);
    const [from, to] = event.shiftKey ? [inside.at(0), inside.at(-1)] : [inside.at(-1), inside.at(0)];
    if (this.shadowRoot?.activeElement !== from) return;
    event.preventDefault();
    to?.focus();
  }

  #submit(): void {
    const question = this.#input.value.trim();
    if (!question || this.#running) return;
    this.#input.value = "";
    this.#ask(question);
  }

  #ask(question: string): void {
    if (this.#running) return;
    const history = this.#turns.flatMap(({ answer }) =>
      answer?.answered ? [{ question: answer.question, answer: answer.answer, sources: answer.sources.map(({ id }) => id) }] : [],
    );
    const turn = this.#add(question);
    this.#log.scrollTop = turn.node.offsetTop - HEADROOM;
    this.#input.focus(); // the button that asked may be gone
    void this.#run(turn, history.slice(-MAX_HISTORY));
  }

  #add(question: string): TurnView {
    this.#examples.remove();
    this.#clearing.hidden = false;
    const around: Surroundings = {
      service: this.#service,
      strings: this.strings,
      locale: this.#language,
      card: this.#card,
      ask: (next) => this.#ask(next),
      say: (text) => {
        this.#status.textContent = text;
      },
      retry: (turn) => {
        if (this.#running) return;
        this.#turns = this.#turns.filter((each) => each !== turn);
        turn.node.remove();
        this.#ask(turn.question);
      },
    };
    const turn = new TurnView(question, around);
    this.#turns.push(turn);
    this.#log.append(turn.node);
    return turn;
  }

  async #run(turn: TurnView, history: EarlierTurn[]): Promise<void> {
    const controller = new AbortController();
    this.#setRunning(controller);
    this.#status.textContent = this.strings.searching;
    this.#tell("question", { question: turn.question });
    try {
      const asked = { question: turn.question, topic: this.#topic, history };
      for await (const event of this.#service.ask(asked, controller.signal)) {
        this.#following(turn, () => turn.handle(event));
        if (turn.answer) break;
      }
      const answer = turn.answer;
      if (!answer) throw new BrokenStream();
      this.#transcript.add(answer);
      this.#status.textContent = this.#outcome(answer);
      this.#tell("answer", { answer });
    } catch (error) {
      const message = this.#failureMessage(error);
      this.#status.textContent = "";
      this.#following(turn, () => turn.fail(message));
      this.#tell("error", { message });
    } finally {
      this.#setRunning(null);
    }
  }

  #outcome({ answered, sources }: Answer): string {
    const { strings } = this;
    if (!answered) return strings.none;
    return sources.length === 1 ? strings.readyOne : fill(strings.ready, { count: sources.length });
  }

  #failureMessage(error: unknown): string {
    const { strings } = this;
    if (error instanceof ServiceError) return error.message;
    if (error instanceof BrokenStream) return strings.brokeOff;
    if (error instanceof DOMException && error.name === "AbortError") return strings.stopped;
    if (error instanceof TypeError) {
      // A browser does not tell a refused origin from a lost connection.
      return this.#service.isForeign ? strings.unreachableOrRefused : strings.unreachable;
    }
    return strings.unreadable;
  }

  /** Change the turn; keep its end in view if the reader was at the end, but its question in sight. */
  #following(turn: TurnView, change: () => void): void {
    const log = this.#log;
    const wasAtEnd = log.scrollHeight - log.scrollTop - log.clientHeight < AT_END;
    change();
    if (wasAtEnd) log.scrollTop = turn.node.offsetTop - HEADROOM; // or the end, where that comes first
  }

  #setRunning(controller: AbortController | null): void {
    const stopHadFocus = this.shadowRoot?.activeElement === this.#stop;
    this.#running = controller;
    this.#send.hidden = controller !== null;
    this.#stop.hidden = controller === null;
    if (stopHadFocus) this.#input.focus();
  }

  async #openPassage(citation: Citation, opener: HTMLElement): Promise<void> {
    const { strings } = this;
    this.#opener = opener;
    const back = button(strings.back, "back", () => this.#closePassage());
    const content = element("div", { class: "content" }, element("p", { class: "pending" }, strings.opening));
    this.#passage.replaceChildren(back, content);
    this.#showPassage(true);
    back.focus();
    try {
      const source = await this.#service.source(citation.source_id);
      const page = this.#service.sourcePage(source.id);
      content.replaceChildren(...passageNodes(source, citation, page, strings, this.#language));
      content.querySelector("mark")?.scrollIntoView({ block: "center" });
    } catch (error) {
      content.replaceChildren(element("p", { class: "error", role: "alert" }, this.#failureMessage(error)));
    }
  }

  #closePassage(): void {
    this.#showPassage(false);
    this.#card.returnTo(this.#opener);
  }

  #showPassage(isShown: boolean): void {
    this.#passage.hidden = !isShown;
    this.#log.hidden = isShown;
    this.#form.hidden = isShown;
  }
}
