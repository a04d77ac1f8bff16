/* What pages with a filter share: its controls, what it says, its keys, and the links that open what they point to. The
   place in the address is the state, so that it can be shared: `#FR-LD-LST-05` is an id,
   `#verdict=FAIL&text=order&at=FR-LD-LST-05` a filter and an id. Nothing is written as markup. */
const of = (id) => document.getElementById(id);
const form = of("_filter"), text = of("_text");
const boxes = [...form.querySelectorAll("input[type=checkbox]")], choices = [...form.querySelectorAll("select")];

const checked = (name) => boxes.filter((box) => box.checked && box.name === name).map((box) => box.value);
const searched = () => text.value.toLowerCase().split(/\s+/).filter(Boolean);
const holds = (said, words) => words.every((word) => said.includes(word));
const differ = (element, hidden) => { if (element.hidden !== hidden) element.hidden = hidden; };

/* Of a requirement that was found for some of its parts those are shown, and no others; false where nothing changes. */
const narrow = (found, words) => {
  const whole = !words.length || holds(found.own, words) || !found.parts.some((part) => holds(part.said, words));
  if (whole && !found.narrowed) return false;
  for (const part of found.parts) differ(part.element, !whole && !holds(part.said, words));
  found.narrowed = !whole;
  return true;
};

/* Open an id and everything around it; false where nothing has it. */
const reveal = (id, reset) => {
  const element = id && !id.startsWith("_") ? of(id) : null;
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

/* Bring a page to life that has `all` requirements. Its `show` shows those that the filter lets pass and returns how many
   they are, its `go` shows an id, or returns false, and has to call what it is given where the filter hides it. What else
   of it stands in the address, `tell` adds and `take` reads. Returns what writes the address anew, with another id. */
const filtering = ({ all, show, go, tell = () => {}, take = () => {} }) => {
  let at = "", saying = 0;

  const apply = () => {
    const shown = show();
    of("_result").textContent = (shown === all ? "All " + all : shown + " of " + all) + " requirements";
    differ(of("_clear"), !boxes.some((box) => box.checked) && !choices.some((one) => one.value) && !text.value.trim());
    differ(of("_none"), shown > 0);
    return shown;
  };
  const reset = () => { form.reset(); apply(); };

  const address = () => {
    const words = new URLSearchParams();
    for (const { name } of boxes) if (checked(name).length) words.set(name, checked(name).join(","));
    for (const choice of choices) if (choice.value) words.set(choice.name, choice.value);
    if (text.value.trim()) words.set("text", text.value.trim());
    tell(words);
    if (!words.toString()) return "#" + at;
    if (at) words.set("at", at);
    return "#" + words;
  };
  /* At once: later it could be the address of another place. */
  const remember = (id = at) => {
    at = id;
    try { history.replaceState(null, "", address()); } catch { /* a page in a frame without an address */ }
  };

  const changed = () => {
    const shown = apply();
    remember("");
    clearTimeout(saying); // not at every letter
    saying = setTimeout(() => say(shown + " of " + all + " requirements"), 500);
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
    for (const box of boxes) box.checked = (words.get(box.name) || "").split(",").includes(box.value);
    for (const choice of choices) {
      const value = words.get(choice.name) || "";
      choice.value = [...choice.options].some((option) => option.value === value) ? value : "";
    }
    text.value = words.get("text") || "";
    take(words);
    apply();
    go(at, reset);
  };

  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", changed);
  for (const button of document.querySelectorAll("#_clear, #_none button")) {
    button.addEventListener("click", () => { form.reset(); changed(); text.focus(); });
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

  /* "/" from anywhere but a field. */
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "/" && !event.target.closest("input, select, textarea")) {
      event.preventDefault();
      text.focus();
      text.select();
    } else if (event.key === "Escape" && event.target === text && text.value) {
      event.preventDefault();
      text.value = "";
      changed();
    }
  });

  // The browser goes to the id by itself once the page is there, and takes the focus from what is no field.
  addEventListener("load", () => setTimeout(() => go(at, reset)));
  addEventListener("popstate", restore); // of every change of the place, by a link or by going back
  restore();
  return remember;
};
