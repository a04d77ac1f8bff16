/* The list of scenarios: built from the compressed rows of the run. `rowsOf` returns them, `showScenarios` shows those
   that match, in an order, a page at a time. */
const SHOWN_AT_ONCE = 100;
const OUTCOME_ORDER = ["FAIL", "FAULT", "NOT VERIFIED", "NOT APPLICABLE", "PASS"];
const OUTCOME_SIGNS = { FAIL: ["✗", "fail", "failed"], FAULT: ["!", "fault", "fault"], "NOT VERIFIED": ["?", "open", "not verified"],
  PASS: ["✓", "pass", "passed"], "NOT APPLICABLE": ["–", "none", "not applicable"] };
const scenarioBox = byId("_all_scenarios"), scenarioList = scenarioBox.firstElementChild;
const moreButton = scenarioBox.querySelector("button");
let scenarioRows = null, matching = [];

const make = (name, style, ...children) => {
  const element = document.createElement(name);
  if (style) element.className = style;
  element.append(...children);
  return element;
};
const linkTo = (anchor, text) => {
  const link = make("a", "", text);
  link.href = "#" + anchor;
  return link;
};

const rowsOf = async () => {
  if (scenarioRows) return scenarioRows;
  const packed = byId("_rows").content.textContent;
  const rows = packed ? await inflate(packed) : [];
  scenarioRows = rows.map(([anchor, call, verdict, requirement, seconds, causes, readings, message, basis, place]) => {
    const home = byId(anchor), id = home.querySelector("b, .id").textContent;
    const title = home.querySelector("bdi")?.textContent || "";
    return { anchor, id, title, call, verdict, requirement, seconds, causes, readings, message, basis, place,
      text: [id, title, call, message, requirement].join(" ").toLowerCase(), evidence: null };
  });
  return scenarioRows;
};

/* The whole text of a row, with its evidence. */
const textOfRow = (row) => {
  if (row.evidence === null) row.evidence = (evidenceElement(row.anchor)?.textContent || "").toLowerCase();
  return row.text + " " + row.evidence + " " + (packedTexts.get(row.anchor) || "");
};

const SORTED_BY = {
  duration: (one, other) => other.seconds - one.seconds,
  cause: (one, other) => (one.causes[0] || Infinity) - (other.causes[0] || Infinity) || 0,
  id: (one, other) => (one.id < other.id ? -1 : one.id > other.id ? 1 : 0),
};
const byOutcome = (one, other) => OUTCOME_ORDER.indexOf(one.verdict) - OUTCOME_ORDER.indexOf(other.verdict);

const scenarioItem = (row) => {
  const [mark, style, word] = OUTCOME_SIGNS[row.verdict];
  const sign = make("span", "sign " + style, mark);
  sign.setAttribute("role", "img");
  sign.setAttribute("aria-label", word);
  const line = make("span", "line", make("span", "id", row.id), " ", make("span", "untrusted", row.title));
  const facts = [row.requirement, ...row.causes.map((number) => "cause " + number), (row.seconds * 1000).toFixed(1) + " ms"];
  const head = make("span", "head", line);
  if (row.message) head.append(make("span", "line untrusted dim", row.message));
  if (row.call) head.append(make("code", "case dim", row.call));
  head.append(make("span", "line tally dim", facts.join(" · ")));
  const details = make("details", "scenario", make("summary", "", sign, head));
  details.addEventListener("toggle", async () => {
    if (!details.open || details.dataset.filled) return;
    details.dataset.filled = "yes";
    let part = null;
    try { part = await evidenceOf(row.anchor); } catch { part = make("p", "dim", NO_PART); }
    const links = make("p", "body tally", "Requirement ", linkTo(row.requirement, row.requirement), ", ", linkTo(row.anchor, "link to this scenario"));
    if (row.place) links.append(", ", make("span", "place", row.place));
    if (!part) {
      const isLeftOut = byId(row.anchor).matches(".left-out");
      links.append(". ", isLeftOut ? "The JSON report has its evidence." : "It needs no evidence; its steps: treeproof explain " + row.id);
    }
    details.append(links, part || "");
    letScroll(details);
  });
  return make("li", "", details);
};

const showMore = () => {
  const from = scenarioList.children.length;
  scenarioList.append(...matching.slice(from, from + SHOWN_AT_ONCE).map(scenarioItem));
  const rest = matching.length - scenarioList.children.length;
  moreButton.textContent = "Show " + Math.min(rest, SHOWN_AT_ONCE) + " more of " + rest;
  setHidden(moreButton, rest === 0);
};
moreButton.addEventListener("click", () => {
  const last = scenarioList.lastElementChild;
  showMore();
  last.nextElementSibling.querySelector("summary").focus();
});

const showScenarios = (rows, order) => {
  matching = [...rows].sort(SORTED_BY[order] || byOutcome);
  scenarioList.replaceChildren();
  showMore();
};
