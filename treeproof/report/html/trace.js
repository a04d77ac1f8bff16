/* The page of what checks what: which requirements the filter shows. */
(() => {
  const spec = of("_spec");
  const rows = [...document.querySelectorAll("tr.requirement")].map((element) => ({
    element, level: element.dataset.level, law: element.dataset.law === "1", bare: element.dataset.bare === "1",
    spec: element.closest(".specification").dataset.spec, section: element.parentElement.rows[0].textContent,
    own: null, said: null, parts: null, narrowed: false,
  }));
  const groups = [...document.querySelectorAll(".trace tbody, .specification")];

  /* Read once, when somebody searches for the first time. */
  const read = (row) => {
    row.own = (row.element.cells[0].textContent + " " + row.section).toLowerCase();
    row.said = (row.element.textContent + " " + row.section).toLowerCase();
    row.parts = [...row.element.querySelectorAll("td li")].map((element) => (
      { element, said: element.textContent.toLowerCase() }));
  };

  const show = () => {
    const levels = checked("level"), only = checked("only"), words = searched();
    let shown = 0;
    for (const row of rows) {
      if (words.length && row.said === null) read(row);
      const match = (!levels.length || levels.includes(row.level)) && (!spec || !spec.value || row.spec === spec.value)
        && only.every((kind) => row[kind]) && (!words.length || holds(row.said, words));
      differ(row.element, !match);
      if (match) shown += 1;
      if (!match || !row.parts || !narrow(row, words)) continue;
      for (const list of row.element.querySelectorAll("td details")) {
        list.open = row.narrowed && Boolean(list.querySelector("li:not([hidden])"));
      }
    }
    for (const group of groups) differ(group, !group.querySelector("tr.requirement:not([hidden])"));
    return shown;
  };

  filtering({ all: rows.length, show, go: reveal });
})();
