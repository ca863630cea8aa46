"""The layers of DESIGN.md hold: every module imports only what stands before it in the table."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import solver

PACKAGE = Path(solver.__file__).parent

DESIGN = Path(__file__).parent.parent / "DESIGN.md"
LAYERS = {
    "": "_kernel",
    **dict(re.findall(r"^\| ([a-z]+) \| `([^`]+)` \|", DESIGN.read_text("utf-8"), re.MULTILINE)),
    " ": "__init__ entry __main__",
}
"""Every package with its modules, in an order in which each imports only modules before it."""

SIDE_BY_SIDE = {"engines"}
"""Layers whose modules must not import one another."""

ON_USE = {
    "_kernel", "search", "endgame", "cpsat", "sat", "drup", "certify", "show", "show_explanation",
    "ortools", "pysat", "networkx", "rich", "distributed",
    "bulk", "survey", "workers", "report", "report_rows", "svg_report", "plot", "matplotlib",
    "bound", "bound_logs", "bound_rows", "policy", "continuations", "endgame_rows", "show_endgame",
    "openhands", "show_play",
    "losskind", "review", "losses", "review_rows", "show_review", "parquet", "pyarrow",
    "svg", "svg_position", "svg_line", "svg_chart",
    "page", "review_page", "puzzle_page", "trial", "serve", "puzzle_graph",
    "canonical", "judge", "themes", "measures", "generate", "puzzle_rows", "puzzle_file",
    "show_puzzle",
}  # fmt: skip
"""What is imported inside functions only, except by an engine of what it is made from."""

MADE_FROM = {
    "search": {"_kernel"}, "endgame": {"_kernel"}, "cpsat": {"ortools"}, "sat": {"pysat"},
    "drup": {"pysat"}, "show": {"rich"}, "show_explanation": {"rich", "show"},
    "openhands": {"_kernel"}, "show_play": {"rich", "show", "openhands"},
    "policy": {"endgame"}, "continuations": {"endgame", "policy"},
    "endgame_rows": {"endgame", "policy"},
    "show_endgame": {"rich", "show", "endgame", "endgame_rows", "policy", "continuations"},
    "review": {"losskind"}, "losses": {"losskind", "review"},
    "review_rows": {"losses", "review", "parquet"},
    "show_review": {"rich", "show", "losskind", "review", "losses", "review_rows"},
    "svg_position": {"svg"}, "svg_line": {"svg"}, "svg_chart": {"svg", "review"},
    "bulk": {"_kernel", "search"}, "survey": {"bulk"}, "survey_rows": {"parquet"},
    "report_rows": {"report"}, "svg_report": {"report", "svg"},
    "plot": {"report", "svg_report"}, "bound": {"bulk", "report"},
    "bound_logs": {"bound", "review"},
    "bound_rows": {"bound", "losses", "report_rows", "review"},
    "judge": {"canonical", "endgame"}, "themes": {"judge"},
    "measures": {"endgame", "judge"},
    "generate": {"endgame", "judge", "measures", "themes"},
    "puzzle_rows": {"endgame", "judge", "themes"},
    "puzzle_file": {"puzzle_rows"}, "puzzle_graph": {"endgame", "policy"},
    "page": {"svg"},
    "review_page": {"losskind", "page", "review", "review_rows", "show", "svg_chart"},
    "puzzle_page": {"judge", "page", "puzzle_graph", "puzzle_rows"},
    "trial": {"page", "policy", "review"}, "serve": {"page", "trial"},
    "show_puzzle": {"rich", "show", "judge", "puzzle_rows", "themes"},
}  # fmt: skip
"""What a module that is itself imported on use may import at once."""

OUTSIDE = {
    "click": {"options", "cli", "cli_bound", "cli_explain", "cli_endgame", "cli_play",
              "cli_puzzle", "cli_report", "cli_review", "cli_serve", "cli_survey", "cli_variants",
              "cli_verify"},
    "rich": {"cli", "show", "show_explanation", "show_endgame", "show_play", "show_puzzle",
             "show_review"},
    "pyarrow": {"parquet"},
    "ortools": {"cpsat"}, "pysat": {"sat", "drup"}, "networkx": {"hall", "policy"},
    "distributed": {"workers"}, "matplotlib": {"plot"},
    "numpy": {"arrays"},
}  # fmt: skip
"""The one place or places for every package that is not Python's own."""

