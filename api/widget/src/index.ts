/**
 * `<ask-topic topic="reinforcement-learning">`: ask about a topic, read an answer whose every sentence
 * opens on the passage it stands on.
 *
 *   <script type="module" src="https://…/widget.js"></script>
 *   <ask-topic topic="reinforcement-learning"></ask-topic>
 *
 * Text of answers and documents only ever becomes text nodes: nothing of it is parsed as markup.
 */

import { AskTopic } from "./element";

export { blocksOf } from "./blocks";
export { AskTopic } from "./element";
export { EventStreamParser } from "./event-stream";
export { utf16Index, webUrl } from "./text";

// A second copy of this module, from another address, leaves the first in place.
if (!customElements.get("ask-topic")) customElements.define("ask-topic", AskTopic);
