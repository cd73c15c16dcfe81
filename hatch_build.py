"""Add the examples and the compiled native library to a wheel, with what `pip install` brings if need be.

The compiler is $CC, else cc, gcc or clang on the path, else `zig cc` from the wheel `ziglang`, which is then asked
for as a build dependency.  Where nothing compiles, the package is built without the kernel and works, slower, in pure
Python; KNASTER_KERNEL=none asks for exactly that.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import zlib
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

ZIG = (
    "ziglang>=0.11,<1; sys_platform in 'linux darwin win32' and platform_machine in 'x86_64 AMD64 aarch64 arm64 ARM64'"
)
KERNEL = Path("src/knaster/native")
SUFFIX = {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")


def system_compiler() -> list[str] | None:
    """Return the command of a C compiler of this machine; None if there is none."""
    for name in (os.environ.get("CC", ""), "cc", "gcc", "clang"):
        if name and shutil.which(name.split()[0]):
            return name.split()
    return None


class CustomBuildHook(BuildHookInterface[Any]):
    """Adds the compiled kernel to the wheel, or to the source tree of an editable installation."""

    def dependencies(self) -> list[str]:
        """Return `ziglang` where the machine has no C compiler."""
        return [] if self.target_name != "wheel" or wanted() is None or system_compiler() else [ZIG]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the examples; compile the kernel and mark the wheel as one for this platform, if there is a compiler."""
        if self.target_name == "wheel" and version == "standard":  # an editable installation finds them beside it
            build_data["force_include"][str(Path(self.root) / "examples")] = "knaster/examples"
        if self.target_name != "wheel" or wanted() is None:
            return
        root = Path(self.root)
        library = root / KERNEL / f"_native{SUFFIX}"
        command = system_compiler() or [sys.executable, "-m", "ziglang", "cc"]
        problem = compile_kernel(command, root / KERNEL, library)
        if problem:
            self.app.display_warning(f"knaster is built without its compiled kernel: {problem}")
            return
        build_data["artifacts"].append(f"/{KERNEL.as_posix()}/{library.name}")
        build_data["pure_python"] = False
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["tag"] = f"py3-none-{platform}"


class CustomMetadataHook(MetadataHookInterface):
    """Adds the addresses of the repository that a release is made in, which $KNASTER_REPOSITORY names."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the addresses; a copy that is built elsewhere has none."""
        home = os.environ.get("KNASTER_REPOSITORY", "").rstrip("/")
        places = {
            "Source": "",
            "Issues": "/issues",
            "Documentation": "/tree/main/docs",
            "Changelog": "/blob/main/CHANGELOG.md",
        }
        metadata["urls"] = {name: home + path for name, path in places.items()} if home else {}


def wanted() -> str | None:
    """Return None where the user asked for no kernel."""
    return None if os.environ.get("KNASTER_KERNEL") == "none" else "kernel"


def compile_kernel(command: list[str], folder: Path, library: Path) -> str:
    """Compile the sources of a folder to `library`; return what went wrong, nothing if all is well."""
    sources = sorted(folder.glob("*.c"))
    checksums = [f"-DKNASTER_{source.stem.upper()}={zlib.crc32(source.read_bytes())}u" for source in sources]
    shared = ["-shared"] if sys.platform == "win32" else ["-shared", "-fPIC"]
    fresh = library.with_name(f"{library.name}.new")
    options = ["-O3", "-std=c11", *shared, *checksums, "-o", str(fresh), *map(str, sources)]
    try:
        done = subprocess.run([*command, *options], capture_output=True, text=True, timeout=600, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    if done.returncode:
        return done.stderr.strip().splitlines()[-1] if done.stderr.strip() else f"{command[0]} failed"
    fresh.replace(library)
    return ""
