"""Files of C that are not what they should be: an answer or a clear message, and never a traceback."""

from __future__ import annotations

from pathlib import Path

import pytest

from knaster.cli import main

MAIN = "int main(void) { int x = 0; assert(x == 0); return 0; }\n"


def said(path: Path, capsys: pytest.CaptureFixture[str], *options: str) -> tuple[int, str]:
    code = main(["check", str(path), *options])
    captured = capsys.readouterr()
    assert "Traceback" not in captured.out + captured.err
    return code, captured.out + captured.err


def written(tmp_path: Path, data: bytes | str) -> Path:
    path = tmp_path / "test.c"
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "there is no procedure 'main'"),
        (b"\x7fELF\x00\x01\xff\xfe" * 50, "is a binary file"),
        ("int main(void) { int x = ; return 0; }\n", "test.c:1:26: error: expected expression"),
        ("int main(void) { int x = 0; \n", "error: expected '}'"),
        ("int main(void) { if (1 { } return 0; }\n", "error: expected ')'"),
        ("int f(void) { assert(1); return 0; }\n", "there is no procedure 'main'"),
        (
            f"int f(void) {{ return 0; }}\nint f(void) {{ return 1; }}\n{MAIN}",
            ":2:5: error: redefinition of 'f'",
        ),
        (
            "int f(int a) { return a; }\nint main(void) { assert(f(1, 2)); return 0; }\n",
            "test.c:2:30: error: too many arguments to function call",
        ),
        (f'#include "nowhere.h"\n{MAIN}', "the header 'nowhere.h' is not known"),
        (f"#include <nowhere.h>\n{MAIN}", "cc -E"),
        ("int main(void) { goto out; return 0; }\n", "use of undeclared label 'out'"),
    ],
)
def test_what_is_wrong_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], data: bytes | str, message: str
) -> None:
    code, text = said(written(tmp_path, data), capsys)
    assert code == 2 and message in text


@pytest.mark.parametrize(
    "data",
    [
        MAIN.replace(" ", "\r\n").encode(),
        b"\xef\xbb\xbf" + MAIN.encode(),
        b"/* caf\xe9 */ " + MAIN.encode(),
        "int main(void) { int x = 0; goto in; { int y = 5; in: x++; } assert(x == 1); return 0; }\n",
        f"int main(void) {{ int x = {'(' * 5_000}1{')' * 5_000}; assert(x == 1); return 0; }}\n",
        f"int main(void) {{ int x = 0; {'{' * 1_000} x = 1; {'}' * 1_000} assert(x == 1); return 0; }}\n",
        "int main(void) { int x = 0;\n" + "x = x + 1;\n" * 3_000 + "assert(x == 3000); return 0; }\n",
    ],
    ids=["crlf", "mark", "latin-1", "into a block", "nested parentheses", "nested blocks", "long"],
)
def test_what_is_unusual_is_read(tmp_path: Path, capsys: pytest.CaptureFixture[str], data: bytes | str) -> None:
    code, text = said(written(tmp_path, data), capsys, "--engine", "search")
    assert code == 0 and "TRUE" in text


def test_a_directory_is_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "test.c").mkdir()
    code, text = said(tmp_path / "test.c", capsys)
    assert code == 2 and "is a directory" in text


def test_deep_recursion_is_no_reason_to_fall(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "int f(int n) { if (n == 0) return 0; return f(n - 1); }\nint main(void) { assert(f(%d) == 0); return 0; }\n"
    assert said(written(tmp_path, text % 5_000), capsys, "--engine", "search", "--certify")[0] == 0
    code, out = said(written(tmp_path, text % 1_000_000), capsys, "--engine", "search", "--runs", "20000")
    assert code == 5 and "UNKNOWN" in out


@pytest.mark.slow
def test_a_hundred_thousand_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "int main(void) { int x = 0;\n" + "x = x + 1;\n" * 100_000 + "assert(x == 100000); return 0; }\n"
    assert said(written(tmp_path, text), capsys, "--engine", "search")[0] == 0
