/* The matrix of several runs: its filter, sorting and folding. The address also contains the order and the folded
   sections: `#sort=1&folded=0.2`. */
(() => {
  const pair = byId("_pair"), one = byId("_one"), other = byId("_other"), fold = byId("_fold");
  const sorts = [...document.querySelectorAll("button.sort")];
  /* The sort order of verdicts. */
  const urgency = { "FAIL": 0, "KNOWN": 1, "WARNING": 2, "NOT VERIFIED": 3, "PASS": 4, "NOT APPLICABLE": 5, "EXCLUDED": 6, "": 7 };
  const sections = [...document.querySelectorAll("tbody[data-section]")].map((element, order) => ({
    element, order, name: element.dataset.section, folded: false,
    toggle: element.querySelector("button.toggle"),
    rows: [...element.querySelectorAll("tr.requirement")].map((row, place) => ({
      element: row, place, detail: row.nextElementSibling, more: row.querySelector("button.more"),
      verdicts: row.dataset.verdicts.split(","), level: row.dataset.level,
      differs: row.dataset.differs === "1", changed: row.dataset.changed === "1", text: null, shown: true,
    })),
  }));
  const rows = sections.flatMap((section) => section.rows);
  let column = "", down = false, remember = null;

  const open = (row, yes) => {
    if (yes) fill(row.detail.firstElementChild);
    row.detail.classList.toggle("opened", yes);
    row.more.setAttribute("aria-expanded", String(yes));
  };
  const isOpen = (row) => row.detail.classList.contains("opened");

  const draw = () => {
    for (const section of sections) {
      section.toggle.setAttribute("aria-expanded", String(!section.folded));
      section.toggle.firstElementChild.textContent = section.folded ? "▸" : "▾";
      section.element.hidden = !section.rows.some((row) => row.shown);
      for (const row of section.rows) {
        row.element.hidden = !row.shown || section.folded;
        row.detail.hidden = row.element.hidden;
      }
    }
    const every = sections.every((section) => section.folded);
    fold.textContent = every ? "Unfold all sections" : "Fold all sections";
    fold.setAttribute("aria-pressed", String(every));
  };

  const show = () => {
    const verdicts = checked("verdict"), levels = checked("level"), only = checked("only"), words = searched();
    // Of many candidates each one is chosen alone.
    const chosen = pair ? pair.value.split("-") : one ? [one.value, other.value] : [];
    const two = chosen.length === 2 && chosen[0] && chosen[1] ? chosen.map(Number) : null;
    let shown = 0;
    if (words.length && chunks.length && !packedTexts.size) {
      readTexts().then(() => { if (packedTexts.size) { for (const row of rows) row.text = null; remember.apply(); } });
    }
    for (const row of rows) {
      if (words.length && row.text === null) {
        row.text = (row.element.textContent + " " + row.detail.textContent).toLowerCase()
          + " " + (packedTexts.get(row.element.id) || "");
      }
      row.shown = (!verdicts.length || row.verdicts.some((verdict) => verdicts.includes(verdict)))
        && (!levels.length || levels.includes(row.level))
        && (!only.includes("differs") || row.differs) && (!only.includes("changed") || row.changed)
        && (!two || (row.verdicts[two[0]] && row.verdicts[two[1]] && row.verdicts[two[0]] !== row.verdicts[two[1]]))
        && (!words.length || holds(row.text, words));
      if (row.shown) shown += 1;
    }
    draw();
    return shown;
  };

  /* Sort sections by their most urgent rows and rows by urgency; equal ones in catalogue order. */
  const sort = () => {
    const rank = (row) => urgency[row.verdicts[Number(column)]] * (down ? -1 : 1);
    const weigh = (section) => {
      const ranks = section.rows.map(rank), worst = Math.min(...ranks);
      return { section, worst, many: ranks.filter((one) => one === worst).length };
    };
    const order = column === "" ? (a, b) => a.section.order - b.section.order
      : (a, b) => a.worst - b.worst || b.many - a.many || a.section.order - b.section.order;
    for (const { section } of sections.map(weigh).sort(order)) {
      const inside = column === "" ? (a, b) => a.place - b.place : (a, b) => rank(a) - rank(b) || a.place - b.place;
      for (const row of [...section.rows].sort(inside)) section.element.append(row.element, row.detail);
      section.element.parentElement.append(section.element);
    }
    for (const button of sorts) {
      const head = button.closest("th");
      if (button.dataset.column === "") continue;
      const mine = button.dataset.column === column;
      head.setAttribute("aria-sort", mine ? (down ? "descending" : "ascending") : "none");
      button.firstElementChild.textContent = mine ? (down ? "▾" : "▴") : "↕";
    }
  };

  const writeState = (words) => {
    if (column !== "") words.set("sort", column + (down ? "-" : ""));
    const folded = sections.filter((section) => section.folded).map((section) => section.name);
    if (folded.length) words.set("folded", folded.length === sections.length ? "all" : folded.join(","));
  };

  const readState = (words) => {
    const wanted = /^(\d+)(-?)$/.exec(words.get("sort") || "");
    const known = wanted && sorts.some((button) => button.dataset.column === wanted[1]);
    column = known ? wanted[1] : "";
    down = Boolean(known && wanted[2]);
    const folded = words.get("folded") || "";
    for (const section of sections) section.folded = folded === "all" || folded.split(",").includes(section.name);
    sort();
  };

  const go = (id, reset) => {
    for (const old of document.querySelectorAll(".found-here")) old.classList.remove("found-here");
    const row = rows.find((one) => one.element.id === id);
    if (!row) return false;
    sections.find((one) => one.rows.includes(row)).folded = false;
    if (row.shown) draw(); else reset();
    open(row, true);
    row.element.classList.add("found-here");
    row.element.scrollIntoView({ block: "center" });
    row.more.focus({ preventScroll: true });
    return true;
  };

  remember = startFilter({ all: rows.length, show, go, writeState, readState });

  for (const button of sorts) {
    button.addEventListener("click", () => {
      const mine = button.dataset.column;
      [column, down] = mine === "" || (mine === column && down) ? ["", false] : [mine, mine === column];
      sort();
      remember();
      announce(column === "" ? "Catalogue order" : "Sorted: " + (down ? "passed first" : "failed first"));
    });
  }
  for (const section of sections) {
    section.toggle.addEventListener("click", () => { section.folded = !section.folded; draw(); remember(); });
    for (const row of section.rows) {
      row.more.addEventListener("click", () => {
        const yes = !isOpen(row);
        open(row, yes);
        remember(yes ? row.element.id : "");
      });
    }
  }
  fold.addEventListener("click", () => {
    const every = sections.every((section) => section.folded);
    for (const section of sections) section.folded = !every;
    draw();
    remember();
  });
})();
