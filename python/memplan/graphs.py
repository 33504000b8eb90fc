"""Graphs: operators and tensors, with branches and loops."""
from __future__ import annotations

import json
import os
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Mapping, Optional, Union

from . import library
from .library import MemplanError, ffi

Graph = Union[Mapping[str, Any], str, "os.PathLike[str]"]


@dataclass(frozen=True)
class GraphPlan:
    """What came out of ``plan_graph`` or ``verify_graph``. It is true where there is a plan that is right."""
    status: str
    """As of ``Plan``; "sampled" where there are more paths than were checked."""
    peak: int
    lower_bound: int
    offsets: Optional[dict[str, int]]
    """The offset in bytes of each tensor that has a place of its own; None without a plan."""
    message: str
    witness: Optional[tuple[str, Optional[str]]]
    """The tensors that share bytes, or the largest two of the fullest step where nothing fits the capacity."""
    step: Optional[int]

    def __bool__(self) -> bool:
        return self.status in library.FOUND


def _read(graph: Graph) -> dict[str, Any]:
    """A graph as a dict: of one, of a .json file, or of whatever the program reads (a model, a built-in name)."""
    if isinstance(graph, Mapping):
        return dict(graph)
    if Path(graph).suffix == ".json":
        return json.loads(Path(graph).read_text())
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "graph.json")
        ended = subprocess.run([library.program(), "convert", os.fspath(graph), str(path)], capture_output=True, text=True)
        if ended.returncode:
            raise ValueError(ended.stderr.strip())
        return json.loads(path.read_text())


def _make(graph: Graph, policy: Optional[str], inplace: Optional[str], disable_inplace: str, pin_io: bool, alignment: int,
          settings: dict[str, int]) -> tuple[Any, list[Any], list[str]]:
    compiled, read = library.load(), _read(graph)
    if read.get("format") != "memplan-graph/1":
        raise ValueError(f"found the format {read.get('format')!r}, expected 'memplan-graph/1'")
    names = [tensor["name"] for tensor in read.get("tensors", [])]
    texts = {"json": json.dumps(read, ensure_ascii=False), "policy": policy, "inplace": inplace,
             "disable_inplace": disable_inplace or None}
    fields = {key: ffi.new("char[]", value.encode()) for key, value in texts.items() if value is not None}
    given = ffi.new("struct memplan_graph *", {"struct_bytes": ffi.sizeof("struct memplan_graph"), "tensors": len(names),
                                               "flags": compiled.MEMPLAN_PIN_IO if pin_io else 0,
                                               "alignment_bytes": alignment, **fields, **settings})
    return given, list(fields.values()), names


def _finish(result: int, answer: Any, offsets: Any, names: list[str], right: bool) -> GraphPlan:
    status = library.end(result, answer)
    first, second = library.number(answer.first), library.number(answer.second)
    places = {name: offsets[i] for i, name in enumerate(names) if offsets[i] != library.FREE}
    return GraphPlan(status=status, peak=answer.peak_bytes, lower_bound=answer.lower_bound_bytes,
                     offsets=places if right or status in library.FOUND else None, message=library.text(answer.message),
                     witness=None if first is None else (names[first], None if second is None else names[second]),
                     step=library.number(answer.step))


def plan_graph(graph: Graph, *, planner: Optional[str] = None, policy: Optional[str] = None, inplace: Optional[str] = None,
               disable_inplace: str = "", pin_io: bool = False, alignment: int = 0, capacity: int = 0,
               time_limit: float = 1.0, seed: int = 0, threads: int = 1) -> GraphPlan:
    """Plans a graph: a dict in the format memplan-graph/1, a .json file with one, or anything else that ``memplan convert``
    reads (a model, or a name like "zoo/resnet50"), which needs the program.

    ``policy``, ``inplace``, ``disable_inplace`` ("Add,Mul") and ``pin_io`` are those of ``memplan plan``; ``alignment`` 0
    is what each dtype needs. The plan is verified along the graph's paths.
    """
    settings = {"capacity_bytes": capacity, "time_limit_ns": library.nanoseconds(time_limit), "seed": seed, "threads": threads}
    given, kept, names = _make(graph, policy, inplace, disable_inplace, pin_io, alignment, settings)
    answer, offsets = library.new_answer(len(names))
    name = ffi.NULL if planner is None else ffi.new("char[]", planner.encode())
    return _finish(library.load().memplan_plan_graph(name, given, answer), answer, offsets, names, False)


def verify_graph(graph: Graph, offsets: Mapping[str, int], *, inplace: Optional[str] = None, disable_inplace: str = "",
                 alignment: int = 0, capacity: int = 0) -> GraphPlan:
    """Checks offsets of a graph's tensors along its paths; tensors that are left out have no place of their own."""
    given, kept, names = _make(graph, None, inplace, disable_inplace, False, alignment, {"capacity_bytes": capacity})
    unknown = sorted(set(offsets) - set(names))
    if unknown:
        raise ValueError(f"found the offset of '{unknown[0]}', expected tensors of the graph")
    answer, places = library.new_answer(len(names), [offsets.get(name, library.FREE) for name in names])
    return _finish(library.load().memplan_verify_graph(given, answer), answer, places, names, True)
