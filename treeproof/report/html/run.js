/* The report of a run: its filter over requirements and scenarios, the counts of the checkboxes, and keys to move. */
(() => {
  const section = byId("_section"), spec = byId("_spec"), reading = byId("_reading"), sort = byId("_sort"), cause = byId("_cause");
  const lists = [...form.querySelectorAll("input[name=list]")];
  const cards = [...document.querySelectorAll("details.requirement")].map((element) => ({
    element,
    verdicts: element.dataset.verdict.split(","),
    level: element.dataset.level,
    basis: element.dataset.basis,
    section: element.dataset.section,
    top: element.dataset.top,
    readings: (element.dataset.readings || "").split(" ").filter(Boolean).map(Number),
    spec: element.closest(".specification").dataset.spec,
    text: null, head: null, parts: null, isPartial: false,
  }));
  const cardOf = new Map(cards.map((card) => [card.element.id, card]));
  const groups = [...document.querySelectorAll(".group, .specification")];
  let areTextsRead = !chunks.length, rows = null;

  const isScenarios = () => lists.some((one) => one.checked && one.value === "scenarios");
  /* The number of the chosen reading; -1 if none is chosen. */
  const chosenReading = () => (reading && reading.selectedIndex > 0 ? reading.selectedIndex - 1 : -1);

  /* The evidence of a row can be in the card of a cause, or compressed. */
  const evidenceText = (element) => {
    const anchor = element.dataset.scenario || element.id;
    const other = element.dataset.scenario ? " " + (evidenceElement(anchor)?.textContent || "") : "";
    return other + " " + (packedTexts.get(anchor) || "");
  };

  /* Read the texts at the first search, and again when the compressed ones have been read. */
  const read = (card) => {
    const found = [...card.element.querySelectorAll(".rows > li, .scenario")];
    const body = card.element.lastElementChild.textContent + found.map(evidenceText).join("");
    card.head = (card.element.firstElementChild.textContent + " " + card.section).toLowerCase();
    card.text = card.head + " " + body.toLowerCase();
    card.parts = found.map((element) => ({ element, text: (element.textContent + evidenceText(element)).toLowerCase() }));
  };

  /* Return whether the parts of the filter but the checkboxes match a requirement. */
  const isInChoice = (card) => (!section.value || card.section === section.value || card.top === section.value)
    && (!spec || !spec.value || card.spec === spec.value);

  /* Count for each checkbox what the other checkboxes let through. Return the items that match all. */
  const match = (items) => {
    const chosen = { verdict: checked("verdict"), level: checked("level"), basis: checked("basis") };
    const counts = new Map(boxes.map((box) => [box, 0])), found = [];
    const holdsIn = (item, name) => !chosen[name].length || chosen[name].some((value) => item[name].includes(value));
    for (const item of items) {
      const fits = { verdict: holdsIn(item, "verdict"), level: holdsIn(item, "level"), basis: holdsIn(item, "basis") };
      for (const box of boxes) {
        const others = Object.keys(fits).every((name) => name === box.name || fits[name]);
        if (others && item[box.name].includes(box.value)) counts.set(box, counts.get(box) + 1);
      }
      if (fits.verdict && fits.level && fits.basis) found.push(item.of);
    }
    for (const [box, count] of counts) box.parentElement.querySelector(".count").textContent = count;
    return found;
  };

  const showRequirements = (words) => {
    const number = chosenReading();
    const items = [];
    for (const card of cards) {
      if (words.length && card.text === null) read(card);
      if (isInChoice(card) && (number < 0 || card.readings.includes(number)) && (!words.length || holds(card.text, words))) {
        items.push({ of: card, verdict: card.verdicts, level: [card.level], basis: [card.basis] });
      }
    }
    const found = new Set(match(items));
    for (const card of cards) {
      setHidden(card.element, !found.has(card));
      if (found.has(card) && card.parts) filterParts(card, words);
    }
    for (const group of groups) setHidden(group, !group.querySelector("details.requirement:not([hidden])"));
    return found.size;
  };

  const showRows = (words) => {
    const number = chosenReading();
    const items = [];
    for (const row of rows) {
      const card = cardOf.get(row.requirement);
      if (card && !isInChoice(card)) continue;
      if (cause && cause.value && !row.causes.includes(Number(cause.value))) continue;
      if ((number < 0 || row.readings.includes(number)) && (!words.length || holds(textOfRow(row), words))) {
        items.push({ of: row, verdict: [row.verdict], level: [card ? card.level : ""], basis: [row.basis] });
      }
    }
    const found = match(items);
    showScenarios(found, sort.value);
    return found.length;
  };

  const show = () => {
    const words = searched(), asScenarios = isScenarios();
    setHidden(byId("_all_requirements"), asScenarios);
    setHidden(byId("_all_scenarios"), !asScenarios);
    for (const one of form.querySelectorAll(".of-scenarios")) setHidden(one, !asScenarios);
    if (words.length && !areTextsRead) {
      readTexts().then(() => {
        areTextsRead = true;
        for (const card of cards) card.text = null;
        again();
      });
    }
    if (!asScenarios) return showRequirements(words);
    if (rows) return showRows(words);
    rowsOf().then((all) => { rows = all; again(); }, () => { scenarioList.replaceChildren(make("li", "", NO_PART)); });
    return 0;
  };
  let again = show;

  form.addEventListener("submit", () => {
    const first = [...document.querySelectorAll("#_requirements details:not([hidden]) > summary")].find((one) => one.checkVisibility());
    if (first) first.focus();
  });

  /* j and k move between causes, requirements and scenarios. */
  const ITEMS = ".cause > summary, details.requirement > summary, .listed summary";
  document.addEventListener("keydown", (event) => {
    if (!["j", "k"].includes(event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input, select, textarea, dialog")) return;
    const items = [...document.querySelectorAll(ITEMS)].filter((one) => one.checkVisibility());
    const mine = event.target.closest(".cause, details.requirement, .listed > li");
    const at = mine ? items.findIndex((one) => mine.contains(one)) : -1;
    const isBelow = (one) => one.getBoundingClientRect().top >= 0;
    const next = at >= 0 ? items[at + (event.key === "j" ? 1 : -1)]
      : event.key === "j" ? items.find(isBelow) : items.findLast((one) => !isBelow(one));
    if (!next) return;
    event.preventDefault();
    if (next.tagName !== "SUMMARY") next.tabIndex = -1;
    next.focus();
  });

  const started = startFilter({
    all: () => (isScenarios() ? (rows || []).length : cards.length),
    noun: () => (isScenarios() ? "scenarios" : "requirements"),
    show,
    go: reveal,
    writeState: (words) => {
      if (isScenarios()) words.set("list", "scenarios");
      if (isScenarios() && sort.value) words.set("sort", sort.value);
    },
    readState: (words) => {
      for (const one of lists) one.checked = one.value === (words.get("list") === "scenarios" ? "scenarios" : "requirements");
      sort.value = words.get("sort") in SORTED_BY ? words.get("sort") : "";
    },
  });
  again = started.apply;
})();
