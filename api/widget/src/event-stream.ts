/** Server-sent events out of bytes, however they are split. */

export interface ServerEvent {
  name: string;
  data: string;
  id: string;
}

/** Incremental parser of `text/event-stream`: bytes in, whole events out. */
export class EventStreamParser {
  readonly #decoder = new TextDecoder(); // drops a leading byte order mark, keeps split characters
  #rest = "";
  #afterCr = false;
  #name = "";
  #id = "";
  #data: string[] = [];

  /** Return the events that `bytes` complete; one still open at the end never counts. */
  push(bytes: Uint8Array): ServerEvent[] {
    let text = this.#decoder.decode(bytes, { stream: true });
    if (text === "") return []; // nothing, or the first bytes of a character
    if (this.#afterCr && text.startsWith("\n")) text = text.slice(1); // second half of a CRLF
    this.#afterCr = text.endsWith("\r");
    const lines = (this.#rest + text).split(/\r\n|\n|\r/);
    this.#rest = lines.pop() ?? "";
    return lines.flatMap((line) => this.#line(line));
  }

  #line(line: string): ServerEvent[] {
    if (line === "") return this.#dispatch();
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "data") this.#data.push(value);
    else if (field === "event") this.#name = value;
    else if (field === "id" && !value.includes("\0")) this.#id = value;
    return []; // a comment has an empty field; unknown fields are ignored
  }

  #dispatch(): ServerEvent[] {
    const event = { name: this.#name || "message", data: this.#data.join("\n"), id: this.#id };
    const isEmpty = this.#data.length === 0;
    this.#name = "";
    this.#data = [];
    return isEmpty ? [] : [event];
  }
}

export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
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
