"""Random programs of torch.export and snapshots of PyTorch's allocator, and what docs/formats.md says that they become."""
import differential

SIZES = {"FLOAT": (7, 4), "HALF": (6, 2), "BOOL": (12, 1)}
VIEWS = ["view", "transpose", "slice", "expand", "select", "unsqueeze", "detach"]
POINTWISE = ["add", "mul", "relu", "sigmoid"]


class Value:
    """A name of the program: a weight, or a tensor of the graph under a number."""

    def __init__(self, shape, dtype="FLOAT", ordered=True):
        self.shape, self.dtype, self.ordered = shape, dtype, ordered

    def bytes(self):
        count = SIZES[self.dtype][1]
        for size in self.shape:
            count *= size
        return count

    def meta(self, symbol):
        strides, stride = [], 1
        for size in reversed(self.shape):
            strides.insert(0, stride)
            stride *= size
        if not self.ordered:
            strides.reverse()
        sizes = [{"as_int": size} for size in self.shape]
        if symbol and sizes and symbol_kind(self.shape[0]):
            inner = f"Symbol('{symbol}', positive=True, integer=True)"
            text = [inner, f"Mul(Integer(2), {inner})", f"Add({inner}, Integer(-1))"][symbol_kind(self.shape[0]) - 1]
            sizes[0] = {"as_expr": {"expr_str": text, "hint": {"as_int": self.shape[0]}}}
        return {"dtype": SIZES[self.dtype][0], "sizes": sizes, "strides": [{"as_int": s} for s in strides], "layout": 7,
                "storage_offset": {"as_int": 0}, "device": {"type": "cpu", "index": None}, "requires_grad": False}


def symbol_kind(size):
    """One size is the symbol itself, one twice that, one less by 1: see program()."""
    return {4: 1, 8: 2, 3: 3}.get(size, 0)


