"""What the README and the pages of ``docs`` show is what happens.

``python tests/test_readme.py`` writes the present output of every console example into it, and the
pictures that they make into ``docs``.
"""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from solver.game.position import Position

README = Path(__file__).parent.parent / "README.md"
PICTURES = README.parent / "docs"
PAGES = [README, *(page for page in sorted(PICTURES.glob("*.md")))]
CONSOLE = re.compile(r"```console\n(.*?)```", re.DOTALL)


def run(command: str, folder: Path) -> str:
    """Run a ``hanabi`` command line as a shell would, and give what it prints."""
    python = f'"{sys.executable}" -m solver'
    shell = re.sub(r"^hanabi\b|(?<=\| )hanabi\b", lambda _: python, command)
    environment = {**os.environ, "NO_COLOR": "1", "COLUMNS": "100"}
    done = subprocess.run(
        ["bash", "-c", shell], cwd=folder, env=environment, text=True, timeout=120,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
    )  # fmt: skip
    return done.stdout


def rerun(block: str, folder: Path) -> str:
    """Give a console block as it comes out now."""
    commands = [line for line in block.splitlines() if line.startswith("$ ")]
    return "".join(f"{line}\n{run(line[2:], folder)}" for line in commands)


def pictures(text: str) -> list[str]:
    """Give the names of the pictures that the README shows; its examples make them."""
    return re.findall(r"!\[[^]]+\]\(docs/([\w.-]+\.svg)\)", text)


def timeless(text: str) -> str:
    """Take out what differs from run to run, or with every change of the search: times, nodes."""
    text = re.sub(r'"(seconds|nodes|states)":[0-9.e-]+', '"":N', text)
    text = re.sub(r"\b[0-9,]+ (nodes?|states)\b", "N nodes", text)
    return re.sub(r"( +[0-9,]+)? +\d+\.\d+(?= s\b|  [a-z]|$)", " T", text, flags=re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_console_examples(page: Path, tmp_path: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for block in CONSOLE.findall(text):
        assert timeless(rerun(block, tmp_path)) == timeless(block), f"run python {__file__}"
    if page != README:
        return
    assert CONSOLE.findall(text)
    assert sorted(pictures(text)) == sorted(path.name for path in PICTURES.glob("*.svg"))
    for name in pictures(text):
        made = (tmp_path / name).read_bytes()
        assert made == (PICTURES / name).read_bytes(), f"{name}: run python {__file__}"


def test_python_example() -> None:
    test = doctest.DocTestParser().get_doctest(
        "\n".join(re.findall(r"```pycon\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)),
        {}, "README.md", str(README), 0,
    )  # fmt: skip
    assert test.examples
    assert doctest.DocTestRunner().run(test).failed == 0


def test_position_texts_are_positions() -> None:
    pages = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    texts = re.findall(r"^    (\w+:\d+ .+)$", pages, re.MULTILINE)
    assert texts
    for text in texts:
        assert Position.from_text(text).text() == text


def anchors(page: Path) -> set[str]:
    """Give the anchors of a page's headings, as GitHub makes them."""
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if link.startswith("http"):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path) if path else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


def update() -> None:
    """Write what every console example says now into the pages, and the README's pictures."""
    import shutil
    import tempfile

    def fresh(block: str, folder: str) -> str:
        now = rerun(block, Path(folder))
        return block if timeless(now) == timeless(block) else now

    for page in PAGES:
        with tempfile.TemporaryDirectory() as folder:
            text = page.read_text(encoding="utf-8")
            new = CONSOLE.sub(lambda m: f"```console\n{fresh(m[1], folder)}```", text)
            for name in pictures(new) if page == README else ():
                shutil.copyfile(Path(folder) / name, PICTURES / name)
        if new != text:
            page.write_text(new, encoding="utf-8")


if __name__ == "__main__":
    update()
