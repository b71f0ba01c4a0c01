/** Earlier questions and answers of one topic, kept in this browser alone. */

import type { Answer } from "./contract";

/** Turns kept for a topic: some 100 kB, of the 5 MB that a page may store. */
const KEPT = 20;

export class Transcript {
  readonly #key: string;

  constructor(service: URL, topic: string | null) {
    this.#key = `ask-topic ${service.href} ${topic ?? ""}`;
  }

  /** What is kept, oldest first; nothing where storage is blocked, full or damaged. */
  read(): Answer[] {
    try {
      const kept: unknown = JSON.parse(localStorage.getItem(this.#key) ?? "[]");
      return Array.isArray(kept) ? kept.filter(isAnswer) : [];
    } catch {
      return [];
    }
  }

  add(answer: Answer): void {
    try {
      localStorage.setItem(this.#key, JSON.stringify([...this.read(), answer].slice(-KEPT)));
    } catch {
      // Storage is blocked or full: the answer stays on the page for as long as that is open.
    }
  }

  clear(): void {
    try {
      localStorage.removeItem(this.#key);
    } catch {
      // Nothing was kept either.
    }
  }
}

/** Whether a value has what is shown of an answer: another version of the widget may have kept it. */
function isAnswer(value: unknown): value is Answer {
  const answer = value as Answer;
  return (
    typeof value === "object" &&
    value !== null &&
    typeof answer.question === "string" &&
    typeof answer.answer === "string" &&
    typeof answer.understood?.text === "string" &&
    [answer.citations, answer.sources, answer.related, answer.followups, answer.notices].every(Array.isArray)
  );
}
