"""A small program of C, and the text of witnesses about it."""

from __future__ import annotations

PROGRAM = """\
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { }
int main(void) {
  int a = __VERIFIER_nondet_int();
  int n = 0;
  while (n < 3) {
    if (a == n)
      n = n + 2;
    n++;
  }
  switch (a) {
  case 1: n = 7; break;
  case 2: n = 9; break;
  default: n = 8;
  }
  if (n > 6 && a < 5) reach_error();
  return 0;
}
"""
HEAD = """\
- entry_type: "{kind}"
  metadata:
    format_version: "{version}"
    uuid: "9e1a8c4e-0000-4000-8000-000000000000"
    creation_time: 2026-11-17T13:00:00Z
    producer: {{name: "nobody", version: "1"}}
    task:
      input_files: ["p.c"]
      input_file_hashes: {{p.c: "00"}}
      specification: "{specification}"
      data_model: LP64
      language: C
  content:
"""
REACH, ENDS = "G ! call(reach_error())", "CHECK( init(main()), LTL(F end) )"


def sequence(*segments: str, specification: str = REACH, version: str = "2.0") -> str:
    """Return a violation sequence; a segment is `type action line[:column] [constraint]`, several divided by `;`."""
    lines = [HEAD.format(kind="violation_sequence", version=version, specification=specification)]
    for segment in segments:
        lines.append("  - segment:\n")
        for point in segment.split(";"):
            type, action, place, *rest = point.strip().split(" ", 3)
            line, _, column = place.partition(":")
            constraint = f', constraint: {{value: "{rest[0]}"}}' if rest else ""
            where = f"line: {line}, file_name: ./p.c" + (f", column: {column}" if column else "")
            lines.append(f"    - waypoint: {{type: {type}, action: {action}, location: {{{where}}}{constraint}}}\n")
    return "".join(lines)


def invariants(*parts: tuple[str, int, str], specification: str = REACH) -> str:
    head = HEAD.format(kind="invariant_set", version="2.0", specification=specification)
    items = [
        f'  - invariant: {{type: {type}, value: "{value}", format: c_expression, '
        f"location: {{file_name: p.c, line: {line}}}}}\n"
        for type, line, value in parts
    ]
    return head + "".join(items) if items else head.replace("content:\n", "content: []\n")


def contract(line: str, requires: str, ensures: str) -> str:
    """Return a correctness witness with one contract, at a line, perhaps with `, column: N`."""
    head = HEAD.format(kind="invariant_set", version="2.1", specification=REACH)
    where = f"location: {{file_name: p.c, line: {line}}}"
    parts = f'type: function_contract, requires: "{requires}", ensures: "{ensures}", format: ext_c_expression'
    return f"{head}  - invariant: {{{parts}, {where}}}\n"
