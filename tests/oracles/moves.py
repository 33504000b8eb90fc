"""Second opinion on moves between memories (docs/memories.md, "Moves"): which plans are right, how long they take, and the least time
of small graphs. Plans that the rules call right are also run along some paths, on bytes that remember which value they hold.

The least time comes from trying every plan: of each item every list of stays that end when they are not needed any more, and every
offset. What is slower than the plan that the program found is left out as soon as that is certain.
"""
import copy
import fractions
import itertools
import json
import math
import random as randoms

import differential
import graphs

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
    """The items of a graph, names of tensors and numbers of operators, and its steps: in which region each is (which branch of which
    operator in which region ...), its section, how often it runs in millionths, and what it reads and writes."""

    def __init__(self, graph, alignment):
        self.graph, self.alignment = graph, alignment
        self.outside = {t["name"] for t in graph["tensors"] if t.get("memory") == "external"}
        self.bytes = {t["name"]: t["bytes"] for t in graph["tensors"]}
        self.compute, self.region, self.section, self.runs = [], [], [], []
        self.reads, self.writes = [], []  # of each step: [(names, whether it is free, whether from the first stay)]; [(name, free)]
        self.where, self.written, self.loops, self.at, self.number = {}, {}, [], {}, 0
        self.step((), 1, True)
        self.write(graph["inputs"])
        self.walk(graph["ops"], (), fractions.Fraction(1))
        self.step((), 1, False)
        self.need(graph["outputs"])
        self.steps = len(self.compute)
        self.names = [*self.written, *(name for reads in self.reads for names, *_ in reads for name in names if isinstance(name, int))]
        self.read = {name: [step for step in range(self.steps) if any(name in names for names, *_ in self.reads[step])] for name in self.names}
        self.pays = {name: [step for step in self.read[name] if any(name in names and not free for names, free, _ in self.reads[step])]
                     for name in self.names}
        self.first_to = {name: max((step + 1 for step in self.read[name] if any(
            name in names and handed for names, _, handed in self.reads[step])), default=0) for name in self.names}

    def step(self, region, runs, begins):
        self.compute.append(0)
        self.section.append((self.section[-1] if self.section else 0) + begins)
        self.region.append(region)
        self.runs.append(math.floor(runs * 10 ** 6 + fractions.Fraction(1, 2)))
        self.reads.append([])
        self.writes.append([])

    def write(self, names, free=False):
        for name in names:
            if name not in self.outside:
                self.written[name] = len(self.compute) - 1
                self.writes[-1].append((name, free))

    def items_of(self, name):
        if name in self.outside:
            return set()
        return set().union(*map(self.items_of, self.where[name])) if name in self.where else {name}

    def need(self, names, free=False, handed=False):
        for name in dict.fromkeys(names):
            self.reads[-1].append((self.items_of(name), free, handed))

    def walk(self, ops, region, runs):
        begins = len(region) > 0
        for op in ops:
            self.step(region, runs, begins)
            begins = False
            enter, own, regions = len(self.compute) - 1, self.number, op.get("regions", [])
            self.number += 1
            self.compute[-1] = 1000 * op.get("compute_ns", 0)
            self.need(op["inputs"])
            weights = sum(w["bytes"] for w in op.get("weights", []))
            if weights:
                self.bytes[own] = weights
                self.reads[-1].append(({own}, False, False))
            if not regions:
                self.write(op["outputs"])
                self.at[own] = enter, enter
                continue
            rows = op.get("carried", [])
            for row in rows:
                self.need([row["init"]], True)
            self.write([row["argument"] for row in rows], True)
            for k, (inside, share) in enumerate(zip(regions, shares(op))):
                self.walk(inside["ops"], (*region, (own, k)), runs * share)
            self.step(region, runs, True)
            leave = len(self.compute) - 1
            self.at[own] = enter, leave
            if "carried" in op:
                self.loops.append((enter, leave))
                self.where.update({row["result"]: [row["argument"]] for row in rows})
                self.need(op["inputs"], True)
                for row in rows:
                    self.need([row["argument"], row["yield"]], True, True)
            else:
                self.where.update({result: [inside["yields"][i] for inside in regions] for i, result in enumerate(op["outputs"])})


def shares(op):
    """How often each region runs for each run of the operator."""
    if "carried" in op:
        return [1 if op.get("trip_count") is None else op["trip_count"]]
    given = [fractions.Fraction(str(region["probability"])) if "probability" in region else None for region in op["regions"]]
    rest = max(1 - sum(share or 0 for share in given), 0)
    return [rest / given.count(None) if share is None else share for share in given]


