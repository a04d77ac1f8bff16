/* Shared by pages with a filter: its controls, its keyboard shortcuts, and links that open their targets. The fragment of
   the address is the state: `#FR-LD-LST-05` is an id, `#verdict=FAIL&text=order&at=FR-LD-LST-05` a filter and an id. */
const byId = (id) => document.getElementById(id);
const form = byId("_filter"), text = byId("_text");
const boxes = [...form.querySelectorAll("input[type=checkbox]")], choices = [...form.querySelectorAll("select:not([data-state])")];

const checked = (name) => boxes.filter((box) => box.checked && box.name === name).map((box) => box.value);
const searched = () => text.value.toLowerCase().split(/\s+/).filter(Boolean);
const holds = (text, words) => words.every((word) => text.includes(word));
const setHidden = (element, hidden) => { if (element.hidden !== hidden) element.hidden = hidden; };

/* If only parts of a requirement match, hide its other parts. Return false if nothing changes. */
const filterParts = (card, words) => {
  const whole = !words.length || holds(card.head, words) || !card.parts.some((part) => holds(part.text, words));
  if (whole && !card.isPartial) return false;
  for (const part of card.parts) setHidden(part.element, !whole && !holds(part.text, words));
  card.isPartial = !whole;
  return true;
};

/* Open the element of an id and its parents. Return false if there is none. */
const reveal = (id, reset) => {
  const element = id && !id.startsWith("_") ? byId(id) : null;
  for (const old of document.querySelectorAll(".found")) old.classList.remove("found");
  if (!element) return false;
  if (element.closest("[hidden]")) reset();
  for (let one = element; one; one = one.parentElement) if (one.tagName === "DETAILS") one.open = true;
  element.classList.add("found");
  const focused = element.tagName === "DETAILS" ? element.firstElementChild : element;
  if (focused === element) element.tabIndex = -1;
  element.scrollIntoView({ block: "start" });
  focused.focus({ preventScroll: true });
  return true;
};

/* Start the filter of a page with `all` requirements, a number or a function; `noun` returns another word for them. `show` applies the filter and returns the number of matches. `go`
   shows an id, or returns false; it calls its second argument if the filter hides the element. `writeState` and
   `readState` add other state to the address; selects with `data-state` belong to it. Returns a function that updates the
   address with another id; its member `apply` applies the filter again. */
const startFilter = ({ all, noun = () => "requirements", show, go, writeState = () => {}, readState = () => {} }) => {
  let at = "", timer = 0;

  const isFiltered = () => boxes.some((box) => box.checked) || choices.some((one) => one.value) || Boolean(text.value.trim());
  const count = (shown) => {
    const whole = typeof all === "function" ? all() : all;
    return (shown === whole ? "All " + whole : shown + " of " + whole) + " " + noun();
  };
  const apply = () => {
    const shown = show();
    byId("_result").textContent = count(shown);
    setHidden(byId("_clear"), !isFiltered());
    setHidden(byId("_none"), shown > 0);
    return shown;
  };
  const reset = () => { form.reset(); readState(new URLSearchParams()); apply(); };
  /* Clear the filter, but no other state. */
  const clear = () => {
    for (const box of boxes) box.checked = false;
    for (const choice of choices) choice.value = "";
    text.value = "";
  };

  const address = () => {
    const words = new URLSearchParams();
    for (const { name } of boxes) if (checked(name).length) words.set(name, checked(name).join(","));
    for (const choice of choices) if (choice.value) words.set(choice.name, choice.value);
    if (text.value.trim()) words.set("text", text.value.trim());
    writeState(words);
    // Without a state, the address has no fragment either.
    if (!words.toString()) return at ? "#" + at : location.href.split("#")[0];
    if (at) words.set("at", at);
    return "#" + words;
  };
  /* Immediately: later the address may be another one. */
  const remember = (id = at) => {
    at = id;
    try { history.replaceState(null, "", address()); } catch { /* a frame without an address */ }
  };

  const changed = () => {
    setHidden(byId("_unknown"), true);
    const shown = apply();
    remember("");
    clearTimeout(timer); // announce only after a pause
    timer = setTimeout(() => announce(count(shown)), 500);
  };

  const restore = () => {
    const place = location.hash.slice(1);
    let words = new URLSearchParams();
    at = "";
    if (place.startsWith("_")) return;
    try {
      if (place.includes("=")) words = new URLSearchParams(place); else at = decodeURIComponent(place);
    } catch { /* what nobody wrote */ }
    at ||= words.get("at") || "";
    const unknown = [];
    for (const name of new Set(boxes.map((box) => box.name))) {
      const own = boxes.filter((box) => box.name === name), values = (words.get(name) || "").split(",").filter(Boolean);
      for (const box of own) box.checked = values.includes(box.value);
      unknown.push(...values.filter((value) => !own.some((box) => box.value === value)).map((value) => name + "=" + value));
    }
    for (const choice of choices) {
      const value = words.get(choice.name) || "", isKnown = [...choice.options].some((option) => option.value === value);
      choice.value = isKnown ? value : "";
      if (!isKnown) unknown.push(choice.name + "=" + value);
    }
    byId("_unknown").textContent = unknown.length ? "This page has nothing for " + unknown.join(", ") + "." : "";
    setHidden(byId("_unknown"), !unknown.length);
    text.value = words.get("text") || "";
    readState(words);
    apply();
    if (!go(at, reset) && words.toString()) showList();
  };
  /* A link with a filter opens at the list. */
  const showList = () => {
    form.scrollIntoView({ block: "start" });
    byId("_list")?.focus({ preventScroll: true });
  };

  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", changed);
  for (const button of document.querySelectorAll("#_clear, #_none button")) {
    button.addEventListener("click", () => { clear(); changed(); text.focus(); });
  }

  /* A link to an id keeps the filter in the address. */
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#']");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const id = link.getAttribute("href").slice(1);
    if (!go(id, reset)) return;
    event.preventDefault();
    at = id;
    try { history.pushState(null, "", address()); } catch { /* as above */ }
  });

  /* "/" outside of a field. */
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "/" && !event.target.closest("input, select, textarea")) {
      event.preventDefault();
      text.focus();
      text.select();
    } else if (event.key === "Escape" && !document.querySelector("dialog[open]") && (isFiltered() || location.hash)) {
      event.preventDefault();
      form.reset();
      readState(new URLSearchParams());
      for (const old of document.querySelectorAll(".found")) old.classList.remove("found");
      changed();
    }
  });

  // After loading, the browser scrolls to the id and moves the focus.
  const startsFiltered = location.hash.includes("="); // not what a reader has typed since
  addEventListener("load", () => setTimeout(() => {
    if (!go(at, reset) && startsFiltered && !form.contains(document.activeElement)) showList();
  }));
  addEventListener("popstate", restore); // after links and back
  restore();
  return Object.assign(remember, { apply });
};
