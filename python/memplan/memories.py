"""Several memories: what goes where, so that it fits and costs least."""
from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Mapping, Optional, Union

from . import graphs, library
from .library import ffi

Memories = Union[Mapping[str, Any], str, "os.PathLike[str]"]
MOST = 1024  # memories


@dataclass(frozen=True)
class MemoriesPlan:
    """What came out of ``plan_memories`` or ``verify_memories``. It is true where there is a plan that is right."""
    status: str
    """As of ``Plan``; "optimal" where no plan costs less, "sampled" where a graph has more paths than were checked."""
    cost: float
    """Of the plan, in nanoseconds, or in whatever unit the problem gives."""
    cost_bound: float
    """No plan costs less; 0 after ``verify_memories``."""
    places: Optional[dict[str, tuple[str, int]]]
    """The memory and the offset in bytes of each buffer, or tensor that has a place of its own; None without a plan."""
    peaks: dict[str, int]
    """The greatest end of a buffer in each memory, in bytes."""
    message: str
    """Why there is no plan, or ""."""
    tight: list[str]
    """After "infeasible": buffers that do not fit together, wherever the others are."""
    step: Optional[int]
    """At which most bytes of these are live."""
    enough: dict[str, int]
    """After "infeasible": a capacity of this memory with which all would fit if no other changed, where one is known."""

    def __bool__(self) -> bool:
        return self.status in library.FOUND


def _read(problem: Memories) -> str:
    """JSON of a dict or a file; the name of a profile is what the library looks for."""
    if isinstance(problem, Mapping):
        return json.dumps(problem, ensure_ascii=False)
    return Path(problem).read_text() if Path(problem).suffix == ".json" else os.fspath(problem)


class _Call:
    """The structures of a call, and what they point to."""

    def __init__(self, problem: Memories, graph: Any, settings: dict[str, Any], options: dict[str, int]) -> None:
        library.load()
        text, self.kept, inner = _read(problem), [], ffi.NULL
        if graph is not None:
            inner, self.kept, self.names = graphs._make(graph, settings["policy"], settings["inplace"],
                                                        settings["disable_inplace"], False, settings["alignment"], {})
        else:
            read = json.loads(text)
            dsa = "schema_version" in read
            self.names = [str(buffer["id"] if dsa else buffer["name"]) for buffer in read.get("buffers", [])]
        count = max(len(self.names), 1)
        self.kept += [inner, ffi.new("char[]", text.encode())]
        self.given = ffi.new("struct memplan_memories *", {"struct_bytes": ffi.sizeof("struct memplan_memories"),
                                                           "json": self.kept[-1], "graph": inner,
                                                           "buffers": len(self.names), **options})
        self.arrays = {"memory": ffi.new("uint32_t[]", [library.NOBODY] * count),
                       "offset": ffi.new("uint64_t[]", [library.FREE] * count), "tight": ffi.new("uint8_t[]", count),
                       "name": ffi.new(f"char[{MOST}][64]"), "peak_bytes": ffi.new("uint64_t[]", MOST),
                       "enough_bytes": ffi.new("uint64_t[]", [library.FREE] * MOST)}
        self.plan = ffi.new("struct memplan_memories_plan *", {"struct_bytes": ffi.sizeof("struct memplan_memories_plan"),
                                                               "most_memories": MOST, **self.arrays})

    def memories(self) -> list[str]:
        return [library.text(self.arrays["name"][m]) for m in range(self.plan.memories)]

    def finish(self, result: int, right: bool) -> MemoriesPlan:
        status, plan, arrays, memories = library.end(result, self.plan), self.plan, self.arrays, self.memories()
        places = {name: (memories[arrays["memory"][b]], arrays["offset"][b]) for b, name in enumerate(self.names)
                  if arrays["memory"][b] < len(memories)}
        parts = 1000  # MEMPLAN_COST_PARTS, which is no declaration
        return MemoriesPlan(status=status, cost=plan.cost / parts, cost_bound=plan.cost_bound / parts,
                            places=places if right or status in library.FOUND else None,
                            peaks={name: arrays["peak_bytes"][m] for m, name in enumerate(memories)},
                            message=library.text(plan.message),
                            tight=[name for b, name in enumerate(self.names) if arrays["tight"][b]],
                            step=library.number(plan.step),
                            enough={name: arrays["enough_bytes"][m] for m, name in enumerate(memories)
                                    if arrays["enough_bytes"][m] != library.FREE})


def plan_memories(problem: Memories, *, graph: Optional[graphs.Graph] = None, planner: Optional[str] = None,
                  policy: Optional[str] = None, inplace: Optional[str] = None, disable_inplace: str = "", alignment: int = 0,
                  time_limit: float = 1.0, seed: int = 0) -> MemoriesPlan:
    """Plans a problem with several memories: a dict in the format memplan-memories/1, or a .json file with one or with a
    problem of dsa-solver.

    With ``graph``, which is what ``plan_graph`` takes, as are the options after it, the tensors of that are planned, and
    ``problem`` says which memories there are: a dict or a file in the format memplan-hardware/1, or the name of a built-in
    profile, like "imxrt1060". ``planner`` is one of ``memplan list memory-planners``. The plan is verified.
    """
    call = _Call(problem, graph, {"policy": policy, "inplace": inplace, "disable_inplace": disable_inplace,
                                  "alignment": alignment}, {"time_limit_ns": library.nanoseconds(time_limit), "seed": seed})
    name = ffi.NULL if planner is None else ffi.new("char[]", planner.encode())
    return call.finish(library.load().memplan_plan_memories(name, call.given, call.plan), False)


def verify_memories(problem: Memories, places: Mapping[str, tuple[str, int]], *, graph: Optional[graphs.Graph] = None,
                    inplace: Optional[str] = None, disable_inplace: str = "", alignment: int = 0) -> MemoriesPlan:
    """Checks memories and offsets, wherever they come from: "found" where they are right, or "wrong" with a message. Tensors
    that are left out have no place of their own."""
    call = _Call(problem, graph, {"policy": None, "inplace": inplace, "disable_inplace": disable_inplace,
                                  "alignment": alignment}, {})
    unknown = sorted(set(places) - set(call.names))
    if unknown:
        raise ValueError(f"found the place of '{unknown[0]}', expected buffers of the problem")
    verify = library.load().memplan_verify_memories
    library.end(verify(call.given, call.plan), call.plan)  # which names the memories
    memories = call.memories()
    for b, name in enumerate(call.names):
        if name in places:
            memory, offset = places[name]
            if memory not in memories:
                raise ValueError(f"found memory '{memory}', expected one of {memories}")
            call.arrays["memory"][b], call.arrays["offset"][b] = memories.index(memory), offset
    return call.finish(verify(call.given, call.plan), True)
