"""Second opinion on plans for all sizes (docs/sizes.md): families of up to seven buffers, every orientation tried at every point of the box.

A case is {"problem", "planner", "worst_first", "below": lists to be verified, "outside": points}. The program answers {"verdict": whether
it calls the lists safe, "status", "peak", "bound", "worst", "proved" and "least" as [peak, load],
"at", "below", "loads" at all points, the last parameter first,
"allocated": at some points {"point", and what the rules "ggml" and "ggml_reserved" hold there}}.
"""
import copy
import itertools
import math
from fractions import Fraction

import allocators
import differential

FUNCTIONS = {"__builtins__": {}, "ceil": math.ceil, "floor": math.floor, "max": max,
             "align": lambda a, unit: -(-a // unit) * unit}


class Family:
    def __init__(self, problem):
        buffers = problem["buffers"]
        self.names = list(problem["parameters"])
        self.ranges = [problem["parameters"][name] for name in self.names]
        self.points = list(itertools.product(*(range(low, high + 1) for low, high in self.ranges)))
        self.greatest = tuple(high for _, high in self.ranges)
        self.alignment = [b.get("alignment", 1) for b in buffers]
        self.texts = [b["size"] for b in buffers]
        live = [[tuple(s) for s in b.get("segments", [])] for b in buffers]
        index = {b["name"]: i for i, b in enumerate(buffers)}
        self.pairs = {(i, j) for j in range(len(buffers)) for i in range(j)
                      if any(max(s[0], t[0]) < min(s[1], t[1]) for s in live[i] for t in live[j])}
        self.pairs |= {tuple(sorted((index[a], index[b]))) for a, b in problem.get("conflicts", [])}
        self.live = live
        self.cliques = [c for k in range(1, len(live) + 1) for c in itertools.combinations(range(len(live)), k)
                        if all(p in self.pairs for p in itertools.combinations(c, 2))]
        self.size = {point: self.sizes(point) for point in self.points}

    def sizes(self, point):
        values = {name: Fraction(value) for name, value in zip(self.names, point)}
        return [int(eval(t, FUNCTIONS, values)) if isinstance(t, str) else t for t in self.texts]

    def loads(self, point):
        """Least and greatest load: conflicts by name are conflict steps, each of some buffers that all conflict."""
        size, n = self.size[point], range(len(self.texts))
        starts = {s[0] for segments in self.live for s in segments}
        steps = [sum(size[i] for i in n if any(a <= step < b for a, b in self.live[i])) for step in starts]
        return max(steps + [size[i] + size[j] for i, j in self.pairs] + size), max(sum(size[i] for i in c) for c in self.cliques)

    def place(self, below, size):
        """Offsets by the definition; None where something lies below itself."""
        offsets = {}
        while len(offsets) < len(size):
            ready = [b for b in range(len(size)) if b not in offsets and all(a in offsets for a in below[b])]
            if not ready:
                return None
            for b in ready:
                begin = max([offsets[a] + size[a] for a in below[b]], default=0)
                offsets[b] = -(-begin // self.alignment[b]) * self.alignment[b]
        return [offsets[b] for b in range(len(size))]

    def peak(self, below, point):
        size = self.size.get(point) or self.sizes(point)
        offsets = self.place(below, size)
        return max(o + s for o, s in zip(offsets, size))

    def has(self, limits):
        """Whether some orientation keeps the limit of the peak at each point of limits. Each is tried in one order only, from the
        bottom: of neighbours in the order that do not conflict the one with the lower number comes first."""
        n, points = len(self.texts), list(limits)
        size = [[self.size[point][b] for point in points] for b in range(n)]
        limit = [limits[point] for point in points]
        near = [[(min(a, b), max(a, b)) in self.pairs for a in range(n)] for b in range(n)]

        def extend(order, ends):
            if len(order) == n:
                return True
            for b in range(n):
                last = next((i for i in range(len(order) - 1, -1, -1) if near[b][order[i]]), -1)
                if b in order or any(a > b for a in order[last + 1:]):
                    continue
                unit, below = self.alignment[b], [ends[a] for a in order if near[b][a]]
                begin = [max(column) for column in zip(*below)] if below else [0] * len(points)
                end = [-(-low // unit) * unit + s for low, s in zip(begin, size[b])]
                if all(e <= most for e, most in zip(end, limit)) and extend(order + [b], {**ends, b: end}):
                    return True
            return False
        return extend([], {})

    def allocate(self, point):
        """The bytes of ggml's allocator for the sizes at a point."""
        buffers = [{"size": size, "alignment": alignment, "segments": sorted(live)}
                   for size, alignment, live in zip(self.sizes(point), self.alignment, self.live)]
        return allocators.ggml(allocators.Calls({"buffers": buffers}, 32), {})[1]

    def is_safe(self, below):
        n = len(self.texts)
        under = [set(row) for row in below]
        for _ in range(n):
            under = [row.union(*(under[a] for a in row)) for row in under]
        return all(b not in under[b] for b in range(n)) and all(i in under[j] or j in under[i] for i, j in self.pairs)


def contradiction(case, claim):
    if "error" in claim:
        return claim["error"] if "program ended" in claim["error"] else None
    family = Family(case["problem"])
    if claim["verdict"] != family.is_safe(case["below"]):
        return f"verify calls the lists {'safe' if claim['verdict'] else 'unsafe'}"
    if "status" not in claim:
        return None
    below = claim["below"]
    if not family.is_safe(below):
        return "the plan is not safe for all sizes"
    for point in family.points + [tuple(p) for p in case["outside"]]:
        size = family.sizes(point)
        offsets = family.place(below, size)
        for i, j in family.pairs:
            if max(offsets[i], offsets[j]) < min(offsets[i] + size[i], offsets[j] + size[j]):
                return f"buffers {i} and {j} share bytes at {point}"
    load = dict(zip(family.points, claim["loads"]))
    for point in family.points:
        least, most = family.loads(point)
        if not least <= load[point] <= (most if "conflicts" in case["problem"] else least):
            return f"the load at {point} is {load[point]}, not {least} to {most}"
    for held in claim["allocated"] if "conflicts" not in case["problem"] else []:  # with conflicts there are more steps
        expected = {"ggml": family.allocate(held["point"]), "ggml_reserved": family.allocate(family.greatest)}
        if any(held[rule] != expected[rule] for rule in expected):
            return f"{held} is held, and by the rule {expected}"
    ratio = lambda lists: max(Fraction(family.peak(lists, p), load[p]) for p in family.points)
    worst, proved = Fraction(*claim["worst"]), Fraction(*claim["proved"])
    if family.peak(below, family.greatest) != claim["peak"]:
        return "the peak at the greatest sizes is another"
    at = tuple(claim["at"])
    if Fraction(family.peak(below, at), load[at]) != worst:
        return "the worst ratio is not that at its point"
    if ratio(below) > proved or ratio(below) < worst:
        return "a ratio is above what was proved"
    greatest, peak, kept = family.greatest, claim["peak"], ratio(below)
    if family.has({greatest: claim["bound"] - 1}):
        return "a plan for the greatest sizes is below the bound"
    under = {p: math.ceil(Fraction(*claim["least"]) * load[p]) - 1 for p in family.points}
    if family.has({**under, greatest: min(under[greatest], peak)}):
        return "an orientation with this peak has a worst ratio below the least"
    if claim["status"] != "optimal":
        return None
    lower = {p: math.ceil(kept * load[p]) - 1 for p in family.points}
    as_low = {p: math.floor(kept * load[p]) for p in family.points}
    if case["worst_first"]:
        better = family.has(lower) or family.has({**as_low, greatest: min(as_low[greatest], peak - 1)})
    else:
        better = family.has({greatest: peak - 1}) or family.has({**lower, greatest: min(lower[greatest], peak)})
    return "called optimal, and another orientation is better" if better else None


def make_size(random, names, depth=2):
    pick = random.random()
    if depth == 0 or pick < 0.25:
        return str(random.randint(1, 9)) if random.random() < 0.4 else random.choice(names)
    left, right = make_size(random, names, depth - 1), make_size(random, names, depth - 1)
    if pick < 0.45:
        return f"{left} + {right}"
    if pick < 0.7:
        return f"({left})*({right})"
    if pick < 0.78:
        return f"max({left}, {right})"
    if pick < 0.86:
        return f"{random.choice(('ceil', 'floor'))}(({left} + 3) / {random.randint(1, 4)})"
    if pick < 0.93:
        return f"align({left}, {random.randint(1, 8)})"
    return f"{left} + 3 - {random.randint(0, 3)}"


def make(random):
    names = ["n", "m"][:random.choice((1, 1, 1, 2))]
    parameters = {}
    for name in names:
        low = random.randint(1, 6)
        parameters[name] = [low, low + (random.randint(0, 5) if len(names) == 1 else random.randint(0, 2))]
    count, steps = random.choice((2, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 7)), random.randint(2, 7)
    if count == 7:  # three sizes of each, so that all orders take no longer
        names = ["n"]
        parameters = {"n": [low, low + 2]}
    buffers = []
    for i in range(count):
        borders = sorted(random.sample(range(steps + 1), min(steps + 1, 2 * random.choice((1, 1, 1, 2)))))
        buffer = {"name": f"b{i}", "size": random.randint(1, 12) if random.random() < 0.2 else make_size(random, names),
                  "segments": [[a, b] for a, b in zip(borders[::2], borders[1::2])]}
        if random.random() < 0.15:
            buffer["alignment"] = random.choice((2, 3, 4, 8))
        buffers.append(buffer)
    problem = {"format": "memplan-problem/1", "name": "case", "parameters": parameters, "buffers": buffers}
    if random.random() < 0.5:
        problem["conflicts"] = [[buffers[i]["name"], buffers[j]["name"]] for j in range(count) for i in range(j) if random.random() < 0.3]
    order = random.sample(range(count), count)
    rank = {b: i for i, b in enumerate(order)}
    below = [[a for a in range(count) if rank[a] < rank[b] and random.random() < 0.8] for b in range(count)]
    if random.random() < 0.2:
        below[order[0]].append(order[-1])
    return {"problem": problem, "planner": random.choice(("exact", "exact", "large_first", "sequential")),
            "worst_first": random.random() < 0.3, "below": below,
            "outside": [[random.randint(low, 40) for low, _ in parameters.values()] for _ in range(2)]}


def smaller(case):
    """The case without a buffer, a segment, a pair, an alignment, or with a smaller box."""
    for i, buffer in enumerate(case["problem"]["buffers"]):
        less = copy.deepcopy(case)
        less["problem"]["buffers"].pop(i)
        less["below"] = [[a - (a > i) for a in row if a != i] for b, row in enumerate(less["below"]) if b != i]
        if "conflicts" in less["problem"]:
            less["problem"]["conflicts"] = [p for p in less["problem"]["conflicts"] if buffer["name"] not in p]
        if less["problem"]["buffers"]:
            yield less
        for k in range(len(buffer["segments"])):
            less = copy.deepcopy(case)
            less["problem"]["buffers"][i]["segments"].pop(k)
            yield less
        if "alignment" in buffer:
            less = copy.deepcopy(case)
            del less["problem"]["buffers"][i]["alignment"]
            yield less
        for size in range(1, 4) if isinstance(buffer["size"], str) else ():
            less = copy.deepcopy(case)
            less["problem"]["buffers"][i]["size"] = size
            yield less
    for k in range(len(case["problem"].get("conflicts", []))):
        less = copy.deepcopy(case)
        less["problem"]["conflicts"].pop(k)
        yield less
    for name, (low, high) in case["problem"]["parameters"].items():
        for box in ([low, high - 1], [low + 1, high]):
            if low < high:
                less = copy.deepcopy(case)
                less["problem"]["parameters"][name] = box
                yield less


if __name__ == "__main__":
    differential.main(make, contradiction, smaller)
