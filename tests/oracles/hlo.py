"""Random modules of XLA, written byte by byte, and the graph that docs/formats.md says that they become.

A case is {"module": .., "hlo": the file as hexadecimal digits}; the claims are {"graph": .., "flat": [[tensor, bytes, lower, upper], ..]}: the graph,
and its problem under the policy flat. Of modules without control flow the problem is found here once more, from the positions of instructions alone:
who conflicts with whom, and how high the peak is.

A module is {"computations": [{"id", "instructions": [{"id", "name", "op", "shape", "operands", "called", "waits", "number"}], "root", "order"}], "entry",
"aliases": [[path of an output, parameter, path in it]], "buffers": [[instruction, path, bytes, allocation, offset]] or null}. A shape is a list of
shapes, or {"size": elements, "space": memory, "sizes", "tiles"} of float32, or null for a token. "order" is the schedule, null where there is none.
"""
import math

import differential
import models

VIEWS = ("bitcast", "opt-barrier", "add-dependency")
POINTWISE = ("add", "multiply", "exponential")


def varint(number):
    out = bytearray()
    number &= 2**64 - 1
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes(out) + bytes([number])


def number(field, value):
    return varint(field << 3) + varint(value) if value else b""


def chunk(field, content):
    content = content.encode() if isinstance(content, str) else content
    return varint(field << 3 | 2) + varint(len(content)) + content


def numbers(field, values, packed=True):
    if packed:
        return chunk(field, b"".join(map(varint, values))) if values else b""
    return b"".join(varint(field << 3) + varint(v) for v in values)


def shape_bytes(shape):
    if shape is None:
        return number(2, 17)
    if isinstance(shape, list):
        return number(2, 13) + b"".join(chunk(4, shape_bytes(s)) for s in shape)
    layout = number(8, shape["space"]) + b"".join(chunk(6, numbers(1, tile)) for tile in shape.get("tiles", []))
    sizes = shape.get("sizes", [shape["size"]])
    return number(2, 11) + numbers(3, sizes, packed=len(sizes) != 3) + chunk(5, numbers(1, range(len(sizes))[::-1]) + layout)


def encode(module):
    out = chunk(1, "module")
    for computation in module["computations"]:
        content = b"".join(chunk(2, chunk(1, i["name"]) + chunk(2, i["op"]) + chunk(3, shape_bytes(i["shape"]))
                                 + number(9 if i["op"] == "parameter" else 13, i.get("number", 0)) + number(35, i["id"])
                                 + numbers(36, i["operands"]) + numbers(37, i.get("waits", []))
                                 + numbers(38, i.get("called", []), packed=False))
                           for i in computation["instructions"])
        out += chunk(3, content + number(5, computation["id"]) + number(6, computation["root"]))
    out += number(6, module["entry"])
    schedule = b"".join(chunk(1, number(1, c["id"]) + chunk(2, numbers(1, c["order"])))
                        for c in module["computations"] if c["order"] is not None)
    out += chunk(7, schedule) if schedule else b""
    out += chunk(8, b"".join(chunk(1, numbers(1, output) + number(2, p) + numbers(3, path) + number(4, 1))
                             for output, p, path in module["aliases"]))
    if module["buffers"] is None:
        return out if module.get("bare") else chunk(1, out)
    buffers, allocations = b"", {}
    for n, (instruction, path, size, allocation, offset) in enumerate(module["buffers"]):
        buffers += chunk(1, number(1, n) + number(2, size) + chunk(3, numbers(3, path) + number(4, instruction)))
        allocations.setdefault(allocation, []).append((n, offset, size))
    for index, places in allocations.items():
        buffers += chunk(3, number(1, index) + number(2, max(o + s for _, o, s in places))
                         + b"".join(chunk(9, number(1, n) + number(2, o) + number(3, s)) for n, o, s in places))
    return chunk(1, out) + chunk(3, buffers)


def leaves(shape, path=()):
    """The parts of a shape that are no tuples, with the numbers that lead to them."""
    if isinstance(shape, list):
        return [leaf for n, s in enumerate(shape) for leaf in leaves(s, path + (n,))]
    return [(path, shape)]


