/* Shared by all pages: copying, the theme, the list of keys, skip links. No library, no network access, no markup from text.
   The page is complete without scripts: elements of the class needs-script are hidden until this script runs. */
"use strict";
document.documentElement.classList.add("scripted");

/* Announce a text to screen readers. */
const announce = (text) => { document.getElementById("_status").textContent = text; };

/* The text that a button copies: its own, that of the answer before it, or that of the command before it. */
const copied = (button) => {
  if (button.dataset.copy !== undefined) return button.dataset.copy;
  if (button.dataset.answer === undefined) return button.previousElementSibling.textContent;
  const before = button.closest("figure") || button.closest(".copies").previousElementSibling;
  const all = (before.matches(".at") ? before.previousElementSibling : before).querySelectorAll("pre");
  return all[all.length - 1].textContent;
};

document.addEventListener("click", async (event) => {
  const button = event.target.closest("button.copy:not(.more)");
  if (!button) return;
  const text = copied(button), label = button.firstChild, before = button.dataset.label || label.data;
  button.dataset.label = before;
  let done = true;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without a clipboard (insecure context): select a copy of the text and let the browser copy it.
    const shown = document.createElement("pre");
    shown.textContent = text;
    shown.className = "unseen selectable";
    button.after(shown);
    const selection = getSelection();
    selection.selectAllChildren(shown);
    done = document.execCommand("copy");
    shown.remove();
  }
  label.data = done ? "Copied" : "Not copied";
  announce((done ? "Copied: " : "Not copied: ") + text);
  setTimeout(() => { label.data = before; }, 2000);
});

/* The theme: that of the system, or one that is remembered if the browser has a storage. */
const theme = document.getElementById("_theme");
const setTheme = () => {
  const dark = [...document.styleSheets[0].cssRules].find((rule) => rule.media && rule.cssText.includes("--ground")
    && rule.media.mediaText !== "print");
  dark.media.mediaText = { system: "(prefers-color-scheme: dark)", light: "not all", dark: "all" }[theme.value];
  document.documentElement.style.colorScheme = theme.value === "system" ? "" : theme.value;
};
try {
  const kept = localStorage.getItem("treeproof-theme");
  if ([...theme.options].some((one) => one.value === kept)) theme.value = kept;
} catch { /* no storage */ }
setTheme();
theme.addEventListener("change", () => {
  setTheme();
  try { localStorage.setItem("treeproof-theme", theme.value); } catch { /* no storage */ }
});

/* The list of keys. */
const keyList = document.getElementById("_keys");
document.getElementById("_help").addEventListener("click", () => keyList.showModal());
document.addEventListener("keydown", (event) => {
  if (event.key !== "?" || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
  event.preventDefault();
  if (keyList.open) keyList.close(); else keyList.showModal();
});

/* A skip link moves the focus, and leaves the address with its filter alone. */
document.addEventListener("click", (event) => {
  const link = event.target.closest("a.skip");
  if (!link) return;
  event.preventDefault();
  const target = document.querySelector(link.getAttribute("href"));
  target.scrollIntoView({ block: "start" });
  target.focus({ preventScroll: true });
});

/* Open the explanations for printing, and close them afterwards. */
const opened = [];
addEventListener("beforeprint", () => {
  for (const one of document.querySelectorAll("details.printed:not([open])")) {
    one.open = true;
    opened.push(one);
  }
});
addEventListener("afterprint", () => { for (const one of opened.splice(0)) one.open = false; });
