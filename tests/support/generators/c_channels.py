"""Texts of C with many independent parts: channels, each with state, functions, a loop and three assertions of its own.

Channels are run one after another (`"turns"`), or all of them in the body of one endless loop (`"server"`).  A planted
bug makes exactly one assertion of one channel fail.
"""

from __future__ import annotations

_HEAD = "extern int __VERIFIER_nondet_int(void);\nextern void abort(void);\nvoid assert(int);\n"

_CHANNEL = """
/* channel {k} */
enum {{ IDLE{k}, OPEN{k}, BUSY{k} }};
int state{k} = IDLE{k};
int level{k};
int sent{k};
int acked{k};

static int clamp{k}(int value, int most)
{{
    if (value < 0)
        return 0;
    if (value > most)
        return most;
    return value;
}}

static void push{k}(int amount)
{{
    int room = {size} - level{k};
    amount = clamp{k}(amount, {room});
    level{k} = level{k} + amount;
    if (amount > 0)
        state{k} = BUSY{k};
    assert(level{k} <= {size});
}}

static void drain{k}(void)
{{
    while (level{k} > 0) {{
        level{k} = level{k} - 1;
        if (sent{k} < 1000)
            sent{k} = sent{k} + 1;
        if (acked{k} < sent{k})
            acked{k} = acked{k} + 1;
    }}
    state{k} = OPEN{k};
    assert(acked{k} <= sent{k});
}}

static void step{k}(void)
{{
    int request = __VERIFIER_nondet_int();
    if (state{k} == IDLE{k} && request == 1)
        state{k} = OPEN{k};
    else if (state{k} == OPEN{k} && request > 1)
        push{k}(request);
    else if (state{k} == BUSY{k})
        drain{k}();
    assert(state{k} >= IDLE{k} && state{k} <= {last}{k});
}}
"""


def channels(count: int, bug: int | None = None, shape: str = "server") -> str:
    """Return a program of so many channels; `bug` is the channel with one assertion that fails."""
    parts = [_HEAD]
    for k in range(count):
        wrong = k == bug
        size = 8 + k
        room = f"room + {2 if wrong and k % 2 == 0 else 0}"
        last = "OPEN" if wrong and k % 2 else "BUSY"
        parts.append(_CHANNEL.format(k=k, size=size, room=room if wrong else "room", last=last))
    if shape == "server":
        body = "\n".join(f"        step{k}();" for k in range(count))
        parts.append(f"int main(void)\n{{\n    while (__VERIFIER_nondet_int()) {{\n{body}\n    }}\n    return 0;\n}}\n")
    else:
        runs = "\n".join(f"    while (__VERIFIER_nondet_int())\n        step{k}();" for k in range(count))
        parts.append(f"int main(void)\n{{\n{runs}\n    return 0;\n}}\n")
    return "".join(parts)
