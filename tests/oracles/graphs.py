"""What the oracles of graphs share: random pieces of a graph, and graphs with something left out."""
import copy


class Maker:
    """A graph that is being made: names for its tensors and operators, and their bytes."""

    def __init__(self, random, sizes):
        self.random, self.sizes = random, sizes
        self.tensors, self.bytes, self.operators = [], {}, 0

    def tensor(self, bytes=None, **more):
        name = f"t{len(self.tensors)}"
        self.bytes[name] = self.random.choice(self.sizes) if bytes is None else bytes
        self.tensors.append({"name": name, "bytes": self.bytes[name], **more})
        return name

    def operator(self, type, inputs, outputs, **more):
        self.operators += 1
        return {"name": f"o{self.operators - 1}", "type": type, "inputs": inputs, "outputs": outputs, **more}

    def some(self, visible, most):
        """Some of what can be read, now and then twice the same, rather what was written last."""
        few = [self.random.choice(visible[-4:] if self.random.random() < 0.6 else visible) for _ in range(most)]
        return few if self.random.random() < 0.1 else list(dict.fromkeys(few))

    def graph(self, inputs, outputs, ops):
        return {"format": "memplan-graph/1", "name": "g", "tensors": self.tensors, "inputs": inputs,
                "outputs": outputs, "ops": ops}


class Paths(Maker):
    """A small graph with Ifs and loops; in one of four nearly all operators are Ifs."""

    def __init__(self, random, sizes):
        super().__init__(random, sizes)
        self.often = random.choice((0.35, 0.35, 0.35, 0.75))

    def block(self, visible, depth, count):
        """Up to count operators that read what is visible, to which they add what they write."""
        ops = []
        for _ in range(count):
            kind = self.random.random()
            if depth < 3 and kind < self.often:
                ops.append(self.branches(visible, depth))
            elif depth < 3 and kind < self.often + 0.15:
                ops.append(self.turns(visible, depth))
            else:
                inputs = self.some(visible, self.random.choice((0, 1, 1, 1, 2)))
                outputs = [self.tensor() for _ in range(self.random.choice((0, 1, 1, 1, 1, 2)))]
                ops.append(self.operator("Op", inputs, outputs))
                visible += outputs
        return ops

    def branches(self, visible, depth):
        results = self.random.choice((0, 1, 1, 1, 2))
        regions = []
        for k in range(self.random.choice((1, 2, 2, 2, 3))):
            inside = list(visible)
            ops = self.block(inside, depth + 1, self.random.choice((0, 0, 1, 1, 2)))
            regions.append({"name": f"b{k}", "ops": ops, "yields": [self.yielded(visible, inside) for _ in range(results)]})
        outputs = []
        for j in range(results):
            largest = max(self.bytes[region["yields"][j]] for region in regions)
            outputs.append(self.tensor(largest + self.random.choice((0, 0, 0, 1, 4))))
        visible += outputs
        return self.operator("If", self.some(visible[:-results or None], self.random.choice((0, 0, 1))), outputs, regions=regions)

    def yielded(self, visible, inside):
        return self.random.choice(inside[len(visible):] or visible if self.random.random() < 0.5 else inside)

    def turns(self, visible, depth):
        inits = [t for t in visible if t != "t0"]  # t0 may be external
        if not inits:
            return self.operator("Op", [], [])
        chosen = [self.random.choice(inits)]
        while len(chosen) < 3 and self.random.random() < 0.45:
            chosen.append(self.random.choice((chosen[0], self.random.choice(inits))))
        arguments = [self.tensor(self.bytes[init]) for init in chosen]
        inside, sizes = visible + arguments, self.sizes
        self.sizes = sizes + [self.bytes[init] for init in chosen] * 2
        body = self.block(inside, depth + 1, self.random.choice((0, 1, 1, 2)))
        self.sizes, results, rows = sizes, [], []
        for init, argument in zip(chosen, arguments):
            made = [t for t in inside if self.bytes[t] == self.bytes[init] and t != "t0"]
            results.append(self.tensor(self.bytes[init]))
            again = [row["yield"] for row in rows if row["yield"] in made]  # one value into two arguments
            next = self.random.choice(again if again and self.random.random() < 0.4 else made[-3:])
            rows.append({"init": init, "argument": argument, "yield": next, "result": results[-1]})
        visible += results
        return self.operator("Loop", [], results, trip_count=self.random.choice((None, None, 0, 1, 3)), carried=rows,
                             regions=[{"name": "body", "ops": body, "yields": []}])


