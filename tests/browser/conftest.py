"""The report of the study, opened in Debian's Chromium, which is cut off from every network."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import yaml
from browser.visits import Visit, is_missing, write_report
from helpers import CONFIG, cut_off
from playwright.sync_api import Browser, sync_playwright
from report import conftest as studies

CHROMIUM = shutil.which("chromium")
# Studies of 12 images, made from an edited configuration.
make, small = studies.make, studies.small
replicated, replicated_html = studies.replicated, studies.replicated_html


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """Chromium without a network."""
    if CHROMIUM is None:
        is_missing("chromium")
    start = tmp_path_factory.mktemp("browser") / "chromium"
    start.write_text(f'#!/bin/sh\nexec {" ".join(cut_off())} {CHROMIUM} "$@"\n', encoding="utf-8")
    start.chmod(0o755)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=start)
        yield started
        started.close()


@pytest.fixture
def visit(browser: Browser) -> Iterator[Callable[..., Visit]]:
    """Open a file in a window; at the end it must have asked for nothing else and have written no message."""
    visits: list[Visit] = []

    def opened(
        path: Path, *, fragment: str = "", width: int = 1280, height: int = 900, scheme: str = "light", **options
    ) -> Visit:
        size = {"width": width, "height": height}
        context = browser.new_context(viewport=size, color_scheme=scheme, offline=True, **options)
        visits.append(Visit.of(context.new_page()))
        visits[-1].page.goto(f"{path.as_uri()}{fragment}")
        return visits[-1]

    yield opened
    for each in visits:
        each.page.context.close()
    assert [(each.others(), each.messages) for each in visits] == [([], [])] * len(visits)


@pytest.fixture(scope="session")
def made(make: Callable[..., studies.Made]) -> studies.Made:
    """The results of the whole study."""
    config = yaml.safe_load(CONFIG.read_text(encoding="utf-8"))
    return make({key: config[key] for key in ("scenes", "grid")})


@pytest.fixture(scope="session")
def report(made: studies.Made) -> Path:
    """The report of the whole study."""
    return write_report(made)
