"""A folder of texts by key, for several processes: written under another name and renamed, bounded, nothing believed.

A file that cannot be read is a miss, one that cannot be written is no error.  The texts that were read longest ago are
deleted when all together are too large, which is looked at once in a hundred writes.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from hashlib import sha256

LARGEST = 512_000_000  # bytes of all texts
LARGEST_TEXT = 8_000_000  # bytes of one
_SUFFIX = ".json"


def default_folder() -> str:
    """Return where the texts of this user are."""
    if named := os.environ.get("KNASTER_CACHE"):
        return named
    import sys

    home = os.path.expanduser("~")
    if sys.platform == "win32":
        return os.path.join(os.environ.get("LOCALAPPDATA") or home, "knaster")
    if sys.platform == "darwin":
        return os.path.join(home, "Library", "Caches", "knaster")
    return os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.join(home, ".cache"), "knaster")


class FileStore:
    """Texts in a folder."""

    def __init__(self, folder: str, largest: int = LARGEST) -> None:
        self.folder = folder
        self.largest = largest
        self.trouble = ""  # why the last text could not be written

    def get(self, key: str) -> str | None:
        """Return the text of a key; None where there is none that can be read."""
        path = self._path(key)
        try:
            with open(path, encoding="utf-8") as stream:
                text = stream.read()
            os.utime(path)
            return text
        except (OSError, ValueError):
            return None

    def put(self, key: str, text: str) -> bool:
        """Keep a text; tell whether that was possible."""
        if len(text) > LARGEST_TEXT:
            return False
        path = self._path(key)
        try:
            os.makedirs(self.folder, mode=0o700, exist_ok=True)
            os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
            temporary = f"{path}.{os.getpid()}.tmp"
            with open(temporary, "w", encoding="utf-8") as stream:
                stream.write(text)
            os.replace(temporary, path)
        except OSError as error:
            self.trouble = f"{self.folder}: cannot be written: {error.strerror}"
            return False
        if int(_digest(key)[2:6], 16) % 100 == 0:
            self.shrink()
        return True

    def drop(self, key: str) -> None:
        """Delete the text of a key."""
        _remove(self._path(key))

    def size(self) -> tuple[int, int]:
        """Return the number of texts and of their bytes."""
        found = [size for _, size, _ in self._texts()]
        return len(found), sum(found)

    def clear(self) -> int:
        """Delete every text; return how many there were."""
        paths = [path for _, _, path in self._texts()]
        for path in paths:
            _remove(path)
        return len(paths)

    def shrink(self) -> None:
        """Delete what was read longest ago until the rest is small enough."""
        texts = sorted(self._texts())
        total = sum(size for _, size, _ in texts)
        for _, size, path in texts:
            if total <= self.largest:
                return
            _remove(path)
            total -= size

    def _path(self, key: str) -> str:
        digest = _digest(key)
        return os.path.join(self.folder, digest[:2], digest[2:] + _SUFFIX)

    def _texts(self) -> Iterator[tuple[float, int, str]]:
        """Yield when each text was last read, its size and its path; what another process deletes is left out."""
        for folder, _, names in os.walk(self.folder):
            is_ours = len(os.path.basename(folder)) == 2
            for name in names if is_ours else ():
                if name.endswith((_SUFFIX, ".tmp")):
                    path = os.path.join(folder, name)
                    try:
                        status = os.stat(path)
                    except OSError:
                        continue
                    yield status.st_mtime, status.st_size, path


def _digest(key: str) -> str:
    return sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


def _remove(path: str) -> None:
    try:
        os.remove(path)
    except OSError:
        return
