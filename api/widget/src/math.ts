/** LaTeX to MathML, in a file of its own that is loaded with the first formula. */

import temml from "temml";

/** Longest formula that is typeset; longer is no formula. */
const LONGEST = 2_000;

/** The formula as a `<math>` element, or null where it cannot be read. */
export function mathOf(tex: string, isDisplay: boolean): Element | null {
  if (tex.length > LONGEST) return null;
  const holder = document.createElement("span");
  try {
    // `trust` off: no links, images, ids or classes from a formula. Few expansions: macros cannot run away.
    temml.render(tex, holder, { displayMode: isDisplay, throwOnError: true, trust: false, maxExpand: 100 });
  } catch {
    return null;
  }
  const math = holder.querySelector("math");
  math?.setAttribute("aria-label", tex);
  return math;
}
