"""Why a question about C is not decided: what each method says, and what is known all the same."""

from __future__ import annotations

from collections.abc import Mapping

ALL_THE_SAME = "; known all the same: "  # stands between why a method gives no answer and what it found out
_LATE = "the time limit"  # what is said where the time is over begins so


def why(reasons: Mapping[str, str]) -> str:
    """Return why several methods, by their names, have not decided a question, and then what is known all the same.

    Where the time was over, nothing else is a reason.
    """
    parted = [reason.partition(ALL_THE_SAME) for reason in reasons.values()]
    bare = list(dict.fromkeys(reason for reason, _, _ in parted if reason))
    late = [reason for reason in bare if reason.startswith(_LATE)]
    also = dict.fromkeys(rest for _, _, rest in parted if rest)
    return "; ".join(late[:1] or bare) + "".join(f"{ALL_THE_SAME}{rest}" for rest in also)
