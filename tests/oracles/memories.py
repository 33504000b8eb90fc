"""Second opinion on problems with several memories: up to seven buffers, every memory and every offset tried.

A case is {"problem": of memories.md, "places": [memory, offset] of each buffer, to be verified, "limit_ms": time of planners that prove}.
The program answers {"valid", "cost" of these places in thousandths, "plans": {planner: {"status", "cost", "bound", "places" where there
is a plan}}}.
"""
import copy
import itertools

import differential


class Truth:
    """What docs/memories.md says of a problem whose buffers are counted from 0."""

    def __init__(self, problem):
        self.problem = problem
        self.buffers = problem["buffers"]
        self.memories = problem["memories"]
        n = len(self.buffers)
        self.place = list(range(n))  # the least buffer of each one's place
        for _ in range(n):
            for a, b in problem.get("colocations", []):
                self.place[a] = self.place[b] = min(self.place[a], self.place[b])
        self.size = [max(b["size"] for i, b in enumerate(self.buffers) if self.place[i] == p) for p in self.place]
        self.apart = {frozenset(pair) for pair in problem.get("separations", [])}
        self.excluded = {frozenset(pair) for pair in problem.get("exclusions", [])}
        self.pins = {pin["buffer"]: pin for pin in problem.get("pins", [])}
        self.allowed = [[m for m, memory in enumerate(self.memories) if memory["name"] in b.get("memories", [memory["name"]])]
                        for b in self.buffers]

    def conflict(self, i, j):
        """Whether buffers of different places keep them from sharing bytes."""
        pair = frozenset((i, j))
        if pair in self.apart or any(self.pins.get(k, {}).get("exclusive") for k in pair):
            return True
        live = any(max(s[0], t[0]) < min(s[1], t[1]) for s in self.buffers[i]["segments"] for t in self.buffers[j]["segments"])
        return live and pair not in self.excluded

    def alone(self, i, m, offset):
        """Whether buffer i may be at the offset of memory m, as far as it is alone."""
        memory, end = self.memories[m], offset + self.size[i]
        pin = self.pins.get(i)
        return (m in self.allowed[i] and offset % self.buffers[i].get("alignment", 1) == 0 and offset % memory.get("alignment", 1) == 0
                and end <= memory.get("capacity", end)
                and (not memory.get("chunk") or offset // memory["chunk"] == (end - 1) // memory["chunk"])
                and all(end <= lower or upper <= offset for lower, upper in memory.get("reserved", []))
                and (not pin or (self.memories[m]["name"], offset) == (pin["memory"], pin["offset"])))

    def contradicts_itself(self):
        """Whether the problem must be refused although it could have a plan."""
        chunks = [memory.get("chunk", 0) for memory in self.memories]
        return (any(self.place[a] == self.place[b] for a, b in self.problem.get("separations", []))
                or any(memory.get("chunk", 0) % memory.get("alignment", 1) for memory in self.memories)
                or any(chunks[m] % b.get("alignment", 1) for i, b in enumerate(self.buffers) for m in self.allowed[i]))

    def traffic(self, i, m):
        b, memory = self.buffers[i], self.memories[m]
        return round(1000 * (b.get("read_bytes", b["size"]) * memory.get("read_ns_per_byte", 0)
                             + b.get("write_bytes", b["size"]) * memory.get("write_ns_per_byte", 0)))

    def share(self, i, j, places):
        return (self.place[i] != self.place[j] and places[i][0] == places[j][0]
                and max(places[i][1], places[j][1]) < min(places[i][1] + self.size[i], places[j][1] + self.size[j]))

    def cost(self, places):
        """None where the plan is not valid."""
        n = range(len(places))
        if any(not self.alone(i, *places[i]) for i in n) or any(places[i] != places[self.place[i]] for i in n):
            return None
        if any(self.share(i, j, places) and self.conflict(i, j) for i, j in itertools.combinations(n, 2)):
            return None
        return (sum(self.traffic(i, places[i][0]) for i in n)
                + sum(round(1000 * w) for a, b, w in self.problem.get("penalties", []) if self.share(a, b, places)))

    def least(self):
        """The least cost of all plans, or None. Places are tried one by one; what costs as much as the best found is left."""
        groups = [[i for i in range(len(self.buffers)) if self.place[i] == p] for p in sorted(set(self.place))]
        groups.sort(key=lambda g: -self.size[g[0]])
        ample = sum(self.size[g[0]] for g in groups) + sum(b.get("alignment", 1) for b in self.buffers)
        ample += sum(m.get("alignment", 1) * len(groups) + m.get("chunk", 0) * len(groups) for m in self.memories)
        ample += max([r[1] for m in self.memories for r in m.get("reserved", [])] + [p["offset"] for p in self.pins.values()] + [0])
        options = []
        for group in groups:
            found = []
            for m, memory in enumerate(self.memories):
                end = memory.get("capacity", ample)
                found += [(sum(self.traffic(i, m) for i in group), m, o) for o in range(end)
                          if o + self.size[group[0]] <= end and all(self.alone(i, m, o) for i in group)]
            options.append(sorted(found))
        floor = [0] * (len(groups) + 1)
        for k in reversed(range(len(groups))):
            if not options[k]:
                return None
            floor[k] = floor[k + 1] + options[k][0][0]
        hard = [[any(self.conflict(i, j) for i in a for j in b) for b in groups] for a in groups]
        soft = [[sum(round(1000 * w) for x, y, w in self.problem.get("penalties", []) if (x in a and y in b) or (x in b and y in a))
                 for b in groups] for a in groups]
        best = None
        chosen = []

        def go(k, cost):
            nonlocal best
            if best is not None and cost + floor[k] >= best:
                return
            if k == len(groups):
                best = cost
                return
            size = self.size[groups[k][0]]
            for traffic, m, o in options[k]:
                if best is not None and cost + traffic + floor[k + 1] >= best:
                    break
                more = traffic
                for q, (other, offset) in enumerate(chosen):
                    if other == m and o < offset + self.size[groups[q][0]] and offset < o + size:
                        if hard[k][q]:
                            break
                        more += soft[k][q]
                else:
                    chosen.append((m, o))
                    go(k + 1, cost + more)
                    chosen.pop()
        go(0, 0)
        return best


def refuted(truth, least, claim):
    """What is false of the planners' answers where the least cost, or the least that is known, is `least`; None: nothing fits."""
    for planner, said in claim["plans"].items():
        if "places" in said:
            cost = truth.cost([tuple(place) for place in said["places"]])
            if cost is None or cost != said["cost"]:
                return f"{planner} has a plan of {said['cost']} that costs {cost}"
            if said["status"] == "optimal" and cost != least:
                return f"{planner} calls {cost} optimal, {least} is possible"
        if said["status"] == "infeasible" and least is not None:
            return f"{planner} says that nothing fits, and something costs {least}"
        if least is not None and said["bound"] > least:
            return f"{planner} says that no plan is below {said['bound']}, and one costs {least}"
    return None


def misjudged(truth, case, claim):
    """What is false of the verdict on the places."""
    cost = truth.cost([tuple(place) for place in case["places"]])
    if claim["valid"] != (cost is not None):
        return f"verify calls the plan {'valid' if claim['valid'] else 'invalid'}"
    if cost is not None and cost != claim["cost"]:
        return f"verify says that the plan costs {claim['cost']}, it costs {cost}"
    return None


def contradiction(case, claim):
    truth = Truth(case["problem"])
    if "error" in claim:
        if "program ended" in claim["error"]:
            return claim["error"]
        return None if truth.contradicts_itself() or truth.least() is None else f"a problem with a plan is refused: {claim['error']}"
    least = truth.least()
    said = misjudged(truth, case, claim) or refuted(truth, least, claim)
    unproved = [planner for planner in ("best", "hitting_set") if claim["plans"][planner]["status"] not in ("optimal", "infeasible")]
    if not said and unproved and (least or 0) < 10**8:
        return f"{unproved[0]} proves nothing"
    return said


def make(random):
    n = random.randint(1, 7)
    steps = random.randint(1, 7)
    kinds = {kind for kind in ("aligned", "reserved", "chunk", "pins", "colocations", "separations", "exclusions", "traffic", "choice", "twins")
             if random.random() < 0.3}
    kinds |= {"penalties"} if random.random() < 0.8 else set()
    memories = []
    for m in range(random.choice((1, 2, 2))):
        memory = {"name": f"m{m}"}
        if random.random() < 0.9:
            memory["capacity"] = random.choice((1, 2, *range(3, 10), *range(3, 10)))
        if "aligned" in kinds and random.random() < 0.5:
            memory["alignment"] = random.choice((2, 3))
        if "reserved" in kinds:
            lower = random.randint(0, 6)
            memory["reserved"] = [[lower, lower + random.randint(1, 2)]]
        if "chunk" in kinds and random.random() < 0.7:
            memory["chunk"] = random.choice((3, 4, 6)) * (memory.get("alignment", 1) if memory.get("alignment", 1) == 2 else 1)
            memory["chunk"] += -memory["chunk"] % memory.get("alignment", 1)
        if "traffic" in kinds:
            memory["read_ns_per_byte"] = random.choice((0, 0.5, 1, 0.125, 3))
            memory["write_ns_per_byte"] = random.choice((0, 1, 2))
        memories.append(memory)
    names = [memory["name"] for memory in memories]
    dear = random.choice((1, 1, 999999937, 10**9))  # far beyond what solvers compute with safely
    buffers = []
    for i in range(n):
        borders = sorted(random.sample(range(steps + 1), 2))
        buffer = {"name": f"b{i}", "size": random.randint(1, 4), "segments": [borders]}
        if borders[1] + 1 < steps and random.random() < 0.2:
            buffer["segments"].append([borders[1] + 1, steps])
        if "aligned" in kinds and random.random() < 0.4:
            buffer["alignment"] = random.choice((2, 3))
        if "choice" not in kinds:
            buffer["memories"] = [random.choice(names)]
        elif random.random() < 0.3:
            buffer["memories"] = random.sample(names, random.randint(1, len(names)))
        if "traffic" in kinds and random.random() < 0.5:
            buffer["read_bytes"] = random.choice((random.randint(0, 9), dear))
            buffer["write_bytes"] = random.choice((0, 1, buffer["size"], dear))
        if "twins" in kinds and buffers and random.random() < 0.6:
            buffer = {**random.choice(buffers), "name": f"b{i}"}
        buffers.append(buffer)
    problem = {"format": "memplan-memories/1", "name": "case", "memories": memories, "buffers": buffers}
    pairs = list(itertools.combinations(range(n), 2))
    for kind, share in (("separations", 0.15), ("exclusions", 0.2), ("colocations", 0.1)):
        if kind in kinds:
            problem[kind] = [list(pair) for pair in pairs if random.random() < share]
    if "penalties" in kinds:
        weights = random.choice(((1,), (1, 2, 5), (0.5, 3, 7, 0)))
        density = random.random()
        problem["penalties"] = [[*pair, random.choice(weights)] for pair in pairs if random.random() < density]
        problem["penalties"] += [[b, a, cost] for a, b, cost in problem["penalties"] if random.random() < 0.1]
    if "pins" in kinds:
        problem["pins"] = [{"buffer": i, "memory": random.choice(buffers[i].get("memories", names)), "offset": random.choice((0, 0, 2, 3, 6)),
                            "exclusive": random.random() < 0.3} for i in range(n) if random.random() < 0.2]
    truth = Truth(problem)
    places = []
    for i in range(n):
        options = [(m, o) for m in truth.allowed[i] for o in range(memories[m].get("capacity", 12)) if truth.alone(i, m, o)]
        random.shuffle(options)
        good = [o for o in options if not any(truth.share(i, j, places + [o]) and truth.conflict(i, j) for j in range(i))]
        places.append(places[truth.place[i]] if truth.place[i] < i else (good or options or [(0, 0)])[0])
    if random.random() < 0.3:
        i = random.randrange(n)
        places[i] = (places[i][0], max(0, places[i][1] + random.choice((-2, -1, 1, 2))))
    return {"problem": problem, "places": places, "limit_ms": 4000}


def smaller(case):
    """The case without a pair, a pin, or something that a buffer or a memory has."""
    for key in ("penalties", "separations", "exclusions", "colocations", "pins"):
        for k in range(len(case["problem"].get(key, []))):
            less = copy.deepcopy(case)
            less["problem"][key].pop(k)
            yield less
    for key, optional in (("buffers", ("alignment", "memories", "read_bytes")),
                          ("memories", ("capacity", "alignment", "reserved", "chunk", "read_ns_per_byte", "write_ns_per_byte"))):
        for k, item in enumerate(case["problem"][key]):
            for name in optional:
                if name in item:
                    less = copy.deepcopy(case)
                    del less["problem"][key][k][name]
                    yield less
    last = len(case["problem"]["buffers"]) - 1
    named = [p[:2] for key in ("penalties", "separations", "exclusions", "colocations") for p in case["problem"].get(key, [])]
    if last > 0 and not any(last in p for p in named) and not any(p["buffer"] == last for p in case["problem"].get("pins", [])):
        less = copy.deepcopy(case)
        less["problem"]["buffers"].pop()
        less["places"].pop()
        yield less


if __name__ == "__main__":
    differential.main(make, contradiction, smaller)