def may_read(items, stay, step):
    """A copy is there only in the region in which it was made, and in what that holds."""
    made = items.region[stay[4]] if stay[4] < items.steps else None
    return stay[4] <= step < stay[5] and (stay[2] == FIRST or items.region[step][:len(made)] == made)


def readers(chip, items, stays, name, step):
    """The stay from which a step reads."""
    held = [s for s, stay in enumerate(stays) if stay[0] == name and may_read(items, stay, step)]
    return min(held, key=lambda s: (chip.read[stays[s][1]], s), default=None)


def is_kept(chip, items, stays, s):
    """Whether a stay keeps the rules that are about its own item."""
    name, memory, source, lower, ready, upper, offset = stays[s]
    if not 0 <= lower < upper <= items.steps:
        return False
    written = items.written.get(name)
    if source == FIRST:
        begins = (0, 0) if written is None else (written, written + 1)
        if (memory == chip.off) != (written is None) or (lower, ready) != begins or upper < items.first_to[name]:
            return False
    else:
        if not 0 <= source < s or memory == chip.off or not lower <= ready < upper:
            return False
        other, around = stays[source], items.region[written or 0]
        if other[0] != name or other[4] > lower or other[2] != FIRST and other[3] >= lower or other[5] < max(ready, lower + 1):
            return False
        if items.section[lower] != items.section[ready] or items.region[lower][:len(around)] != around or not may_read(items, other, lower):
            return False
    return memory == chip.off or all(not lower <= enter < upper - 1 or upper >= leave for enter, leave in items.loops)


def is_right(chip, items, stays):
    """stays: (item, memory, source, lower, ready, upper, offset)"""
    firsts = [stay[0] for stay in stays if stay[2] == FIRST]
    if sorted(map(str, firsts)) != sorted(map(str, items.names)):
        return False
    if not all(is_kept(chip, items, stays, s) for s in range(len(stays))):
        return False
    if not all(stay[1] == chip.off or chip.offers(stay[1], stay[6], items.bytes[stay[0]], items.alignment) for stay in stays):
        return False
    for a, b in itertools.combinations(stays, 2):
        if (a[1] == b[1] != chip.off and max(a[3], b[3]) < min(a[5], b[5]) and items.bytes[a[0]] and items.bytes[b[0]]
                and max(a[6], b[6]) < min(a[6] + items.bytes[a[0]], b[6] + items.bytes[b[0]])):
            return False
    return all(readers(chip, items, stays, name, step) is not None for name in items.names for step in items.read[name])


class Damaged(Exception):
    pass


