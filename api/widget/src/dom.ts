/** Elements made without markup: text is only ever appended as text. */

type Child = Node | string;

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Record<string, string> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const node = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) node.setAttribute(attribute, value);
  node.append(...children);
  return node;
}

export function button(label: Child[] | string, className: string, onClick: () => void): HTMLButtonElement {
  const children = typeof label === "string" ? [label] : label;
  const node = element("button", { type: "button", class: className }, ...children);
  node.addEventListener("click", onClick);
  return node;
}

/** A titled group of nodes; its heading is one level below what it stands in. */
export function group(level: "h3" | "h4", title: string, className: string, ...items: Node[]): HTMLElement {
  const heading = element(level, { class: "group" }, title);
  return element("div", { class: className, part: className }, heading, ...items);
}

const FOCUSABLE = 'a[href], button, input, textarea, select, summary, [tabindex="0"]';

/** What the Tab key reaches below a node, in order. */
export function reachable(node: HTMLElement): HTMLElement[] {
  return [...node.querySelectorAll<HTMLElement>(FOCUSABLE)].filter((each) => each.getClientRects().length > 0);
}
