"""Second opinion on exact planners: problems of 8 to 60 buffers, made around a plan, so that what fits is known in part.

Cases and answers are those of exact.py, and "planted": the offsets of that plan. What a claim must not say is that nothing fits
where that plan does, or that no plan is below a peak that it, or the plan of another planner, has.
"""
import copy

import differential
import exact

SWITCHES = ["persist", "nested", "gap", "first", "twins", "split", "forced", "handover", "overload", "edges", "chains", "keep", "beam"]


class Planted(exact.Truth):
    """Knows one plan, and learns those that are found to be right."""

    def __init__(self, problem, offsets):
        super().__init__(problem)
        self.least = self.ample
        self.learn(offsets)

    def learn(self, offsets):
        if not self.fault(offsets):
            self.least = min(self.least, max(o + s for o, s in zip(offsets, self.sizes)))

    def fits(self, capacity):
        return capacity >= self.least


def contradiction(case, claim):
    if "error" in claim:
        return f"a problem with a plan is refused, or worse: {claim['error']}"

    def know(problem):
        truth = Planted(problem, case["planted"])
        for said in claim["plans"].values():
            truth.learn(said.get("offsets", case["planted"]))
        return truth
    return exact.contradiction(case, claim, know)


def cut(random, n, steps, height):
    """Pieces (start, end, offset, size) of a rectangle that is cut in two, or in five around a middle, again and again."""
    pieces = [(0, steps, 0, height)]
    by = random.choice((lambda p: (p[1] - p[0]) * p[3], lambda p: p[3], lambda p: p[1] - p[0], lambda p: random.random()))
    pinwheels = random.choice((0, 0, 0.3))
    for _ in range(4 * n):
        if len(pieces) >= n:
            break
        k = max(range(len(pieces)), key=lambda i: by(pieces[i]) * random.random())
        a, b, o, s = pieces[k]
        if b - a > 2 and s > 2 and random.random() < pinwheels:
            t, u = sorted(random.sample(range(a + 1, b), 2))
            p, q = (o + byte for byte in sorted(random.sample(range(1, s), 2)))
            pieces[k:k + 1] = [(a, u, o, p - o), (u, b, o, q - o), (t, b, q, o + s - q), (a, t, p, o + s - p), (t, u, p, q - p)]
        elif b - a > 1 and (s < 2 or random.random() < 0.5):
            t = random.randint(a + 1, b - 1)
            pieces[k:k + 1] = [(a, t, o, s), (t, b, o, s)]
        elif s > 1:
            p = random.randint(1, s - 1)
            pieces[k:k + 1] = [(a, b, o, p), (a, b, o + p, s - p)]
    return pieces


def stack(random, n, steps, height):
    """Boxes of random lives and sizes, each put at the lowest offset that is free, or a bit above, in a random order."""
    pieces = []
    longest, largest = random.randint(1, steps), random.randint(1, height)
    for _ in range(n):
        a = random.randint(0, steps - 1)
        b, s, o = min(steps, a + random.randint(1, longest)), random.randint(1, largest), random.choice((0, 0, 0, 1))
        for _, _, p, q in sorted((p for p in pieces if p[0] < b and a < p[1]), key=lambda p: p[2]):
            if p < o + s and o < p + q:
                o = p + q
        pieces.append((a, b, o, s))
    return pieces


def join(random, pieces, share):
    """Buffers as lists of pieces. Some have two, one after the other: the bytes of each are a window of the buffer."""
    buffers = []
    for piece in pieces:
        before = [buffer for buffer in buffers if len(buffer) == 1 and buffer[0][1] <= piece[0]]
        if before and random.random() < share:
            random.choice(before).append(piece)
        else:
            buffers.append([piece])
    return buffers


def make_buffer(random, name, pieces, kinds):
    offset, end = min(p[2] for p in pieces), max(p[2] + p[3] for p in pieces)
    windows = [[a, b] + ([] if (o, o + s) == (offset, end) else [o - offset, o + s - offset]) for a, b, o, s in pieces]
    buffer = {"name": name, "size": end - offset, "segments": windows}
    if "aligned" in kinds and random.random() < 0.5:
        buffer["alignment"] = random.choice([step for step in (2, 3, 4, 8) if offset % step == 0] or [1])
    if "fixed" in kinds and random.random() < 0.1:
        buffer["offset"] = offset
    return buffer, offset


def make(random):
    n = random.randint(8, random.choice((12, 25, 60)))
    steps, height = random.randint(3, random.choice((8, 2 * n))), random.choice((8, 30, 100, 1000))
    kinds = {kind for kind in ("aligned", "fixed", "pairs", "joined", "thinned") if random.random() < 0.2}
    pieces = random.choice((cut, cut, stack))(random, n, steps, height)
    if "thinned" in kinds:
        pieces = [p for p in pieces if random.random() < 0.9] or pieces
    random.shuffle(pieces)
    made = [make_buffer(random, f"b{i}", joined, kinds)
            for i, joined in enumerate(join(random, pieces, 0.3 if "joined" in kinds else 0))]
    problem = {"format": "memplan-problem/1", "name": "case", "buffers": [buffer for buffer, _ in made]}
    planted = [offset for _, offset in made]
    spans = [(o, o + b["size"], b["name"]) for b, o in made]
    if "pairs" in kinds:
        problem["conflicts"] = [[p[2], q[2]] for j, p in enumerate(spans) for q in spans[:j]
                                if (p[1] <= q[0] or q[1] <= p[0]) and random.random() < 0.1]
    peak = max(end for _, end, _ in spans)
    asked = ["exact", "best", "window_search", "exact?" + "&".join(f"{s}={random.randint(0, 1)}" for s in SWITCHES)]
    asked.append(f"exact?learn={random.choice((0, 2))}&members={random.choice((1, 2, 5))}")
    if len(made) <= 12 and random.random() < 0.3:
        asked += random.sample(exact.PROGRAMS, 2)
    changed = list(planted)
    if random.random() < 0.3:
        changed[random.randrange(len(made))] = random.randint(0, peak)
    capacity = random.choice((0, 0, peak, peak, peak + 1, max(1, peak - 1)))
    return {"problem": problem, "capacity": capacity, "offsets": changed, "planted": planted, "asked": asked, "limit_ms": 200}


def smaller(case):
    for less in exact.smaller(case):
        if len(less["problem"]["buffers"]) < len(case["problem"]["buffers"]):
            gone = next(i for i, buffer in enumerate(case["problem"]["buffers"]) if buffer not in less["problem"]["buffers"])
            less = copy.deepcopy(less)
            less["planted"].pop(gone)
        yield less


if __name__ == "__main__":
    differential.main(make, contradiction, smaller)