def size(shape):
    if not shape:
        return 1
    tiled = list(shape.get("sizes", [shape["size"]]))
    for tile in shape.get("tiles", [])[:1]:  # those behind the first divide it
        tiled = [1] * (len(tile) - len(tiled)) + tiled
        for n, length in enumerate(tile, len(tiled) - len(tile)):
            tiled[n] = -(-tiled[n] // length) * length
    return 4 * math.prod(tiled)


class Maker:
    """Makes the instructions of one computation."""

    def __init__(self, random, module, depth):
        self.random, self.module, self.depth, self.made = random, module, depth, []

    def add(self, op, shape, operands, **more):
        id = self.module["next"] = self.module["next"] + self.random.randint(1, 1 << 40)
        self.made.append({"id": id, "name": f"{op}.{len(self.module['names'])}", "op": op, "shape": shape,
                          "operands": [o["id"] for o in operands], **more})
        self.module["names"].append(id)
        if len(self.made) > 1 and self.random.random() < 0.1:
            self.made[-1]["waits"] = [self.random.choice(self.made[:-1])["id"]]
        return self.made[-1]

    def array(self):
        random, shape = self.random, {"size": self.random.choice([4, 4, 4, 8, 1]), "space": self.random.choice([0] * 12 + [5])}
        if random.random() < 0.1:
            shape["sizes"] = [random.randint(1, 5) for _ in range(random.randint(0, 3))]
            shape["tiles"] = [[4, 8], [2, 1]] if random.random() < 0.5 else [[16]]
            shape["size"] = math.prod(shape["sizes"])
        return shape

    def pick(self, shape="any", arrays=False):
        found = [i for i in self.made if (shape == "any" or i["shape"] == shape) and (not arrays or isinstance(i["shape"], dict))]
        return self.random.choice(found) if found else None

    def of_shape(self, shape):
        """An instruction of that shape, which is made of what there is."""
        found = self.pick(shape)
        if found and self.random.random() < 0.7:
            return found
        if isinstance(shape, list):
            return self.add("tuple", shape, [self.of_shape(s) for s in shape])
        if shape is None:
            return self.add("after-all", None, [])
        source = self.pick(arrays=True)
        return self.add("dot", shape, [source] if source else [])

    def step(self):
        random = self.random
        first, second = self.pick(arrays=True), self.pick(arrays=True)
        kind = random.choice(["add", "add", "dot", "fusion", "tuple", "element", "view", "constant", "update", "copy", "token",
                              "while", "conditional", "call", "sort"])
        if kind == "constant" or not first:
            self.add("constant", self.array() if random.random() < 0.8 else [self.array(), self.array()], [])
        elif kind == "add":
            other = self.pick(first["shape"])
            self.add(random.choice(POINTWISE), first["shape"], [first, other] if random.random() < 0.7 else [first])
        elif kind in ("dot", "fusion", "sort"):
            shape = [self.array() for _ in range(random.randint(0, 3))] if random.random() < 0.3 else self.array()
            called = [self.function([self.array()], 0)] if kind == "fusion" else []
            self.add(kind, shape, [self.pick() for _ in range(random.randint(1, 2))], called=called)
        elif kind == "tuple":
            parts = [self.pick() for _ in range(random.randint(0, 3))]
            if sum(len(leaves(p["shape"])) for p in parts) < 9:
                self.add("tuple", [p["shape"] for p in parts], parts)
        elif kind == "element":
            tuples = [i for i in self.made if isinstance(i["shape"], list) and i["shape"]]
            if tuples:
                tuple_ = random.choice(tuples)
                at = random.randrange(len(tuple_["shape"]))
                self.add("get-tuple-element", tuple_["shape"][at], [tuple_], number=at)
        elif kind == "view":
            seen = self.pick()
            op = random.choice(VIEWS)
            self.add(op, seen["shape"], [seen] + ([self.of_shape(None)] if op == "add-dependency" else []))
        elif kind == "update":
            self.add("dynamic-update-slice", first["shape"], [first, second])
        elif kind == "copy":
            target = {**first["shape"], "space": random.choice([0, 0, 5])}
            start = self.add("copy-start", [target, first["shape"], {"size": 1, "space": 2}], [first])
            for _ in range(random.randint(0, 2)):
                self.step()
            self.add("copy-done", target, [start])
        elif kind == "token":
            self.add("infeed", [self.array(), None], [self.of_shape(None)])
        elif self.depth:
            self.control(kind)

    def control(self, kind):
        random, given = self.random, self.pick()
        if kind == "call":
            operands = [self.pick() for _ in range(random.randint(0, 2))]
            result = random.choice([self.array(), [self.array(), None]])
            self.add("call", result, operands, called=[self.function([o["shape"] for o in operands], self.depth - 1, result)])
        elif kind == "while":
            carried = given["shape"]
            called = [self.function([carried], self.depth - 1, carried), self.function([carried], self.depth - 1, {"size": 1, "space": 0})]
            self.add("while", carried, [given], called=called)
        else:
            result, branches = random.choice([self.array(), [self.array(), self.array()], []]), random.randint(1, 3)
            operands = [self.pick() for _ in range(branches)]
            called = [self.function([o["shape"]], self.depth - 1, result) for o in operands]
            self.add("conditional", result, [self.of_shape({"size": 1, "space": 0}), *operands], called=called)

    def function(self, shapes, depth, result="any", steps=3):
        inner = Maker(self.random, self.module, depth)
        for n, shape in self.random.sample(list(enumerate(shapes)), len(shapes)):
            inner.add("parameter", shape, [], number=n)
        for _ in range(self.random.randint(0, steps)):
            inner.step()
        root = inner.pick() if result == "any" else inner.of_shape(result)
        root = root or inner.add("constant", self.array(), [])
        order = [i["id"] for i in inner.made]
        scheduled = self.module["scheduled"]
        if scheduled:
            order = self.shuffled(inner.made)
        id = self.module["next"] = self.module["next"] + 1
        self.module["computations"].append({"id": id, "instructions": inner.made, "root": root["id"], "order": order if scheduled else None})
        return id

    def shuffled(self, made):
        """Another order in which operands come first."""
        waiting, done, order = list(made), set(), []
        while waiting:
            ready = [i for i in waiting if all(o in done for o in i["operands"] + i.get("waits", []))]
            taken = self.random.choice(ready[:3])
            waiting.remove(taken)
            done.add(taken["id"])
            order.append(taken["id"])
        return order


def by_id(module):
    return {i["id"]: i for c in module["computations"] for i in c["instructions"]}


def assign(random, module):
    """Places for the leaves that instructions define, some in that of an operand as XLA does in place."""
    buffers, place = [], {}
    for computation in module["computations"]:
        for i in computation["instructions"]:
            if i["op"] in ("tuple", "get-tuple-element", "while", "conditional", "call", *VIEWS) or random.random() < 0.1:
                continue
            for path, shape in leaves(i["shape"]):
                if shape is None or i["op"] == "copy-start" and path == (1,) or i["op"] == "copy-done":
                    continue
                at = (shape["space"], 1000 * len(buffers))
                shared = [place[o, ()] for o in i["operands"] if (o, ()) in place]
                if shared and random.random() < 0.5:
                    at = random.choice(shared)
                place[i["id"], path] = at
                buffers.append([i["id"], list(path), size(shape), *at])
    return buffers


def make(random):
    module = {"computations": [], "aliases": [], "buffers": None, "next": random.randint(0, 5), "names": [],
              "scheduled": random.random() < 0.7, "bare": random.random() < 0.5}
    maker = Maker(random, module, random.choice([0, 0, 2]))
    module["entry"] = maker.function([maker.array() if random.random() < 0.8 else [maker.array(), [maker.array(), None]]
                                      for _ in range(random.randint(0, 3))], maker.depth, "any", random.choice([4, 10, 20]))
    entry = module["computations"][-1]
    if random.random() < 0.5:
        parameters = sorted((i for i in entry["instructions"] if i["op"] == "parameter"), key=lambda i: i["number"])
        root = by_id(module)[entry["root"]]
        for path, _ in leaves(root["shape"]):
            if parameters and random.random() < 0.6:
                parameter = random.choice(parameters)
                inner = [p for p, s in leaves(parameter["shape"]) if s]
                if inner:
                    module["aliases"].append([list(path), parameter["number"], list(random.choice(inner))])
    if random.random() < 0.4:
        module["buffers"] = assign(random, module)
    for key in ("next", "names", "scheduled"):
        del module[key]
    return rebuilt(module)


def rebuilt(module):
    return {"module": module, "hlo": encode(module).hex()}


class Wrong(Exception):
    pass


class Expected:
    """The graph, as models.Comparison wants it. A value is a list of leaves: None, ("weight", bytes) or (tensor, its writer)."""

    def __init__(self, module, over, apart):
        self.module, self.over, self.apart = module, over, apart
        self.tensors, self.home, self.writer, self.users, self.leaf, self.bytes = [], {}, {}, {}, {}, {}
        self.count, self.again, self.region, self.numbers = 0, set(), [], []
        self.instruction = by_id(module)
        self.computation = {c["id"]: c for c in module["computations"]}
        self.place = {(i, tuple(p)): (a, o, s) for i, p, s, a, o in module["buffers"] or []}
        entry = self.computation[module["entry"]]
        frame, self.inputs = {}, []
        for i in sorted((i for i in entry["instructions"] if i["op"] == "parameter"), key=lambda i: i["number"]):
            frame[i["id"]] = [self.define(i, path, shape, None, self.region) for path, shape in leaves(i["shape"])]
            self.inputs += [leaf[0] for leaf in frame[i["id"]]]
        self.entry = frame
        self.run(entry, frame, self.region)
        self.result = frame[entry["root"]]
        self.outputs = self.list(self.result)

    def define(self, i, path, shape, op, region):
        key = (i["id"], path)
        tensor = self.overwritten(key, size(shape), op, region) if op and op["type"] not in ("while", "conditional") else None
        if tensor is None:
            tensor = len(self.tensors)
            self.tensors.append((size(shape), not shape or shape["space"] != 0))
            self.home[tensor] = id(region)
            if op:
                op["outputs"].append(tensor)
        else:
            self.write(op, tensor)
        self.leaf[tensor] = (key, op and op["number"])
        self.bytes[key] = size(shape)
        return (tensor, op and op["number"])

    def write(self, op, tensor):
        """Into a tensor that there is: behind all that uses it so far."""
        op["after"] += [u for u in self.users.get(tensor, []) if u != op["number"]]
        self.users[tensor] = []
        self.writer[tensor] = op["number"]
        op["wrote"].append(tensor)

    def overwritten(self, key, bytes, op, region):
        def fits(tensor):
            return self.home.get(tensor) == id(region) and self.leaf[tensor][1] != op["number"] and self.tensors[tensor][0] == bytes
        if key in self.apart:
            return None
        place = self.place.get(key)
        last = None
        for tensor in op["inputs"]:
            if place and tensor in self.leaf and self.place.get(self.leaf[tensor][0]) == place:
                last = tensor
        if last is not None:
            return last if fits(last) else None
        if key in self.over and region is self.region and key[0] in self.direct:
            parameter, path = self.over[key]
            value = dict(zip((p for p, _ in leaves(self.instruction[parameter]["shape"])), self.entry[parameter]))[path]
            if (value[0] not in op["inputs"] or place and self.place.get((parameter, path)) == place):
                return value[0] if fits(value[0]) else None
        return None

    def intact(self, value):
        if value[0] != "weight" and value[0] in self.leaf and self.leaf[value[0]][1] != value[1] and self.leaf[value[0]][0] not in self.apart:
            self.again.add(self.leaf[value[0]][0])

    def use(self, op, value, region):
        self.intact(value)
        if value[0] != "weight" and self.home.get(value[0]) == id(region):
            if value[0] in self.writer:
                op["after"].append(self.writer[value[0]])
            self.users.setdefault(value[0], []).append(op["number"])

    def read(self, op, value, region):
        self.use(op, value, region)
        if value[0] == "weight":
            op["weights"].append(value[1])
        else:
            op["inputs"].append(value[0])

    def list(self, value):
        found = []
        for leaf in value:
            self.intact(leaf)
            if leaf[0] == "weight":
                found.append(len(self.tensors))
                self.tensors.append((leaf[1], True))
            else:
                found.append(leaf[0])
        return found

    def operator(self, i, region):
        op = {"type": i["op"], "inputs": [], "outputs": [], "weights": [], "after": [], "inplace": [], "carried": [], "regions": [],
              "number": self.count, "wrote": [], "instruction": i["id"]}
        self.count += 1
        region.append(op)
        self.numbers[-1][i["id"]] = op["number"]
        op["after"] += [self.numbers[-1][w] for w in i.get("waits", []) if w in self.numbers[-1]]
        return op

    def run(self, computation, frame, region):
        order = computation["order"]
        self.numbers.append({})
        direct = {i["id"] for i in computation["instructions"]} if frame is self.entry_frame(frame) else set()
        for id_ in order if order is not None else [i["id"] for i in computation["instructions"]]:
            i = self.instruction[id_]
            if i["op"] != "parameter":
                self.direct = direct
                frame[id_] = self.value(i, frame, region)
        self.numbers.pop()

    def entry_frame(self, frame):
        return getattr(self, "entry", frame)

    def called(self, id_, values, region):
        computation, frame = self.computation[id_], {}
        for i in computation["instructions"]:
            if i["op"] == "parameter":
                frame[i["id"]] = values[i["number"]]
        self.run(computation, frame, region)
        return frame[computation["root"]]

    def value(self, i, frame, region):
        operands = [frame[o] for o in i["operands"]]
        kind, parts = i["op"], leaves(i["shape"])
        if kind == "constant":
            return [("weight", size(shape)) for _, shape in parts]
        if kind == "tuple":
            return [leaf for value in operands for leaf in value]
        if kind in VIEWS:
            return operands[0]
        if kind == "get-tuple-element":
            shape = self.instruction[i["operands"][0]]["shape"]
            return [leaf for (path, _), leaf in zip(leaves(shape), operands[0]) if path[0] == i["number"]]
        if kind == "call":
            return self.called(i["called"][0], operands, region)
        op = self.operator(i, region)
        if kind == "while":
            return self.loop(i, op, operands[0], region)
        if kind == "conditional":
            return self.branches(i, op, operands, region)
        for value in operands:
            for leaf in value:
                self.read(op, leaf, region)
        if kind == "copy-done":  # its operand is there from now on
            value = operands[0][0]
            if value[0] == "weight" or self.home.get(value[0]) != id(region):
                return [value]
            self.write(op, value[0])
            self.leaf[value[0]] = (self.leaf[value[0]][0], op["number"])
            return [(value[0], op["number"])]
        found = [operands[0][0] if kind == "copy-start" and path == (1,) else self.define(i, path, shape, op, region)
                 for path, shape in parts]
        self.overwritable(i, op, frame)
        return found

    def overwritable(self, i, op, frame):
        candidates = {"dynamic-update-slice": 1}.get(i["op"], len(i["operands"]) if i["op"] in POINTWISE else 0)
        position = 0
        for o in i["operands"][:candidates]:
            leaf = frame[o][0]
            if leaf[0] == "weight":
                continue
            same = self.instruction[o]["shape"] == i["shape"] and self.tensors[leaf[0]][0] == size(i["shape"])
            if op["outputs"] and same and op["inputs"].count(leaf[0]) == 1:
                op["inplace"].append([position, 0])
            position += 1

    def loop(self, i, op, init, region):
        for leaf in init:
            self.use(op, leaf, region)
        inits = self.list(init)
        result = [self.define(i, path, shape, op, region) for path, shape in leaves(i["shape"])]
        arguments = []
        for leaf, out in zip(inits, result):
            self.tensors.append(self.tensors[out[0]])
            arguments.append((len(self.tensors) - 1, None))
            op["carried"].append([leaf, arguments[-1][0], None, out[0]])
        for number, called in enumerate(reversed(i["called"])):
            inside = []
            yields = self.list(self.called(called, [arguments], inside))
            if number:
                for values, found in zip(op["carried"], yields):
                    values[2] = found
                yields = []
            op["regions"].append((inside, yields))
        return result

    def branches(self, i, op, operands, region):
        for leaf in operands[0]:
            self.read(op, leaf, region)
        for value in operands[1:]:
            for leaf in value:
                self.use(op, leaf, region)
        result = [self.define(i, path, shape, op, region) for path, shape in leaves(i["shape"])]
        for called, value in zip(i["called"], operands[1:]):
            inside = []
            op["regions"].append((inside, self.list(self.called(called, [value], inside))))
        return result


def expect(module):
    over, apart, first = {}, set(), True
    entry = next(c for c in module["computations"] if c["id"] == module["entry"])
    parameters = {i["number"]: i for i in entry["instructions"] if i["op"] == "parameter"}
    while True:
        graph = Expected(module, over, apart)
        again = bool(graph.again)
        apart |= graph.again
        if first:
            root = graph.instruction[entry["root"]]["shape"]
            outputs = dict(zip((p for p, _ in leaves(root)), graph.result))
            for path, number, inner in module["aliases"]:
                parameter = parameters[number]
                leaf = dict(zip((p for p, _ in leaves(parameter["shape"])), graph.entry[parameter["id"]]))[tuple(inner)]
                out = outputs.get(tuple(path))
                if out and out[0] != "weight" and out[0] != leaf[0]:
                    over[graph.leaf[out[0]][0]] = (parameter["id"], tuple(inner))
                    again = True
        first = False
        if not again:
            return graph


def conflicts(graph, match):
    """Of a graph without regions: who is live together with whom, and the peak, by the numbers of operators alone."""
    begin, end = {t: 0 for t in graph.inputs}, {t: 0 for t in graph.inputs}
    for step, op in enumerate(graph.region):
        for tensor in op["inputs"] + op["outputs"] + op["wrote"]:
            begin.setdefault(tensor, step)
            end[tensor] = step
    for tensor in graph.outputs:
        end[tensor] = len(graph.region) - 1
    mine = [t for t in begin if not graph.tensors[t][1] and (t in end)]
    pairs = {frozenset((match[a], match[b])) for a in mine for b in mine if a != b and begin[a] <= end[b] and begin[b] <= end[a]}
    peak = max((sum(graph.tensors[t][0] for t in mine if begin[t] <= s <= end[t]) for s in range(len(graph.region))), default=0)
    return pairs, peak


def contradiction(case, claim):
    module = case["module"]
    graph = expect(module)
    if "error" in claim:
        return claim["error"] if graph.count else None
    try:
        match = models.Comparison(graph, claim["graph"]).match
    except models.Difference as difference:
        return str(difference)
    if any(op["regions"] for op in graph.region):
        return None
    flat = claim["flat"]
    pairs, peak = conflicts(graph, match)
    found = {frozenset((a[0], b[0])) for a in flat for b in flat if a[0] != b[0] and a[2] < b[3] and b[2] < a[3]}
    used = {name for pair in pairs for name in pair}
    if {pair for pair in found if pair <= used} != pairs:
        return f"conflicts {sorted(map(sorted, found ^ pairs))}"
    load = max((sum(s for _, s, low, high in flat if low <= at < high) for at in range(1 + max((f[3] for f in flat), default=0))), default=0)
    if load != peak:
        return f"a peak of {load} bytes, expected {peak}"
    return None


def smaller(case):
    module = case["module"]
    used = {o for c in module["computations"] for i in c["instructions"] for o in i["operands"] + i.get("waits", [])} | {c["root"] for c in module["computations"]}
    for n, computation in enumerate(module["computations"]):
        for i in computation["instructions"]:
            if i["id"] in used or i["op"] == "parameter":
                continue
            kept = {**computation, "instructions": [j for j in computation["instructions"] if j is not i],
                    "order": computation["order"] and [j for j in computation["order"] if j != i["id"]]}
            buffers = module["buffers"] and [b for b in module["buffers"] if b[0] != i["id"]]
            yield rebuilt({**module, "computations": module["computations"][:n] + [kept] + module["computations"][n + 1:], "buffers": buffers})
    for n in range(len(module["aliases"])):
        yield rebuilt({**module, "aliases": module["aliases"][:n] + module["aliases"][n + 1:]})
    if module["buffers"]:
        for n in range(len(module["buffers"])):
            yield rebuilt({**module, "buffers": module["buffers"][:n] + module["buffers"][n + 1:]})


if __name__ == "__main__":
    differential.main(make, contradiction, smaller)
