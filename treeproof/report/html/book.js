/* The filter of the book. */
(() => {
  const cards = [...document.querySelectorAll("article.requirement")].map((element) => ({
    element, level: element.dataset.level, basis: element.dataset.basis, chapter: element.parentElement,
    head: null, text: null, parts: null, isPartial: false,
  }));
  const chapters = [...document.querySelectorAll(".chapter")];

  /* Read the texts at the first search. */
  const read = (card) => {
    const { element } = card, section = card.chapter.firstElementChild.textContent;
    const head = [...element.children].filter((child) => child.tagName !== "DETAILS");
    card.head = (head.map((child) => child.textContent).join(" ") + " " + section).toLowerCase();
    card.text = (element.textContent + " " + section).toLowerCase();
    card.parts = [...element.querySelectorAll(".scenario, .part li")].map((part) => (
      { element: part, text: part.textContent.toLowerCase() }));
  };

  const show = () => {
    const levels = checked("level"), bases = checked("basis"), words = searched();
    let shown = 0;
    for (const card of cards) {
      if (words.length && card.text === null) read(card);
      const match = (!levels.length || levels.includes(card.level)) && (!bases.length || bases.includes(card.basis))
        && (!words.length || holds(card.text, words));
      setHidden(card.element, !match);
      if (match) shown += 1;
      if (!match || !card.parts || !filterParts(card, words)) continue;
      for (const list of card.element.querySelectorAll("details.part")) {
        list.open = card.isPartial && Boolean(list.querySelector(".scenario:not([hidden]), li:not([hidden])"));
      }
    }
    for (const chapter of chapters) setHidden(chapter, !chapter.querySelector("article:not([hidden])"));
    return shown;
  };

  startFilter({ all: cards.length, show, go: reveal });
})();
