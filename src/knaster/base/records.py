"""Records: the classes of `dataclasses.dataclass`, whose methods are written when they are needed.

`dataclasses` writes and compiles every method of a class when its module is imported, which was a third of the time of
a short command.  Here a class gets its fields at once, `__eq__` and `__hash__` when somebody needs them, and `__init__`
when somebody makes more than a few records; their text, and so what they do, is the same.  `fields`, `replace` and
`asdict` of `dataclasses` understand these classes.

Not there, because nobody asks for it: `order`, `unsafe_hash`, `InitVar`, `KW_ONLY`, and a class of `dataclasses` below
a record or above it.  Type checkers see `dataclasses`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from reprlib import recursive_repr
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

EMPTY: Mapping[str, Any] = MappingProxyType({})
FEW = 16  # records that are made before `__init__` is written: writing it takes as long as making some dozens


class _Missing:
    def __repr__(self) -> str:
        return "MISSING"


_MISSING = _Missing()


class _Field:
    """A field, with the attributes of `dataclasses.Field` that we use."""

    __slots__ = ("compare", "default", "default_factory", "hash", "init", "kw_only", "metadata", "name", "repr", "type")

    def __init__(
        self,
        *,
        default: Any = _MISSING,
        default_factory: Any = _MISSING,
        init: bool = True,
        repr: bool = True,
        hash: bool | None = None,
        compare: bool = True,
        metadata: Mapping[str, Any] = EMPTY,
        kw_only: bool = False,
    ) -> None:
        self.name, self.type = "", ""
        self.default, self.default_factory, self.init, self.kw_only = default, default_factory, init, kw_only
        self.repr, self.compare, self.metadata = repr, compare, metadata
        self.hash = compare if hash is None else hash


def _make(
    cls: Any = None, *, init: bool = True, repr: bool = True, eq: bool = True, frozen: bool = False, slots: bool = False
) -> Any:
    """Return the class as a record; without a class, the decorator."""
    if cls is None:
        return lambda cls: _make(cls, init=init, repr=repr, eq=eq, frozen=frozen, slots=slots)
    own = _own_fields(cls)
    fields: dict[str, _Field] = {}
    for base in cls.__mro__[-1:0:-1]:
        fields |= base.__dict__.get("__record__", {})
    fields |= own
    places = tuple(name for name, field in fields.items() if field.init and not field.kw_only)
    members: dict[str, Any] = {"__dataclass_fields__": _BRIDGE, "__record__": fields, "__match_args__": places}
    later: dict[str, tuple[Callable[[], Callable[..., Any]], Callable[..., Any] | None]] = {}
    if init:
        members["__signature__"] = _SIGNATURE
        later["__init__"] = lambda: _write_init(made, fields, frozen, slots), _plain_init(fields, places, slots)
    if repr:
        members["__repr__"] = _repr
    if eq:
        later["__eq__"] = lambda: _write_eq(fields), None
    if eq and frozen:
        later["__hash__"] = lambda: _write_hash(fields), None
    elif eq:
        members["__hash__"] = None
    if frozen:
        members |= {"__setattr__": _refuse_setting, "__delattr__": _refuse_deleting}
    if frozen and slots:
        members |= {"__getstate__": _get_state, "__setstate__": _set_state}
    members |= {name: _written_later(lambda: made, name, *ways) for name, ways in later.items()}
    body = cls.__dict__
    members = {name: member for name, member in members.items() if body.get(name) is None}  # None: no hash
    if slots:
        made = _with_slots(cls, own, fields, members)
    else:
        made = cls
        defaults = {name: field.default for name, field in own.items() if isinstance(body.get(name), _Field)}
        for name, member in {**members, **defaults}.items():
            delattr(made, name) if member is _MISSING else setattr(made, name, member)
    return made


def _own_fields(cls: Any) -> dict[str, _Field]:
    """Return the fields that the body of a class has."""
    own = {}
    for name, annotation in cls.__annotations__.items():
        if str(annotation).startswith(("ClassVar", "typing.ClassVar")):
            continue
        default = cls.__dict__.get(name, _MISSING)
        own[name] = field = default if isinstance(default, _Field) else _Field(default=default)
        field.name, field.type = name, annotation
    return own


def _with_slots(cls: Any, own: Mapping[str, _Field], fields: Mapping[str, _Field], members: dict[str, Any]) -> Any:
    """Return the class made again with more members, and with slots for its own fields that no class above it has."""
    body = {name: value for name, value in cls.__dict__.items() if name not in fields}
    body.pop("__dict__", None)
    body.pop("__weakref__", None)
    above = {slot for base in cls.__mro__[1:-1] for slot in getattr(base, "__slots__", ())}
    names = tuple(name for name in own if name not in above)
    return type(cls)(
        cls.__name__, cls.__bases__, {**body, **members, "__slots__": names, "__qualname__": cls.__qualname__}
    )


def _written_later(
    owner: Callable[[], Any], name: str, write: Callable[[], Callable[..., Any]], plain: Callable[..., Any] | None
) -> Callable[..., Any]:
    """Return a method that puts a written one in its own place, but for the first calls, if `plain` does their work.

    What `plain` does not do (it returns `_MISSING`) is left to the written method, which knows the right words.
    """
    calls = 0

    def install() -> Callable[..., Any]:
        cls, written = owner(), write()
        written.__qualname__ = f"{cls.__qualname__}.{name}"
        setattr(cls, name, written)
        return written

    def method(self: Any, *values: Any, **named: Any) -> Any:
        nonlocal calls
        calls += 1
        outcome = plain(self, values, named) if plain is not None and calls <= FEW else _MISSING
        return install()(self, *values, **named) if outcome is _MISSING else outcome

    method.__dict__["install"] = install
    return method


def _compile(name: str, parameters: str, body: list[str], names: dict[str, Any]) -> Callable[..., Any]:
    exec(f"def {name}({parameters}):\n  " + "\n  ".join(body or ["pass"]), names)
    written: Callable[..., Any] = names[name]
    return written


def _plain_init(fields: Mapping[str, _Field], places: tuple[str, ...], slots: bool) -> Callable[..., Any]:
    """Return what `__init__` does, field by field: slower than what is written, but at once."""
    store = object.__setattr__

    def init(self: Any, values: tuple[Any, ...], named: dict[str, Any]) -> Any:
        given = dict(zip(places, values, strict=False))
        if len(values) > len(places) or not given.keys().isdisjoint(named):
            return _MISSING
        given |= named
        for name, field in fields.items():
            if field.init and name in given:
                store(self, name, given.pop(name))
            elif field.default is not _MISSING:
                if field.init or slots:
                    store(self, name, field.default)
            elif field.default_factory is not _MISSING:
                store(self, name, field.default_factory())
            elif field.init:
                return _MISSING
        if given:
            return _MISSING
        if hasattr(self, "__post_init__"):
            self.__post_init__()
        return None

    return init


def _write_init(cls: Any, fields: Mapping[str, _Field], frozen: bool, slots: bool) -> Callable[..., Any]:
    """Return `__init__`: it stores what it is given or the default, then calls `__post_init__`."""
    names: dict[str, Any] = {"_set": object.__setattr__, "_MISSING": _MISSING}
    plain, by_name, body = ["self"], ["*"], []
    for name, field in fields.items():
        value = name
        if field.default is not _MISSING:
            names[f"_default_{name}"] = field.default
        if field.default_factory is not _MISSING:
            names[f"_make_{name}"] = field.default_factory
        if field.init:
            if field.default is not _MISSING:
                parameter = f"{name}=_default_{name}"
            else:
                parameter = name if field.default_factory is _MISSING else f"{name}=_MISSING"
            (by_name if field.kw_only else plain).append(parameter)
            if field.default_factory is not _MISSING:
                value = f"_make_{name}() if {name} is _MISSING else {name}"
        elif field.default_factory is not _MISSING:
            value = f"_make_{name}()"
        elif slots and field.default is not _MISSING:
            value = f"_default_{name}"
        else:
            continue
        body.append(f"_set(self, {name!r}, {value})" if frozen else f"self.{name} = {value}")
    if hasattr(cls, "__post_init__"):
        body.append("self.__post_init__()")
    return _compile("__init__", ", ".join(plain + (by_name if len(by_name) > 1 else [])), body, names)


def _write_eq(fields: Mapping[str, _Field]) -> Callable[..., Any]:
    names = [name for name, field in fields.items() if field.compare]
    left, right = ("(" + "".join(f"{who}.{name}," for name in names) + ")" for who in ("self", "other"))
    body = [f"if other.__class__ is self.__class__:\n    return {left} == {right}", "return NotImplemented"]
    return _compile("__eq__", "self, other", body, {})


def _write_hash(fields: Mapping[str, _Field]) -> Callable[..., Any]:
    names = "".join(f"self.{name}," for name, field in fields.items() if field.hash)
    return _compile("__hash__", "self", [f"return hash(({names}))"], {})


@recursive_repr()
def _repr(self: Any) -> str:
    shown = ", ".join(f"{name}={getattr(self, name)!r}" for name, field in self.__record__.items() if field.repr)
    return f"{type(self).__qualname__}({shown})"


def _refuse_setting(self: Any, name: str, value: object) -> None:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_deleting(self: Any, name: str) -> None:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _get_state(self: Any) -> list[Any]:
    return [getattr(self, name) for name in self.__record__]


def _set_state(self: Any, state: list[Any]) -> None:
    for name, value in zip(self.__record__, state, strict=True):
        object.__setattr__(self, name, value)


class _Signature:
    """What `inspect` asks a class for: the parameters of the `__init__` that will be written."""

    def __get__(self, record: Any, cls: Any) -> Any:
        from inspect import Signature, signature

        init = cls.__init__
        written = init.install() if hasattr(init, "install") else init
        return Signature(list(signature(written).parameters.values())[1:])


class _Bridge:
    """The fields as `dataclasses` knows them, made when it asks."""

    def __get__(self, record: Any, cls: Any) -> Any:
        from dataclasses import field, make_dataclass

        rows = [(name, own.type, field(**_arguments(own))) for name, own in cls.__record__.items()]
        return vars(make_dataclass(cls.__name__, rows, kw_only=True))["__dataclass_fields__"]


def _arguments(own: _Field) -> dict[str, Any]:
    names = ("default", "default_factory", "init", "repr", "hash", "compare", "metadata", "kw_only")
    return {name: value for name in names if (value := getattr(own, name)) is not _MISSING}


_BRIDGE, _SIGNATURE = _Bridge(), _Signature()


def _replace(record: Any, /, **changes: Any) -> Any:
    """Return a record like this one, with other values for some fields."""
    for name, field in record.__record__.items():
        if field.init and name not in changes:
            changes[name] = getattr(record, name)
    return type(record)(**changes)


def _fields(record: Any) -> tuple[Any, ...]:
    """Return the fields of a record or of its class."""
    return tuple(record.__record__.values())


if TYPE_CHECKING:
    from dataclasses import Field as Field
    from dataclasses import dataclass as dataclass
    from dataclasses import field as field
    from dataclasses import fields as fields
    from dataclasses import replace as replace
else:
    Field, dataclass, field, fields, replace = _Field, _make, _Field, _fields, _replace
