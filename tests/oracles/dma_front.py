"""Second opinion on complete fronts of transfers: every list of starts of a few operators, run on a chip of its own.

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


class Line:
    """The graph as one line of steps (problem.md, policy flat): its transfer regions, and for which steps each tensor is live."""

    def __init__(self, graph):
        self.regions = [([], 1.0)]  # ([(step, operator), ..], probability); the last one is being filled
        self.steps, self.made, self.reads, self.left_by = 0, {}, {}, {}
        for name in graph["inputs"]:
            self.made[name] = 0
        self.walk(graph["ops"], 1.0)
        for name in graph["outputs"]:
            self.read(name, self.steps - 1)
        self.lives = [(t["bytes"], self.made[t["name"]], max(self.reads.get(t["name"], []) + [self.made[t["name"]]]))
                      for t in graph["tensors"] if t["name"] in self.made]

    def read(self, name, step):
        """Who reads the result of an If reads what its branches left."""
        for source in self.left_by.get(name, [name]):
            self.reads.setdefault(source, []).append(step)

    def step(self, names):
        for name in names:
            self.read(name, self.steps)
        self.steps += 1
        return self.steps - 1

    def walk(self, ops, probability):
        for op in ops:
            step = self.step(op["inputs"])
            if "regions" not in op:
                self.regions[-1][0].append((step, op))
                self.made.update({name: step for name in op["outputs"]})
                continue
            for region in op["regions"]:
                self.regions.append(([], probability / len(op["regions"])))
                self.walk(region["ops"], probability / len(op["regions"]))
            self.step([name for region in op["regions"] for name in region["yields"]])
            for k, name in enumerate(op["outputs"]):
                self.left_by[name] = [source for r in op["regions"] for source in self.left_by.get(r["yields"][k], [r["yields"][k]])]
            self.regions.append(([], probability))


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


def region_schedules(region, hardware):
    """{((bytes, first step, last step) of each weight, ..): the least time of such a schedule of a region}."""
    ops = [op for _, op in region]
    sizes = [sum(w["bytes"] for w in op.get("weights", [])) for op in ops]
    best = {}
    for starts in schedules(ops, sizes):
        weights = sorted((j, begin) for (begin, _), started in starts.items() for j in started)
        lives = tuple((sizes[j], region[begin][0], region[j][0]) for j, begin in weights)
        ns = run(ops, sizes, hardware, starts)
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
    if not claim["complete"]:
        return None
    line = Line(case["graph"])
    regions = [(region_schedules(region, case["hardware"]), share) for region, share in line.regions]
    regions = [({lives: (ns, load_of((*line.lives, *lives))) for lives, ns in best.items()}, share) for best, share in regions]
    # Docs/ do not say when fractions of ns are rounded: of computing that is slowed down, and of expected times.
    rounding = line.steps + 1 if case["hardware"]["contention"] else 1 if len(regions) > 1 else 0
    for point in claim["front"]:
        # Starts in the region before are left out here: they can only save time.
        times = [share * min((ns for ns, load in best.values() if load <= point["load"]), default=math.inf) for best, share in regions]
        if sum(times) + rounding < point["ns"]:
            return f"{point['ns']} ns at a load of {point['load']} bytes in a front that is called complete, {sum(times)} are enough"
        if len(regions) == 1 and times[0] > point["ns"] + rounding:
            return f"no schedule takes {point['ns']} ns at a load of {point['load']} bytes"
    if len(regions) > 1:
        return None
    for lives, (ns, load) in regions[0][0].items():
        lives = (*line.lives, *lives)
        least = min((p["bytes"] for p in claim["front"] if p["ns"] <= ns + rounding), default=sum(life[0] for life in lives) + 1)
        if load < least and fits_below(lives, least - 1):
            return f"the front is called complete, and lacks {ns} ns in {least - 1} bytes"
    return None


class Maker:
    def __init__(self, random):
        self.random, self.weighted, self.tensors = random, 0, []
        self.sizes = random.choice(((1, 8, 30), (16, 100, 400)))
        self.times = random.choice(((0, 10, 60), (100, 400, 4000)))

    def tensor(self, size=None):
        self.tensors.append({"name": f"t{len(self.tensors)}", "bytes": size or self.random.choice(self.sizes)})
        return self.tensors[-1]["name"]

    def chain(self, count, scope):
        """Operators that read one tensor each, mostly the last one."""
        ops = []
        for _ in range(count):
            read = scope[-1 if self.random.random() < 0.7 else self.random.randrange(len(scope))]
            made = self.tensor()
            op = {"name": f"o{made}", "type": "Op", "inputs": [read], "outputs": [made], "compute_ns": self.random.choice(self.times)}
            if self.random.random() < 0.8 and self.weighted < 4:
                self.weighted += 1
                op["weights"] = [{"name": f"w{made}_{k}", "bytes": self.random.choice((1, 4, 20, 100, 400)), "dtype": "int8"}
                                 for k in range(self.random.choice((1, 1, 2)))]
            scope = scope + [made]
            ops.append(op)
        return ops, scope

    def branches(self, scope):
        bodies = [self.chain(self.random.randint(1, 2), scope) for _ in range(2)]
        ends = [inner[-1] for _, inner in bodies]
        result = self.tensor(max(t["bytes"] for t in self.tensors if t["name"] in ends))
        return {"name": "if", "type": "If", "inputs": [scope[-1]], "outputs": [result], "regions": [
            {"name": f"r{end}", "ops": ops, "yields": [end]} for (ops, _), end in zip(bodies, ends)]}


def make(random):
    maker = Maker(random)
    x = maker.tensor()
    if random.random() < 0.7:
        ops, scope = maker.chain(random.randint(2, 5), [x])
    else:
        ops, scope = maker.chain(random.randint(1, 3), [x])
        choice = maker.branches(scope)
        more, scope = maker.chain(random.randint(1, 2), scope + choice["outputs"])
        ops = ops + [choice] + more
    hardware = {"format": "memplan-hardware/1", "name": "chip",
                "dma_bytes_per_second": random.choice((10**9, 10**9, 5 * 10**8, 3 * 10**8)),
                "dma_start_ns": random.choice((0, 0, 30, 100)), "dma_start_instruction_ns": random.choice((0, 20, 50)),
                "dma_wait_instruction_ns": random.choice((0, 20)), "contention": random.choice((0, 0, 0, 0.5, 1))}
    return {"graph": {"format": "memplan-graph/1", "name": "case", "tensors": maker.tensors, "inputs": [x],
                      "outputs": [scope[-1]], "ops": ops}, "policy": "flat", "hardware": hardware}


def smaller(case):
    """Without weights, time, a cost, or the last operator; with fewer bytes."""
    def less(path, key, value):
        made = copy.deepcopy(case)
        place = made
        for step in path:
            place = place[step]
        place[key] = value
        return made

    ops = case["graph"]["ops"]
    if len(ops) > 1:
        tensors = [t for t in case["graph"]["tensors"] if t["name"] not in ops[-1]["outputs"]]
        yield {**case, "graph": {**case["graph"], "ops": ops[:-1], "outputs": ops[-2]["outputs"], "tensors": tensors}}
    for i, op in enumerate(ops):
        for path, inner in [(["graph", "ops", i], op)] + [(["graph", "ops", i, "regions", r, "ops", k], inner) for r, region in
                                                          enumerate(op.get("regions", [])) for k, inner in enumerate(region["ops"])]:
            if inner.get("weights"):
                yield less(path, "weights", inner["weights"][1:])
            if inner.get("compute_ns"):
                yield less(path, "compute_ns", 0)
    for i, tensor in enumerate(case["graph"]["tensors"]):
        if tensor["bytes"] > 1:
            yield less(["graph", "tensors", i], "bytes", 1)
    for key in ("dma_start_ns", "dma_start_instruction_ns", "dma_wait_instruction_ns", "contention"):
        if case["hardware"][key]:
            yield less(["hardware"], key, 0)


if __name__ == "__main__":
    differential.main(make, contradiction, smaller)
