"""Random graphs of several streams with a plan each, and how such a case is made smaller."""
import copy

from stream_ways import TooManyWays, must_be_apart, operators, places

STREAMS = ("main", "s1", "s2")


class Maker:
    def __init__(self, random):
        self.random = random
        self.tensors, self.count = {}, 0
        self.streams = STREAMS[:random.choice((1, 2, 2, 3))]
        self.sizes = random.choice(((1, 8), (1, 2, 4, 8), (4,), (1, 2, 3)))

    def tensor(self, size=None):
        name = f"t{len(self.tensors)}"
        self.tensors[name] = size or self.random.choice(self.sizes)
        return name

    def some(self, scope, most):
        recent = scope[-4:] if self.random.random() < 0.7 else scope
        return self.random.sample(recent, self.random.randint(0, min(most, len(recent))))

    def region(self, budget, scope, depth):
        ops, scope = [], list(scope)
        while budget > 0:
            kind = self.random.random() if depth < 2 and budget > 1 else 1
            self.count += 1
            op = {"name": f"o{self.count}", "type": "Op", "inputs": self.some(scope, 2), "outputs": []}
            if self.random.random() < 0.6:
                op["stream"] = self.random.choice(self.streams)
            if ops and self.random.random() < 0.2:
                op["after"] = [self.random.choice(ops)["name"]]
            if kind < 0.25:
                budget -= self.branch(op, budget, scope, depth)
            elif kind < 0.4 and scope:
                budget -= self.loop(op, budget, scope, depth)
            else:
                op["outputs"] = [self.tensor() for _ in range(self.random.choice((1, 1, 1, 2)))]
                budget -= 1
            scope += op["outputs"]
            ops.append(op)
        return ops, scope

    def branch(self, op, budget, scope, depth):
        shares = [self.random.randint(0, 2) for _ in range(self.random.choice((2, 2, 2, 3)))]
        bodies = [self.region(min(share, budget - 1), scope, depth + 1) for share in shares]
        results = self.random.choice((0, 1, 1, 2))
        results = results if all(inner for _, inner in bodies) else 0
        yields = []
        for ops, inner in bodies:
            own = inner[len(scope):]
            pool = own if own and self.random.random() < 0.8 else inner
            yields.append([self.random.choice(pool) for _ in range(results)])
        for k in range(results):
            op["outputs"].append(self.tensor(max(self.tensors[names[k]] for names in yields)))
        op.update(type="If", inputs=["flag"], regions=[
            {"name": f"{op['name']}_{i}", "ops": body[0], "yields": names} for i, (body, names) in enumerate(zip(bodies, yields))])
        return 1 + sum(shares)

    def loop(self, op, budget, scope, depth):
        carried = []
        for _ in range(self.random.choice((1, 1, 2))):
            init = self.random.choice(scope)
            carried.append({"init": init, "argument": self.tensor(self.tensors[init])})
        share = self.random.randint(1, 3)
        ops, inner = self.region(min(share, budget - 1), scope + [c["argument"] for c in carried], depth + 1)
        for c in carried:
            size = self.tensors[c["init"]]
            fitting = [name for name in inner[len(scope):] if self.tensors[name] == size]
            if self.random.random() < 0.4 or not fitting:
                self.count += 1
                fitting = [self.tensor(size)]
                ops.append({"name": f"o{self.count}", "type": "Op", "inputs": self.some(inner, 2), "outputs": fitting})
            c["yield"] = self.random.choice(fitting)
            c["result"] = self.tensor(size)
        op.update(type="Loop", inputs=[], outputs=[c["result"] for c in carried], carried=carried,
                  trip_count=self.random.choice((0, 1, 2, 3, None, None)),
                  regions=[{"name": f"{op['name']}_body", "ops": ops, "yields": []}])
        return 1 + share

    def chain(self):
        """Many Ifs without results, one branch of each empty: more ways than anybody looks at one by one. What the branches hold
        is mostly on one stream, reads the same, and so orders what is before and after on all ways but few."""
        ops, scope = [], ["x"]
        before, among, after = self.random.randint(1, 3), self.random.randint(11, 15), self.random.randint(1, 2)
        common = self.random.choice(STREAMS[1:])
        for i in range(before + among + after):
            made = self.tensor() if not before <= i < before + among else self.tensor(1)
            op = {"name": f"o{i}", "type": "Op", "inputs": self.some(scope, 2), "outputs": [made]}
            op["stream"] = common if i >= before and self.random.random() < 0.95 else self.random.choice(STREAMS)
            if before <= i < before + among:
                op["inputs"] = scope[-1:] if self.random.random() < 0.95 else op["inputs"]
                regions = [{"name": f"e{i}", "ops": [], "yields": []},
                           {"name": f"t{i}", "ops": [{**op, "name": f"p{i}"}], "yields": []}]
                self.random.shuffle(regions)
                op = {"name": f"o{i}", "type": "If", "inputs": ["flag"], "outputs": [], "stream": "main", "regions": regions}
            else:
                op["inputs"] = [] if i >= before and self.random.random() < 0.5 else op["inputs"]
                scope.append(made)
            ops.append(op)
        return ops, scope

    def graph(self):
        self.tensors["x"] = self.random.choice(self.sizes)
        if self.random.random() < 0.03:
            inputs = ["x"]
            ops, scope = self.chain()
        else:
            inputs = scope = ["x"] if self.random.random() < 0.7 else ["x", self.tensor()]
            ops, scope = self.region(self.random.randint(2, 8), scope, 0)
        graph = {"format": "memplan-graph/1", "name": "case",
                 "tensors": [{"name": n, "bytes": b} for n, b in self.tensors.items()]
                 + [{"name": "flag", "bytes": 1, "memory": "external"}],
                 "inputs": inputs + ["flag"],
                 "outputs": self.random.sample(scope[-3:], self.random.randint(1, min(2, len(scope)))), "ops": ops}
        if self.random.random() < 0.7:
            graph["waits"] = "auto"
        else:
            cover(ops)
        return graph


