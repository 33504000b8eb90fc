"""Whether "optimal", the bound and the plan are right where dtypes need an alignment, and where inputs and outputs are pinned.

Mostly graphs without control flow under policy flat; where there are branches or loops, only the places are looked at. A tensor is live from the step that writes it to the last one that reads it, an
input from the first step, an output to the last one (docs/problem.md); its offset is a multiple of the bytes of its dtype's
elements, or of the alignment that was asked for. Pinned inputs and outputs lie at the start of the arena in the order of the
graph, each at the next multiple, and share no byte with anything at any time. All offsets of the others are tried.
"""
import itertools

import differential
import graphs
import packing
from runs import runs

BYTES = {"int8": 1, "bool": 1, "int16": 2, "float16": 2, "float32": 4, "int64": 8}


def size_of(tensor):
    if "bytes" in tensor:
        return tensor["bytes"]
    count = 1
    for length in tensor["shape"]:
        count *= length
    return count * BYTES[tensor["dtype"]]


def value_sizes(graph):
    """The bytes of each tensor's place: that of the result of an If has as many as the largest value that a branch yields."""
    sizes = {tensor["name"]: size_of(tensor) for tensor in graph["tensors"]}

    def visit(ops):
        for op in ops:
            for region in op.get("regions", []):
                visit(region["ops"])
            for k, result in enumerate(op["outputs"] if op.get("regions") and "carried" not in op else []):
                sizes[result] = max(sizes[region["yields"][k]] for region in op["regions"])

    visit(graph["ops"])
    return sizes


def facts(case):
    """Of each planned tensor: size, alignment, lifetime and, where it is pinned, its offset."""
    graph, rows, sizes = case["graph"], {}, value_sizes(case["graph"])
    last = max(len(graph["ops"]) - 1, 0)
    for tensor in graph["tensors"]:
        if tensor.get("memory") != "external":
            alignment = case["alignment"] or BYTES.get(tensor.get("dtype"), 1)
            rows[tensor["name"]] = {"size": sizes[tensor["name"]], "alignment": alignment, "lower": 0, "upper": 0, "pinned": None}
    for step, op in enumerate(graph["ops"]):
        for name in op["outputs"]:
            if name in rows:
                rows[name].update(lower=step, upper=step)
        for name in op["inputs"]:
            if name in rows:
                rows[name]["upper"] = step
    for name in graph["outputs"]:
        if name in rows:
            rows[name]["upper"] = last
    # The result of a loop is where its argument is, so the alignment is that of both.
    for op in graphs.operators(graph):
        for carried in op.get("carried", []):
            if carried["result"] in rows:
                row = rows[carried["result"]]
                row["alignment"] = max(row["alignment"], rows[carried["argument"]]["alignment"])
    end = 0
    for name in dict.fromkeys(graph["inputs"] + graph["outputs"]) if "pin_io" in case else ():
        if name in rows:
            row = rows[name]
            row["pinned"] = -(-end // row["alignment"]) * row["alignment"]
            end = row["pinned"] + row["size"]
    return rows


def conflict(a, b):
    always = a["pinned"] is not None or b["pinned"] is not None
    return always or (a["lower"] <= b["upper"] and b["lower"] <= a["upper"])


def misplaced(case, claim, rows):
    """What is wrong with where tensors lie, whatever their lifetimes: alignments and pinned places."""
    offsets = claim["offsets"]
    inside = {row["result"]: row["argument"] for op in graphs.operators(case["graph"]) for row in op.get("carried", [])}
    for name, offset in offsets.items():
        if offset % rows[name]["alignment"]:
            return f"{name} at {offset}, expected a multiple of {rows[name]['alignment']}"
    pinned = {inside.get(name, name): row for name, row in rows.items() if row["pinned"] is not None}
    for name, row in pinned.items():
        if offsets.get(name) != row["pinned"]:
            return f"{name} at {offsets.get(name)}, expected it at {row['pinned']}"
        for other, at in offsets.items():
            if other != name and at < row["pinned"] + row["size"] and row["pinned"] < at + rows[other]["size"]:
                return f"{other} at {at} shares bytes with {name}, which is pinned"
    if claim["status"] == "optimal" and claim["bound"] != claim["peak"]:
        return f"optimal at {claim['peak']} with bound {claim['bound']}"
    return None


def contradiction(case, claim):
    if "error" in claim:
        return claim["error"] if claim["error"].startswith("the program") else None
    if "broken" in claim:
        return f"no plan, or one that a check refuses: {claim['broken']}"
    rows, offsets = facts(case), claim["offsets"]
    wrong = misplaced(case, claim, rows)
    highest = max((offset + rows[name]["size"] for name, offset in offsets.items()), default=0)
    if claim["peak"] != highest:
        wrong = wrong or f"a peak of {claim['peak']}, but the highest tensor ends at {highest}"
    if wrong or case["policy"] != "flat" or any(op.get("regions") for op in case["graph"]["ops"]):
        return wrong
    if rows.keys() != offsets.keys():
        return f"places of {sorted(offsets)}, expected those of {sorted(rows)}"
    names = sorted(rows)
    pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1:] if conflict(rows[a], rows[b])]
    for a, b in pairs:
        if offsets[a] < offsets[b] + rows[b]["size"] and offsets[b] < offsets[a] + rows[a]["size"]:
            return f"{a} at {offsets[a]} and {b} at {offsets[b]} share bytes"
    number = {name: i for i, name in enumerate(names)}
    windows = {(number[a], number[b]): [(0, rows[a]["size"], 0, rows[b]["size"])] for a, b in pairs}
    lower = packing.fits([rows[n]["size"] for n in names], [rows[n]["alignment"] for n in names],
                         [rows[n]["pinned"] for n in names], windows, claim["bound"] - 1)
    return lower and names and f"bound {claim['bound']}, but all fit below it at {dict(zip(names, lower))}"


