/* The report of a run: its filter, the counts of the checkboxes, and keys to move between requirements. */
(() => {
  const section = byId("_section"), spec = byId("_spec");
  const cards = [...document.querySelectorAll("details.requirement")].map((element) => ({
    element,
    verdict: element.dataset.verdict,
    level: element.dataset.level,
    section: element.dataset.section,
    spec: element.closest(".specification").dataset.spec,
    text: null, head: null, parts: null, isPartial: false,
  }));
  const groups = [...document.querySelectorAll(".group, .specification")];

  /* The evidence of a scenario can be in the card of a cause. */
  const evidenceOf = (element) => element.dataset.scenario ? " " + byId(element.dataset.scenario).textContent : "";

  /* Read the texts at the first search. */
  const read = (card) => {
    const rows = [...card.element.querySelectorAll(".row, .scenario")];
    const body = card.element.lastElementChild.textContent + rows.map(evidenceOf).join("");
    card.head = (card.element.firstElementChild.textContent + " " + card.section).toLowerCase();
    card.text = card.head + " " + body.toLowerCase();
    card.parts = rows.map((element) => ({ element, text: (element.textContent + evidenceOf(element)).toLowerCase() }));
  };

  const show = () => {
    const verdicts = checked("verdict"), levels = checked("level"), words = searched();
    const counts = new Map(boxes.map((box) => [box, 0]));
    let shown = 0;
    for (const card of cards) {
      if (words.length && card.text === null) read(card);
      const rest = (!section.value || card.section === section.value) && (!spec || !spec.value || card.spec === spec.value)
        && (!words.length || holds(card.text, words));
      const verdict = !verdicts.length || verdicts.includes(card.verdict);
      const level = !levels.length || levels.includes(card.level);
      for (const box of boxes) {
        const mine = box.name === "verdict" ? card.verdict === box.value && level : card.level === box.value && verdict;
        if (rest && mine) counts.set(box, counts.get(box) + 1);
      }
      const match = rest && verdict && level;
      setHidden(card.element, !match);
      if (match) shown += 1;
      if (match && card.parts) filterParts(card, words);
    }
    for (const group of groups) setHidden(group, !group.querySelector("details.requirement:not([hidden])"));
    for (const [box, count] of counts) box.parentElement.querySelector(".count").textContent = count;
    return shown;
  };

  form.addEventListener("submit", () => {
    const first = cards.find((card) => !card.element.hidden);
    if (first) first.element.firstElementChild.focus();
  });

  /* j and k move if a requirement has the focus. */
  document.addEventListener("keydown", (event) => {
    const mine = event.target.closest("details.requirement");
    if (!mine || !["j", "k"].includes(event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
    const list = cards.filter((card) => !card.element.hidden).map((card) => card.element);
    const next = list[list.indexOf(mine) + (event.key === "j" ? 1 : -1)];
    if (next) next.firstElementChild.focus();
  });

  startFilter({ all: cards.length, show, go: reveal });
})();
