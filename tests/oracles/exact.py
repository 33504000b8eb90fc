"""Second opinion on exact planners: problems of up to seven buffers, every offset tried.

A case is {"problem": of formats.md, "capacity": bytes or 0 for none, "offsets": of a plan to be verified, "asked": planners with
their settings, "limit_ms": time of each}. The program answers
{"verdict": true where it calls the plan valid, "plans": {planner: {"status", "peak", "bound", "offsets" where there is a plan}}}.
"""
import math

import differential
from packing import fits, meets

SEARCHES = ["exact", "best", "window_search", "large_first"]
PROGRAMS = ["glpk", "ilp_pairs", "ilp_hull", "ilp_order", "ilp_benders", "ilp_positions", "ilp_colours", "ilp_race"]


def windows_of(problem):
    """{(i, j): bytes of i and of j that must not meet}, from problem.md."""
    buffers = problem["buffers"]
    names = [buffer["name"] for buffer in buffers]
    windows = {}
    for j, b in enumerate(buffers):
        for i, a in enumerate(buffers[:j]):
            if "clock" in a:
                (start, end), (other_start, other_end) = a["clock"], b["clock"]
                over = lambda ends, starts: all(e <= s for e, s in zip(ends, starts))
                pairs = [] if over(end, other_start) or over(other_end, start) else [(0, a["size"], 0, b["size"])]
            else:
                pairs = [(*(s[2:] or (0, a["size"])), *(t[2:] or (0, b["size"])))
                         for s in a.get("segments", []) for t in b.get("segments", []) if max(s[0], t[0]) < min(s[1], t[1])]
            if pairs:
                windows[i, j] = pairs
    for a, b in problem.get("conflicts", []):
        i, j = sorted((names.index(a), names.index(b)))
        windows.setdefault((i, j), []).append((0, buffers[i]["size"], 0, buffers[j]["size"]))
    return windows