def reads(op):
    inner = [name for region in op.get("regions", []) for name in region["yields"]]
    inner += [name for region in op.get("regions", []) for other in region["ops"] for name in reads(other)]
    return op["inputs"] + [c[key] for c in op.get("carried", []) for key in ("init", "yield")] + inner


def cover(ops):
    """Adds the waits without which a read would not be covered."""
    for i, op in enumerate(ops):
        needed = [earlier["name"] for earlier in ops[:i] if set(earlier["outputs"]) & set(reads(op))]
        if needed:
            op["after"] = sorted(set(op.get("after", []) + needed))
        for region in op.get("regions", []):
            cover(region["ops"])


def make(random):
    try:
        graph = Maker(random).graph()
        apart = must_be_apart(graph, None, False)
    except TooManyWays:
        return make(random)
    sizes = places(graph)
    if apart and random.random() < 0.7:  # a plan that is wrong, in few ways if possible
        few = sorted(apart, key=lambda pair: (apart[pair], pair))
        pair = few[0] if random.random() < 0.4 else random.choice(few)
        apart = {four for four in apart if (four[0], four[2]) != (pair[0], pair[2])}
    offsets = {}
    for name in random.sample(sorted(sizes), len(sizes)):
        taken = [(offsets[b] - size, offsets[b] + other) for a, size, b, other in apart if a == name and b in offsets]
        taken += [(offsets[a] - other, offsets[a] + size) for a, size, b, other in apart if b == name and a in offsets]
        offsets[name] = min(o for o in [0] + [upper for _, upper in taken] if o >= 0 and not any(a < o < b for a, b in taken))
    policy = random.choice(("streams", "streams", "streams", "per_stream", "streams_interval", "launch_order",
                            "waves", "serialised", "lag_4"))
    return {"graph": graph, "policy": policy, "offsets": offsets}


def smaller(case):
    """Without an operator, or with a region's operators in its place, an input, a wait, a stream, an output, bytes."""
    graph = case["graph"]
    for name in [op["name"] for op in operators(graph["ops"])]:
        for how in ("drop", "unfold", "no stream", "no after", "no inputs", "last input", "no results"):
            less = copy.deepcopy(case)
            if change(less["graph"]["ops"], name, how):
                tidy(less)
                yield less
    for tensor in graph["outputs"]:
        if len(graph["outputs"]) > 1:
            yield {**case, "graph": {**graph, "outputs": [o for o in graph["outputs"] if o != tensor]}}
    if case["policy"] != "streams":
        yield {**case, "policy": "streams"}


def change(ops, name, how):
    """Whether the operator was there and has become smaller."""
    for i, op in enumerate(ops):
        if op["name"] != name:
            if any(change(region["ops"], name, how) for region in op.get("regions", [])):
                return True
            continue
        if how == "drop":
            ops.pop(i)
            return True
        if how == "unfold" and "regions" in op:
            ops[i:i + 1] = [inner for region in op["regions"] for inner in region["ops"]]
            return True
        if how == "last input" and op["inputs"]:
            op["inputs"].pop()
            return True
        if how == "no results" and op["type"] == "If" and op["outputs"]:
            op["outputs"] = []
            for region in op["regions"]:
                region["yields"] = []
            return True
        key = {"no stream": "stream", "no after": "after", "no inputs": "inputs"}.get(how)
        if op.get(key) and how != "last input":
            op[key] = []
            if key != "inputs":
                del op[key]
            return True
    return False


def tidy(case):
    """Leaves out tensors that nobody writes, and what read them; what yields or carries one stays, and is refused."""
    graph = case["graph"]
    made = set(graph["inputs"]) | {c["argument"] for op in operators(graph["ops"]) for c in op.get("carried", [])}
    made |= {name for op in operators(graph["ops"]) for name in op["outputs"]}
    names = {op["name"] for op in operators(graph["ops"])}
    graph["tensors"] = [t for t in graph["tensors"] if t["name"] in made]
    graph["outputs"] = [name for name in graph["outputs"] if name in made]
    for op in operators(graph["ops"]):
        op["inputs"] = [name for name in op["inputs"] if name in made]
        if "after" in op:
            op["after"] = [name for name in op["after"] if name in names]
    case["offsets"] = {name: offset for name, offset in case["offsets"].items() if name in made}
