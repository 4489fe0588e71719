"""What the tests in a browser share: a page with all that it asks for, and a tool that may be missing."""

import os
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Page
from report.conftest import Made


def is_missing(tool: str) -> None:
    """End a test whose tool is not there: it fails where everything must be there, elsewhere it is skipped."""
    (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(f"{tool} is not installed")


@dataclass
class Visit:
    """An opened page, and everything that it asked for or complained of."""

    page: Page
    requests: list[str] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, page: Page) -> "Visit":
        visit = cls(page)
        page.on("request", lambda request: visit.requests.append(request.url))
        page.on("console", lambda message: visit.messages.append(message.text))
        page.on("pageerror", lambda error: visit.messages.append(str(error)))
        return visit

    def others(self) -> list[str]:
        """What was asked for beside the page itself and what stands in it."""
        own = self.page.url.partition("#")[0]
        return [url for url in self.requests if url.partition("#")[0] != own and not url.startswith("data:")]


def write_report(made: Made) -> Path:
    """Write a study's report beside its results."""
    path = made.folder / "report.html"
    path.write_text(made.html(), encoding="utf-8")
    return path
