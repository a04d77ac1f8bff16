/* What every page can do: copy a command. No library; nothing is fetched, nothing is written as markup.
   Before it runs the page is whole already: what needs it has the class needs-script and is hidden until then. */
"use strict";
document.documentElement.classList.add("scripted");

const say = (text) => { document.getElementById("_said").textContent = text; };

document.addEventListener("click", async (event) => {
  const button = event.target.closest("button.copy");
  if (!button) return;
  const command = button.previousElementSibling, text = command.textContent, label = button.firstChild;
  let done = true;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // An insecure place has no clipboard: mark the command, so that the browser's own copying takes it.
    const range = document.createRange();
    range.selectNodeContents(command);
    const selection = getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
    done = document.execCommand("copy");
  }
  label.data = done ? "Copied" : "Marked";
  say(done ? "Copied: " + text : "Marked for copying: " + text);
  setTimeout(() => { label.data = "Copy"; }, 2000);
});

/* On paper everything that is to be explained is open, and closed again behind it. */
const opened = [];
addEventListener("beforeprint", () => {
  for (const one of document.querySelectorAll("details.printed:not([open])")) {
    one.open = true;
    opened.push(one);
  }
});
addEventListener("afterprint", () => { for (const one of opened.splice(0)) one.open = false; });