class Program:
    """Makes the nodes of one graph."""

    def __init__(self, random, symbol, prefix, depth):
        self.random, self.symbol, self.prefix, self.depth = random, symbol, prefix, depth
        self.values, self.nodes, self.inputs = {}, [], []

    def name(self, value):
        name = f"{self.prefix}{len(self.values)}"
        self.values[name] = value
        return name

    def argument(self, kind, *names):
        if kind == "as_tensor":
            return {"name": "", "arg": {"as_tensor": {"name": names[0]}}}
        return {"name": "", "arg": {"as_tensors": [{"name": name} for name in names]}}

    def node(self, target, arguments, outputs):
        self.nodes.append({"target": target, "inputs": arguments, "outputs": outputs, "metadata": {}})

    def pick(self, shape=None):
        names = [n for n, v in self.values.items() if shape is None or v.shape == shape]
        return self.random.choice(names)

    def add(self):
        random = self.random
        first, second = self.pick(), self.pick()
        value = self.values[first]
        choice = random.random()
        if choice < 0.25:
            other = self.pick(value.shape)
            name = self.name(Value(value.shape, value.dtype, random.random() < 0.8))
            self.node(f"torch.ops.aten.{random.choice(POINTWISE)}.Tensor",
                      [self.argument("as_tensor", first), self.argument("as_tensor", other)],
                      [{"as_tensor": {"name": name}}])
        elif choice < 0.35:
            name = self.name(Value(random.choice([[4], [8, 2], [3, 4]]), random.choice(list(SIZES))))
            self.node("torch.ops.aten.mm.default", [self.argument("as_tensor", first), self.argument("as_tensor", second)],
                      [{"as_tensor": {"name": name}}])
        elif choice < 0.5:
            view = random.choice(VIEWS)
            ordered = value.ordered and view in ("view", "unsqueeze", "detach")
            name = self.name(Value(value.shape if view != "select" else value.shape[1:] or [1], value.dtype, ordered))
            self.node(f"torch.ops.aten.{view}.default", [self.argument("as_tensor", first)], [{"as_tensor": {"name": name}}])
        elif choice < 0.58:
            name = self.name(Value(value.shape, value.dtype))
            self.node(f"torch.ops.aten.{random.choice(['reshape', 'flatten', 'contiguous'])}.default",
                      [self.argument("as_tensor", first)], [{"as_tensor": {"name": name}}])
        elif choice < 0.63:
            name = self.name(Value(value.shape, random.choice([value.dtype, "HALF"]), value.ordered))
            self.node("torch.ops.aten.to.dtype", [self.argument("as_tensor", first)], [{"as_tensor": {"name": name}}])
        elif choice < 0.75 and not self.depth:
            name = self.name(Value(value.shape, value.dtype, value.ordered))
            self.node(f"torch.ops.aten.{random.choice(['add_', 'copy_', 'relu_'])}.Tensor",
                      [self.argument("as_tensor", first), self.argument("as_tensor", second)], [{"as_tensor": {"name": name}}])
        elif choice < 0.82:
            names = [self.name(Value([2, 2])), self.name(Value([2]))]
            self.node("torch.ops.aten.native_layer_norm.default", [self.argument("as_tensor", first)],
                      [{"as_tensor": {"name": names[0]}}, {"as_none": True}, {"as_tensor": {"name": names[1]}}])
        elif choice < 0.87:
            names = [self.name(Value([2], value.dtype)) for _ in range(2)]
            self.node("torch.ops.aten.split.Tensor", [self.argument("as_tensor", first)], [{"as_tensors": [{"name": n} for n in names]}])
        elif choice < 0.9:
            self.node("torch.ops.aten.sym_size.int", [self.argument("as_tensor", first)], [{"as_sym_int": {"as_name": "s"}}])
        elif self.depth < 2:
            self.add_subgraph()

    def subgraph(self, inputs, outputs=None):
        """A graph with these inputs; without outputs, any two of its values are."""
        inner = Program(self.random, None, f"{self.prefix}{len(self.values)}s", self.depth + 1)
        inner.inputs = [inner.name(Value(v.shape, v.dtype, v.ordered)) for v in inputs]
        for _ in range(self.random.randint(0, 3)):
            inner.add()
        if outputs is None:
            return inner, [inner.pick() for _ in range(2)]
        chosen = []
        for value in outputs:
            read = inner.pick()
            name = inner.name(Value(value.shape, value.dtype))
            inner.node("torch.ops.aten.mm.default", [inner.argument("as_tensor", read)], [{"as_tensor": {"name": name}}])
            chosen.append(name)
        return inner, chosen

    def json(self, outputs):
        return {"inputs": [{"as_tensor": {"name": n}} for n in self.inputs], "outputs": [{"as_tensor": {"name": n}} for n in outputs],
                "nodes": self.nodes, "tensor_values": {n: v.meta(self.symbol) for n, v in self.values.items()},
                "sym_int_values": {}, "sym_bool_values": {}, "is_single_tensor_return": False}

    def graph_argument(self, made):
        return {"name": "", "arg": {"as_graph": {"name": "g", "graph": made[0].json(made[1])}}}

    def add_subgraph(self):
        random = self.random
        kind = random.choice(["cond", "while_loop", "map_impl", "scan", "wrap_with_set_grad_enabled"])
        names = [self.pick() for _ in range(random.randint(1, 3))]
        values, predicate = [self.values[n] for n in names], self.pick()
        higher = f"torch.ops.higher_order.{kind}"
        if kind == "cond":
            results = [Value([4]), Value([8, 2])]
            graphs = [self.subgraph(values, results) for _ in range(2)]
            outputs = [self.name(Value(v.shape, v.dtype)) for v in results]
            arguments = [self.argument("as_tensor", predicate), *map(self.graph_argument, graphs), self.argument("as_tensors", *names)]
        elif kind == "while_loop":
            fixed = [self.pick() for _ in range(random.randint(0, 2))]
            inputs = values + [self.values[n] for n in fixed]
            carried = [Value(v.shape, v.dtype) for v in values]
            graphs = [self.subgraph(inputs, [Value([1], "BOOL")]), self.subgraph(inputs, carried)]
            outputs = [self.name(Value(v.shape, v.dtype)) for v in carried]
            arguments = [*map(self.graph_argument, graphs), self.argument("as_tensors", *names), self.argument("as_tensors", *fixed)]
        elif kind == "wrap_with_set_grad_enabled":
            made = self.subgraph(values)
            outputs = [self.name(Value(made[0].values[n].shape, made[0].values[n].dtype, made[0].values[n].ordered)) for n in made[1]]
            arguments = [{"name": "", "arg": {"as_bool": False}}, self.graph_argument(made), *[self.argument("as_tensor", n) for n in names]]
        else:
            init = [self.pick()] if kind == "scan" else []
            fixed = [self.pick()] if random.random() < 0.5 else []
            carried = [Value(self.values[n].shape, self.values[n].dtype) for n in init]
            inputs = [self.values[n] for n in init] + [Value([2]) for _ in names] + [self.values[n] for n in fixed]
            made = self.subgraph(inputs, carried + [Value([2])])
            outputs = [self.name(Value(v.shape, v.dtype)) for v in carried + [Value([8, 2])]]
            groups = ([self.argument("as_tensors", *init)] if init else []) + [self.argument("as_tensors", *names), self.argument("as_tensors", *fixed)]
            arguments = [self.graph_argument(made), *groups]
        self.node(higher, arguments, [{"as_tensor": {"name": n}} for n in outputs])


