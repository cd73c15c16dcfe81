"""Which steps of the library may be undefined, by the name of a function and how many arguments it is given."""

from __future__ import annotations

from knaster.semantics.memory.characters import CHARACTERS
from knaster.semantics.memory.failure import BOUNDS, CALL, DEAD, FREE, LOCK, NULL, OVERLAP, READ_ONLY, VALUE, WILD
from knaster.semantics.memory.mathematics import MATHEMATICS, WITH_POINTERS

_USES = (NULL, DEAD, BOUNDS, WILD)
_ALLOCATES = frozenset(("malloc", "calloc", "alloca", "__builtin_alloca", "aligned_alloc", "memalign", "valloc"))
_COUNTS = ("popcount", "parity", "ffs", "bswap", "is")  # of any number
_FIRST = ("clz", "ctz")  # not of 0
_PRINTS = ("sprintf", "snprintf", "vsprintf", "vsnprintf")  # texts into memory
_COPIES = frozenset(("memcpy", "strcpy", "stpcpy", "strncpy", "strcat", "strncat", *_PRINTS))
_WITH_FORMATS = """printf sprintf snprintf scanf fscanf va_arg asprintf vprintf vfprintf vsprintf vsnprintf vasprintf
asctime asctime_r ctime ctime_r"""
_FORMATS = frozenset(_WITH_FORMATS.split())
_LISTS = frozenset(("va_start", "va_arg", "va_copy"))
_OTHER_WRITES = """memmove memset sprintf snprintf scanf fscanf time vsprintf vsnprintf asprintf vasprintf fgets fread
mktime asctime_r ctime_r localtime_r gmtime_r strtod strtof"""
_WRITES = _COPIES | _LISTS | WITH_POINTERS.keys() | frozenset(_OTHER_WRITES.split())
_WITHOUT_POINTERS = """exit va_end clock difftime usleep main_arguments pthread_equal thrd_equal
pthread_getspecific tss_get pthread_setspecific
tss_set pthread_cancel pthread_exit thrd_exit pthread_key_delete tss_delete section_begin
section_end fork_here end_here sleep nanosleep thrd_sleep pthread_attr_init pthread_attr_destroy
pthread_attr_setdetachstate pthread_attr_setstacksize pthread_mutexattr_destroy pthread_cond_destroy
cnd_destroy pthread_rwlock_destroy pthread_barrier_destroy sem_destroy pthread_spin_destroy"""
_SAFE = frozenset(_WITHOUT_POINTERS.split())
_GIVE_UP = ("pthread_join", "thrd_join", "pthread_mutex_destroy")
_UNLOCK = (
    "pthread_mutex_unlock",
    "mtx_unlock",
    "pthread_spin_unlock",
    "pthread_rwlock_unlock",
    "wait_begin",
    *_GIVE_UP,
)
_BEGIN = ("pthread_create", "thrd_create")
_THREADS = ("pthread_", "thrd_", "mtx_", "cnd_", "sem_", "once_", "barrier_", "wait_", "timed_wait_")
_USED = {
    "pthread_join": (1,),
    "thrd_join": (1,),
    "wait_begin": (0, 1),
    "wait_end": (1,),
    "timed_wait_end": (1,),
    "pthread_mutex_init": (0, 1),
    "sem_getvalue": (0, 1),
    "pthread_setcancelstate": (1,),
}
_POINTS_INSIDE = frozenset(("strchr", "strrchr", "strstr", "memchr", "strpbrk", "stpcpy"))


def library_kinds(name: str, arguments: int, read_only: bool = False) -> tuple[str, ...]:
    """Return the kinds of undefined steps that a call may come to; `read_only` where some object must not change."""
    word = name.removeprefix("__builtin_")
    if word in ("free", "cfree", "realloc"):
        return (FREE,)
    if word.startswith(_FIRST) or word in CHARACTERS:
        return (VALUE,)
    if name in ("pthread_detach", "thrd_detach"):
        return (LOCK,)
    if name.startswith("__CPROVER_uninterpreted_"):
        return ()
    if name in _ALLOCATES or word in _SAFE or word in MATHEMATICS or not arguments or word.startswith(_COUNTS):
        return ()
    kinds: tuple[str, ...] = _USES
    kinds += (LOCK,) if name in _UNLOCK else (CALL,) if name in _BEGIN else ()
    kinds += (READ_ONLY,) if read_only and (word in _WRITES or name.startswith("overflow ")) else ()
    kinds += (OVERLAP,) if word in _COPIES else ()
    return kinds + ((VALUE,) if word in _FORMATS else ())


def used_arguments(name: str) -> tuple[int, ...]:
    """Return which arguments a word of threads uses as pointers; none where it is no such word."""
    return _USED.get(name, (0,)) if name.startswith(_THREADS) else ()


def points_inside(name: str) -> bool:
    """Tell whether a function returns a pointer into the middle of an object that it is given."""
    return name in _POINTS_INSIDE
