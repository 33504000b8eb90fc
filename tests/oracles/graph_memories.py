"""Second opinion on graphs in several memories (docs/memories.md, "Graphs"): lifetimes, traffic and least costs of small graphs, and
whether a plan with one tensor put elsewhere is still right.

Under `flat` lifetimes are counted as docs/problem.md says and all memories and offsets are tried (memories.py). Every plan is executed on
bytes that remember by which write they came (paths.py), on one line on which the memories lie far apart.
"""
import json
import math
from fractions import Fraction

import differential
import graphs
import memories
import paths
import runs

APART = 1000  # bytes from the start of one memory to that of the next


class Walk:
    """Lifetimes under flat and traffic. `placed`: the results of Ifs with places of their own. `before`: steps before the first
    operator, 1 for path and select, under which an input that nothing reads is needed before that operator only."""

    def __init__(self, graph, placed, before=0):
        self.graph, self.placed = graph, placed
        self.bytes = {t["name"]: t["bytes"] for t in graph["tensors"]}
        self.outside = {t["name"] for t in graph["tensors"] if t.get("memory") == "external"}
        self.life, self.loops = {}, {}  # [first step, last step]; the loops around where it is defined
        self.reads, self.writes = {}, {}
        self.where = {}  # of a result without a place: [(tensor, share)]
        self.steps, later = before, []
        for name in graph["inputs"]:
            self.define(name, 0, ())
            self.writes[name] = 1
        for name in self.outside - self.life.keys():
            self.define(name, 0, ())
        self.run(graph["ops"], (), 1, later)
        for reads in later:
            self.read(*reads)
        for name in graph["outputs"]:
            self.read(name, max(self.steps - 1, 0), (), 1)

    def define(self, name, step, loops):
        self.life[name], self.loops[name] = [step, step], loops

    def read(self, name, step, loops, times):
        if name in self.where:
            for other, share in self.where[name]:
                self.read(other, step, loops, times * share)
            return
        around = [loop for loop in loops if loop not in self.loops[name]]
        self.life[name][1] = max([self.life[name][1], step] + [loop["left"] for loop in around])
        self.reads[name] = self.reads.get(name, 0) + times

    def run(self, ops, loops, times, later):
        for op in ops:
            step, self.steps = self.steps, self.steps + 1
            if not op.get("regions"):
                later += [(name, step, loops, times) for name in dict.fromkeys(op["inputs"])]
                for name in op["outputs"]:
                    self.define(name, step, loops)
                    self.writes[name] = times
            elif "carried" in op:
                loop = {"left": None}
                later += [(row["init"], step, loops, 0) for row in op["carried"]]
                for row in op["carried"]:
                    self.define(row["argument"], step, loops)
                    self.where[row["result"]] = [(row["argument"], 1)]
                trips = op.get("trip_count")
                self.run(op["regions"][0]["ops"], loops + (loop,), times * (1 if trips is None else trips), later)
                loop["left"], self.steps = self.steps, self.steps + 1
                later += [(name, loop["left"], loops, times) for name in dict.fromkeys(op["inputs"])]
                later += [(row["yield"], loop["left"], loops + (loop,), 0) for row in op["carried"]]
                later += [(row["result"], loop["left"], loops, 0) for row in op["carried"]]
            else:
                later += [(name, step, loops, times) for name in dict.fromkeys(op["inputs"])]
                stated = [Fraction(str(region["probability"])) if "probability" in region else None for region in op["regions"]]
                rest = Fraction(max(1 - sum(share or 0 for share in stated), 0))
                shares = [rest / stated.count(None) if share is None else share for share in stated]
                for region, share in zip(op["regions"], shares):
                    self.run(region["ops"], loops, times * share, later)
                left, self.steps = self.steps, self.steps + 1
                for i, result in enumerate(op["outputs"]):
                    yields = [(region["yields"][i], share) for region, share in zip(op["regions"], shares)]
                    later += [(name, left, loops, 0) for name, _ in yields]
                    self.bytes[result] = max(self.bytes[name] for name, _ in yields)
                    if result in self.placed:
                        self.define(result, left, loops)
                    else:
                        self.where[result] = yields

    def traffic(self, name):
        return [math.floor(times.get(name, 0) * self.bytes[name] + Fraction(1, 2)) for times in (self.reads, self.writes)]


