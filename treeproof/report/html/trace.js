/* The filter of the traceability page. */
(() => {
  const spec = byId("_spec");
  const rows = [...document.querySelectorAll("tr.requirement")].map((element) => ({
    element, level: element.dataset.level, property: element.dataset.property === "1",
    unchecked: element.dataset.unchecked === "1",
    spec: element.closest(".specification").dataset.spec, section: element.parentElement.rows[0].textContent,
    head: null, text: null, parts: null, isPartial: false,
  }));
  const groups = [...document.querySelectorAll(".trace tbody, .specification")];

  /* Read the texts at the first search. */
  const read = (row) => {
    row.head = (row.element.cells[0].textContent + " " + row.section).toLowerCase();
    row.text = (row.element.textContent + " " + row.section).toLowerCase();
    row.parts = [...row.element.querySelectorAll("td li")].map((element) => (
      { element, text: element.textContent.toLowerCase() }));
  };

  const show = () => {
    const levels = checked("level"), only = checked("only"), words = searched();
    let shown = 0;
    for (const row of rows) {
      if (words.length && row.text === null) read(row);
      const match = (!levels.length || levels.includes(row.level)) && (!spec || !spec.value || row.spec === spec.value)
        && only.every((kind) => row[kind]) && (!words.length || holds(row.text, words));
      setHidden(row.element, !match);
      if (match) shown += 1;
      if (!match || !row.parts || !filterParts(row, words)) continue;
      for (const list of row.element.querySelectorAll("td details")) {
        list.open = row.isPartial && Boolean(list.querySelector("li:not([hidden])"));
      }
    }
    for (const group of groups) setHidden(group, !group.querySelector("tr.requirement:not([hidden])"));
    return shown;
  };

  startFilter({ all: rows.length, show, go: reveal });
})();