def program(random):
    symbol = random.choice([None, "s0"])
    made = Program(random, symbol, "v", 0)
    inputs = []
    for i in range(random.randint(1, 4)):
        value = Value([4] if symbol and i == 0 else random.choice([[4], [8, 2], [3, 4]]), random.choice(list(SIZES)))
        made.inputs.append(made.name(value))
        inputs.append(random.choice(["user_input", "user_input", "parameter", "buffer"]) if i else "user_input")
    for _ in range(random.randint(1, random.choice([4, 10, 20]))):
        made.add()
    outputs = [made.pick() for _ in range(random.randint(1, 2))]
    specs, mutated = [], []
    for name, kind in zip(made.inputs, inputs):
        spec = {"arg": {"name": name}} if kind != "user_input" else {"arg": {"as_tensor": {"name": name}}}
        if kind != "user_input":
            spec[f"{kind}_name"] = "m." + name
        specs.append({kind: spec})
        if kind == "buffer" and random.random() < 0.3:
            mutated.append(name)
    results = [{"user_output": {"arg": {"as_tensor": {"name": n}}}} for n in outputs]
    for name in mutated:
        new = made.pick()
        results.insert(0, {"buffer_mutation": {"arg": {"name": new}, "buffer_name": "m." + name}})
        outputs.insert(0, new)
    return {"graph_module": {"graph": made.json(outputs), "signature": {"input_specs": specs, "output_specs": results},
                             "module_call_graph": []},
            "range_constraints": {}, "schema_version": {"major": 8, "minor": 1}, "opset_version": {"aten": 10}}


def tensors(argument):
    if isinstance(argument, list):
        return [name for item in argument for name in tensors(item)]
    if not isinstance(argument, dict):
        return []
    if "name" in argument and "graph" not in argument:
        return [argument["name"]]
    return [name for key, item in argument.items() if key.startswith("as_tensor") for name in tensors(item)]


class Refused(Exception):
    pass


