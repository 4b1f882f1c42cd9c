"""A property that is worked out once, for objects that are made and asked many times a battle."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class LazyProperty(Generic[T]):
    """A property whose value is kept in the instance's `__dict__` when it is first asked for.

    Unlike `functools.cached_property` of Python 3.11 it takes no lock: threads that share an
    instance may work the value out twice.
    """

    def __init__(self, work_out: Callable[[Any], T]) -> None:
        self._work_out, self.__doc__ = work_out, work_out.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type) -> "LazyProperty[T]": ...

    @overload
    def __get__(self, instance: object, owner: type) -> T: ...

    def __get__(self, instance: object | None, owner: type) -> "LazyProperty[T] | T":
        if instance is None:
            return self
        value = instance.__dict__[self._name] = self._work_out(instance)
        return value


lazy_property = LazyProperty