class Truth:
    """What fits where. Bytes are counted in units that divide all sizes, windows, alignments and offsets."""

    def __init__(self, problem):
        buffers = problem["buffers"]
        windows = windows_of(problem)
        self.alignments = [b.get("alignment", 1) for b in buffers]
        self.windows = windows
        self.fixed = [b.get("offset") for b in buffers]
        self.sizes = [b["size"] for b in buffers]
        self.ample = sum(self.sizes) + sum(self.alignments) + max(offset or 0 for offset in self.fixed)
        self.unit = math.gcd(*self.alignments, *self.sizes, *(o or 0 for o in self.fixed),
                             *(byte for pairs in windows.values() for pair in pairs for byte in pair))
        self.known = {}

    def fits(self, capacity):
        units = capacity // self.unit
        if units not in self.known:
            share = lambda values: [None if v is None else v // self.unit for v in values]
            windows = {pair: [share(four) for four in fours] for pair, fours in self.windows.items()}
            found = fits(share(self.sizes), share(self.alignments), share(self.fixed), windows, units) if units > 0 else None
            self.known[units] = found is not None
        return self.known[units]

    def fault(self, offsets):
        """What is wrong with a plan, or None."""
        for i, offset in enumerate(offsets):
            if offset % self.alignments[i] or self.fixed[i] not in (None, offset):
                return f"buffer {i} cannot be at {offset}"
        pair = meets(offsets, self.windows)
        return pair and f"buffers {pair[0]} and {pair[1]} share bytes that both need"


def contradiction(case, claim, truth_of=Truth):
    """What is false in an answer, held against truth_of(problem)."""
    if "error" in claim:
        return claim["error"] if "program ended" in claim["error"] else None
    truth = truth_of(case["problem"])
    fault = truth.fault(case["offsets"])
    if claim["verdict"] == bool(fault):
        return f"verify calls the plan {'valid' if claim['verdict'] else 'invalid'}: {fault}"
    for planner, said in claim["plans"].items():
        if "offsets" in said:
            fault = truth.fault(said["offsets"])
            ends = max(o + s for o, s in zip(said["offsets"], truth.sizes))
            if fault or ends != said["peak"]:
                return f"{planner} has a wrong plan: {fault or 'its peak is not where it ends'}"
            if case["capacity"] and ends > case["capacity"]:
                return f"{planner} has a plan above the capacity"
        if said["status"] == "optimal" and truth.fits(said["peak"] - 1):
            return f"{planner} calls {said['peak']} optimal, and less is enough"
        if said["status"] == "infeasible" and truth.fits(case["capacity"] or truth.ample):
            return f"{planner} says that nothing fits, and something does"
        if said["bound"] and truth.fits(said["bound"] - 1):
            return f"{planner} says that no plan is below {said['bound']}, and one is"
    return None


def make_segments(random, size, steps):
    borders = sorted(random.sample(range(steps + 1), min(steps + 1, 2 * random.choice((1, 1, 1, 2, 2, 3)))))
    segments = [[a, b] for a, b in zip(borders[::2], borders[1::2])]
    if random.random() < 0.2:  # pieces that touch, with windows of their own
        segments = [[a, b] for a, b in zip(borders, borders[1:])]
    for segment in segments:
        if size > 1 and random.random() < 0.4:
            segment += sorted(random.sample(range(size + 1), 2))
    return segments


def make(random):
    n, steps = random.randint(1, 7), random.randint(1, 9)
    kinds = {kind for kind in ("aligned", "fixed", "pairs", "windows", "large") if random.random() < 0.4}
    clocks = random.random() < 0.15
    unit = 1 << 33 if "large" in kinds else 1
    alignments = random.choice(((1, 1, 2, 3, 4), (2,), (3,), (4,), (2, 4), (3, 6))) if "aligned" in kinds else (1,)
    buffers = []
    for i in range(n):
        size = random.randint(1, random.choice((3, 7)))
        buffer = {"name": f"b{i}", "size": size * unit}
        if clocks:
            start = [random.randint(0, 3) for _ in range(random.choice((2, 3)) if i == 0 else len(buffers[0]["clock"][0]))]
            buffer["clock"] = [start, [s + random.choice((0, 0, 1, 2)) for s in start]]
            buffer["clock"][1][i % len(start)] += start == buffer["clock"][1]
        else:
            segments = make_segments(random, size, steps) if random.random() < 0.9 or "pairs" not in kinds else []
            buffer["segments"] = [s[:2] + ([byte * unit for byte in s[2:]] if "windows" in kinds else []) for s in segments]
        alignment = random.choice(alignments)
        if alignment * unit > 1:
            buffer["alignment"] = alignment * unit
        if "fixed" in kinds and random.random() < 0.3:
            buffer["offset"] = random.randint(0, 6) * alignment * unit
        buffers.append(buffer)
    problem = {"format": "memplan-problem/1", "name": "case", "buffers": buffers}
    if "pairs" in kinds and not clocks:
        pairs = [[buffers[i]["name"], buffers[j]["name"]] for j in range(n) for i in range(j) if random.random() < 0.4]
        problem["conflicts"] = pairs
    whole = sum(b["size"] for b in buffers) // unit
    capacity = random.randint(1, whole) * unit if random.random() < 0.4 else 0
    offsets = make_offsets(random, problem)
    # Other solvers start a process for each program.
    solver = "?solver=" + random.choice(("cbc", "symphony", "lp_solve")) if random.random() < 0.1 else ""
    programs = [name + (solver if name.startswith("ilp_") else "") for name in PROGRAMS]
    return {"problem": problem, "capacity": capacity, "offsets": offsets, "asked": SEARCHES + programs, "limit_ms": 2000}


def make_offsets(random, problem):
    """Mostly a plan that is right, or would be if one pair might share bytes."""
    truth = Truth(problem)
    windows = dict(truth.windows)
    if windows and random.random() < 0.7:
        del windows[random.choice(sorted(windows))]
    offsets = []
    for i, step in enumerate(truth.alignments):
        top = max((offset + size for offset, size in zip(offsets, truth.sizes)), default=0)
        near = {pair: fours for pair, fours in windows.items() if pair[1] == i}
        allowed = [o for o in range(0, top + 3 * step, step) if not meets(offsets + [o], near)]
        chosen = allowed[min(len(allowed) - 1, random.choice((0, 0, 0, 1, 2)))]
        offsets.append(chosen if truth.fixed[i] is None else truth.fixed[i])
    return offsets


def smaller(case):
    """The case without a buffer, a segment, a pair, an alignment, a fixed offset, the capacity."""
    import copy
    for i, buffer in enumerate(case["problem"]["buffers"]):
        less = copy.deepcopy(case)
        less["problem"]["buffers"].pop(i)
        less["offsets"].pop(i)
        if "conflicts" in less["problem"]:
            less["problem"]["conflicts"] = [p for p in less["problem"]["conflicts"] if buffer["name"] not in p]
        if less["problem"]["buffers"]:
            yield less
        for key in ("offset", "alignment"):
            if key in buffer:
                less = copy.deepcopy(case)
                del less["problem"]["buffers"][i][key]
                yield less
        for k in range(len(buffer.get("segments", []))):
            less = copy.deepcopy(case)
            less["problem"]["buffers"][i]["segments"].pop(k)
            yield less
            if len(buffer["segments"][k]) > 2:
                less = copy.deepcopy(case)
                del less["problem"]["buffers"][i]["segments"][k][2:]
                yield less
    for k in range(len(case["problem"].get("conflicts", []))):
        less = copy.deepcopy(case)
        less["problem"]["conflicts"].pop(k)
        yield less
    if case["capacity"]:
        yield {**case, "capacity": 0}


if __name__ == "__main__":
    differential.main(make, contradiction, smaller)
