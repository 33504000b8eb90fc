"""Second opinion on the planners that replay an allocator of a runtime: the offsets that docs/planners.md says, by lists.

A case is {"planner": "name" or "name?settings", "problem": of formats.md}. The program answers
{"status", "offsets", "pool_bytes"}. For cudagraph_pool a case has "tree" too: a recording is {"steps": [[what is freed], [what is
allocated]], "children": recordings}, and the problem is made from it.
"""
import copy
import math

import differential

MIB = 1 << 20


def up(value, multiple):
    return -(-value // multiple) * multiple


class Calls:
    """The problem's calls: frees of what ends at a step, then allocations of what begins there, in the order of the problem."""

    def __init__(self, problem, alignment, first_to_end=True):
        buffers = problem["buffers"]
        self.granule = math.lcm(alignment, *(b.get("alignment", 1) for b in buffers))
        self.sizes = [b["size"] for b in buffers]
        self.bytes = [up(size, self.granule) for size in self.sizes]
        lives = [(b["segments"][0][0], b["segments"][-1][1]) for b in buffers]
        self.lives = lives
        fixed = [b.get("offset") for b in buffers]
        self.fixed = fixed
        self.base = up(max([o + s for o, s in zip(fixed, self.sizes) if o is not None], default=0), self.granule)
        self.free = [b for b in range(len(buffers)) if fixed[b] is None]
        self.list = []
        for step in range(max(end for _, end in lives) + 1):
            ending = sorted((b for b in self.free if lives[b][1] == step), key=lambda b: lives[b][0])
            self.list += [(b, True, 2 * step - 1) for b in ending]
            self.list += [(b, False, 2 * step) for b in self.free if lives[b][0] == step]


class Region:
    """Pieces [begin, end, buffer or None, when it was freed] from its begin to its end."""

    def __init__(self, size, kind, clock):
        self.size, self.kind, self.used = size, kind, 0
        self.pieces = [[0, size, None, clock()]]


def make_clock():
    time = [0]

    def clock():
        time[0] += 1
        return time[0]

    return clock


def call(regions, places, b, size, rule, clock):
    """Frees b where size is None, else allocates it."""
    choose, splits, extend = rule
    if size is None:
        region = regions[places[b][0]]
        at = next(i for i, piece in enumerate(region.pieces) if piece[2] == b)
        region.pieces[at][2:] = [None, clock()]
        for i in (at, at - 1):  # with the right neighbour, then with the left one
            if 0 <= i < len(region.pieces) - 1 and region.pieces[i][2] is None and region.pieces[i + 1][2] is None:
                region.pieces[i:i + 2] = [[region.pieces[i][0], region.pieces[i + 1][1], None, clock()]]
        return
    found = choose(regions, size)
    if not found:
        regions.append(Region(*extend(regions, size), clock))
        found = (len(regions) - 1, 0)
    r, at = found
    region = regions[r]
    begin, end, _, _ = region.pieces[at]
    region.pieces[at][2] = b
    if end - begin > size and splits(region, end - begin, size):
        region.pieces[at][1] = begin + size
        region.pieces.insert(at + 1, [begin + size, end, None, clock()])
    region.used = max(region.used, region.pieces[at][1])
    places[b] = (r, begin)


def replay(calls, *rule):
    """The place (region, begin) of each buffer, and the regions."""
    regions, places, clock = [], {}, make_clock()
    for b, frees, _ in calls.list:
        call(regions, places, b, None if frees else calls.bytes[b], rule, clock)
    return places, regions


def replay_tree(tree):
    """The same for recordings: each begins with the regions as its parent left them, and with those made since, which are free."""
    def plan(calls, *rule):
        made, places, clock = [], {}, make_clock()

        def record(recording, at_parent):
            regions = copy.deepcopy(at_parent) + [Region(r.size, r.kind, clock) for r in made[len(at_parent):]]
            for freed, allocated in recording["steps"]:
                for b in freed + allocated:
                    call(regions, places, b, calls.bytes[b] if b in allocated else None, rule, clock)
            made.extend(regions[len(made):])
            for child in recording["children"]:
                record(child, regions)

        record(tree, [])
        return places, made

    return plan


def free_pieces(regions, size):
    """(region, index, begin, bytes, freed, is it the last free one) of those that are large enough."""
    for r, region in enumerate(regions):
        last = max((i for i, piece in enumerate(region.pieces) if piece[2] is None), default=None)
        for i, (begin, end, owner, freed) in enumerate(region.pieces):
            if owner is None and end - begin >= size:
                yield r, i, begin, end - begin, freed, i == last


def laid_out(calls, places, regions, whole):
    begin, starts, total = calls.base, [], 0
    for region in regions:
        begin = up(begin, calls.granule)
        starts.append(begin)
        taken = region.size if whole else region.used
        begin += taken
        total += taken
    return {b: starts[r] + at for b, (r, at) in places.items()}, total


ENDLESS = 1 << 60


def always(*_):
    return True


def ggml(calls, options):
    def choose(regions, size):
        fits = list(free_pieces(regions, size))
        inner = [f for f in fits if not f[5]]
        if inner:
            return max(inner, key=lambda f: (f[0], -f[3], f[2]))[:2]
        best = None
        for f in fits:
            left = regions[f[0]].used - f[2] - size
            if best is None or (best[0] < 0 and left > best[0]) or 0 <= left < best[0]:
                best = (left, f[:2])
        return best and best[1]

    def extend(regions, size):
        limit = options.get("chunk", 0)
        return max(size, ENDLESS if limit == 0 or len(regions) == 15 else limit), 0

    places, regions = replay(calls, choose, always, extend)
    return laid_out(calls, places, regions, False)


def smallest(regions, size):
    return min(((f[3], f[0], f[2]), f[:2]) for f in free_pieces(regions, size))[1] if any(free_pieces(regions, size)) else None


def best_fit_joining(calls, options):
    places, regions = replay(calls, smallest, always, lambda *_: (ENDLESS, 0))
    return laid_out(calls, places, regions, False)


def mlir_best_fit(calls, options):
    def choose(regions, size):
        measured = []
        for f in free_pieces(regions, size):
            bytes_ = f[3] if not f[5] else regions[0].used - f[2]
            measured.append((bytes_ if bytes_ >= size else math.inf, f[2], f[:2]))
        return min(measured)[2] if measured else None

    places, regions = replay(calls, choose, always, lambda *_: (ENDLESS, 0))
    return laid_out(calls, places, regions, False)


def bfc(first):
    def plan(calls, options):
        size_of_next = [up(options.get("region", first), calls.granule)]

        def extend(regions, size):
            if options.get("same_as_requested"):
                return size, 0
            was = size_of_next[0]
            while size_of_next[0] < size:
                size_of_next[0] *= 2
            made = size_of_next[0]
            if made == was:
                size_of_next[0] *= 2
            return made, 0

        splits = lambda region, had, size: had >= 2 * size or had - size >= 128 * MIB
        places, regions = replay(calls, smallest, splits, extend)
        return laid_out(calls, places, regions, True)

    return plan


def pytorch_caching(calls, options, replay=replay):
    limit = options.get("max_split") or math.inf
    small = lambda size: size <= MIB

    def choose(regions, size):
        fits = [f for f in free_pieces(regions, size) if regions[f[0]].kind == small(size)]
        if not fits:
            return None
        f = min(fits, key=lambda f: (f[3], f[0], f[2]))
        refused = f[3] >= limit if size < limit else f[3] >= size + 20 * MIB
        return None if refused else f[:2]

    def splits(region, had, size):
        return had - size >= 512 if region.kind else size < limit and had - size > MIB

    def extend(regions, size):
        segment = 2 * MIB if small(size) else 20 * MIB if size < 10 * MIB else up(size, 2 * MIB)
        return up(segment, calls.granule), small(size)

    places, regions = replay(calls, choose, splits, extend)
    return laid_out(calls, places, regions, True)


def tinygrad(calls, options):
    def class_of(size):
        bits = size.bit_length()
        width = 1 << max(0, bits - 6)
        return bits, (size - (1 << (bits - 1))) // width, width

    def choose(regions, size):
        wanted = class_of(up(size, class_of(size)[2]))[:2]
        fits = [f for f in free_pieces(regions, size) if class_of(f[3])[:2] >= wanted]
        return min(fits, key=lambda f: (class_of(f[3])[:2], f[4]))[:2] if fits else None

    places, regions = replay(calls, choose, always, lambda *_: (2 * sum(calls.bytes), 0))
    return laid_out(calls, places, regions, False)


def deferred(calls, hot):
    """Chunks from left to right; each remembers how far from its begin every buffer lies that was ever in it."""
    row, freed = [], []  # freed: the free chunks, the one freed last at the end

    class Chunk:
        def __init__(self, size):
            self.size, self.inside, self.tick = size, {}, 0

    taken = {}
    for b, frees, tick in calls.list:
        if frees:
            chunk = taken[b]
            at = row.index(chunk)
            chunk.tick = tick
            for left, right in ((at, at + 1), (at - 1, at)):
                if left < 0 or right >= len(row) or (row[right] if left == at else row[left]) not in freed:
                    continue
                into, part = row[left], row[right]
                into.inside.update({other: into.size + d for other, d in part.inside.items()})
                into.size += part.size
                row.pop(right)
                freed[:] = [c for c in freed if c is not into and c is not part]
                chunk = into
            chunk.tick = tick
            freed.append(chunk)
            continue
        size = calls.bytes[b]
        if not freed:
            row.append(Chunk(size))
            chosen = row[-1]
        else:
            if hot:
                score = lambda c: ((c.size >= size) + 1 - min(tick - c.tick, 10) / 10
                                   - (max(c.size, size) - min(c.size, size)) / max(c.size, size))
                chosen = max(reversed(freed), key=score)
            else:
                fits = [c for c in freed if c.size >= size]
                chosen = min(fits, key=lambda c: c.size) if fits else max(reversed(freed), key=lambda c: c.size)
            place = freed.index(chosen)
            freed.pop(place)
            if chosen.size > size:
                rest = Chunk(chosen.size - size)
                rest.tick = chosen.tick
                row.insert(row.index(chosen) + 1, rest)
                freed.insert(place, rest)
            chosen.size = size
        chosen.inside[b] = 0
        taken[b] = chosen
    offsets, end = {}, calls.base
    for chunk in row:
        offsets.update({b: end + d for b, d in chunk.inside.items()})
        end += chunk.size
    return offsets, end - calls.base


class Leaf:
    def __init__(self, buffer, size, lives):
        self.buffer, self.size, self.lives = buffer, size, lives

    def bytes(self):
        return self.size

    def allocate(self, leaf, grows):
        return False

    def place(self, offset, offsets):
        if self.buffer is not None:
            offsets[self.buffer] = offset


class Turns:
    def __init__(self, items):
        self.items = items

    lives = property(lambda self: [life for item in self.items for life in item.lives])

    def bytes(self):
        return max(item.bytes() for item in self.items)

    def allocate(self, leaf, grows):
        slot, ((lower, upper),) = self.bytes(), leaf.lives
        if leaf.size > slot and not grows:
            return False
        meets = [item for item in self.items if any(a < upper and lower < b for a, b in item.lives)]
        if meets:
            return len(meets) == 1 and meets[0].allocate(leaf, grows)
        if len(self.items) == 1 and isinstance(self.items[0], Leaf) and self.items[0].buffer is None:
            self.items = []
        if leaf.size < slot:
            self.items.append(Sides(leaf, slot - leaf.size))
        else:
            self.items = [Sides(item, leaf.size - slot) if leaf.size > slot else item for item in self.items] + [leaf]
        return True

    def place(self, offset, offsets):
        for item in self.items:
            item.place(offset, offsets)


class Sides:
    alignment = 1

    def __init__(self, left, free):
        self.left, self.right = Turns([left]), Turns([Leaf(None, free, [])])

    lives = property(lambda self: self.left.lives + self.right.lives)

    def bytes(self):
        return up(self.left.bytes(), Sides.alignment) + self.right.bytes()

    def allocate(self, leaf, grows):
        return self.left.allocate(leaf, False) or self.right.allocate(leaf, grows)

    def place(self, offset, offsets):
        self.left.place(offset, offsets)
        self.right.place(offset + up(self.left.bytes(), Sides.alignment), offsets)


def inductor_pools(calls, options):
    Sides.alignment = calls.granule
    life = lambda b: calls.lives[b][1] - calls.lives[b][0]
    root, offsets = None, {}
    for b in sorted(calls.free, key=lambda b: (-calls.sizes[b], -life(b))):
        leaf = Leaf(b, calls.sizes[b], [calls.lives[b]])
        if root is None:
            root = Turns([leaf])
        elif not root.allocate(leaf, True):
            sides = Sides(leaf, 1)
            sides.left, sides.right = root, Turns([leaf])
            root = Turns([sides])
    if root:
        root.place(calls.base, offsets)
    return offsets, root.bytes() if root else 0


def one_by_one(order, bottom):
    """Each buffer in an order at the lowest offset, or in the smallest gap among those that are live with it."""
    def plan(calls, options):
        offsets = {b: o for b, o in enumerate(calls.fixed) if o is not None}
        for b in sorted(calls.free, key=lambda b: order(calls, b)):
            meets = sorted((offsets[c], offsets[c] + calls.sizes[c]) for c in offsets
                           if calls.lives[c][0] < calls.lives[b][1] and calls.lives[b][0] < calls.lives[c][1])
            gaps, end = [], 0
            for begin, after in meets:
                if begin > end:
                    gaps.append((end, begin))
                end = max(end, after)
            fits = [(0 if bottom == "lowest" else stop - begin, begin) for begin, stop in gaps
                    if stop - begin >= calls.sizes[b] and not (bottom == "never" and begin == 0)]
            offsets[b] = min(fits)[1] if fits else end
        return offsets, 0

    return plan


RULES = {  # name: (rule, its initial alignment, settings that are tried, the unit of sizes)
    "ggml": (ggml, 32, [{}, {"chunk": 64}, {"chunk": 160}, {"chunk": 320, "alignment": 16}], 16),
    "best_fit_joining": (best_fit_joining, 1, [{}, {"alignment": 4}], 1),
    "mlir_best_fit": (mlir_best_fit, 1, [{}, {"alignment": 4}], 1),
    "tf_bfc": (bfc(2 * MIB), 256, [{}, {"region": 512}, {"region": 700, "alignment": 100}, {"same_as_requested": 1}], 100),
    "ort_bfc": (bfc(MIB), 256, [{}, {"region": 1024}], 300000),
    "pytorch_caching": (pytorch_caching, 512, [{}, {"max_split": 2 * MIB}, {"alignment": 1}, {"max_split": 9 * MIB}], MIB // 2),
    "cudagraph_pool": (pytorch_caching, 512, [{}], MIB // 2),
    "tinygrad": (tinygrad, 256, [{}, {"alignment": 1}, {"alignment": 3}], 97),
    "mnn_deferred": (lambda calls, options: deferred(calls, False), 64, [{}, {"alignment": 1}], 20),
    "graph_compiler": (lambda calls, options: deferred(calls, options.get("hot_first", 1)), 64,
                       [{}, {"alignment": 1}, {"hot_first": 0}, {"hot_first": 0, "alignment": 1}], 20),
    "inductor_pools": (inductor_pools, 64, [{}, {"alignment": 1}, {"alignment": 5}], 20),
    "openvino_memory_solver": (one_by_one(lambda c, b: (-c.sizes[b], *c.lives[b]), "lowest"), 1, [{}], 1),
    "xnnpack": (one_by_one(lambda c, b: -c.sizes[b], "counts"), 1, [{}], 1),
    "xnnpack_before_2026": (one_by_one(lambda c, b: -c.sizes[b], "never"), 1, [{}], 1),
}


def make_tree(random, live, count, depth):
    """A recording that finds `live`, and those below it; count[0] is the number of buffers so far."""
    steps, live = [], list(live)
    for _ in range(random.randint(1, 4)):
        freed = [b for b in live if random.random() < 0.4]
        allocated = list(range(count[0], count[0] + random.randint(0, 3)))
        count[0] += len(allocated)
        live = [b for b in live if b not in freed] + allocated
        steps.append([freed, allocated])
    children = random.choice((0, 1, 2, 3)) if depth else 0
    return {"steps": steps, "children": [make_tree(random, live, count, depth - 1) for _ in range(children)]}


def tree_case(tree, sizes):
    """Recordings one after another, depth first. What lives at the end of one does so at the begin of each child."""
    lives = {}

    def record(recording, live, step):
        live = dict(live)
        for freed, allocated in recording["steps"]:
            for b in freed:
                end(b, live.pop(b), step)
            live.update((b, step) for b in allocated)
            step += 1
        for child in recording["children"]:
            step = record(child, live, step)
            live = {b: step for b in live}
        for b, begin in live.items():
            end(b, begin, step)
        return step

    def end(b, begin, step):
        segments = lives.setdefault(b, [])
        if segments and segments[-1][1] == begin:
            segments[-1][1] = step
        elif begin < step:
            segments.append([begin, step])

    record(tree, {}, 0)
    buffers = [{"name": f"b{b}", "size": sizes[b], "segments": lives[b]} for b in range(len(sizes))]
    return {"planner": "cudagraph_pool", "tree": tree,
            "problem": {"format": "memplan-problem/1", "name": "case", "buffers": buffers}}


def make(random):
    name = random.choice(list(RULES))
    rule, _, settings, unit = RULES[name]
    chosen = random.choice(settings)
    if name == "cudagraph_pool":
        count = [0]
        tree = {"steps": [], "children": []}
        while not count[0]:
            tree = make_tree(random, [], count, 3)
        return tree_case(tree, [random.randint(1, 25) * unit - random.choice([0, unit // 2]) for _ in range(count[0])])
    one_by_one_rule = name.startswith(("openvino", "xnnpack"))
    buffers = []
    for b in range(random.randint(1, random.choice([5, 12, 24]))):
        lower = random.randint(0, 12)
        buffer = {"name": f"b{b}", "size": random.randint(1, 9) * unit - random.choice([0, 0, unit // 2]),
                  "segments": [[lower, lower + random.choice([1, 1, 2, 3, 8])]]}
        if not one_by_one_rule and random.random() < 0.1:
            buffer["alignment"] = random.choice([2, 4, 8])
        buffers.append(buffer)
    if random.random() < 0.1:
        buffers[0].update(offset=8 * random.randint(0, 20))
    text = "&".join(f"{key}={value}" for key, value in chosen.items())
    return {"planner": name + ("?" + text if text else ""),
            "problem": {"format": "memplan-problem/1", "name": "case", "buffers": buffers}}


def contradiction(case, claim):
    if "error" in claim:
        return claim["error"] if "program ended" in claim["error"] else None
    name, _, text = case["planner"].partition("?")
    rule, alignment, _, _ = RULES[name]
    options = {key: int(value) for key, value in (part.split("=") for part in text.split("&") if part)}
    calls = Calls(case["problem"], options.get("alignment", alignment))
    more = (replay_tree(case["tree"]),) if "tree" in case else ()
    offsets, pool_bytes = rule(calls, options, *more)
    offsets = [offsets.get(b, calls.fixed[b]) for b in range(len(calls.sizes))]
    if claim["offsets"] != offsets:
        return f"{case['planner']} has offsets {claim['offsets']}, by the rule {offsets}"
    if not name.startswith(("openvino", "xnnpack")) and claim["pool_bytes"] != pool_bytes:
        return f"{case['planner']} has pools of {claim['pool_bytes']} bytes, by the rule {pool_bytes}"
    return None


def smaller(case):
    if "tree" in case:
        return
    buffers = case["problem"]["buffers"]
    for b in range(len(buffers)):
        if len(buffers) > 1:
            yield {**case, "problem": {**case["problem"], "buffers": buffers[:b] + buffers[b + 1:]}}


if __name__ == "__main__":
    differential.main(make, contradiction, smaller)
