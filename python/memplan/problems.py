"""Problems: buffers with sizes and lifetimes."""
from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import Any, Optional, Sequence

from . import library
from .library import ffi
from .picture import draw


@dataclass(frozen=True)
class Plan:
    """What came out of ``plan`` or ``verify``. It is true where there is a plan that is right."""
    status: str
    """"optimal", "found", or why there is no plan: "infeasible", "gave up", "timeout", "unsupported", "wrong"."""
    peak: int
    """Where the highest buffer ends, in bytes; 0 without a plan."""
    lower_bound: int
    """No plan has a lower peak than this, in bytes."""
    offsets: Optional[list[int]]
    """The offset of each buffer in bytes; None without a plan."""
    message: str
    """Why there is no plan, or ""."""
    witness: Optional[tuple[int, Optional[int]]]
    """The buffers that share bytes, or the largest two of the fullest step where nothing fits the capacity."""
    step: Optional[int]
    """The step of the witness."""
    sizes: list[int]
    segments: list[list[tuple[int, int]]]

    def __bool__(self) -> bool:
        return self.status in library.FOUND

    def svg(self) -> str:
        """A picture of the plan: steps to the right, bytes upwards."""
        rows = [(str(b), self.sizes[b], (self.offsets or [])[b], self.segments[b]) for b in range(len(self.sizes))]
        return draw(rows, self.peak)

    def _repr_svg_(self) -> Optional[str]:
        return self.svg() if self.offsets is not None else None


def _whole(value: Any, name: str) -> int:
    try:
        return operator.index(value)
    except TypeError:
        raise ValueError(f"{name}: found {value!r}, expected whole numbers") from None


def _make(sizes: Any, lower: Any, upper: Any, segments: Any, alignment: Any, fixed_offset: Any,
          settings: dict[str, int]) -> tuple[Any, list[Any], list[int], list[list[tuple[int, int]]]]:
    """The structure, what it points to, and what was given as lists."""
    sizes = sizes.tolist() if hasattr(sizes, "tolist") else list(sizes)
    if segments is None:
        if lower is None or upper is None:
            raise ValueError("found no lower or no upper, expected both, or segments")
        lower, upper = list(lower), list(upper)
        if len(lower) != len(sizes) or len(upper) != len(sizes):
            raise ValueError(f"found {len(lower)} lower and {len(upper)} upper, expected {len(sizes)} of each")
        segments = [[pair] for pair in zip(lower, upper)]
    elif lower is not None or upper is not None or len(segments) != len(sizes):
        raise ValueError(f"expected segments of {len(sizes)} buffers, and then neither lower nor upper")
    flat = [tuple(_whole(value, "lifetimes") for value in segment) for row in segments for segment in row]
    if any(len(segment) not in (2, 4) for segment in flat):
        raise ValueError("expected segments (lower, upper) or (lower, upper, window_lower, window_upper)")
    sizes = [_whole(size, "sizes") for size in sizes]
    whole = [(0, size) for size, row in zip(sizes, segments) for _ in row]
    first = [0]
    for row in segments:
        first.append(first[-1] + len(row))
    windows = [segment[2:] or window for segment, window in zip(flat, whole)]
    kept = [library.array("uint64_t", sizes, None, "sizes"), library.array("uint32_t", first, None, "segments"),
            library.array("uint32_t", [s[0] for s in flat], None, "lower"),
            library.array("uint32_t", [s[1] for s in flat], None, "upper"),
            library.array("uint64_t", [w[0] for w in windows], None, "window_lower"),
            library.array("uint64_t", [w[1] for w in windows], None, "window_upper")]
    fields = dict(zip(("size", "first", "lower", "upper", "window_lower", "window_upper"), kept))
    for name, values in (("alignment", alignment), ("fixed_offset", fixed_offset)):
        if values is not None:
            values = [values] * len(sizes) if isinstance(values, int) else values
            fields[name] = library.array("uint64_t", [library.FREE if v is None else v for v in values], len(sizes), name)
            kept.append(fields[name])
    problem = ffi.new("struct memplan_problem *", {"struct_bytes": ffi.sizeof("struct memplan_problem"),
                                                   "buffers": len(sizes), "segments": len(flat), **fields, **settings})
    return problem, kept, sizes, [[(int(s[0]), int(s[1])) for s in row] for row in segments]


def _finish(result: int, answer: Any, offsets: Any, sizes: list[int], segments: Any, right: bool) -> Plan:
    status, first = library.end(result, answer), library.number(answer.first)
    return Plan(status=status, peak=answer.peak_bytes, lower_bound=answer.lower_bound_bytes,
                offsets=list(offsets)[:len(sizes)] if right or status in library.FOUND else None,
                message=library.text(answer.message),
                witness=None if first is None else (first, library.number(answer.second)),
                step=library.number(answer.step), sizes=sizes, segments=segments)


def plan(sizes: Sequence[int], lower: Optional[Sequence[int]] = None, upper: Optional[Sequence[int]] = None, *,
         segments: Optional[Sequence[Sequence[tuple[int, ...]]]] = None, alignment: Any = None, fixed_offset: Any = None,
         planner: Optional[str] = None, capacity: int = 0, time_limit: float = 1.0, seed: int = 0, threads: int = 1) -> Plan:
    """Plans buffers of these sizes (bytes), live from step ``lower`` to before step ``upper``.

    ``segments`` gives each buffer several lifetimes ``(lower, upper)``, with the window of bytes used
    ``(lower, upper, window_lower, window_upper)``. ``alignment`` is a number, or one for each buffer; ``fixed_offset`` has
    None where a buffer is free. ``capacity`` in bytes (0: none), ``time_limit`` in seconds. The plan is verified. Raises
    ValueError where the input is wrong.
    """
    compiled = library.load()
    settings = {"capacity_bytes": capacity, "time_limit_ns": library.nanoseconds(time_limit), "seed": seed, "threads": threads}
    problem, kept, known, live = _make(sizes, lower, upper, segments, alignment, fixed_offset, settings)
    answer, offsets = library.new_answer(len(known))
    name = ffi.NULL if planner is None else ffi.new("char[]", planner.encode())
    return _finish(compiled.memplan_plan(name, problem, answer), answer, offsets, known, live, False)


def verify(sizes: Sequence[int], lower: Optional[Sequence[int]] = None, upper: Optional[Sequence[int]] = None, *,
           offsets: Sequence[int], segments: Optional[Sequence[Sequence[tuple[int, ...]]]] = None, alignment: Any = None,
           fixed_offset: Any = None, capacity: int = 0) -> Plan:
    """Checks offsets, wherever they come from: "found" where they are right, "wrong" with a witness, or "gave up" above the
    capacity. The other arguments are as in ``plan``."""
    compiled = library.load()
    problem, kept, known, live = _make(sizes, lower, upper, segments, alignment, fixed_offset, {"capacity_bytes": capacity})
    answer, places = library.new_answer(len(known), offsets)
    return _finish(compiled.memplan_verify(problem, answer), answer, places, known, live, True)
