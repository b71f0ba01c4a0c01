/** The service over HTTP: questions, topics, stored sources, feedback. */

import type { Answer, EarlierTurn, StoredSource, TopicInfo } from "./contract";
import { readEvents, type ServerEvent } from "./event-stream";

/** A failure whose message was written for the reader. */
export class ServiceError extends Error {}

/** The stream ended before the answer did. */
export class BrokenStream extends Error {}

export interface Asked {
  question: string;
  topic: string | null;
  history: EarlierTurn[];
}

export interface Feedback {
  answer_id: string;
  helpful: boolean;
  reasons: string[];
  comment: string;
}

export class Service {
  constructor(readonly base: URL) {}

  get isForeign(): boolean {
    return this.base.origin !== location.origin;
  }

  sourcePage(id: string): string {
    return this.#url(`sources/${encodeURIComponent(id)}`).href;
  }

  answerPage(id: string): string {
    return this.#url(`answers/${encodeURIComponent(id)}`).href;
  }

  /** The feed that speaks up when other sources answer the question. */
  feedOf(topic: string, question: string): string {
    const url = this.#url(`topics/${encodeURIComponent(topic)}/feed.atom`);
    url.searchParams.set("question", question);
    return url.href;
  }

  async topic(slug: string): Promise<TopicInfo> {
    return (await this.#get(`v1/topics/${encodeURIComponent(slug)}`)).json() as Promise<TopicInfo>;
  }

  async source(id: string): Promise<StoredSource> {
    return (await this.#get(`v1/sources/${encodeURIComponent(id)}`)).json() as Promise<StoredSource>;
  }

  async feedback(feedback: Feedback): Promise<void> {
    await this.#post("v1/feedback", feedback, "application/json");
  }

  /**
   * Ask, and yield the events of the answer. Where no stream arrives, because something between here and
   * the service cannot pass one on, the answer is asked for whole.
   *
   * Throws a `ServiceError` with the service's own words, a `BrokenStream`, or what `fetch` throws.
   */
  async *ask(asked: Asked, signal: AbortSignal): AsyncGenerator<ServerEvent> {
    let hasBegun = false;
    const streamed = await this.#post("v1/ask", { ...asked, stream: true }, "text/event-stream", signal);
    const isStream = streamed.headers.get("Content-Type")?.startsWith("text/event-stream");
    if (isStream && streamed.body) {
      for await (const event of readEvents(streamed.body)) {
        hasBegun = true;
        yield event;
        if (event.name === "done") return;
      }
      if (hasBegun) throw new BrokenStream();
    }
    const whole = isStream
      ? await this.#post("v1/ask", { ...asked, stream: false }, "application/json", signal)
      : streamed;
    yield* eventsOf((await whole.json()) as Answer);
  }

  #url(path: string): URL {
    return new URL(path, this.base);
  }

  async #get(path: string): Promise<Response> {
    return requireOk(await fetch(this.#url(path)));
  }

  async #post(path: string, body: object, accept: string, signal?: AbortSignal): Promise<Response> {
    const response = await fetch(this.#url(path), {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: accept },
      body: JSON.stringify(body),
      ...(signal ? { signal } : {}),
    });
    return requireOk(response);
  }
}

function* eventsOf(answer: Answer): Generator<ServerEvent> {
  const event = (name: string, data: object) => ({ name, data: JSON.stringify(data), id: "" });
  yield event("sources", { sources: answer.sources });
  if (answer.answer) yield event("delta", { text: answer.answer });
  yield event("done", answer);
}

async function requireOk(response: Response): Promise<Response> {
  if (response.ok) return response;
  const problem: unknown = await response.json().catch(() => null);
  const detail = problem && typeof problem === "object" && "detail" in problem ? problem.detail : null;
  throw new ServiceError(typeof detail === "string" ? detail : `HTTP ${response.status}`);
}
