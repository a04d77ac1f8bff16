/* The filter of a document. */
(() => {
  const rows = [...document.querySelectorAll(".sentence")], sections = [...document.querySelectorAll("details.section")];
  const texts = rows.map((row) => row.textContent.toLowerCase()), folded = sections.map((one) => !one.open);
  const fold = byId("_fold");
  let wasFiltered = false;

  const show = () => {
    const states = checked("state"), words = searched(), isFiltered = states.length || words.length;
    let shown = 0;
    rows.forEach((row, at) => {
      const match = (!states.length || states.includes(row.dataset.state)) && holds(texts[at], words);
      setHidden(row, !match);
      if (match) shown += 1;
    });
    if (isFiltered || wasFiltered) sections.forEach((one, at) => {
      setHidden(one, !one.querySelector(".sentence:not([hidden])"));
      one.open = isFiltered || !folded[at];
    });
    wasFiltered = isFiltered;
    return shown;
  };

  fold.addEventListener("click", () => {
    const open = fold.textContent === "Open all";
    for (const one of sections) one.open = open;
    fold.textContent = open ? "Close all" : "Open all";
  });
  startFilter({ all: rows.length, noun: () => "sentences", show, go: reveal });
})();