class Expected:
    """The graph, with tensors as numbers: (bytes, external)."""

    def __init__(self, program, states):
        self.tensors, self.writer, self.users, self.home = [], {}, {}, {}
        self.mutated_weights = set()
        self.count = 0
        module = program["graph_module"]
        graph, signature = module["graph"], module["signature"]
        mutated = {spec["buffer_mutation"]["buffer_name"] for spec in signature["output_specs"] if "buffer_mutation" in spec}
        frame, self.inputs, held = {"meta": graph["tensor_values"]}, [], []
        region = []
        for argument, spec in zip(graph["inputs"], signature["input_specs"]):
            name, kind = argument["as_tensor"]["name"], next(iter(spec))
            state = spec[kind].get("buffer_name") in mutated or name in states
            if kind == "user_input" or state:
                frame[name] = self.tensor(frame, name, region)
                self.inputs.append(frame[name])
                if state:
                    held.append(frame[name])
            else:
                frame[name] = ("weight", self.size(frame, name), name)
        self.inner(graph, frame, region)
        held = [t for n, t in ((a["as_tensor"]["name"], frame[a["as_tensor"]["name"]]) for a in graph["inputs"])
                if isinstance(t, int) and (t in held or t in self.writer)]
        self.outputs = [self.real(frame, a["as_tensor"]["name"]) for a in graph["outputs"]] + held
        self.region = region

    def number(self, size):
        return size["as_int"] if "as_int" in size else size["as_expr"]["hint"]["as_int"]

    def size(self, frame, name):
        meta = frame["meta"][name]
        count = {7: 4, 6: 2, 12: 1}[meta["dtype"]]
        for size in meta["sizes"]:
            count *= self.number(size)
        return count

    def ordered(self, frame, name):
        meta = frame["meta"][name]
        stride = 1
        for size, found in zip(reversed(meta["sizes"]), reversed(meta["strides"])):
            if self.number(size) != 1 and found["as_int"] != stride:
                return False
            stride *= self.number(size)
        return True

    def tensor(self, frame, name, region, external=False, size=None):
        self.tensors.append((self.size(frame, name) if size is None else size, external))
        self.home[len(self.tensors) - 1] = id(region)
        return len(self.tensors) - 1

    def real(self, frame, name):
        """A weight that is used as a tensor lies outside the arena, once for each name of a graph."""
        if isinstance(frame[name], tuple):
            value = frame[name]
            if len(value) < 4:
                frame[name] = value + (self.tensor(frame, name, None, True, value[1]),)
            return frame[name][3]
        return frame[name]

    def operator(self, region, kind):
        op = {"type": kind, "inputs": [], "outputs": [], "weights": [], "after": [], "inplace": [], "carried": [], "regions": [],
              "number": self.count}
        self.count += 1
        region.append(op)
        return op

    def use(self, op, value, region):
        if isinstance(value, int) and self.home[value] == id(region):
            if value in self.writer:
                op["after"].append(self.writer[value])
            self.users.setdefault(value, []).append(op["number"])

    def read(self, op, frame, name, region):
        value = frame[name]
        self.use(op, value, region)
        if isinstance(value, int):
            op["inputs"].append(value)
        else:
            op["weights"].append(value[1])

    def inner(self, graph, frame, region):
        for node in graph["nodes"]:
            target = node["target"]
            if any("as_graph" in i["arg"] for i in node["inputs"]):
                self.subgraphs(node, frame, region)
                continue
            name = target.split(".")[3]
            inputs = [n for i in node["inputs"] for n in tensors(i["arg"])]
            outputs = tensors(node["outputs"])
            mutation = name.endswith("_")
            if not outputs and not mutation:
                continue
            same = frame["meta"][inputs[0]]["dtype"] == frame["meta"][outputs[0]]["dtype"]
            if name in VIEWS or name == "split" or (name in ("reshape", "flatten", "contiguous") and same and self.ordered(frame, inputs[0])) \
                    or name == "to" and same:
                for output in outputs:
                    frame[output] = frame[inputs[0]]
                continue
            op = self.operator(region, target.split("ops.")[1])
            for n in inputs:
                self.read(op, frame, n, region)
            if mutation:
                base = frame[inputs[0]]
                if isinstance(base, tuple):
                    self.mutated_weights.add(base[2])
                else:
                    if self.home[base] != id(region):
                        raise Refused
                    op["after"] += [u for u in self.users.get(base, []) if u != op["number"]]
                    self.users[base] = []
                    self.writer[base] = op["number"]
                for output in outputs:
                    frame[output] = base
                continue
            for output in outputs:
                frame[output] = self.tensor(frame, output, region)
                op["outputs"].append(frame[output])
            if name in POINTWISE and len(outputs) == 1 and self.ordered(frame, outputs[0]):
                position = 0
                for n in inputs:
                    if not isinstance(frame[n], int):
                        continue
                    if op["inputs"].count(frame[n]) == 1 and self.ordered(frame, n) and self.size(frame, n) == self.size(frame, outputs[0]) \
                            == self.tensors[frame[n]][0] and frame["meta"][n]["dtype"] == frame["meta"][outputs[0]]["dtype"]:
                        op["inplace"].append([position, 0])
                    position += 1

    def bind(self, frame, names, graph):
        inner = {"meta": graph["tensor_values"]}
        for name, argument in zip(names, graph["inputs"]):
            inner[argument["as_tensor"]["name"]] = frame[name]
        return inner

    def subgraphs(self, node, frame, region):
        kind = node["target"].split(".")[-1]
        graphs = [i["arg"]["as_graph"]["graph"] for i in node["inputs"] if "as_graph" in i["arg"]]
        first = next(i for i, argument in enumerate(node["inputs"]) if "as_graph" in argument["arg"])
        groups = [tensors(i["arg"]) for i in node["inputs"][first:] if "as_graph" not in i["arg"]]
        results = tensors(node["outputs"])
        if kind.startswith("wrap"):
            inner = self.bind(frame, [n for group in groups for n in group], graphs[0])
            self.inner(graphs[0], inner, region)
            for result, argument in zip(results, graphs[0]["outputs"]):
                frame[result] = inner[argument["as_tensor"]["name"]]
            return
        op = self.operator(region, kind)
        for i in node["inputs"][:first]:
            for n in tensors(i["arg"]):
                self.read(op, frame, n, region)
        for group in groups:
            for n in group:
                self.use(op, frame[n], region)
        for result in results:
            frame[result] = self.tensor(frame, result, region)
            op["outputs"].append(frame[result])
        carried = {"while_loop": groups[0], "scan": groups[0]}.get(kind, [])
        mapped = {"map_impl": groups[0], "scan": groups[1] if len(groups) > 1 else []}.get(kind, [])
        fixed = groups[0] if kind == "cond" else groups[-1]
        arguments = []
        for name, result in zip(carried, results):
            init = self.real(frame, name)
            arguments.append(self.tensor(frame, result, None))
            if self.tensors[init][0] != self.tensors[arguments[-1]][0]:
                raise Refused
            op["carried"].append([init, arguments[-1], None, frame[result]])
        for number, graph in enumerate(graphs):
            inside = []
            inner = self.bind(frame, carried + mapped + fixed, graph)
            for name, argument in zip([a["as_tensor"]["name"] for a in graph["inputs"]], arguments):
                inner[name] = argument
            if mapped:
                slices = [a["as_tensor"]["name"] for a in graph["inputs"]][len(carried):len(carried) + len(mapped)]
                cut = self.operator(inside, "slice")
                for name, piece in zip(mapped, slices):
                    self.read(cut, frame, name, inside)
                    inner[piece] = self.tensor(inner, piece, inside)
                    cut["outputs"].append(inner[piece])
            self.inner(graph, inner, inside)
            yields = [self.real(inner, a["as_tensor"]["name"]) for a in graph["outputs"]]
            if kind != "cond" and number == len(graphs) - 1:
                for values, found in zip(op["carried"], yields):
                    if self.tensors[found][0] != self.tensors[values[1]][0]:
                        raise Refused
                    values[2] = found
                yields = yields[len(carried):]
            op["regions"].append((inside, yields))


