"""Second opinion on moves between memories (docs/memories.md, "Moves"): which plans are right, how long they take, and the least time
of small graphs.

The least time comes from trying every plan: of each item every list of stays that end when they are not needed any more, and every
offset. What is slower than the plan that the program found is left out as soon as that is certain.
"""
import fractions
import itertools
import json
import math

import differential

FIRST = -1
AMPLE = 60  # bytes of a memory without a capacity that are tried


class Chip:
    def __init__(self, profile):
        self.rows = profile["memories"]
        self.off = len(self.rows)
        rate = -(-10 ** 12 // profile["dma_bytes_per_second"])
        self.read = [round(1000 * m.get("read_ns_per_byte", 0)) for m in self.rows] + [rate]
        self.write = [round(1000 * m.get("write_ns_per_byte", 0)) for m in self.rows]
        self.begin = 1000 * profile.get("dma_start_ns", 0)
        self.start = 1000 * profile.get("dma_start_instruction_ns", 0)
        self.wait = 1000 * profile.get("dma_wait_instruction_ns", 0)
        self.slow = 1 + fractions.Fraction(str(profile.get("contention", 0)))

    def offers(self, memory, offset, bytes, alignment):
        row, end = self.rows[memory], offset + bytes
        return (end <= row.get("capacity", end) and offset % alignment == 0 and offset % row.get("alignment", 1) == 0
                and (not row.get("chunk") or bytes == 0 or offset // row["chunk"] == (end - 1) // row["chunk"])
                and all(bytes == 0 or end <= lower or upper <= offset for lower, upper in row.get("reserved", [])))


class Items:
    """The items of a graph: names of tensors and numbers of operators; when they are written and read."""

    def __init__(self, graph, alignment):
        self.alignment = alignment
        outside = {t["name"] for t in graph["tensors"] if t.get("memory") == "external"}
        self.bytes = {t["name"]: t["bytes"] for t in graph["tensors"]}
        self.steps = len(graph["ops"]) + 2
        self.compute = [0] * self.steps
        self.written, self.read = {}, {}
        self.write(0, graph["inputs"], outside)
        for i, op in enumerate(graph["ops"]):
            self.compute[i + 1] = 1000 * op.get("compute_ns", 0)
            self.reads(i + 1, op["inputs"], outside)
            self.write(i + 1, op["outputs"], outside)
            weights = sum(w["bytes"] for w in op.get("weights", []))
            if weights:
                self.bytes[i], self.read[i] = weights, [i + 1]
        self.reads(self.steps - 1, graph["outputs"], outside)
        self.names = [*self.written, *(i for i in self.read if isinstance(i, int))]

    def write(self, step, names, outside):
        for name in names:
            if name not in outside:
                self.written[name] = step
                self.read.setdefault(name, [])

    def reads(self, step, names, outside):
        for name in dict.fromkeys(names):
            if name not in outside:
                self.read[name].append(step)


def readers(chip, items, stays, name, step):
    """The stay from which a step reads."""
    held = [s for s, stay in enumerate(stays) if stay[0] == name and stay[4] <= step < stay[5]]
    return min(held, key=lambda s: (chip.read[stays[s][1]], s), default=None)


def is_right(chip, items, stays):
    """stays: (item, memory, source, lower, ready, upper, offset)"""
    firsts = [stay[0] for stay in stays if stay[2] == FIRST]
    if sorted(map(str, firsts)) != sorted(map(str, items.names)):
        return False
    for s, (name, memory, source, lower, ready, upper, offset) in enumerate(stays):
        if not 0 <= lower < upper <= items.steps:
            return False
        if source == FIRST:
            begins = (0, 0) if name not in items.written else (items.written[name], items.written[name] + 1)
            if (memory == chip.off) != (name not in items.written) or (lower, ready) != begins:
                return False
        else:
            if not 0 <= source < s or memory == chip.off or not lower <= ready < upper:
                return False
            other = stays[source]
            if other[0] != name or other[4] > lower or other[2] != FIRST and other[3] >= lower or other[5] < max(ready, lower + 1):
                return False
        if memory != chip.off and not chip.offers(memory, offset, items.bytes[name], items.alignment):
            return False
    for a, b in itertools.combinations(stays, 2):
        if (a[1] == b[1] != chip.off and max(a[3], b[3]) < min(a[5], b[5]) and items.bytes[a[0]] and items.bytes[b[0]]
                and max(a[6], b[6]) < min(a[6] + items.bytes[a[0]], b[6] + items.bytes[b[0]])):
            return False
    return all(readers(chip, items, stays, name, step) is not None for name in items.names for step in items.read[name])


def work_of(chip, items, stays, step):
    """What a step takes in ps."""
    work = items.compute[step]
    for name in items.names:
        if items.written.get(name) == step:
            work += items.bytes[name] * chip.write[next(stay[1] for stay in stays if stay[0] == name)]
        if step in items.read[name]:
            work += items.bytes[name] * chip.read[stays[readers(chip, items, stays, name, step)][1]]
    return work


def time_of(chip, items, stays):
    now = free = since = work = 0
    arrives = {}
    for step in range(items.steps):
        moves = [s for s, stay in enumerate(stays) if stay[2] != FIRST]
        starts = sorted((s for s in moves if stays[s][3] == step), key=lambda s: (stays[s][4], s))
        todo = [("wait", s) for s in moves if stays[s][3] < step and stays[s][4] == step]
        todo += [("start", s) for s in starts] + [("wait", s) for s in starts if stays[s][4] == step]
        for what, s in todo:
            if what == "wait":
                now = max(now, arrives[s]) + chip.wait
            else:
                now += chip.start
                name, memory, source = stays[s][:3]
                byte = max(chip.read[stays[source][1]], chip.write[memory])
                free = max(free, now) + chip.begin + items.bytes[name] * byte
                arrives[s] = free
            since, work = now, 0
        work += work_of(chip, items, stays, step)
        now = since + contended(chip, work, max(free - since, 0))
    return now


def lists_of(chip, items, name):
    """Every list of stays of an item, without offsets, each no longer than some choice of reads needs."""
    size, reads = items.bytes[name], items.read[name]
    on_chip = [m for m, row in enumerate(chip.rows)
               if any(chip.offers(m, offset, size, items.alignment) for offset in range(row.get("capacity", AMPLE) - size + 1))]
    if name in items.written:
        firsts = [(name, m, FIRST, items.written[name], items.written[name] + 1) for m in on_chip]
    else:
        firsts = [(name, chip.off, FIRST, 0, 0)]
    last = max(reads, default=0)
    found = set()

    def extend(stays, left):
        finish(stays)
        if not left:
            return
        for source, other in enumerate(stays):
            for m in on_chip:
                for lower in range(other[4], last + 1):
                    if other[2] != FIRST and other[3] >= lower:
                        continue
                    for ready in range(lower, last + 1):
                        extend(stays + [(name, m, source, lower, ready)], left - 1)

    def finish(stays):
        """Each read from any stay that is ready: how long must each last?"""
        choices = [[s for s, stay in enumerate(stays) if stay[4] <= step] for step in reads]
        for chosen in itertools.product(*choices):
            upper = [stay[3] + 1 if stay[2] == FIRST else stay[4] + 1 for stay in stays]
            for s, step in zip(chosen, reads):
                upper[s] = max(upper[s], step + 1)
            used = set(chosen) | {stay[2] for stay in stays}
            if any(s not in used for s in range(1, len(stays))):
                continue
            for s, stay in reversed(list(enumerate(stays))):
                if stay[2] != FIRST:
                    upper[stay[2]] = max(upper[stay[2]], stay[4], stay[3] + 1)
            found.add(tuple((*stay, end) for stay, end in zip(stays, upper)))

    for first in firsts:
        extend([first], 2 if len(reads) > 1 or name not in items.written else 1)
    return found


def fits(chip, items, stays):
    """Whether there are offsets for all stays on chip."""
    return all(fits_in(chip, items, [stay for stay in stays if stay[1] == memory]) for memory in range(chip.off))


def fits_in(chip, items, stays):
    todo = [(stay[1], stay[3], stay[5], items.bytes[stay[0]]) for stay in stays if items.bytes[stay[0]]]
    placed = []

    def place(k):
        if k == len(todo):
            return True
        memory, lower, upper, bytes = todo[k]
        ample = chip.rows[memory].get("capacity", AMPLE)
        for offset in range(ample - bytes + 1):
            if chip.offers(memory, offset, bytes, items.alignment) and all(
                    m != memory or u <= lower or upper <= l or o + b <= offset or offset + bytes <= o for m, l, u, b, o in placed):
                placed.append((memory, lower, upper, bytes, offset))
                if place(k + 1):
                    return True
                placed.pop()
        return False

    return place(0)


class TooMany(Exception):
    pass


class Row:
    """One list of stays of an item: what each step takes for it, its transfers, and the bytes that it takes by memory and step."""

    def __init__(self, chip, items, stays):
        self.stays, (name, size) = stays, (stays[0][0], items.bytes[stays[0][0]])
        self.work = [0] * items.steps
        for step in items.read[name]:
            self.work[step] += size * chip.read[stays[readers(chip, items, stays, name, step)][1]]
        if name in items.written:
            self.work[items.written[name]] += size * chip.write[stays[0][1]]
        self.moves = [(s[3], s[4], chip.begin + size * max(chip.read[stays[s[2]][1]], chip.write[s[1]])) for s in stays[1:]]
        self.load = [[size * sum(s[1] == m and s[3] <= step < s[5] for s in stays) for step in range(items.steps)]
                     for m in range(chip.off)]

    def serves(self, other):
        """Whether it does for less what the other one does: then no plan needs the other one."""
        return (all(a <= b for a, b in zip(self.work, other.work)) and set(self.moves) <= set(other.moves)
                and len(set(self.moves)) == len(self.moves)
                and all(a <= b for mine, its in zip(self.load, other.load) for a, b in zip(mine, its))
                and all(any(s[1] == o[1] and o[3] <= s[3] and s[5] <= o[5] for o in other.stays) for s in self.stays if s[1] < len(self.load)))


def clock(chip, work, moves):
    """What steps with this work take, with transfers (first step, step that waits, ps)."""
    starts, waits = {}, {}
    for each in sorted(moves, key=lambda move: move[1]):
        starts.setdefault(each[0], []).append(each)
    for each in moves:
        if each[0] < each[1]:
            waits.setdefault(each[1], []).append(each)
    now = free = since = done = 0
    arrival = {}
    for step, own in enumerate(work):
        if step in starts or step in waits:
            for each in waits.get(step, ()):
                now = max(now, arrival[id(each)]) + chip.wait
            for each in starts.get(step, ()):
                now += chip.start
                free = arrival[id(each)] = max(free, now) + each[2]
            for each in starts.get(step, ()):
                if each[1] == step:
                    now = max(now, arrival[id(each)]) + chip.wait
            since, done = now, 0
        done += own
        now = since + contended(chip, done, max(free - since, 0))
    return now


def contended(chip, work, busy):
    """Computing takes `slow` times as long while the channel is busy, then as long as it is."""
    done = math.floor(busy / chip.slow) if chip.slow > 1 else busy
    return busy + work - done if work > done else math.ceil(work * chip.slow)


def cheapest_work(chip, items, name):
    """What each step takes for an item that is wherever that costs least."""
    read = min(chip.read[:-1] + ([chip.read[-1]] if name not in items.written else []))
    return [items.bytes[name] * (read * (step in items.read[name]) + min(chip.write) * (items.written.get(name) == step))
            for step in range(items.steps)]


def rows_of(chip, items, name, least, limit):
    """The lists of an item with which a plan may take less than the limit, those that promise most first."""
    rows = []
    for stays in lists_of(chip, items, name):
        row = Row(chip, items, stays)
        alone = clock(chip, [a + b for a, b in zip(least, row.work)], row.moves)
        if alone < limit:
            rows.append((alone, len(stays), stays, row))
    rows.sort(key=lambda each: each[:3])
    kept = []
    for *_, row in rows:
        if not any(other.serves(row) for other in kept):
            kept.append(row)
    return kept


def faster(chip, items, limit, most=200000):
    """The time of a plan that takes less than `limit` ps, if there is one: of the first that is found."""
    cheapest = {name: cheapest_work(chip, items, name) for name in items.names}
    total = [items.compute[step] + sum(work[step] for work in cheapest.values()) for step in range(items.steps)]
    if clock(chip, total, []) >= limit:
        return None
    rows = {name: rows_of(chip, items, name, [t - w for t, w in zip(total, cheapest[name])], limit) for name in items.names}
    order = sorted(items.names, key=lambda name: len(rows[name]))
    capacity = [row.get("capacity", math.inf) for row in chip.rows]
    tried = 0

    def choose(k, chosen, work, moves, load):
        nonlocal tried
        if k == len(order):
            stays = ()
            for row in chosen:
                stays += tuple((*s[:2], s[2] + len(stays) if s[2] != FIRST else FIRST, *s[3:]) for s in row.stays)
            return time_of(chip, items, stays) if fits(chip, items, stays) else None
        less = [w - c for w, c in zip(work, cheapest[order[k]])]
        for row in rows[order[k]]:
            tried += 1
            if tried > most:
                raise TooMany
            taken = [[a + b for a, b in zip(one, own)] for one, own in zip(load, row.load)]
            if any(max(one) > most_bytes for one, most_bytes in zip(taken, capacity)):
                continue
            both, all_moves = [a + b for a, b in zip(less, row.work)], moves + row.moves
            if clock(chip, both, all_moves) >= limit:
                continue
            found = choose(k + 1, chosen + [row], both, all_moves, taken)
            if found is not None:
                return found
        return None

    return choose(0, [], total, [], [[0] * items.steps for _ in range(chip.off)])


# How often the search ended, and how often it found something faster than `best`; how many altered plans were checked, and are right.
count = {"tried": 0, "least": 0, "faster": 0, "altered": 0, "right": 0}


def contradiction(case, claim):
    if "error" in claim:
        return claim["error"] if "program ended" in claim["error"] or "wrong" in claim["error"] or "says" in claim["error"] else None
    chip, items = Chip(json.loads(case["hardware"])), Items(case["graph"], case["alignment"])
    if not claim["found"]:
        return None
    stays = [(name, memory, source, lower, ready, upper, offset)
             for name, memory, offset, source, lower, ready, upper in claim["stays"]]
    if not is_right(chip, items, stays):
        return f"a plan is wrong: {stays}"
    if time_of(chip, items, stays) != claim["total"]:
        return f"a plan takes {time_of(chip, items, stays)} ps, and is said to take {claim['total']}"
    if claim["total"] < claim["bound"] or claim["bound"] < 0:
        return f"a plan takes {claim['total']} ps, less than the bound of {claim['bound']}"
    if case["planner"] == "best" and "still" in claim and claim["total"] > claim["still"]["time"]:
        return f"best takes {claim['total']} ps, without moves it is {claim['still']['time']}"
    for (which, field, by), said in zip(case["changes"], claim["altered"], strict=True):
        altered, s = list(stays), which % len(stays)
        altered[s] = change(chip, items, stays, s, field, by)
        right = is_right(chip, items, altered)
        count["altered"] += 1
        count["right"] += right
        if said["valid"] != right or right and not said["intact"]:
            return f"altered to {altered}: verify says {said}, expected {right}"
        if right and said["time"] != time_of(chip, items, altered):
            return f"altered to {altered}: it takes {time_of(chip, items, altered)} ps, not {said['time']}"
    if not case["search"]:
        return None
    try:
        # Also below the bound, where no plan may be.
        found = faster(chip, items, claim["total"])
    except TooMany:
        return None
    count["tried"] += 1
    count["least" if found is None else "faster"] += 1
    if found is not None and (found < claim["bound"] or claim["total"] == claim["bound"]):
        return f"the bound is {claim['bound']} ps, and a plan takes {found}"
    return None


def change(chip, items, stays, s, field, by):
    name, memory, source, lower, ready, upper, offset = stays[s]
    steps = [lower, ready, upper]
    if field < 3:
        steps[field] = min(max(steps[field] + by, 0), items.steps)
    elif field == 3:
        offset = max(offset + by, 0)
    elif field == 4:
        memory = (memory + by + 100) % (chip.off + 1)
    else:
        source = (by + 100) % s if s else FIRST
    return (name, memory, source, *steps, offset)


SEARCHED = 0.05  # of all cases; the other ones are larger, and of all planners


def make(random):
    search = random.random() < SEARCHED
    sizes = random.choice(((1, 2, 3), (2, 4), (1, 4, 6)))
    tensors = [{"name": "t0", "bytes": random.choice(sizes)}]
    ops = []
    for i in range(random.choice((2, 3, 3, 3, 4)) if search else random.randint(1, 9)):
        scope = [t["name"] for t in tensors]
        inputs = [scope[-1] if random.random() < 0.7 else random.choice(scope)]
        if random.random() < 0.35:
            inputs.append(random.choice(scope))
        made = [{"name": f"t{len(tensors) + k}", "bytes": random.choice(sizes)} for k in range(random.choice((1, 1, 1, 1, 2)))]
        tensors += made
        op = {"name": f"o{i}", "type": "Op", "inputs": inputs, "outputs": [t["name"] for t in made],
              "compute_ns": random.choice((0, 3, 6, 20))}
        if random.random() < 0.25:
            op["weights"] = [{"name": f"w{i}", "bytes": random.choice(sizes), "dtype": "int8"}]
        ops.append(op)
    graph = {"format": "memplan-graph/1", "name": "case", "tensors": tensors, "inputs": ["t0"], "outputs": [tensors[-1]["name"]],
             "ops": ops}
    largest = max(sum(t["bytes"] for t in tensors if t["name"] in set(op["inputs"] + op["outputs"])) for op in ops)
    rows = [{"name": "fast", "capacity": random.randint(max(1, largest // 2), largest + 3)}, {"name": "slow"}]
    rows[1]["read_ns_per_byte"], rows[1]["write_ns_per_byte"] = random.choice(((1, 1), (2, 3), (0.5, 1), (3, 3)))
    if random.random() < 0.15:
        rows[0]["read_ns_per_byte"] = rows[0]["write_ns_per_byte"] = 0.25
    if random.random() < 0.15:
        rows[0]["alignment"] = 2
    if random.random() < 0.1:
        rows[0]["reserved"] = [[0, 1]]
    if random.random() < 0.1:
        rows[1]["chunk"] = 8
    profile = {"format": "memplan-hardware/1", "name": "chip", "dma_bytes_per_second": random.choice((10 ** 9, 5 * 10 ** 8, 3 * 10 ** 8)),
               "dma_start_ns": random.choice((0, 0, 1, 4)), "dma_start_instruction_ns": random.choice((0, 0, 1)),
               "dma_wait_instruction_ns": random.choice((0, 0, 1)), "contention": random.choice((0, 0, 0.5)), "memories": rows}
    planner = "best" if search else random.choice(("best", "still", "lru", "farthest_use", "prefetch", "xla_prefetch"))
    changes = [(random.randrange(60), random.randrange(6), random.choice((-3, -2, -1, -1, 1, 1, 2, 3))) for _ in range(4)]
    return {"graph": graph, "policy": "flat", "alignment": random.choice((1, 1, 1, 2)), "hardware": json.dumps(profile),
            "planner": planner, "search": search, "limit_ms": 4000 if search else 4, "changes": changes}


def smaller(case):
    ops = case["graph"]["ops"]
    if len(ops) > 1:
        gone = set(ops[-1]["outputs"])
        tensors = [t for t in case["graph"]["tensors"] if t["name"] not in gone]
        yield {**case, "graph": {**case["graph"], "ops": ops[:-1], "outputs": [ops[-2]["outputs"][-1]], "tensors": tensors}}
    for i, op in enumerate(ops):
        for key in ("weights", "compute_ns"):
            if op.get(key):
                less = {k: v for k, v in op.items() if k != key}
                yield {**case, "graph": {**case["graph"], "ops": ops[:i] + [less] + ops[i + 1:]}}
    profile = json.loads(case["hardware"])
    for key in ("dma_start_ns", "dma_start_instruction_ns", "dma_wait_instruction_ns", "contention"):
        if profile.get(key):
            yield {**case, "hardware": json.dumps({**profile, key: 0})}


if __name__ == "__main__":
    try:
        differential.main(make, contradiction, smaller)
    finally:
        print("{tried} searched to the end: best is least in {least}, {faster} have a faster plan; "
              "{altered} altered plans, of which {right} are right".format(**count))