class Run:
    """One path on bytes that remember which value they hold; a transfer may happen at any time from its start to the wait for it."""

    def __init__(self, chip, items, stays, random):
        self.chip, self.items, self.stays, self.random = chip, items, stays, random
        self.bytes, self.value, self.name, self.number, self.values = {}, {}, {}, 0, 0
        for name in items.names:
            self.name[name] = name
            if name not in items.written:
                self.value[name] = name
        self.begin(0)
        self.write(items.graph["inputs"], 0)
        self.ops(items.graph["ops"], 0)
        self.begin(items.steps - 1)
        self.read(items.graph["outputs"], items.steps - 1)

    def cells(self, s):
        stay = self.stays[s]
        return [(stay[1], stay[6] + k) for k in range(self.items.bytes[stay[0]])] if stay[1] != self.chip.off else []

    def mark(self, s, what):
        self.bytes.update(dict.fromkeys(self.cells(s), what))

    def holds(self, s, what):
        return all(self.bytes.get(cell) == what for cell in self.cells(s))

    def begin(self, step):
        moves = [s for s, stay in enumerate(self.stays) if stay[2] != FIRST]
        starts = [s for s in moves if self.stays[s][3] == step]
        waits = [s for s in moves if self.stays[s][3] < step == self.stays[s][4]]
        for s in waits:
            self.arrive(s)
        for s in starts:
            self.mark(s, ("under way", s))
        for s in starts:
            if self.stays[s][4] == step:
                self.arrive(s)

    def arrive(self, s):
        value = self.value.get(self.stays[s][0])
        whole = value is not None and self.holds(self.stays[s][2], value) and self.holds(s, ("under way", s))
        self.mark(s, value if whole else "rubbish")

    def read(self, names, step, first=False):
        for name in names:
            item = self.name.get(name)
            if item is None:
                continue
            s = (next(s for s, stay in enumerate(self.stays) if stay[0] == item) if first
                 else readers(self.chip, self.items, self.stays, item, step))
            if item not in self.value or s is None or not self.holds(s, self.value[item]):
                raise Damaged(f"step {step} reads '{name}', which is damaged")

    def write(self, names, step):
        for name in names:
            if self.name.get(name) == name:
                self.values += 1
                self.value[name] = "value", self.values
                self.mark(next(s for s, stay in enumerate(self.stays) if stay[0] == name), self.value[name])

    def ops(self, ops, number):
        """Runs operators, the first of which has this number; returns that of the one after them."""
        for op in ops:
            enter, leave = self.items.at[number]
            self.begin(enter)
            self.read([*op["inputs"], number], enter)
            firsts = [number + 1]
            for region in op.get("regions", []):
                firsts.append(firsts[-1] + sum(1 for _ in graphs.operators(region)))
            if "carried" in op:
                self.loop(op, firsts[0], enter, leave)
            elif op.get("regions"):
                k = self.random.randrange(len(op["regions"]))
                self.ops(op["regions"][k]["ops"], firsts[k])
                self.begin(leave)
                self.name.update({result: self.name.get(name) for result, name in zip(op["outputs"], op["regions"][k]["yields"])
                                  if result not in self.items.outside})
            else:
                self.write(op["outputs"], enter)
            number = firsts[-1]
        return number

    def loop(self, op, first, enter, leave):
        arguments = [row["argument"] for row in op["carried"]]
        self.read([row["init"] for row in op["carried"]], enter)
        self.write(arguments, enter)
        trips = op.get("trip_count")
        for _ in range(self.random.choice((0, 1, 2, 3)) if trips is None else min(trips, 3)):
            self.ops(op["regions"][0]["ops"], first)
            self.read([row["yield"] for row in op["carried"]], leave, True)
            self.write(arguments, leave)
        self.begin(leave)
        self.read(op["inputs"], leave)
        self.name.update({row["result"]: self.name.get(row["argument"]) for row in op["carried"] if row["result"] not in self.items.outside})


def damage(chip, items, stays):
    """What goes wrong on some of the paths."""
    for seed in range(4 if items.loops or any(items.region) else 1):
        try:
            Run(chip, items, stays, randoms.Random(seed))
        except Damaged as fault:
            return str(fault)
    return None


def work_of(chip, items, stays, step):
    """What a step takes in ps. A read of what different branches yield counts where that takes longest."""
    work = items.compute[step]
    for names, free, _ in items.reads[step]:
        if not free:
            work += max((items.bytes[name] * chip.read[stays[readers(chip, items, stays, name, step)][1]] for name in names), default=0)
    for name, free in items.writes[step]:
        if not free:
            work += items.bytes[name] * chip.write[next(stay[1] for stay in stays if stay[0] == name)]
    return work