def branched(random):
    """A graph with branches and loops, some of whose tensors have dtypes; of more ways than are all checked none."""
    maker = graphs.Paths(random, [4, 8, 8, 16])
    inputs = [maker.tensor() for _ in range(random.randint(1, 2))]
    visible = list(inputs)
    ops = maker.block(visible, 0, random.randint(1, 5))
    graph = maker.graph(inputs, [t for t in visible if random.random() < 0.3], ops)
    if sum(1 for _ in itertools.islice(runs(graph, set()), 65)) > 64:
        return branched(random)
    for tensor in graph["tensors"]:
        dtype = random.choice((None, "int8", "int16", "float32", "int64"))
        if dtype and tensor["bytes"] % BYTES[dtype] == 0:
            tensor.update(dtype=dtype, shape=[tensor.pop("bytes") // BYTES[dtype]])
    return graph


def plain(random):
    tensors = []

    def tensor(**more):
        dtype = random.choice((None, *BYTES))
        what = {"bytes": random.randint(1, 9)} if dtype is None else {"dtype": dtype, "shape": [random.randint(1, 5)]}
        tensors.append({"name": f"t{len(tensors)}", **what, **more})
        return tensors[-1]["name"]

    inputs = [tensor(**({"memory": "external"} if random.random() < 0.15 else {})) for _ in range(random.randint(1, 2))]
    visible, ops = list(inputs), []
    for number in range(random.randint(1, 6)):
        reads = list(dict.fromkeys(random.choice(visible[-4:]) for _ in range(random.choice((1, 1, 2)))))
        writes = [tensor() for _ in range(random.choice((1, 1, 1, 2)))]
        ops.append({"name": f"o{number}", "type": "Op", "inputs": reads, "outputs": writes})
        visible += writes
    outputs = [name for name in visible if random.random() < 0.25] or visible[-1:]
    return {"format": "memplan-graph/1", "name": "g", "tensors": tensors, "inputs": inputs, "outputs": outputs, "ops": ops}


def make(random):
    graph, policy = plain(random), "flat"
    if random.random() < 0.3:
        graph, policy = branched(random), random.choice(("flat", "sum", "recursive", "hoist", "path", "select"))
    pinned = {"pin_io": True} if random.random() < 0.6 else {}
    return {"graph": graph, "policy": policy, "alignment": random.choice((0, 0, 0, 1, 3, 4)), **pinned}


def smaller(case):
    graph = case["graph"]
    for i in range(len(graph["ops"])):
        gone = set(graph["ops"][i]["outputs"])
        ops = [{**op, "inputs": [t for t in op["inputs"] if t not in gone]} for k, op in enumerate(graph["ops"]) if k != i]
        yield {**case, "graph": {**graph, "ops": ops, "outputs": [t for t in graph["outputs"] if t not in gone]}}
    for name in graph["outputs"]:
        yield {**case, "graph": {**graph, "outputs": [t for t in graph["outputs"] if t != name]}}
    used = {t for op in graphs.operators(graph) for t in op["inputs"] + op["outputs"]} | {*graph["inputs"], *graph["outputs"]}
    if not any(op.get("regions") for op in graph["ops"]) and len(used) < len(graph["tensors"]):
        yield {**case, "graph": {**graph, "tensors": [t for t in graph["tensors"] if t["name"] in used]}}


if __name__ == "__main__":
    differential.main(make, contradiction, smaller)
