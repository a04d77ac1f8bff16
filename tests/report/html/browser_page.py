"""A page in a browser, with its requests and console messages."""

from __future__ import annotations

import time
from typing import Any


class BrowserPage:
    """A page in a new tab; requests, errors and console messages are recorded.

    Options of Playwright's ``new_context`` open it in its own context, without the storage of other pages.
    """

    def __init__(
        self,
        browser: Any,
        address: str,
        selector: str = "",
        *,
        size: tuple[int, int] = (1000, 800),
        runs_scripts: bool = True,
        **options: Any,
    ) -> None:
        own_context = browser.new_context(**options) if options else None
        self.context = own_context or browser.contexts[0]
        self.page = self.context.new_page()
        self.page.set_viewport_size({"width": size[0], "height": size[1]})
        if not runs_scripts:
            session = self.context.new_cdp_session(self.page)
            session.send("Emulation.setScriptExecutionDisabled", {"value": True})
        self.close = (own_context or self.page).close
        self.requests: list[str] = []
        self.console_messages: list[str] = []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("console", lambda message: self.console_messages.append(message.text))
        self.page.on("pageerror", lambda error: self.console_messages.append(str(error)))
        self.address = address
        self.selector = selector
        self.page.goto(address)

    def navigate(self, location_hash: str) -> None:
        """Open the page again at a location hash."""
        self.page.bring_to_front()
        self.page.goto("about:blank")
        self.page.goto(f"{self.address}{location_hash}")

    def follow(self, location_hash: str) -> None:
        """Change the location hash, as a link in the page does; cheaper than to open the page again."""
        self.page.goto(f"{self.address}{location_hash}")
        self.page.evaluate("new Promise((done) => setTimeout(done))")  # after the event of the change

    def external_requests(self) -> list[str]:
        """Return the requested addresses except the page itself and its anchors."""
        return [url for url in self.requests if url.partition("#")[0] not in (self.address, "about:blank")]

    def visible_ids(self, selector: str = "") -> list[str]:
        """Return the ids of the visible elements of a selector, in the order of the page."""
        ids: list[str] = self.page.eval_on_selector_all(
            selector or self.selector, "all => all.filter(one => one.checkVisibility()).map(one => one.id)"
        )
        return ids

    def wait_until(self, expression: str) -> None:
        """Wait until an expression is true; the page's security policy forbids Playwright's own wait."""
        deadline = time.monotonic() + 30
        while not self.page.evaluate(expression):
            assert time.monotonic() < deadline, expression
            self.page.wait_for_timeout(20)

    def wait_until_focused(self, id: str) -> None:
        """Wait for the focus, which a page sets after the browser has followed the address."""
        self.wait_until(f"document.activeElement.closest('[id]')?.id === '{id}'")

    def location_hash(self) -> str:
        return str(self.page.evaluate("location.hash"))

    def focused_id(self) -> str:
        return str(self.page.evaluate("document.activeElement.closest('[id]').id"))
