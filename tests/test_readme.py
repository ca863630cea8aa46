"""What the README shows is what happens.

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

from solver.position import Position

README = Path(__file__).parent.parent / "README.md"
PICTURES = README.parent / "docs"
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


def test_console_examples(tmp_path: Path) -> None:
    text = README.read_text(encoding="utf-8")
    blocks = CONSOLE.findall(text)
    assert blocks
    for block in blocks:
        assert timeless(rerun(block, tmp_path)) == timeless(block), f"run python {__file__}"
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
    texts = re.findall(r"^    (\w+:\d+ .+)$", README.read_text(encoding="utf-8"), re.MULTILINE)
    assert texts
    for text in texts:
        assert Position.from_text(text).text() == text


def update() -> None:
    """Write what every console example says now into the README, and its pictures."""
    import shutil
    import tempfile

    def fresh(block: str, folder: str) -> str:
        now = rerun(block, Path(folder))
        return block if timeless(now) == timeless(block) else now

    with tempfile.TemporaryDirectory() as folder:
        text = README.read_text(encoding="utf-8")
        text = CONSOLE.sub(lambda m: f"```console\n{fresh(m[1], folder)}```", text)
        PICTURES.mkdir(exist_ok=True)
        for name in pictures(text):
            shutil.copyfile(Path(folder) / name, PICTURES / name)
    README.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    update()
