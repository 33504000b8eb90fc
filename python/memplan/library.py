"""libmemplan.so, loaded by cffi without a compiler. The declarations are those of its own headers."""
from __future__ import annotations

import ctypes.util
import functools
import os
import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Optional

import cffi

NOBODY = 2**32 - 1
FREE = 2**64 - 1
FOUND = ("found", "optimal", "sampled")

ffi = cffi.FFI()


class MemplanError(Exception):
    """What the library, or the program, refuses or cannot do."""


def _declarations() -> str:
    """The headers without what only a compiler needs."""
    text = "".join((Path(__file__).parent / name).read_text() for name in ("types.h", "memplan.h"))
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    text = re.sub(r"#ifdef __cplusplus.*?#endif", "", text, flags=re.S)
    return re.sub(r"^#.*$", "", text, flags=re.M).replace("MEMPLAN_API", "")


def program() -> str:
    """The program memplan: $MEMPLAN, or the one in PATH."""
    found = os.environ.get("MEMPLAN") or shutil.which("memplan")
    if not found:
        raise MemplanError("found no program memplan, expected it in PATH, or its path in $MEMPLAN")
    return found


def _find() -> str:
    """$MEMPLAN_LIBRARY, where the system looks, or beside the program: in its folder, or in lib beside that."""
    name = os.environ.get("MEMPLAN_LIBRARY") or ctypes.util.find_library("memplan")
    if name:
        return name
    try:
        folder = Path(program()).resolve().parent
    except MemplanError:
        folder = Path("/usr/local/bin")
    for place in (folder, *sorted((folder.parent / "lib").glob("**/"))):
        if (place / "libmemplan.so.0").exists():
            return str(place / "libmemplan.so.0")
    raise MemplanError("found no libmemplan.so.0, expected an installed memplan, or its path in $MEMPLAN_LIBRARY")


@functools.lru_cache(maxsize=None)
def load() -> Any:
    """The loaded library."""
    ffi.cdef(_declarations())
    return ffi.dlopen(_find())


def text(pointer: Any) -> str:
    return ffi.string(pointer).decode()


def version() -> str:
    """The version of the library."""
    return text(load().memplan_version())


@dataclass(frozen=True)
class Planner:
    """A planner of the library."""
    name: str
    family: str
    title: str
    source: str
    exact: bool
    randomised: bool
    searches: bool


def planners() -> list[Planner]:
    """All planners; each name may be followed by settings: "nnvm?match_range=4"."""
    library, found = load(), []
    row = ffi.new("struct memplan_description *")
    for index in range(library.memplan_planner_count()):
        row.struct_bytes = ffi.sizeof("struct memplan_description")
        library.memplan_planner_at(index, row)
        found.append(Planner(text(row.name), text(row.family), text(row.title), text(row.source),
                             bool(row.flags & library.MEMPLAN_EXACT), bool(row.flags & library.MEMPLAN_RANDOMISED),
                             bool(row.flags & library.MEMPLAN_SEARCHES)))
    return found


def array(kind: str, values: Any, count: Optional[int], name: str) -> Any:
    """A C array of whole numbers, of a list, a numpy array or anything else that can be iterated over."""
    values = values.tolist() if hasattr(values, "tolist") else list(values)
    if count is not None and len(values) != count:
        raise ValueError(f"found {len(values)} values of {name}, expected {count}")
    try:
        return ffi.new(f"{kind}[]", values)
    except (OverflowError, TypeError) as error:
        raise ValueError(f"{name}: found a value that is no {kind[:-2]}: {error}") from None


def new_answer(count: int, offsets: Any = None) -> tuple[Any, Any]:
    """A struct memplan_answer, and its array of offsets."""
    places = ffi.new("uint64_t[]", max(count, 1)) if offsets is None else array("uint64_t", offsets, count, "offsets")
    answer = ffi.new("struct memplan_answer *", {"struct_bytes": ffi.sizeof("struct memplan_answer"), "offset": places})
    return answer, places


def nanoseconds(seconds: float) -> int:
    if not seconds > 0:
        raise ValueError(f"found a time limit of {seconds} s, expected one above 0")
    return max(1, min(int(seconds * 1e9), FREE - 1))


def end(result: int, answer: Any) -> str:
    """The name of a result; bad input, missing memory and faults are raised."""
    name, message = text(load().memplan_result_name(result)), text(answer.message)
    if name == "bad input":
        raise ValueError(message)
    if name == "no memory":
        raise MemoryError(message)
    if name == "failed":
        raise MemplanError(message)
    return name


def number(value: int) -> Optional[int]:
    return None if value == NOBODY else value
