"""What `__attribute__` says: harmless words are dropped, words that change what a program does are refused.

Sizes and alignments are Clang's, so words that change only them need nothing here.
"""

from __future__ import annotations

import re
from typing import Any

from knaster.frontends.c.clang.cursors import Cursors

_KINDS = """ALIGNED_ATTR ANNOTATE_ATTR ASM_LABEL_ATTR CONST_ATTR CONVERGENT_ATTR DLLEXPORT_ATTR DLLIMPORT_ATTR
NODUPLICATE_ATTR PACKED_ATTR PURE_ATTR VISIBILITY_ATTR WARN_UNUSED_ATTR WARN_UNUSED_RESULT_ATTR"""
_EXPOSED = frozenset(_KINDS.split())  # harmless ones that have a kind of cursor of their own
_WORDS = """access alloc_align alloc_size always_inline artificial assume_aligned cdecl cold common const
deprecated diagnose_if disable_tail_calls enum_extensibility error externally_visible fallthrough fastcall
flag_enum flatten format format_arg gnu_inline hot internal_linkage leaf malloc maybe_unused may_alias
minsize no_caller_saved_registers no_icf no_instrument_function no_profile_instrument_function no_sanitize
no_sanitize_address no_sanitize_thread no_sanitize_undefined no_split_stack no_stack_protector noclone nocommon
nodebug nodiscard noinline noipa nomerge nonnull nonstring noplt noreturn not_tail_called nothrow optimize optnone
patchable_function_entry pure regparm retain returns_nonnull section sentinel stdcall
target tls_model transparent_union unavailable unused used visibility warn_if_not_aligned warn_unused
warn_unused_result warning weak zero_call_used_regs _Noreturn _Alignas alignas inline aligned packed mode
vector_size ext_vector_type"""
_HARMLESS = frozenset(_WORDS.split())
_PRINTED = re.compile(r"__attribute__\(\((\w+)|\[\[(?:\w+::)?(\w+)")


def strange_attributes(cursors: Cursors, declaration: Any) -> list[str]:
    """Return the names of those attributes of a declaration that may change what a program does.

    The text of one that a macro has is not known; then all names of the printed declaration count.
    """
    attributes = [part for part in cursors.below(declaration) if cursors.kind(part).endswith("_ATTR")]
    unnamed = [attribute for attribute in attributes if cursors.kind(attribute) not in _EXPOSED]
    names = [] if any(map(cursors.is_macro, unnamed)) else [_name(cursors.text(part)) for part in unnamed]
    if len(names) < len(unnamed):
        found = [first or second for first, second in _PRINTED.findall(cursors.printed(declaration))]
        names = found if len(found) >= len(attributes) else [*found, "in a macro"]
    return [name.strip("_") for name in names if name not in _HARMLESS and name.strip("_") not in _HARMLESS]


def _name(text: str) -> str:
    found = re.match(r"[\[\s]*(?:\w+\s*::\s*)?(\w+)", text)
    return found.group(1) if found else "without a name"