def expect(program):
    states = set()
    while True:
        graph = Expected(program, states)
        if not graph.mutated_weights:
            return graph
        states |= graph.mutated_weights


class Difference(Exception):
    pass


class Comparison:
    def __init__(self, expected, found):
        self.expected, self.match = expected, {}
        self.found = {t["name"]: t for t in found["tensors"]}
        self.list(expected.inputs, found["inputs"], "inputs")
        self.region(expected.region, found["ops"])
        self.list(expected.outputs, found["outputs"], "outputs")

    def one(self, tensor, name, what):
        if self.match.setdefault(tensor, name) != name:
            raise Difference(f"{what}: tensor {tensor} is '{name}', expected '{self.match[tensor]}'")
        found = self.found[name]
        size = found.get("bytes")
        if size is None:
            size = {"float32": 4, "float16": 2, "bool": 1}[found["dtype"]]
            for dimension in found["shape"]:
                size *= dimension
        wanted = self.expected.tensors[tensor]
        if (size, found.get("memory") == "external") != wanted:
            raise Difference(f"{what}: '{name}' has {size} bytes, {found.get('memory')}; expected {wanted}")

    def list(self, tensors, names, what):
        if len(tensors) != len(names):
            raise Difference(f"{what}: found {names}, expected {len(tensors)} tensors")
        for tensor, name in zip(tensors, names):
            self.one(tensor, name, what)

    def region(self, expected, found):
        if len(expected) != len(found):
            raise Difference(f"found operators {[o['type'] for o in found]}, expected {[o['type'] for o in expected]}")
        numbers = {}
        for op, other in zip(expected, found):
            what = other["name"]
            numbers[op["number"]] = what
            if op["type"] != other["type"]:
                raise Difference(f"{what}: found type {other['type']}, expected {op['type']}")
            self.list(op["inputs"], other["inputs"], what)
            self.list(op["outputs"], other["outputs"], what)
            if [w["bytes"] for w in other.get("weights", [])] != op["weights"]:
                raise Difference(f"{what}: weights {other.get('weights')}, expected {op['weights']}")
            if sorted(set(other.get("after", []))) != sorted({numbers[n] for n in op["after"]}):
                raise Difference(f"{what}: waits for {other.get('after')}, expected {[numbers[n] for n in op['after']]}")
            if other.get("inplace", []) != op["inplace"]:
                raise Difference(f"{what}: may overwrite {other.get('inplace')}, expected {op['inplace']}")
            for (inside, yields), region in zip(op["regions"], other.get("regions", [])):
                self.region(inside, region["ops"])
                self.list(yields, region["yields"], what + " yields")
            for values, carried in zip(op["carried"], other.get("carried", [])):
                self.list(values, [carried[k] for k in ("init", "argument", "yield", "result")], what + " carries")
            if len(op["carried"]) != len(other.get("carried", [])) or len(op["regions"]) != len(other.get("regions", [])):
                raise Difference(f"{what}: another number of carried values or regions")


