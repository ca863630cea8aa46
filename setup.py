"""Build the one extension module; everything else is in pyproject.toml.

``HANABI_SANITIZE=1`` builds it with assertions and the address and undefined-behaviour sanitizers.
A change of flags alone rebuilds nothing: add ``--force``.
"""

import os
import platform
from glob import glob

from setuptools import Extension, setup

SANITIZE = os.environ.get("HANABI_SANITIZE", "") not in ("", "0")
RELEASE = ["-O3", "-g0"]
if platform.machine() in ("x86_64", "AMD64"):
    RELEASE.append("-mpopcnt")  # every such processor since 2008 has it; cards are counted all day
DEBUG = ["-O1", "-g", "-UNDEBUG", "-fno-omit-frame-pointer", "-fsanitize=address,undefined"]

kernel = Extension(
    "solver._kernel",
    sources=["csrc/_kernel.pyx"],
    depends=glob("csrc/*.hpp"),
    include_dirs=["csrc"],
    language="c++",
    extra_compile_args=["-std=c++17", "-Wall", "-Wextra", *(DEBUG if SANITIZE else RELEASE)],
    extra_link_args=["-pthread", *(["-fsanitize=address,undefined"] if SANITIZE else [])],
)

setup(ext_modules=[kernel])