LAYER_OF = {module: layer for layer, names in LAYERS.items() for module in names.split()}
ORDER = list(LAYER_OF)
SOURCES = {
    path.stem: path
    for pattern in ("*.py", "*.pyi", "*/*.py")
    for path in sorted(PACKAGE.glob(pattern))
    if path.parent == PACKAGE or path.stem != "__init__"
}
"""Where every module is; no two of them have one name."""


PACKAGES = {"solver", *(f"solver.{package}" for package in LAYERS)}


class Import(NamedTuple):
    """One imported top-level package, or module of ours, and whether only a function does it."""

    module: str
    ours: bool
    on_use: bool
    line: int


def imports(module: str) -> Iterator[Import]:
    """Give the imports of a module, but those for type checkers only."""
    yield from _imports(ast.parse(SOURCES[module].read_text(encoding="utf-8")), False)


def _imports(tree: ast.AST, on_use: bool) -> Iterator[Import]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: a relative import"
            names = [node.module or ""]
            if names[0] in PACKAGES:
                names = [f"{names[0]}.{alias.name}" for alias in node.names]
        for name in names:
            first = name.partition(".")[0]
            ours = first == "solver"
            module = name.rpartition(".")[2] if ours else first
            if ours and module not in SOURCES:
                module = "__init__"
            yield Import(module, ours, on_use, getattr(node, "lineno", 0))
        function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        yield from _imports(node, on_use or function)


def test_every_module_stands_in_the_table() -> None:
    missing = sorted(set(SOURCES) - set(LAYER_OF))
    assert not missing, f"put {', '.join(missing)} into the table of {DESIGN.name}"
    gone = sorted(set(LAYER_OF) - set(SOURCES))
    assert not gone, f"{', '.join(gone)}: in the table of {DESIGN.name} only"


def test_every_package_is_a_layer() -> None:
    for module, path in SOURCES.items():
        package = path.parent.name if path.parent != PACKAGE else ""
        assert package == LAYER_OF[module].strip(), f"{module} is not in its layer's package"


def test_no_package_imports_anything() -> None:
    for path in PACKAGE.glob("*/__init__.py"):
        docstring, *rest = ast.parse(path.read_text(encoding="utf-8")).body
        assert isinstance(docstring, ast.Expr)
        assert not rest, f"{path.parent.name}/__init__.py is more than its docstring"


@pytest.mark.parametrize("module", SOURCES)
def test_imports_follow_the_table(module: str) -> None:
    for found in imports(module):
        path = SOURCES[module].relative_to(PACKAGE.parent)
        where = f"{path}, line {found.line}: imports {found.module}"
        if found.ours:
            assert found.module in LAYER_OF, f"{where}, which is not in the table"
            assert ORDER.index(found.module) < ORDER.index(module), f"{where}, which stands later"
            layer = LAYER_OF[module]
            assert layer not in SIDE_BY_SIDE or LAYER_OF[found.module] != layer, (
                f"{where}, its neighbour"
            )
        elif found.module not in sys.stdlib_module_names:
            assert module in OUTSIDE.get(found.module, ()), f"{where}, which is not its place"
        if found.module in ON_USE - MADE_FROM.get(module, set()):
            assert found.on_use, f"{where} outside of a function"


def test_table_names_no_module_twice() -> None:
    names = " ".join(LAYERS.values()).split()
    assert len(names) == len(set(names))
    assert len(SOURCES) == len([p for p in PACKAGE.rglob("*.py*") if p.suffix in (".py", ".pyi")
                                and (p.stem != "__init__" or p.parent == PACKAGE)])  # fmt: skip