def as_problem(walk, case):
    """The problem of flat, as memories.py has them."""
    rows = []
    for name, (first, last) in walk.life.items():
        if name not in walk.outside:
            read, write = walk.traffic(name)
            rows.append({"name": name, "size": walk.bytes[name], "alignment": case["alignment"], "segments": [[first, last + 1]],
                         "read_bytes": read, "write_bytes": write})
    return {"memories": json.loads(case["hardware"])["memories"], "buffers": rows}


def count_plans(problem):
    """How many ways there are to put each buffer anywhere; one without a capacity may be full of all of them."""
    ample = sum(b["size"] + b["alignment"] for b in problem["buffers"])
    return math.prod(sum(max(m.get("capacity", ample) - b["size"] + 1, 0) for m in problem["memories"]) for b in problem["buffers"])


def cost_of(walk, places, rows):
    total = 0
    for name, (m, _) in places.items():
        read, write = walk.traffic(name)
        total += round(1000 * (read * rows[m].get("read_ns_per_byte", 0) + write * rows[m].get("write_ns_per_byte", 0)))
    return total


def is_offered(memory, alignment, offset, bytes):
    end = offset + bytes
    return (offset % alignment == 0 and offset % memory.get("alignment", 1) == 0 and end <= memory.get("capacity", end)
            and (not memory.get("chunk") or offset // memory["chunk"] == (end - 1) // memory["chunk"])
            and all(end <= lower or upper <= offset for lower, upper in memory.get("reserved", [])))


class Counted(runs.Run):
    """A run on which loops make the turns that the graph says."""

    def loop(self, op):
        self.trips = op.get("trip_count")
        super().loop(op)

    def choose(self, among):
        if among is runs.TURNS and self.trips is not None:
            among = (min(self.trips, runs.TURNS[-1]),)
        return super().choose(among)


def is_right(case, walk, places, counted):
    """Whether every tensor lies where it may and survives, with any turns of loops or those that are counted."""
    rows = json.loads(case["hardware"])["memories"]
    if any(m >= len(rows) or not is_offered(rows[m], case["alignment"], o, walk.bytes[name]) for name, (m, o) in places.items()):
        return False
    offsets = {name: m * APART + o for name, (m, o) in places.items()}
    kept, runs.Run = runs.Run, Counted if counted else runs.Run
    try:
        return paths.damage(case["graph"], walk.placed, offsets, math.inf) is None
    finally:
        runs.Run = kept


def contradiction(case, claim):
    graph, policy = case["graph"], case["policy"]
    rows = json.loads(case["hardware"])["memories"]
    simple = not any(op.get("regions") for op in graph["ops"])
    try:
        flat = Walk(graph, set(), int(policy != "flat"))
    except KeyError:  # a smaller graph that is none
        return None
    problem = as_problem(flat, case)
    truth = memories.Truth(problem)
    exact = policy == "flat" or simple
    small = len(problem["buffers"]) <= 7 and count_plans(problem) <= 10 ** 7
    if "error" in claim:
        refused = truth.contradicts_itself() or not (small and exact) or truth.least() is None
        return claim["error"] if "program ended" in claim["error"] or "wrong" in claim["error"] or not refused else None
    least = truth.least() if small else None
    if not exact and (claim["bound"] or claim["status"] in ("optimal", "infeasible")):
        return f"{policy} says {claim['status']} with bound {claim['bound']} of a graph with branches or loops"
    if exact and small and (claim["bound"] > (math.inf if least is None else least)
                            or claim["status"] == "infeasible" and least is not None
                            or claim["status"] == "optimal" and claim["cost"] != least
                            or claim["status"] not in ("optimal", "infeasible")):
        return f"{policy} says {claim['status']} {claim['cost']} with bound {claim['bound']}, the least is {least}"
    if "places" not in claim:
        return None
    places = {name: tuple(place) for name, place in claim["places"].items()}
    walk = Walk(graph, paths.variants(graph, "path")[-1] & places.keys())
    plan = claim["plan"]
    if not is_right(case, walk, places, False) or not plan["valid"] or not plan["intact"]:
        return f"a plan is wrong, or called so: {places}"
    if not claim["cost"] == plan["cost"] == cost_of(walk, places, rows):
        return f"a plan of {claim['cost']} costs {plan['cost']}, or rather {cost_of(walk, places, rows)}"
    if places:
        places[list(places)[case["which"] % len(places)]] = case["memory"], case["offset"]
    for check, counted in (("valid", False), ("intact", True)):
        right = is_right(case, walk, places, counted)
        if claim["altered"][check] != right:
            return f"altered to {places}: {check} is {claim['altered'][check]}, expected {right}"
    if claim["altered"]["valid"] and claim["altered"]["cost"] != cost_of(walk, places, rows):
        return f"altered it costs {claim['altered']['cost']}, or rather {cost_of(walk, places, rows)}"
    return None


def chip(random, bytes):
    rows = []
    for m in range(random.choice((1, 2, 2, 2, 3))):
        row = {"name": f"m{m}"}
        if random.random() < 0.85:
            row["capacity"] = random.randint(max(bytes), max(max(bytes), sum(bytes) * 2 // 3))
        if random.random() < 0.2:
            row["alignment"] = random.choice((2, 3))
        if random.random() < 0.2:
            lower = random.randint(0, 9)
            row["reserved"] = [[lower, lower + random.randint(1, 3)]]
        if random.random() < 0.2:
            row["chunk"] = random.choice((6, 12, 18))
        row["read_ns_per_byte"], row["write_ns_per_byte"] = random.choice((0, 0.5, 1, 0.125, 3)), random.choice((0, 1, 2))
        rows.append(row)
    return json.dumps({"format": "memplan-hardware/1", "name": "chip", "dma_bytes_per_second": 1, "memories": rows})


def make(random):
    while True:
        maker = graphs.Paths(random, [1, 2, 3, 4, 6])
        maker.often = random.choice((0, 0.2, 0.4))
        outside = {"memory": "external"} if random.random() < 0.15 else {}
        inputs = [maker.tensor(**outside)] + [maker.tensor() for _ in range(random.randint(0, 1))]
        visible = list(inputs)
        ops = maker.block(visible, 0 if maker.often else 3, random.randint(1, 4))
        graph = maker.graph(inputs, [t for t in visible if t != "t0" and random.random() < 0.3], ops)
        for op in graphs.operators(graph):
            left = 1
            for region in op.get("regions", []) if "carried" not in op else []:
                if random.random() < 0.6:
                    region["probability"] = random.choice((0, 0.25, 0.5, left)) if left == 1 else random.choice((0, left / 2))
                    left -= region["probability"]
            given = [region.get("probability") for region in op.get("regions", [])]
            if given and None not in given and "carried" not in op and sum(given) != 1:
                op["regions"][-1]["probability"] += 1 - sum(given)
        ways = sum(1 for _, _ in zip(runs.runs(graph, set()), range(65)))
        if ways <= 64 and len(graph["tensors"]) <= 14:
            break
    bytes = [t["bytes"] for t in graph["tensors"]]
    return {"graph": graph, "policy": random.choice(("flat", "flat", "flat", "path", "select")), "alignment": random.choice((1, 1, 1, 2)),
            "hardware": chip(random, bytes), "which": random.randrange(20), "memory": random.choice((0, 0, 1, 1, 2)),
            "offset": random.randint(0, 14)}


if __name__ == "__main__":
    differential.main(make, contradiction, graphs.smaller)