def snapshot(random):
    """An allocator that gives out places of some segments."""
    segments = [{"device": 0, "address": 0x1000 * (1 + 16 * i), "total_size": 4096 * random.randint(1, 3), "stream": 0, "blocks": []}
                for i in range(random.randint(1, 3))]
    random.shuffle(segments)
    live, trace = {}, []
    for segment in segments:
        segment["blocks"] = [{"address": segment["address"] + i, "size": 512, "state": "inactive"}
                             for i in range(0, segment["total_size"], 512)]
    places = [(s["address"] + i * 512, s) for s in segments for i in range(s["total_size"] // 512)]
    for address, segment in places:
        if random.random() < 0.15:
            live[address] = random.randint(1, 512)
    for _ in range(random.randint(1, 24)):
        address, _ = random.choice(places)
        if address in live:
            trace.append({"action": "free_requested", "addr": address, "size": live[address], "stream": 0})
            if random.random() < 0.9:
                trace.append({"action": "free_completed", "addr": address, "size": live.pop(address), "stream": 0})
        else:
            live[address] = random.randint(1, 512)
            trace.append({"action": "alloc", "addr": address, "size": live[address], "stream": 0})
    for segment in segments:
        for block in segment["blocks"]:
            if block["address"] in live:
                block.update(state=random.choice(["active_allocated", "active_pending_free"]), requested_size=live[block["address"]])
    return {"segments": segments, "device_traces": [trace]}


def expect_snapshot(case):
    events = [e for e in case["device_traces"][0] if e["action"] in ("alloc", "free_completed")]
    base, arena = {}, 0
    for segment in sorted(case["segments"], key=lambda s: s["address"]):
        base[segment["address"]] = (arena, segment["total_size"])
        arena += segment["total_size"]

    def place(address):
        begin = max(b for b in base if b <= address)
        return base[begin][0] + address - begin
    live, buffers = {}, []
    for step, event in enumerate(events):
        address = event["addr"]
        if event["action"] == "alloc":
            live[address] = (step, event["size"])
        else:
            lower, size = live.pop(address, (0, event["size"]))
            if step > lower:
                buffers.append([size, place(address), lower, step])
    for address, (lower, size) in live.items():
        buffers.append([size, place(address), lower, len(events)])
    for segment in case["segments"]:
        for block in segment["blocks"]:
            if block["state"] != "inactive" and block["address"] not in live:
                buffers.append([block["requested_size"], place(block["address"]), 0, len(events)])
    return arena, sorted(buffers)


def make(random):
    return snapshot(random) if random.random() < 0.2 else program(random)


def contradiction(case, claim):
    if "segments" in case:
        arena, buffers = expect_snapshot(case)
        if "error" in claim:
            return claim["error"] if buffers and any(e["action"] != "free_requested" for e in case["device_traces"][0]) else None
        if claim["arena"] != arena or sorted(claim["buffers"]) != buffers:
            return f"found {claim['arena']}, {sorted(claim['buffers'])}, expected {arena}, {buffers}"
        return None
    try:
        expected = expect(case)
    except Refused:
        return None if "error" in claim else "read what writes outside of its subgraph, or carries another size"
    except (KeyError, StopIteration, IndexError):
        return claim["error"] if "program ended" in claim.get("error", "") else None  # shrunk too far
    if "error" in claim:
        return None if not expected.count else claim["error"]
    try:
        Comparison(expected, claim)
    except Difference as difference:
        return str(difference)
    return None


def smaller(case):
    if "segments" in case:
        return
    module = case["graph_module"]
    nodes = module["graph"]["nodes"]
    for i in reversed(range(len(nodes))):
        yield {**case, "graph_module": {**module, "graph": {**module["graph"], "nodes": nodes[:i] + nodes[i + 1:]}}}


if __name__ == "__main__":
    differential.main(make, contradiction, smaller)
