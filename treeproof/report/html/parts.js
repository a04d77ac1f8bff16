/* Compressed parts of the page: evidence that opens on demand. A part is HTML of this page's own templates; it is built
   from a list of known elements and attributes, never as markup, so that no text in it can act. */
const chunks = [...document.querySelectorAll("template.chunk")], openedChunks = new Map();
const ELEMENTS = new Set(("a article b br button code dd del details div dl dt em figcaption figure h3 h4 header ins li ol "
  + "p pre span strong summary table tbody td th tr ul").split(" "));
const ATTRIBUTES = new Set(["aria-hidden", "aria-label", "class", "data-answer", "data-copy", "open", "role", "scope",
  "tabindex", "type"]);
const CHARACTERS = { amp: "&", lt: "<", gt: ">", "#34": '"', "#39": "'" };
const HTML_PIECE = /<(\/?)([a-z0-9]+)((?:\s+[a-z-]+(?:="[^"]*")?)*)\s*>|([^<]+)/g;

const inflate = async (text) => {
  const bytes = Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
};
const readChunk = (number) => {
  if (!openedChunks.has(number)) openedChunks.set(number, inflate(chunks[number].content.textContent));
  return openedChunks.get(number);
};

const decoded = (text) => text.replace(/&(amp|lt|gt|#34|#39);/g, (_, name) => CHARACTERS[name]);
const textOf = (html) => decoded(html.replace(/<[^>]*>/g, " ")).toLowerCase();

const build = (html) => {
  const whole = document.createDocumentFragment();
  let at = whole;
  for (const [, end, name, attributes, text] of html.matchAll(HTML_PIECE)) {
    if (text !== undefined) {
      at.append(decoded(text));
    } else if (end) {
      at = at.parentNode || whole;
    } else {
      const element = document.createElement(ELEMENTS.has(name) ? name : "span");
      for (const [, key, value] of attributes.matchAll(/([a-z-]+)(?:="([^"]*)")?/g)) {
        const shown = decoded(value || "");
        if (ATTRIBUTES.has(key) || (key === "href" && shown.startsWith("#"))) element.setAttribute(key, shown);
      }
      at.append(element);
      if (name !== "br") at = element;
    }
  }
  return whole;
};

const NO_PART = "This browser cannot open compressed parts. The JSON report of the run contains this one.";
const evidenceElement = (anchor) => document.getElementById(anchor)?.querySelector(".evidence");

/* Return the evidence of a scenario as a new element; null if it has none. */
const evidenceOf = async (anchor) => {
  const home = document.getElementById(anchor), inPage = evidenceElement(anchor);
  if (inPage) return inPage.cloneNode(true);
  if (!home || home.dataset.chunk === undefined) return null;
  return build((await readChunk(Number(home.dataset.chunk)))[anchor]);
};

/* Fill an element with its compressed part when it opens. */
const fill = async (element) => {
  if (element.dataset.chunk === undefined || element.dataset.filled) return;
  element.dataset.filled = "yes";
  try {
    const parts = await readChunk(Number(element.dataset.chunk));
    element.append(build(parts[element.dataset.part || element.id]));
  } catch {
    element.append(NO_PART);
  }
};

/* A text that is longer than its box can be scrolled with the keyboard. */
const letScroll = (within) => {
  for (const box of within.querySelectorAll("pre, .tree")) {
    if (box.tabIndex >= 0 || box.scrollHeight <= box.clientHeight || !box.checkVisibility()) continue;
    box.tabIndex = 0;
    box.setAttribute("role", box.tagName === "PRE" ? "group" : "list");
    box.setAttribute("aria-label", box.closest("figure")?.querySelector("figcaption")?.textContent || "Text");
  }
};
document.addEventListener("toggle", async (event) => {
  if (!event.target.open) return;
  await fill(event.target);
  letScroll(event.target);
}, true);
addEventListener("load", () => letScroll(document));

/* The texts of the compressed evidence by anchor, in lower case; empty until `readTexts` has ended. */
let packedTexts = new Map(), reading = null;
const readTexts = () => {
  reading ||= Promise.all(chunks.map((_, number) => readChunk(number))).then((all) => {
    packedTexts = new Map(all.flatMap((parts) => Object.entries(parts).map(([key, html]) => [key, textOf(html)])));
  }).catch(() => {});
  return reading;
};
