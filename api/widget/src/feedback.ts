/** Thumbs, and what was wrong. */

import { button, element } from "./dom";
import type { Service } from "./service";
import type { Strings } from "./strings";

const REASONS = { wrong: "wrong", incomplete: "incomplete", off_topic: "offTopic", unclear: "unclear" } as const;

export class FeedbackForm {
  readonly buttons: HTMLButtonElement[];
  readonly node: HTMLFormElement;
  readonly #said = element("p", { class: "note" });

  constructor(
    private readonly service: Service,
    private readonly answerId: string,
    private readonly strings: Strings,
    private readonly say: (text: string) => void,
  ) {
    const up = button(strings.helpful, "quiet", () => void this.#send(true));
    const down = button(strings.unhelpful, "quiet", () => this.#ask());
    down.setAttribute("aria-expanded", "false");
    this.buttons = [up, down];
    this.node = element("form", { class: "feedback" });
    this.node.hidden = true;
    this.node.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#send(false);
    });
  }

  /** Ask what was wrong. */
  #ask(): void {
    const reasons = Object.entries(REASONS).map(([reason, name]) => {
      const box = element("input", { type: "checkbox", name: "reason", value: reason });
      return element("label", { class: "choice" }, box, this.strings[name]);
    });
    const comment = element("textarea", { name: "comment", rows: "2", maxlength: "1000", dir: "auto" });
    this.node.replaceChildren(
      element("fieldset", {}, element("legend", {}, this.strings.whyNot), ...reasons),
      element("label", { class: "comment" }, this.strings.comment, comment),
      element("button", { type: "submit" }, this.strings.sendFeedback),
      this.#said,
    );
    this.node.hidden = false;
    this.buttons[1]?.setAttribute("aria-expanded", "true");
    this.node.querySelector("input")?.focus({ preventScroll: true });
    this.node.scrollIntoView({ block: "nearest" });
  }

  async #send(isHelpful: boolean): Promise<void> {
    const given = new FormData(this.node);
    try {
      await this.service.feedback({
        answer_id: this.answerId,
        helpful: isHelpful,
        reasons: isHelpful ? [] : given.getAll("reason").map(String),
        comment: isHelpful ? "" : String(given.get("comment") ?? ""),
      });
      for (const each of this.buttons) each.disabled = true;
      this.#said.textContent = this.strings.thanks;
    } catch {
      this.#said.textContent = this.strings.unreachable;
    }
    this.say(this.#said.textContent);
    this.node.hidden = false;
    this.node.replaceChildren(this.#said);
  }
}
