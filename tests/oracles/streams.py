"""Second opinion on graphs of several streams: every way through small graphs, every pair of uses of bytes.

A case is {"graph": of formats.md, "policy", "offsets": of a plan to be checked}. The program answers {"status", "peak", "bound",
"offsets", "launched", "verdict", "execution", "given": {"verdict", "execution"}}: what it plans and says of that, with the graph that
has the waits which the policy adds (null: none), what it says of the given plan.
A verdict is "valid" or "invalid", an execution "intact" or "damaged"; anything else claims nothing.
"""
import collections

import differential
from packing import fits
from stream_cases import make, smaller
from stream_ways import TooManyWays, broken, must_be_apart, places, uncovered


def first_streams(graph):
    """{place: stream that writes it first}, each input a stream of its own, since docs/ do not say."""
    streams = {name: name for name in graph["inputs"]}

    def region(ops, stream):
        for op in ops:
            own = op.get("stream", stream)
            streams.update({name: own for name in op["outputs"] + [c["argument"] for c in op.get("carried", [])]})
            for inner in op.get("regions", []):
                region(inner["ops"], own)
    region(graph["ops"], "main")
    return streams


def op_streams(ops, stream):
    """The stream of each operator of a region whose owner is on `stream`."""
    for op in ops:
        yield op.get("stream", stream)
        for region in op.get("regions", []):
            yield from op_streams(region["ops"], op.get("stream", stream))


def changed(ops, launched, stream, other):
    """What is not the same in the operators of a region that are launched, but for more waits and another order of the streams."""
    by_name = {op["name"]: op for op in launched}
    for name in {op.get("stream", stream) for op in ops}:
        if [op["name"] for op in ops if op.get("stream", stream) == name] != \
           [op["name"] for op in launched if op.get("stream", other) == name]:
            return f"the operators of stream {name}"
    for op in ops:
        again = by_name[op["name"]]
        if any(op.get(key) != again.get(key) for key in ("inputs", "outputs", "carried", "trip_count")):
            return f"operator {op['name']}"
        if not set(op.get("after", [])) <= set(again.get("after", [])):
            return f"the waits of operator {op['name']}"
        pairs = list(zip(op.get("regions", []), again.get("regions", []), strict=True))
        if any(region["yields"] != same["yields"] for region, same in pairs):
            return f"what operator {op['name']} yields"
        for region, same in pairs:
            fault = changed(region["ops"], same["ops"], op.get("stream", stream), again.get("stream", other))
            if fault:
                return fault
    return None


def fits_in(case, capacity):
    sizes = places(case["graph"])
    names = list(sizes)
    windows = collections.defaultdict(list)
    for a, size, b, other in must_be_apart(case["graph"], None, False):
        if a != b:
            windows[names.index(a), names.index(b)].append((0, size, 0, other))
    if case["policy"] == "per_stream":
        streams = first_streams(case["graph"])
        for j, b in enumerate(names):
            for i, a in enumerate(names[:j]):
                if streams[a] != streams[b]:
                    windows[i, j].append((0, sizes[a], 0, sizes[b]))
    n = len(names)
    return fits(list(sizes.values()), [1] * n, [None] * n, windows, capacity) is not None


def judge(case, claim):
    if "error" in claim:
        return claim["error"] if "program ended" in claim["error"] else None
    graph = case["graph"]
    if len(set(op_streams(graph["ops"], "main"))) < 2:  # docs/problem.md says what is right on one stream
        return None
    launched = claim["launched"] or graph
    if launched is not graph:
        fault = changed(graph["ops"], launched["ops"], "main", "main")
        if fault:
            return f"{fault} is not launched as it stands"
        if uncovered(launched):
            return f"no wait covers the read of {uncovered(launched)}"
    for graph, offsets, said in ((graph, case["offsets"], claim["given"]), (launched, claim["offsets"], claim)):
        yes, no = [[f"{kind}: {said[kind]}" for kind in ("verdict", "execution") if said[kind] in words]
                   for words in (("valid", "intact"), ("invalid", "damaged"))]
        fault = broken(graph, offsets, True) if yes and offsets else None
        if fault:
            return f"{', '.join(yes)}, but {fault} in a plan {offsets}"
        if no and offsets and not broken(graph, offsets, False):
            return f"{', '.join(no)}, but nothing is wrong with a plan {offsets}"
    if case["policy"] in ("streams", "per_stream"):
        least = claim["peak"] if claim["status"] == "optimal" else claim["bound"]
        if max(least, claim["bound"]) and fits_in(case, max(least, claim["bound"]) - 1):
            return f"{claim['status']}, {claim['peak']} bytes, bound {claim['bound']}, and less is enough"
    return None


def contradiction(case, claim):
    try:
        return judge(case, claim)
    except TooManyWays:  # which make avoids
        return None


if __name__ == "__main__":
    differential.main(make, contradiction, smaller)
