/**
 * `<ask-topic topic="reinforcement-learning">`: a button that opens a panel, where a reader asks
 * about a topic and reads an answer whose every sentence opens on the passage it stands on.
 *
 *   <script type="module" src="https://…/widget.js"></script>
 *   <ask-topic topic="reinforcement-learning"></ask-topic>
 *
 * Attributes: `topic` (slug, name or alias; all topics if absent), `endpoint` (base URL of the
 * service; where this module came from if absent or empty), `theme` (`light` or `dark`; the
 * reader's own preference if absent). Custom properties: `--ask-topic-accent`,
 * `--ask-topic-on-accent`, `--ask-topic-background`, `--ask-topic-text`, `--ask-topic-font`,
 * `--ask-topic-radius`.
 *
 * Text of answers and documents only ever becomes text nodes: nothing of it is parsed as markup.
 * Offsets of the service count Unicode code points; JavaScript's count UTF-16 units.
 *
 * @typedef {{n: number, source_id: string, start_index: number, end_index: number, quote: string,
 *   field: string, quote_start: number, quote_end: number}} Citation
 * @typedef {{n: number, id: string, title: string, authors: string[], authors_total: ?number,
 *   date: ?string, venue: string, url: string}} Source
 * @typedef {{id: string, title: string, date: ?string, url: string}} Related
 * @typedef {{question: string, understood: {text: string}, answered: boolean, answer: string,
 *   citations: Citation[], sources: Source[], reason: ?{code: string, message: string},
 *   related: Related[], followups: string[], notices: string[]}} Answer
 * @typedef {{name: string, data: string, id: string}} ServerEvent
 */

/** Earlier turns sent with a question: enough to resolve "it" and "those", far below the body limit. */
const MAX_HISTORY = 6;

/** Space in pixels left above a question that is scrolled to the top. */
const HEADROOM = 12;

/** Distance in pixels from the end within which the reader counts as reading along. */
const AT_END = 24;

// ---------------------------------------------------------------- event stream

/** Incremental parser of `text/event-stream`: bytes in, whole events out, however they are split. */
export class EventStreamParser {
  #decoder = new TextDecoder(); // drops a leading byte order mark, keeps split characters
  #rest = "";
  #afterCr = false;
  #name = "";
  #id = "";
  /** @type {string[]} */
  #data = [];

  /**
   * @param {Uint8Array} bytes the next bytes of the stream
   * @returns {ServerEvent[]} the events that they complete; one still open at the end never counts
   */
  push(bytes) {
    let text = this.#decoder.decode(bytes, { stream: true });
    if (text === "") return []; // nothing, or the first bytes of a character
    if (this.#afterCr && text.startsWith("\n")) text = text.slice(1); // second half of a CRLF
    this.#afterCr = text.endsWith("\r");
    const lines = (this.#rest + text).split(/\r\n|\n|\r/);
    this.#rest = /** @type {string} */ (lines.pop());
    return lines.flatMap((line) => this.#line(line));
  }

  /** @param {string} line @returns {ServerEvent[]} */
  #line(line) {
    if (line === "") return this.#dispatch();
    const [, field, value] = /** @type {RegExpMatchArray} */ (line.match(/^([^:]*):? ?(.*)$/s));
    if (field === "data") this.#data.push(value);
    else if (field === "event") this.#name = value;
    else if (field === "id" && !value.includes("\0")) this.#id = value;
    return []; // a comment has an empty field; unknown fields are ignored
  }

  /** @returns {ServerEvent[]} */
  #dispatch() {
    const event = { name: this.#name || "message", data: this.#data.join("\n"), id: this.#id };
    const isEmpty = this.#data.length === 0;
    this.#name = "";
    this.#data = [];
    return isEmpty ? [] : [event];
  }
}

/** @param {ReadableStream<Uint8Array>} body @returns {AsyncGenerator<ServerEvent>} */
async function* readEvents(body) {
  const parser = new EventStreamParser();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield* parser.push(value);
    }
  } finally {
    reader.cancel().catch(() => {}); // the stream may have failed already
  }
}

// ------------------------------------------------------------------------ text

/** The UTF-16 index of a code point index. @param {string} text @param {number} codePoints */
export function utf16Index(text, codePoints) {
  let index = 0;
  for (let left = codePoints; left > 0 && index < text.length; left--) {
    index += /** @type {number} */ (text.codePointAt(index)) > 0xffff ? 2 : 1;
  }
  return index;
}

