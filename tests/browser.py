"""A headless browser for the tests of the pages, or a clear reason why there is none."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

__all__ = ["browser", "complaints"]

FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-dev-shm-usage",
)  # fmt: skip
"""What keeps the browser to the page alone."""

BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def _found(names: tuple[str, ...]) -> str | None:
    return next((path for name in names if (path := shutil.which(name))), None)


@contextmanager
def browser(width: int = 1000, height: int = 1000, dark: bool = False) -> Iterator[Any]:
    """Give a WebDriver of a fresh profile; skip the test if there is no browser."""
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    binary, driver = _found(BROWSERS), _found(("chromedriver",))
    if binary is None or driver is None:
        pytest.skip("no browser: neither Chromium nor its chromedriver is on the PATH")
    options = webdriver.ChromeOptions()
    options.binary_location = binary
    for flag in FLAGS:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    with TemporaryDirectory() as profile:
        options.add_argument(f"--user-data-dir={profile}")
        made = webdriver.Chrome(
            options=options, service=webdriver.ChromeService(executable_path=driver)
        )
        try:
            made.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
                "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False,
            })  # fmt: skip
            made.execute_cdp_cmd("Emulation.setEmulatedMedia", {
                "features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
            })  # fmt: skip
            yield made
        finally:
            made.quit()


def complaints(driver: Any) -> list[str]:
    """Give what the console says, and what the page fetched besides itself."""
    said = [entry["message"] for entry in driver.get_log("browser")]
    fetched = driver.execute_script(
        "return JSON.stringify(performance.getEntriesByType('resource').map(e => e.name))"
    )
    return said + [name for name in json.loads(fetched) if not name.startswith("data:")]


def open_file(driver: Any, path: Path) -> None:
    """Open a page from the disk."""
    driver.get(path.resolve().as_uri())