def time_of(chip, items, stays):
    """The time of each section, which begins with nothing under way, as often as it runs."""
    now = free = since = work = total = 0
    arrives = {}
    for step in range(items.steps):
        if step and items.section[step] != items.section[step - 1]:
            total += -(-now * items.runs[step - 1] // 10 ** 6)
            now = free = since = work = 0
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
    return total - (-now * items.runs[-1] // 10 ** 6)


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
                        if items.section[lower] == items.section[ready]:
                            extend(stays + [(name, m, source, lower, ready)], left - 1)

    def finish(stays):
        """Each read from any stay that is ready: how long must each last?"""
        choices = [[s for s, stay in enumerate(stays) if may_read(items, (*stay, items.steps), step)] for step in reads]
        for chosen in itertools.product(*choices):
            upper = [stay[3] + 1 if stay[2] == FIRST else stay[4] + 1 for stay in stays]
            for s, step in zip(chosen, reads):
                upper[s] = max(upper[s], step + 1)
            used = set(chosen) | {stay[2] for stay in stays}
            if any(s not in used for s in range(1, len(stays))):
                continue
            upper[0] = max(upper[0], items.first_to[name])
            for s, stay in reversed(list(enumerate(stays))):
                for enter, leave in items.loops:
                    if stay[1] != chip.off and stay[3] <= enter and enter + 1 < upper[s]:
                        upper[s] = max(upper[s], leave)
                if stay[2] != FIRST:
                    upper[stay[2]] = max(upper[stay[2]], stay[4], stay[3] + 1)
            made = tuple((*stay, end) for stay, end in zip(stays, upper))
            whole = [(*stay, 0) for stay in made]
            if (all(is_kept(chip, items, whole, s) for s in range(len(whole)))
                    and all(readers(chip, items, made, name, step) is not None for step in reads)):
                found.add(made)

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
        for step in items.pays[name]:
            self.work[step] += size * chip.read[stays[readers(chip, items, stays, name, step)][1]]
        if name in items.written and (name, False) in items.writes[items.written[name]]:
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


def clock(chip, items, work, moves):
    """What steps with this work take, with transfers (first step, step that waits, ps)."""
    starts, waits = {}, {}
    for each in sorted(moves, key=lambda move: move[1]):
        starts.setdefault(each[0], []).append(each)
    for each in moves:
        if each[0] < each[1]:
            waits.setdefault(each[1], []).append(each)
    now = free = since = done = total = 0
    arrival = {}
    for step, own in enumerate(work):
        if step and items.section[step] != items.section[step - 1]:
            total += -(-now * items.runs[step - 1] // 10 ** 6)
            now = free = since = done = 0
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
    return total - (-now * items.runs[-1] // 10 ** 6)


def contended(chip, work, busy):
    """Computing takes `slow` times as long while the channel is busy, then as long as it is."""
    done = math.floor(busy / chip.slow) if chip.slow > 1 else busy
    return busy + work - done if work > done else math.ceil(work * chip.slow)


def cheapest_work(chip, items, name):
    """What each step takes for an item that is wherever that costs least."""
    read = min(chip.read[:-1] + ([chip.read[-1]] if name not in items.written else []))
    return [items.bytes[name] * (read * (step in items.pays[name]) + min(chip.write) * ((name, False) in items.writes[step]))
            for step in range(items.steps)]


def rows_of(chip, items, name, least, limit):
    """The lists of an item with which a plan may take less than the limit, those that promise most first."""
    rows = []
    for stays in lists_of(chip, items, name):
        row = Row(chip, items, stays)
        alone = clock(chip, items, [a + b for a, b in zip(least, row.work)], row.moves)
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
    if clock(chip, items, total, []) >= limit:
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
            took = time_of(chip, items, stays) if fits(chip, items, stays) else limit
            return took if took < limit else None  # rows know nothing of places that two tensors share
        less = [w - c for w, c in zip(work, cheapest[order[k]])]
        for row in rows[order[k]]:
            tried += 1
            if tried > most:
                raise TooMany
            taken = [[a + b for a, b in zip(one, own)] for one, own in zip(load, row.load)]
            if any(max(one) > most_bytes for one, most_bytes in zip(taken, capacity)):
                continue
            both, all_moves = [a + b for a, b in zip(less, row.work)], moves + row.moves
            if clock(chip, items, both, all_moves) >= limit:
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
    try:
        chip, items = Chip(json.loads(case["hardware"])), Items(case["graph"], case["alignment"])
    except (KeyError, IndexError):  # a smaller graph that is none
        return None
    if not claim["found"]:
        return None
    if not claim["stays"]:
        return None
    stays = [(name, memory, source, lower, ready, upper, offset)
             for name, memory, offset, source, lower, ready, upper in claim["stays"]]
    if not is_right(chip, items, stays):
        return f"a plan is wrong: {stays}"
    if damage(chip, items, stays):
        return f"a plan is wrong: {damage(chip, items, stays)}: {stays}"
    if time_of(chip, items, stays) != claim["total"]:
        return f"a plan takes {time_of(chip, items, stays)} ps, and is said to take {claim['total']}"
    if claim["total"] < claim["bound"] or claim["bound"] < 0:
        return f"a plan takes {claim['total']} ps, less than the bound of {claim['bound']}"
    if case["planner"] == "best" and "still" in claim and claim["total"] > claim["still"]["time"]:
        return f"best takes {claim['total']} ps, without moves it is {claim['still']['time']}"
    for row, said in zip(case["changes"], claim["altered"], strict=True):
        altered = change(chip, items, stays, *row)
        right = is_right(chip, items, altered)
        count["altered"] += 1
        count["right"] += right
        if said["valid"] != right or right and not said["intact"]:
            return f"altered to {altered}: verify says {said}, expected {right}"
        if right and damage(chip, items, altered):
            return f"altered to {altered}, which the rules call right: {damage(chip, items, altered)}"
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


FAR = 64  # an offset that no other stay has


def change(chip, items, stays, which, field, by, *steps):
    """The stays with one number of one changed, with one at other steps, or with one more copy of one, to which it may move."""
    s = which % len(stays)
    name, memory, source, *own, offset = stays[s]
    steps = [(step + own[1] * (field > 6)) % (items.steps + 1) for step in steps]
    other = (memory + by + 100) % (chip.off + 1)
    added = []
    if field == 8:
        steps[2], own[2] = own[2], max(steps[1], steps[0] + 1)
    if field > 6:
        added = [(name, other, s, *steps, FAR)]
    elif field == 6:
        own = steps
    elif field < 3:
        own[field] = min(max(own[field] + by, 0), items.steps)
    elif field == 3:
        offset = max(offset + by, 0)
    elif field == 4:
        memory = other
    else:
        source = (by + 100) % s if s else FIRST
    return stays[:s] + [(name, memory, source, *own, offset)] + stays[s + 1:] + added


def any_change(random):
    field, ready = random.choice((0, 1, 2, 2, 3, 4, 5, 6, 7, 7, 8, 8, 8, 8)), random.choice((0, 0, 1, 1, 2, 4))
    lower = random.randrange(25) if field == 6 else random.choice((0, 0, 1, 1, 2, 3, 4, 5, 6))
    return (random.randrange(60), field, random.choice((-3, -2, -1, -1, 1, 1, 2, 3)),
            lower, lower + ready, lower + ready + random.choice((1, 1, 2, 3, 5, 8)))


SEARCHED = 0.05  # of all cases; the other ones are larger, and of all planners


def straight(random, search):
    """A graph without branches and loops."""
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
    return {"format": "memplan-graph/1", "name": "case", "tensors": tensors, "inputs": ["t0"], "outputs": [tensors[-1]["name"]],
             "ops": ops}


def branching(random):
    """One with branches and loops."""
    while True:
        maker = graphs.Paths(random, random.choice(([1, 2, 3], [2, 4], [1, 4, 6])))
        inputs = [maker.tensor(**({"memory": "external"} if random.random() < 0.15 else {})), maker.tensor()]
        visible = list(inputs)
        ops = maker.block(visible, random.choice((0, 0, 1, 2)), random.randint(1, 5))
        graph = maker.graph(inputs, [t for t in visible if t != "t0" and random.random() < 0.3], ops)
        for i, op in enumerate(graphs.operators(graph)):
            op["compute_ns"] = random.choice((0, 3, 6, 20))
            if random.random() < 0.25:
                op["weights"] = [{"name": f"w{i}", "bytes": random.choice(maker.sizes), "dtype": "int8"}]
            left = 1
            for region in op.get("regions", []) if "carried" not in op else []:
                if random.random() < 0.6:
                    region["probability"] = random.choice((0, 0.25, 0.5, left)) if left == 1 else random.choice((0, left / 2))
                    left -= region["probability"]
            given = [region.get("probability") for region in op.get("regions", [])]
            if given and None not in given and "carried" not in op and sum(given) != 1:
                op["regions"][-1]["probability"] += 1 - sum(given)
        if len(graph["tensors"]) <= 20:
            return graph


def tiny(random):
    """One of few tensors with branches or loops, in which no read is of what different branches yield."""
    while True:
        graph = branching(random)
        ops = graphs.operators(graph)
        if (len(graph["tensors"]) <= 6 and len(ops) <= 4 and any(op.get("regions") for op in ops)
                and all(len(names) <= 1 for reads in Items(graph, 1).reads for names, *_ in reads)):
            return graph


def make(random):
    search = random.random() < SEARCHED
    if search:
        graph = straight(random, True) if random.random() < 0.5 else tiny(random)
    else:
        graph = straight(random, False) if random.random() < 0.4 else branching(random)
    tensors, ops, sizes = graph["tensors"], graphs.operators(graph), [t["bytes"] for t in graph["tensors"]]
    largest = max(sizes + [sum(t["bytes"] for t in tensors if t["name"] in set(op["inputs"] + op["outputs"])) for op in ops])
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
    changes = [any_change(random) for _ in range(12)]
    return {"graph": graph, "policy": "flat", "alignment": random.choice((1, 1, 1, 2)), "hardware": json.dumps(profile),
            "planner": planner, "search": search, "limit_ms": 4000 if search else 4, "changes": changes}


def smaller(case):
    yield from graphs.smaller(case)
    for i, op in enumerate(graphs.operators(case["graph"])):
        for key in ("weights", "compute_ns"):
            if op.get(key):
                less = copy.deepcopy(case)
                graphs.operators(less["graph"])[i].pop(key)
                yield less
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
