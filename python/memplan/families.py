"""Families: problems whose sizes depend on parameters, and one plan for all sizes."""
from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Mapping, Optional, Sequence, Union

from . import library
from .library import ffi

Family = Union[Mapping[str, Any], str, "os.PathLike[str]"]


@dataclass(frozen=True)
class FamilyPlan:
    """What came out of ``plan_family`` or ``verify_family``. It is true where there is a plan that is safe for all sizes."""
    status: str
    """"optimal", "found", "timeout" or "wrong"."""
    peak: int
    """At the greatest sizes, in bytes; 0 after ``verify_family``, like the next three."""
    lower_bound: int
    """No plan for the greatest sizes has a lower peak, in bytes."""
    worst_ratio: float
    """The greatest peak over load of all sizes that were looked at."""
    proved_ratio: float
    """No sizes of the box have a greater one."""
    below: dict[str, list[str]]
    """The buffers that lie below each."""
    message: str
    """Why there is no plan, or ""."""
    family: dict[str, Any]

    def __bool__(self) -> bool:
        return self.status in library.FOUND

    def offsets(self, **values: int) -> dict[str, int]:
        """The offset of each buffer in bytes, where the parameters have these values: ``plan.offsets(sequence=100)``."""
        return self._place([values])[0][0]

    def peaks(self, points: Sequence[Mapping[str, int]]) -> list[int]:
        """The peak in bytes at each of these points."""
        return [peak for _, peak in self._place(points)]

    def _place(self, points: Sequence[Mapping[str, int]]) -> list[tuple[dict[str, int], int]]:
        given, kept, names = _make(self.family, {})
        parameters = list(self.family["parameters"])
        for point in points:
            if set(point) != set(parameters):
                raise ValueError(f"found values of {sorted(point)}, expected one for each of {parameters}")
        values = library.array("uint64_t", [point[name] for point in points for name in parameters], None, "a parameter")
        places, peaks = ffi.new("uint64_t[]", len(points) * len(names)), ffi.new("uint64_t[]", len(points))
        plan, arrays = _new_plan(self.family, names, self.below)
        rows = ffi.new("struct memplan_points *", {"struct_bytes": ffi.sizeof("struct memplan_points"), "count": len(points),
                                                   "value": values, "offset": places, "peak_bytes": peaks})
        if library.end(library.load().memplan_place_family(given, plan, rows), plan) not in library.FOUND:
            raise ValueError(library.text(plan.message))
        return [(dict(zip(names, places[i * len(names):(i + 1) * len(names)])), peaks[i]) for i in range(len(points))]


def _read(family: Family) -> dict[str, Any]:
    read = dict(family) if isinstance(family, Mapping) else json.loads(Path(family).read_text())
    if not read.get("parameters"):
        raise ValueError("found no parameters, expected a problem whose sizes depend on some")
    return read


def _make(read: Mapping[str, Any], settings: dict[str, int]) -> tuple[Any, Any, list[str]]:
    names = [buffer["name"] for buffer in read.get("buffers", [])]
    text = ffi.new("char[]", json.dumps(read, ensure_ascii=False).encode())
    given = ffi.new("struct memplan_family *", {"struct_bytes": ffi.sizeof("struct memplan_family"), "json": text,
                                                "buffers": len(names), "parameters": len(read["parameters"]), **settings})
    return given, text, names


def _new_plan(read: Mapping[str, Any], names: list[str], below: Optional[Mapping[str, Sequence[str]]]) -> tuple[Any, Any]:
    """A plan of these lists, or with room for those of a plan to be found."""
    first, number = [0], {name: index for index, name in enumerate(names)}
    lists: list[int] = []
    for name in names:
        unknown = [other for other in (below or {}).get(name, []) if other not in number]
        if unknown:
            raise ValueError(f"found '{unknown[0]}' below '{name}', expected buffers of the problem")
        lists += [number[other] for other in (below or {}).get(name, [])]
        first.append(len(lists))
    segments = sum(len(buffer.get("segments", [])) for buffer in read["buffers"]) + 2 * len(read.get("conflicts", []))
    room = len(lists) if below is not None else 2 * segments
    arrays = (ffi.new("uint32_t[]", first), ffi.new("uint32_t[]", lists + [0] * (max(room, 1) - len(lists))))
    plan = ffi.new("struct memplan_family_plan *", {"struct_bytes": ffi.sizeof("struct memplan_family_plan"), "first": arrays[0],
                                                    "below": arrays[1], "most_below": room})
    return plan, arrays


def _finish(result: int, plan: Any, arrays: Any, names: list[str], read: dict[str, Any]) -> FamilyPlan:
    status, (first, lists) = library.end(result, plan), arrays
    below = {name: [names[lists[e]] for e in range(first[b], first[b + 1])] for b, name in enumerate(names)}
    return FamilyPlan(status=status, peak=plan.peak_bytes, lower_bound=plan.lower_bound_bytes, worst_ratio=plan.worst_ratio,
                      proved_ratio=plan.proved_ratio, below=below, message=library.text(plan.message), family=read)


def plan_family(family: Family, *, planner: Optional[str] = None, worst_first: bool = False, time_limit: float = 1.0,
                seed: int = 0, threads: int = 1) -> FamilyPlan:
    """Plans a problem whose sizes depend on parameters: a dict in the format memplan-problem/1 with ``parameters``, or a
    .json file with one. ``planner`` plans at single points; ``worst_first`` puts the least worst ratio before the least
    peak at the greatest sizes. The plan is verified to be safe for all sizes.
    """
    compiled, read = library.load(), _read(family)
    given, kept, names = _make(read, {"flags": compiled.MEMPLAN_WORST_FIRST if worst_first else 0, "seed": seed,
                                      "time_limit_ns": library.nanoseconds(time_limit), "threads": threads})
    plan, arrays = _new_plan(read, names, None)
    name = ffi.NULL if planner is None else ffi.new("char[]", planner.encode())
    return _finish(compiled.memplan_plan_family(name, given, plan), plan, arrays, names, read)


def verify_family(family: Family, below: Mapping[str, Sequence[str]]) -> FamilyPlan:
    """Checks which buffers lie below each, wherever that comes from: "found" where it is safe for all sizes, or "wrong" with
    a message."""
    compiled, read = library.load(), _read(family)
    given, kept, names = _make(read, {})
    plan, arrays = _new_plan(read, names, below)
    return _finish(compiled.memplan_verify_family(given, plan), plan, arrays, names, read)