/** `url` if it is an http or https URL, else null. @param {string} url @returns {?string} */
export function webUrl(url) {
  try {
    return ["http:", "https:"].includes(new URL(url).protocol) ? url : null;
  } catch {
    return null;
  }
}

/**
 * The nodes of a text: formulas as readable code, all else as it is.
 * @param {string} text @param {{delimiters?: boolean}} [options] keep the formulas' delimiters
 * @returns {Node[]}
 */
function textNodes(text, { delimiters = false } = {}) {
  return text.split(/(\\\(.+?\\\)|\\\[.+?\\\]|\$\$.+?\$\$)/s).map((part, i) => {
    if (i % 2 === 0) return document.createTextNode(part);
    return element("code", { class: "formula" }, delimiters ? part : part.slice(2, -2).trim());
  });
}

/** The nodes of what introduces a quote: `*a title*` is emphasised. @param {string} text @returns {Node[]} */
function leadNodes(text) {
  return text.split(/\*([^*]+)\*/).flatMap((part, i) => (i % 2 ? [element("em", {}, ...textNodes(part))] : textNodes(part)));
}

/** @param {string} text */
const codePoints = (text) => [...text].length;

/**
 * Cut a piece of an answer at the markers of its citations. A bracketed number inside a quoted
 * sentence ("as shown in [2]") is no marker.
 * @param {string} text @param {number} start where the piece starts in the answer, in code points
 * @param {Citation[]} citations those of this piece
 * @returns {(string | {marker: string, citation: Citation})[]}
 */
export function splitMarkers(text, start, citations) {
  let at = start;
  return text.split(/(\[\d+\])/).map((part) => {
    const position = at;
    at += codePoints(part);
    const isQuoted = citations.some(
      ({ start_index: from, end_index: to, quote }) => from <= position && position < to && quote.includes(part),
    );
    const own = citations.filter(({ n }) => part === `[${n}]`);
    const citation = own.findLast(({ end_index: end }) => end <= position) ?? own[0];
    return citation && !isQuoted ? { marker: part, citation } : part;
  });
}

/** @param {{authors?: string[], authors_total?: ?number, date?: ?string, venue?: string}} source */
function byline({ authors = [], authors_total: total, date, venue }) {
  const more = total && total > authors.length ? ` +${total - authors.length}` : "";
  return [date && longDate(date), venue, authors.join(", ") + more].filter(Boolean).join(" · ");
}

