/** Text with its formulas: as readable code at once, as MathML when the typesetter has been loaded. */

import { element } from "./dom";

const FORMULA = /(\\\(.+?\\\)|\\\[.+?\\\]|\$\$.+?\$\$)/s;

/**
 * The nodes of a text. Only `\(…\)`, `\[…\]` and `$$…$$` are formulas: "$5 … $10" is money.
 * With `verbatim`, formulas keep their delimiters and stay code: a stored text is shown as it is stored.
 */
export function textNodes(text: string, { verbatim = false } = {}): Node[] {
  if (!FORMULA.test(text)) return [document.createTextNode(text)];
  return text.split(FORMULA).flatMap((part, i): Node[] => {
    if (i % 2 === 0) return part ? [document.createTextNode(part)] : [];
    if (verbatim) return [element("code", { class: "formula" }, part)];
    const tex = part.slice(2, -2).trim();
    const node = element("code", { class: "formula" }, tex);
    void typeset(node, tex, !part.startsWith("\\("));
    return [node];
  });
}

/** Put MathML in the place of the code; it stays where the formula or the typesetter cannot be read. */
async function typeset(node: HTMLElement, tex: string, isDisplay: boolean): Promise<void> {
  try {
    const { mathOf } = await import("./math");
    const math = mathOf(tex, isDisplay);
    if (math) node.replaceChildren(math);
    if (math) node.classList.add("typeset");
  } catch {
    // The file did not arrive.
  }
}
