"""Second opinion on complete fronts of transfers: every list of starts of short chains of operators, run on a chip of its own.

A case is {"graph" of formats.md, "policy": "flat", "hardware" of dma.md}. The program answers {"complete", "front": [{"ns", "load", "bytes"}, ..]}.
"""
import copy
import itertools
import math

import differential
from packing import fits


class Chip:
    """One processor and one channel (dma.md, "The chip"). Times are whole ns."""

    def __init__(self, hardware):
        self.hardware = hardware
        self.now, self.free_at, self.arrives, self.busy = 0, 0, {}, []

    def start(self, op, size):
        """The channel begins once the processor has given the instruction and what was started before has arrived."""
        self.now += self.hardware["dma_start_instruction_ns"]
        begin = max(self.now, self.free_at)
        ns = self.hardware["dma_start_ns"] + -(-size * 10**9 // self.hardware["dma_bytes_per_second"])
        self.free_at = self.arrives[op] = begin + ns
        self.busy.append((begin, self.free_at))

    def wait(self, op):
        self.now = max(self.now, self.arrives[op]) + self.hardware["dma_wait_instruction_ns"]

    def compute(self, ns):
        """Computing takes 1 + contention times as long while the channel is busy."""
        slow, work = 1 + self.hardware["contention"], float(ns)
        for begin, end in self.busy:
            alone = max(0, begin - self.now)
            if work <= alone:
                break
            if end > self.now:
                work -= alone
                self.now += alone
                beside = min(work, (end - self.now) / slow)
                work -= beside
                self.now += beside * slow
        self.now = math.ceil(self.now + work - 1e-6)


def tensors_of(graph):
    """(bytes, first operator, last operator) for which each tensor is live under policy flat."""
    ops, lives = graph["ops"], []
    for tensor in graph["tensors"]:
        name = tensor["name"]
        made = [i for i, op in enumerate(ops) if name in op["outputs"]]
        reads = [i for i, op in enumerate(ops) if name in op["inputs"]]
        last = len(ops) - 1 if name in graph["outputs"] else max(reads + made, default=0)
        lives.append((tensor["bytes"], made[0] if made else 0, last))
    return lives


def schedules(ops, sizes):
    """All lists of starts: {(operator, whether after its wait): weights in the order of their starts}."""
    weighted = [i for i, size in enumerate(sizes) if size]
    places = []
    for i in weighted:
        places.append([(j, after) for j in range(i + 1) for after in ((0, 1) if sizes[j] and j < i else (0,))])
    for chosen in itertools.product(*places):
        groups = {}
        for i, place in zip(weighted, chosen):
            groups.setdefault(place, []).append(i)
        for orders in itertools.product(*(itertools.permutations(group) for group in groups.values())):
            yield dict(zip(groups, orders))


def run(ops, sizes, hardware, starts):
    chip = Chip(hardware)
    for i, op in enumerate(ops):
        for j in starts.get((i, 0), ()):
            chip.start(j, sizes[j])
        if sizes[i]:
            chip.wait(i)
        for j in starts.get((i, 1), ()):
            chip.start(j, sizes[j])
        chip.compute(op.get("compute_ns", 0))
    return chip.now


def all_schedules(case):
    """{lives of all tensors and weights: the least time of a schedule with these}."""
    ops = case["graph"]["ops"]
    sizes = [sum(w["bytes"] for w in op.get("weights", [])) for op in ops]
    tensors = tensors_of(case["graph"])
    best = {}
    for starts in schedules(ops, sizes):
        weights = sorted((j, begin) for (begin, _), started in starts.items() for j in started)
        lives = (*tensors, *((sizes[j], begin, j) for j, begin in weights))
        ns = run(ops, sizes, case["hardware"], starts)
        best[lives] = min(ns, best.get(lives, ns))
    return best


def load_of(lives):
    return max(sum(size for size, first, last in lives if first <= i <= last) for i in range(max(life[2] for life in lives) + 1))


def fits_below(lives, capacity):
    meet = [(i, j) for j, b in enumerate(lives) for i, a in enumerate(lives[:j]) if max(a[1], b[1]) <= min(a[2], b[2])]
    windows = {(i, j): [(0, lives[i][0], 0, lives[j][0])] for i, j in meet}
    n = len(lives)
    return fits([life[0] for life in lives], [1] * n, [None] * n, windows, capacity) is not None


def contradiction(case, claim):
    if "error" in claim:
        return claim["error"] if "program ended" in claim["error"] else None
    best = {lives: (ns, load_of(lives)) for lives, ns in all_schedules(case).items()}
    # Where computing slows down times are fractions, and docs/ do not say when they are rounded.
    rounding = len(case["graph"]["ops"]) + 1 if case["hardware"]["contention"] else 0
    for point in claim["front"]:
        if not any(load <= point["load"] and ns <= point["ns"] + rounding for ns, load in best.values()):
            return f"no schedule takes {point['ns']} ns at a load of {point['load']} bytes"
        for ns, load in best.values():
            if claim["complete"] and load <= point["load"] and ns + rounding < point["ns"]:
                return f"{point['ns']} ns in a front that is called complete; {ns} at a load of {load} of {point['load']} bytes"
    for lives, (ns, load) in best.items():
        least = min((p["bytes"] for p in claim["front"] if p["ns"] <= ns + rounding), default=sum(life[0] for life in lives) + 1)
        if claim["complete"] and load < least and fits_below(lives, least - 1):
            return f"the front is called complete, and lacks {ns} ns in {least - 1} bytes"
    return None


def make(random):
    count = random.randint(2, 5)
    sizes, times = random.choice(((1, 8, 30), (16, 100, 400))), random.choice(((0, 10, 60), (100, 400, 4000)))
    tensors, ops, scope, weighted = [{"name": "x", "bytes": random.choice(sizes)}], [], ["x"], 0
    for i in range(count):
        tensors.append({"name": f"t{i}", "bytes": random.choice(sizes)})
        op = {"name": f"o{i}", "type": "Op", "inputs": [scope[-1 if random.random() < 0.7 else random.randrange(len(scope))]],
              "outputs": [f"t{i}"], "compute_ns": random.choice(times)}
        if random.random() < 0.8 and weighted < 4:
            weighted += 1
            op["weights"] = [{"name": f"w{i}_{k}", "bytes": random.choice((1, 4, 20, 100, 400)), "dtype": "int8"}
                             for k in range(random.choice((1, 1, 2)))]
        scope.append(f"t{i}")
        ops.append(op)
    hardware = {"format": "memplan-hardware/1", "name": "chip",
                "dma_bytes_per_second": random.choice((10**9, 10**9, 5 * 10**8, 3 * 10**8)),
                "dma_start_ns": random.choice((0, 0, 30, 100)), "dma_start_instruction_ns": random.choice((0, 20, 50)),
                "dma_wait_instruction_ns": random.choice((0, 20)), "contention": random.choice((0, 0, 0, 0.5, 1))}
    return {"graph": {"format": "memplan-graph/1", "name": "case", "tensors": tensors, "inputs": ["x"],
                      "outputs": [scope[-1]], "ops": ops}, "policy": "flat", "hardware": hardware}


def smaller(case):
    """Without weights, time, a cost, or the last operator; with fewer bytes."""
    ops = case["graph"]["ops"]
    if len(ops) > 1:
        less = copy.deepcopy(case)
        less["graph"]["ops"].pop()
        less["graph"]["tensors"].pop()
        less["graph"]["outputs"] = ops[-2]["outputs"]
        yield less
    for i, op in enumerate(ops):
        for key, least in (("weights", None), ("compute_ns", 0)):
            if op.get(key, least) != least:
                less = copy.deepcopy(case)
                if least is None:
                    less["graph"]["ops"][i][key].pop()
                    if not less["graph"]["ops"][i][key]:
                        del less["graph"]["ops"][i][key]
                else:
                    less["graph"]["ops"][i][key] = least
                yield less
    for i, tensor in enumerate(case["graph"]["tensors"]):
        if tensor["bytes"] > 1:
            less = copy.deepcopy(case)
            less["graph"]["tensors"][i]["bytes"] = 1
            yield less
    for key in ("dma_start_ns", "dma_start_instruction_ns", "dma_wait_instruction_ns", "contention"):
        if case["hardware"][key]:
            yield {**case, "hardware": {**case["hardware"], key: 0}}


if __name__ == "__main__":
    differential.main(make, contradiction, smaller)