/** @param {string} date such as `2026-01-20` */
function longDate(date) {
  const format = /** @type {const} */ ({ day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
  return new Date(date).toLocaleDateString("en-GB", format);
}

/** @param {number} number @param {string} noun */
const count = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;

// ------------------------------------------------------------------------- DOM

/**
 * @param {string} tag @param {Record<string, string>} attributes @param {...(Node|string)} children
 * @returns {HTMLElement}
 */
function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

/** @param {string} label @param {string} className @param {() => void} onClick */
function button(label, className, onClick) {
  const node = element("button", { type: "button", class: className, dir: "auto" }, ...textNodes(label));
  node.addEventListener("click", onClick);
  return node;
}

/**
 * A title that links to its original where that may be followed, else to what is stored of it.
 * @param {{title: string, url: string}} source @param {string} page address of the stored text
 */
function titleNode({ title, url }, page) {
  const href = webUrl(url) ?? page;
  const nodes = textNodes(title);
  return element("a", { href, target: "_blank", rel: "noopener noreferrer", dir: "auto" }, ...nodes);
}

/** @param {string} title @param {string} className @param {Node[]} items */
function group(title, className, items) {
  return element("div", { class: className }, element("h4", {}, title), ...items);
}

/** One question and what came of it. */
class Turn {
  /** @type {?Answer} */
  answer = null;
  /** @type {Source[]} */
  #sources = [];
  /** @type {{node: HTMLElement, text: string, start: number, citations: Citation[]}[]} */
  #pieces = [];
  #length = 0; // of the answer so far, in code points
  #body = element("div", { class: "answer", dir: "auto" });
  #after = element("div", { class: "after" });

  /**
   * @param {string} question
   * @param {{ask: (question: string) => void, retry: () => void,
   *   open: (citation: Citation, opener: HTMLElement) => void, page: (id: string) => string}} actions
   */
  constructor(question, actions) {
    this.question = question;
    this.actions = actions;
    this.node = element("article", { class: "turn" });
    this.node.append(element("h3", { dir: "auto" }, question), this.#body, this.#after);
    this.#body.append(element("p", { class: "pending" }, "Searching…"));
  }

  /** @param {ServerEvent} event */
  handle({ name, data }) {
    const value = JSON.parse(data);
    if (name === "sources") this.#sources = value.sources;
    else if (name === "delta") this.#addPiece(value.text);
    else if (name === "citation") this.#addCitation(value);
    else if (name === "done") this.#finish(value);
    else if (name === "error") throw new ServiceError(value.message);
  }

  /** @param {string} message */
  fail(message) {
    this.#body.querySelector(".pending")?.remove();
    const retry = button("Retry", "retry", this.actions.retry);
    this.#after.replaceChildren(element("p", { class: "error", role: "alert" }, message), retry);
  }

  /** @param {string} delta */
  #addPiece(delta) {
    // A bullet is as long as the hyphen that stands for one, so offsets stay.
    const text = delta.replace(/(^|\n)- /g, "$1• ");
    this.#body.querySelector(".pending")?.remove();
    const piece = { node: element("span", { class: "sentence" }), text, start: this.#length, citations: [] };
    this.#pieces.push(piece);
    this.#length += codePoints(text);
    piece.node.append(...textNodes(text));
    this.#body.append(piece.node);
  }

  /** A citation belongs to the piece before it. @param {Citation} citation */
  #addCitation(citation) {
    const piece = this.#pieces.at(-1);
    if (!piece) return;
    piece.citations.push(citation);
    const quoted = Math.min(...piece.citations.map(({ start_index: from }) => from));
    const lead = piece.text.slice(0, utf16Index(piece.text, quoted - piece.start));
    const nodes = splitMarkers(piece.text.slice(lead.length), quoted, piece.citations).flatMap((part) =>
      typeof part === "string" ? textNodes(part) : [this.#marker(part.marker, part.citation)],
    );
    piece.node.replaceChildren(...leadNodes(lead), ...nodes);
  }

  /** @param {string} marker @param {Citation} citation */
  #marker(marker, citation) {
    const title = this.#sources.find(({ n }) => n === citation.n)?.title ?? citation.source_id;
    const node = button(marker, "marker", () => this.actions.open(citation, node));
    node.setAttribute("aria-label", `Source ${citation.n}: ${title}`);
    return node;
  }

  /** @param {Answer} answer */
  #finish(answer) {
    this.answer = answer;
    this.#body.querySelector(".pending")?.remove();
    if (answer.reason) this.#body.append(element("p", { class: "reason" }, answer.reason.message));
    const read = answer.understood.text.trim() === this.question.trim() ? [] : [answer.understood.text];
    const notes = [...read.map((text) => `Read as: ${text}`), ...answer.notices];
    this.#after.replaceChildren(
      ...notes.map((note) => element("p", { class: "note", dir: "auto" }, note)),
      ...(answer.sources.length ? [this.#sourceList(answer.sources)] : []),
      ...(answer.followups.length ? [this.#followups(answer.followups)] : []),
      ...(answer.related.length ? [this.#relatedList(answer)] : []),
    );
  }

  /** @param {Source[]} sources */
  #sourceList(sources) {
    const items = sources.map((source) =>
      element(
        "li",
        { value: String(source.n) },
        titleNode(source, this.actions.page(source.id)),
        element("div", { class: "meta", dir: "auto" }, byline(source)),
      ),
    );
    return group("Sources", "sources", [element("ol", {}, ...items)]);
  }

  /** @param {Answer} answer */
  #relatedList({ answered, related }) {
    const items = related.map((each) =>
      element(
        "li",
        {},
        titleNode(each, this.actions.page(each.id)),
        element("div", { class: "meta", dir: "auto" }, byline(each)),
      ),
    );
    return group(answered ? "Related in this index" : "Nearest in this index", "related", [element("ul", {}, ...items)]);
  }

  /** @param {string[]} followups */
  #followups(followups) {
    return group(
      "Ask next",
      "suggestions",
      followups.map((question) => button(question, "suggestion", () => this.actions.ask(question))),
    );
  }
}

/** A failure whose message was written for the reader. */
class ServiceError extends Error {}

/** @param {Response} response */
async function requireOk(response) {
  if (response.ok) return response;
  const problem = await response.json().catch(() => ({}));
  throw new ServiceError(problem.detail ?? `The service answered with status ${response.status}.`);
}

/** @param {unknown} error @param {boolean} isForeign whether the service is of another origin than the page */
function failureMessage(error, isForeign) {
  if (error instanceof ServiceError) return error.message;
  if (error instanceof DOMException && error.name === "AbortError") return "Stopped.";
  if (error instanceof TypeError) {
    // A browser does not tell a refused origin from a lost connection.
    const orRefused = isForeign ? ", or this page's address is not among the service's allowed origins" : "";
    return `The service cannot be reached. Check the connection and retry${orRefused}.`;
  }
  return "The answer could not be read. Retry, or tell the operator of this service.";
}

// --------------------------------------------------------------------- element

class AskTopic extends HTMLElement {
  /** @type {Turn[]} */
  #turns = [];
  /** @type {?AbortController} */
  #running = null;
  /** @type {?HTMLElement} */
  #opener = null;
  #isDescribed = false;

  #launch = button("Ask about this topic", "launch primary", () => this.toggle());
  #title = element("h2", { id: "title", dir: "auto" }, "Ask about this topic");
  #status = element("p", { class: "hidden-text", role: "status" });
  #examples = element("div", {});
  #log = element("div", {
    class: "log",
    role: "log",
    "aria-live": "off", // read sentence by sentence as it streams, it would drown the reader
    "aria-label": "Questions and answers",
    tabindex: "0",
  });
  #label = element("label", { for: "question", dir: "auto" }, "Your question");
  #input = /** @type {HTMLTextAreaElement} */ (
    element("textarea", { id: "question", rows: "2", maxlength: "2000", dir: "auto" })
  );
  #send = element("button", { type: "submit", class: "primary" }, "Ask");
  #stop = button("Stop", "stop", () => this.#running?.abort());
  #form = element(
    "form",
    {},
    this.#label,
    element("div", { class: "row" }, this.#input, this.#send, this.#stop),
  );
  #passage = element("section", { class: "passage", "aria-label": "Passage", hidden: "" });
  #panel = element(
    "section",
    { class: "panel", id: "panel", popover: "manual", role: "dialog", "aria-labelledby": "title" },
    element("header", {}, this.#title, button("Close", "close", () => this.close())),
    this.#status,
    this.#log,
    this.#passage,
    this.#form,
  );

  connectedCallback() {
    if (this.shadowRoot) return; // moved within the page
    const root = this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [styleSheet()];
    this.#log.append(this.#examples);
    this.#stop.hidden = true;
    this.#launch.setAttribute("aria-controls", "panel");
    this.#launch.setAttribute("aria-expanded", "false");
    root.append(element("div", { class: "root" }, this.#launch, this.#panel));
    root.addEventListener("keydown", (event) => this.#onKey(/** @type {KeyboardEvent} */ (event)));
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submit();
    });
  }

  disconnectedCallback() {
    this.#running?.abort();
  }

  toggle() {
    if (this.#isOpen) this.close();
    else this.open();
  }

  /** Open the panel and put the cursor into the question. */
  open() {
    if (this.#isOpen) return;
    this.#panel.showPopover(); // the top layer, above whatever the page stacks
    this.#launch.setAttribute("aria-expanded", "true");
    this.#input.focus();
    if (!this.#isDescribed) this.#describe();
  }

  /** Close the panel and return the focus to the button. */
  close() {
    if (!this.#isOpen) return;
    this.#panel.hidePopover();
    this.#launch.setAttribute("aria-expanded", "false");
    this.#launch.focus();
  }

  get #isOpen() {
    return this.#panel.matches(":popover-open");
  }

  /** @param {string} path */
  #url(path) {
    const endpoint = this.getAttribute("endpoint");
    const base = endpoint ? new URL(endpoint.replace(/\/*$/, "/"), document.baseURI) : import.meta.url;
    return new URL(path, base);
  }

  /** @param {unknown} error */
  #failureMessage(error) {
    return failureMessage(error, this.#url("").origin !== location.origin);
  }

  /** @param {string} id */
  #sourcePage(id) {
    return this.#url(`sources/${encodeURIComponent(id)}`).href;
  }

  /** Name the topic and offer the first questions. */
  async #describe() {
    const topic = this.getAttribute("topic");
    if (!topic) return;
    this.#isDescribed = true;
    try {
      const response = await requireOk(await fetch(this.#url(`v1/topics/${encodeURIComponent(topic)}`)));
      const { name, examples } = await response.json();
      this.#title.replaceChildren(`Ask about ${name}`);
      this.#label.replaceChildren(`Your question about ${name}`);
      const buttons = examples.map((text) => button(text, "suggestion", () => this.#ask(text)));
      this.#examples.replaceChildren(group("Try asking", "suggestions", buttons));
    } catch (error) {
      this.#isDescribed = false; // tried again when the panel is next opened
      const message = this.#failureMessage(error);
      this.#examples.replaceChildren(element("p", { class: "error", role: "alert" }, message));
    }
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    if (event.isComposing) return; // the key belongs to an input method's candidate
    if (event.key === "Escape" && this.#isOpen) {
      event.preventDefault();
      if (this.#passage.hidden) this.close();
      else this.#closePassage();
    } else if (event.key === "Enter" && !event.shiftKey && event.target === this.#input) {
      event.preventDefault();
      this.#submit();
    }
  }

  #submit() {
    const question = this.#input.value.trim();
    if (!question || this.#running) return;
    this.#input.value = "";
    this.#ask(question);
  }

  /** @param {string} question */
  #ask(question) {
    if (this.#running) return;
    this.#examples.remove();
    const turn = new Turn(question, {
      ask: (next) => this.#ask(next),
      open: (citation, opener) => this.#openPassage(citation, opener),
      page: (id) => this.#sourcePage(id),
      retry: () => {
        if (this.#running) return;
        this.#turns = this.#turns.filter((each) => each !== turn);
        turn.node.remove();
        this.#ask(question);
      },
    });
    const history = this.#turns.flatMap(({ answer }) =>
      answer?.answered ? [{ question: answer.question, answer: answer.answer }] : [],
    );
    this.#turns.push(turn);
    this.#log.append(turn.node);
    this.#log.scrollTop = turn.node.offsetTop - HEADROOM;
    this.#input.focus(); // the button that asked may be gone
    this.#run(turn, history.slice(-MAX_HISTORY));
  }

  /** @param {Turn} turn @param {{question: string, answer: string}[]} history */
  async #run(turn, history) {
    const controller = new AbortController();
    this.#setRunning(controller);
    this.#status.textContent = "Searching…";
    try {
      await this.#stream(turn, history, controller.signal);
      const answer = /** @type {Answer} */ (turn.answer);
      const sources = count(answer.sources.length, "source");
      this.#status.textContent = answer.answered ? `Answer ready, ${sources}` : "No answer found";
    } catch (error) {
      this.#status.textContent = "";
      this.#following(turn, () => turn.fail(this.#failureMessage(error)));
    } finally {
      this.#setRunning(null);
    }
  }

  /** @param {Turn} turn @param {{question: string, answer: string}[]} history @param {AbortSignal} signal */
  async #stream(turn, history, signal) {
    const topic = this.getAttribute("topic") || null;
    const response = await fetch(this.#url("v1/ask"), {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "text/event-stream" },
      body: JSON.stringify({ question: turn.question, topic, history, stream: true }),
      signal,
    });
    const { body } = await requireOk(response);
    for await (const event of readEvents(/** @type {ReadableStream<Uint8Array>} */ (body))) {
      this.#following(turn, () => turn.handle(event));
      if (turn.answer) return;
    }
    throw new ServiceError("The answer broke off before its end.");
  }

  /**
   * Change the turn; keep its end in view if the reader was at the end, but never move its
   * question out of sight.
   * @param {Turn} turn @param {() => void} change
   */
  #following(turn, change) {
    const log = this.#log;
    const wasAtEnd = log.scrollHeight - log.scrollTop - log.clientHeight < AT_END;
    change();
    if (wasAtEnd) log.scrollTop = turn.node.offsetTop - HEADROOM; // or the end, where that comes first
  }

  /** @param {?AbortController} controller */
  #setRunning(controller) {
    const stopHadFocus = this.shadowRoot?.activeElement === this.#stop;
    this.#running = controller;
    this.#send.hidden = controller !== null;
    this.#stop.hidden = controller === null;
    if (stopHadFocus) this.#input.focus();
  }

  /** @param {Citation} citation @param {HTMLElement} opener */
  async #openPassage(citation, opener) {
    this.#opener = opener;
    const back = button("Back to the answer", "back", () => this.#closePassage());
    const content = element("div", { class: "content" }, element("p", { class: "pending" }, "Opening…"));
    this.#passage.replaceChildren(back, content);
    this.#showPassage(true);
    back.focus();
    try {
      const url = this.#url(`v1/sources/${encodeURIComponent(citation.source_id)}`);
      const source = await (await requireOk(await fetch(url))).json();
      content.replaceChildren(...passageNodes(source, citation, this.#sourcePage(source.id)));
      content.querySelector("mark")?.scrollIntoView({ block: "center" });
    } catch (error) {
      content.replaceChildren(element("p", { class: "error", role: "alert" }, this.#failureMessage(error)));
    }
  }

  #closePassage() {
    this.#showPassage(false);
    this.#opener?.focus({ preventScroll: true });
  }

  /** @param {boolean} isShown */
  #showPassage(isShown) {
    this.#passage.hidden = !isShown;
    this.#log.hidden = isShown;
    this.#form.hidden = isShown;
  }
}

/**
 * A source's field with the quote marked, exactly as it is stored.
 * @param {Source & {retracted: boolean, fields: {field: string, heading: string, text: string}[]}} source
 * @param {Citation} citation @param {string} page address of the source's stored text
 * @returns {Node[]}
 */
function passageNodes(source, { field, quote, quote_start: start, quote_end: end }, page) {
  const { heading = "", text = "" } = source.fields.find((each) => each.field === field) ?? {};
  const [from, to] = [utf16Index(text, start), utf16Index(text, end)];
  const head = [
    element("h3", {}, titleNode(source, page)),
    element("p", { class: "meta", dir: "auto" }, byline(source)),
    ...(source.retracted ? [element("p", { class: "error" }, "This paper has been retracted.")] : []),
    ...(heading ? [element("h4", { dir: "auto" }, ...textNodes(heading))] : []),
  ];
  if (field === "title" && source.title === quote) {
    // A record that was counted, not quoted from: all of it is what there is to see.
    const fields = source.fields.flatMap((each) => [
      ...(each.heading ? [element("h4", { dir: "auto" }, ...textNodes(each.heading))] : []),
      element("p", { class: "text", dir: "auto" }, ...textNodes(each.text, { delimiters: true })),
    ]);
    return [...head, ...fields];
  }
  if (text.slice(from, to) !== quote) {
    const changed = "The stored text has changed since this answer was given. It quoted:";
    return [...head, element("p", { class: "note" }, changed), element("blockquote", {}, quote)];
  }
  const verbatim = { delimiters: true };
  const nodes = [
    ...textNodes(text.slice(0, from), verbatim),
    element("mark", {}, ...textNodes(quote, verbatim)),
    ...textNodes(text.slice(to), verbatim),
  ];
  return [...head, element("p", { class: "text", dir: "auto" }, ...nodes)];
}

// ---------------------------------------------------------------------- styles

/** A constructed sheet, so that the widget needs no `unsafe-inline`. */
function styleSheet() {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLES);
  return sheet;
}

const STYLES = `
:host { display: inline-block; }
:host([hidden]) { display: none; }
/* What the page set on its elements, and would be inherited, ends here. */
.root {
  all: initial;
  display: block;
  color-scheme: light dark;
  font: medium/1.5 var(--ask-topic-font, system-ui, sans-serif);
  --accent: var(--ask-topic-accent, light-dark(#1a56b8, #8fb8ff));
  --on-accent: var(--ask-topic-on-accent, light-dark(#fff, #0c1524));
  --background: var(--ask-topic-background, light-dark(#fff, #14181f));
  --text: var(--ask-topic-text, light-dark(#1b2330, #e4e8ee));
  --radius: var(--ask-topic-radius, 0.5em);
  --quiet: color-mix(in srgb, var(--text) 72%, var(--background));
  --line: color-mix(in srgb, var(--text) 22%, var(--background));
  --tint: color-mix(in srgb, var(--accent) 9%, var(--background));
  --alarm: light-dark(#a3251a, #ffaaa0);
  color: var(--text);
}
:host([theme="light"]) .root { color-scheme: light; }
:host([theme="dark"]) .root { color-scheme: dark; }
*, ::before, ::after { box-sizing: border-box; }
[hidden] { display: none !important; }
h2, h3, h4, p, ol, ul, blockquote { margin: 0; padding: 0; overflow-wrap: anywhere; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
a { color: var(--accent); }

button {
  font: inherit; color: inherit; background: transparent; cursor: pointer; text-align: start;
  border: 1px solid var(--line); border-radius: var(--radius); padding: 0.4em 0.9em;
}
button:hover { border-color: var(--accent); }
.primary { background: var(--accent); color: var(--on-accent); border-color: var(--accent); font-weight: 600; }
.launch { padding: 0.6em 1.2em; }

.panel {
  position: fixed; inset: 0; inset-inline-start: auto; margin: 0; padding: 0; border: 0;
  width: min(32em, 100vw); height: 100dvh; max-width: none; max-height: none; overflow: auto;
  color: var(--text); background: var(--background);
  border-inline-start: 1px solid var(--line); box-shadow: 0 0 2em rgb(0 0 0 / 0.18);
}
.panel:popover-open { display: flex; flex-direction: column; }
header {
  display: flex; align-items: center; justify-content: space-between; gap: 1em;
  padding: 0.8em 1.2em; border-bottom: 1px solid var(--line);
}
h2 { font-size: 1.1em; line-height: 1.3; }
.log, .passage { position: relative; flex: 1 0 12em; min-height: 0; height: 0; overflow: auto; padding: 1.2em; }
form { padding: 0.8em 1.2em 1em; border-top: 1px solid var(--line); }
label { display: block; font-size: 0.875em; color: var(--quiet); margin-bottom: 0.3em; }
.row { display: flex; gap: 0.6em; align-items: flex-end; }
textarea {
  flex: 1; min-width: 0; font: inherit; color: inherit; background: var(--background); resize: vertical;
  border: 1px solid var(--quiet); border-radius: var(--radius); padding: 0.45em 0.7em;
}

.turn { padding-bottom: 1.6em; }
.turn + .turn { border-top: 1px solid var(--line); padding-top: 1.2em; }
.turn:last-child { min-height: 100%; } /* so that a new question can stand at the top */
h3 { font-size: 1em; line-height: 1.4; margin-bottom: 0.7em; }
h4 { font-size: 0.8125em; color: var(--quiet); margin-bottom: 0.5em; }
.answer { white-space: pre-wrap; overflow-wrap: anywhere; line-height: 1.6; }
.after > * { margin-top: 1.1em; }
.marker {
  min-width: 1.9em; padding: 0.1em 0.25em; font-size: 0.8125em; line-height: 1.5; text-align: center;
  color: var(--accent); background: var(--tint); border-color: transparent; border-radius: 0.35em;
}
ol, ul { padding-inline-start: 1.6em; }
li { font-size: 0.9375em; padding-block: 0.25em; }
.meta, .note, .pending { font-size: 0.875em; color: var(--quiet); }
.error { color: var(--alarm); }
.suggestions { display: flex; flex-direction: column; align-items: flex-start; gap: 0.5em; }
.suggestions h4 { margin-bottom: 0; }
.suggestion { background: var(--tint); }
.formula { font-family: ui-monospace, monospace; font-size: 0.92em; }

.back { position: sticky; inset-block-start: 0; margin-bottom: 1.2em; background: var(--background); }
.back::before { content: "← " / ""; }
.back:dir(rtl)::before { content: "→ " / ""; }
.content h4 { margin-top: 1.2em; }
.text { margin-top: 1em; white-space: pre-wrap; line-height: 1.65; }
mark { color: inherit; background: light-dark(#fff0a8, #5c4d00); padding-block: 0.12em; }
blockquote { margin-top: 0.6em; padding-inline-start: 1em; border-inline-start: 3px solid var(--line); }
.hidden-text { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

@media (max-width: 40em) {
  .panel { width: 100vw; border: 0; }
  h2 { font-size: 1em; }
}
@media (prefers-reduced-motion: no-preference) {
  .panel:popover-open { animation: enter 0.16s ease-out; }
  @keyframes enter { from { opacity: 0; translate: 1em 0; } }
}
`;

// A second copy of this module, from another address, leaves the first in place.
if (!customElements.get("ask-topic")) customElements.define("ask-topic", AskTopic);
