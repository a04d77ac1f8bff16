"""A page as a browser has it open, with what it asked for and said."""

from __future__ import annotations

import time
from typing import Any


class BrowserPage:
    """A page in a context of its own: requests beside its own, errors and messages on the console are kept."""

    def __init__(self, browser: Any, address: str, shown: str = "", **options: Any) -> None:
        self.context = browser.new_context(**{"viewport": {"width": 1000, "height": 800}, **options})
        self.page = self.context.new_page()
        self.requests: list[str] = []
        self.console_messages: list[str] = []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("console", lambda message: self.console_messages.append(message.text))
        self.page.on("pageerror", lambda error: self.console_messages.append(str(error)))
        self.address = address
        self.selector = shown
        self.page.goto(address)

    def navigate(self, place: str) -> None:
        """Open the page anew at a place."""
        self.page.goto("about:blank")
        self.page.goto(f"{self.address}{place}")

    def external_requests(self) -> list[str]:
        """Return what was asked for and is not the page itself, wherever in it somebody looked."""
        return [url for url in self.requests if url.partition("#")[0] not in (self.address, "about:blank")]

    def visible_ids(self, what: str = "") -> list[str]:
        """Return the ids of what can be seen of a selector, in the order of the page."""
        ids: list[str] = self.page.eval_on_selector_all(
            what or self.selector, "all => all.filter(one => one.checkVisibility()).map(one => one.id)"
        )
        return ids

    def wait_until(self, holds: str) -> None:
        """Wait until an expression holds; Playwright's own way of waiting is code that the page's policy forbids."""
        deadline = time.monotonic() + 30
        while not self.page.evaluate(holds):
            assert time.monotonic() < deadline, holds
            self.page.wait_for_timeout(20)

    def wait_until_focused(self, id: str) -> None:
        """Wait for the focus, which a page gives once the browser has gone where the address points to."""
        self.wait_until(f"document.activeElement.closest('[id]')?.id === '{id}'")

    def location_hash(self) -> str:
        return str(self.page.evaluate("location.hash"))

    def focused_id(self) -> str:
        return str(self.page.evaluate("document.activeElement.closest('[id]').id"))
