/* Shared by all pages: copying of commands. No library, no network access, no markup from text.
   The page is complete without scripts: elements of the class needs-script are hidden until this script runs. */
"use strict";
document.documentElement.classList.add("scripted");

/* Announce a text to screen readers. */
const announce = (text) => { document.getElementById("_status").textContent = text; };

document.addEventListener("click", async (event) => {
  const button = event.target.closest("button.copy");
  if (!button) return;
  const command = button.previousElementSibling, text = command.textContent, label = button.firstChild;
  let done = true;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without a clipboard (insecure context): select the command and let the browser copy it.
    const range = document.createRange();
    range.selectNodeContents(command);
    const selection = getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
    done = document.execCommand("copy");
  }
  label.data = done ? "Copied" : "Selected";
  announce((done ? "Copied: " : "Selected: ") + text);
  setTimeout(() => { label.data = "Copy"; }, 2000);
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