class InPlace(Maker):
    """A small graph without regions, in which outputs can be written over inputs."""

    def whole(self):
        outside = {"memory": "external"} if self.random.random() < 0.1 else {}
        inputs = [self.tensor(**outside)] + [self.tensor() for _ in range(self.random.randint(0, 2))]
        visible, ops = list(inputs), []
        for _ in range(self.random.randint(2, 7)):
            ops.append(self.one(visible))
            visible += ops[-1]["outputs"]
        outputs = [t for t in visible if t != inputs[0] and self.random.random() < 0.25]
        return self.graph(inputs, outputs, ops)

    def one(self, visible):
        type = self.random.choice(("Op", "Op", "Op", "Op", "Relu", "Add", "Reshape", "Squeeze"))
        inputs = self.some(visible, 2 if type == "Add" else self.random.choice((0, 1, 1, 2, 2, 3)) if type == "Op" else 1)
        like = [self.bytes[t] for t in inputs] or self.sizes
        more = {}
        if type != "Op":
            outputs = [self.tensor(self.random.choice(like))]
        else:
            sizes = like + [max(1, bytes - self.random.randint(1, 5)) for bytes in like] + self.sizes
            outputs = [self.tensor(self.random.choice(sizes)) for _ in range(self.random.choice((0, 1, 1, 1, 1, 1, 2)))]
            pairs = [[i, j] for i in range(len(inputs)) for j in range(len(outputs)) if self.random.random() < 0.5]
            self.random.shuffle(pairs)
            more["inplace"] = pairs
        ignored = [t for t in visible if t not in inputs and self.random.random() < 0.04]
        return self.operator(type, inputs, outputs, **more, **({"ignored": ignored} if ignored else {}))


def lists(ops):
    """All lists of operators: that of the graph and those of the regions."""
    yield ops
    for op in ops:
        for region in op.get("regions", []):
            yield from lists(region["ops"])


def operators(graph):
    return [op for ops in lists(graph["ops"]) for op in ops]


def without(graph, names):
    """Takes away what names these tensors, where that is possible, and all tensors that nothing names."""
    used = set(graph["inputs"]) | set(graph["outputs"])
    for op in operators(graph):
        for key in ("inputs", "ignored"):
            if key in op:
                op[key] = [t for t in op[key] if t not in names]
        used.update(op["inputs"] + op["outputs"] + op.get("ignored", []))
        used.update(t for region in op.get("regions", []) for t in region["yields"])
        used.update(row[key] for row in op.get("carried", []) for key in ("init", "argument", "yield", "result"))
    graph["outputs"] = [t for t in graph["outputs"] if t not in names]
    graph["tensors"] = [t for t in graph["tensors"] if t["name"] in used - set(names)]
    return graph


def edits(graph):
    """Functions that leave out one thing of such a graph."""
    for i, ops in enumerate(lists(graph["ops"])):
        for j, op in enumerate(ops):
            yield lambda g, i=i, j=j: without(g, list(lists(g["ops"]))[i].pop(j)["outputs"])
            for k, region in enumerate(op.get("regions", [])):
                if len(op["regions"]) > 1:
                    yield lambda g, i=i, j=j, k=k: list(lists(g["ops"]))[i][j]["regions"].pop(k)
                yield lambda g, i=i, j=j, k=k: list(lists(g["ops"]))[i].__setitem__(
                    slice(j, j + 1), list(lists(g["ops"]))[i][j]["regions"][k]["ops"])
    for i, op in enumerate(operators(graph)):
        for key in ("inplace", "after", "inputs", "ignored"):
            for j in range(len(op.get(key, []))):
                yield lambda g, i=i, key=key, j=j: operators(g)[i][key].pop(j)
        for j, name in enumerate(op["outputs"]):
            def drop(g, i=i, j=j, name=name):
                operator = operators(g)[i]
                operator["outputs"].pop(j)
                if "carried" in operator:
                    operator["carried"] = [row for row in operator["carried"] if row["result"] != name]
                else:
                    for region in operator.get("regions", []):
                        region["yields"].pop(j)
                without(g, [name])
            yield drop
    for key in ("inputs", "outputs"):
        for i in range(len(graph[key])):
            yield lambda g, key=key, i=i: g[key].pop(i)
    for i, tensor in enumerate(graph["tensors"]):
        group = {tensor["name"]}  # all that a loop carries has as many bytes
        rows = [set(row.values()) for op in operators(graph) for row in op.get("carried", [])]
        for row in rows * len(rows):
            group |= row if group & row else set()
        alike = {t["name"] for t in graph["tensors"] if t["bytes"] == tensor["bytes"]}
        for bytes in {1, tensor["bytes"] // 2, tensor["bytes"] - 1} - {0, tensor["bytes"]}:
            for names in (alike, group):
                yield lambda g, names=names, bytes=bytes: [
                    t.__setitem__("bytes", bytes) for t in g["tensors"] if t["name"] in names]


def is_sound(graph):
    """Whether branches yield no more bytes than the results have; what else is wrong, the program refuses."""
    size = {t["name"]: t["bytes"] for t in graph["tensors"]}
    return all(size.get(name, 0) <= size[result] for op in operators(graph) for region in op.get("regions", [])
               for result, name in zip(op["outputs"], region["yields"]) if "carried" not in op)


def smaller(case):
    """Cases whose graph lacks something of the given one's."""
    for edit in edits(case["graph"]):
        less = copy.deepcopy(case)
        try:
            edit(less["graph"])
            without(less["graph"], [])
        except IndexError:  # two results of one name, say: nothing to be left out
            continue
        if is_sound(less["graph"]):
            yield less
