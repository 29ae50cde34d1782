"""What an exception says of itself, asked so that it cannot fail.

A student's exception can have a ``__str__`` that raises, or a ``__class__`` that is broken. Then
neither ``str`` nor ``isinstance`` may be used on it, and only what it was about is lost.
"""

import builtins

# Through the type of all types, past whatever a class of the student's says instead.
_name = type.__dict__["__name__"].__get__
_bases = type.__dict__["__mro__"].__get__


def error_name(error: BaseException) -> str:
    """The name of its class."""
    return _name(type(error))


def error_text(error: BaseException, most: int = 300) -> str:
    """Its message, or the beginning of it; nothing where it has none that can be written.

    >>> error_text(ValueError("one too many"), most=7)
    'one too'
    """
    try:
        # What __str__ returns can be a subclass of str, with methods of its own.
        return str.__getitem__(str(error), slice(most))
    except BaseException:
        return ""


def kind_of_error(error: BaseException) -> str:
    """The name of the class of Python's own that it belongs to.

    >>> class Mine(ValueError): ...
    >>> kind_of_error(Mine())
    'ValueError'
    """
    bases = _bases(type(error))
    return next((_name(c) for c in bases if getattr(builtins, _name(c), 0) is c), "Exception")


def is_error(value: object, kind: type[BaseException]) -> bool:
    """Whether a value belongs to a kind of error, by its real class."""
    return kind in _bases(type(value))
