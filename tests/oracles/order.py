"""Whether "no order has a lower load", "no order and no plan has a lower peak" and the loads of orders are right.

Without regions the operators run one by one, and what they write over follows docs/in-place.md. All orders are tried; two
that have run the same operators and share the same places go on as one. With regions, under the policies path and select,
orders are listed up to a number, and a bound is wrong where one of them has a placement below it (paths.py); what
in-place rules save is not known there, so that they are taken to save nothing.
"""
import collections
import itertools

import differential
import graphs
import paths
import reordering
import runs

VIEWS = {rules: {"Reshape", "Squeeze"} for rules in ("tflite", "nnvm", "ggml")}
IN_PLACE = {"Relu", "Add", "Reshape", "Squeeze"}  # by type, where the bytes are equal
SEARCHES = ["serenity", "order_ilp", "beam", "liu", "series_parallel", "joint"]
MOST_ORDERS = 24


class Flat:
    """A graph without regions: what runs before what, who reads what, and what is written over what."""

    def __init__(self, graph, rules):
        self.rules, self.ops = rules, graph["ops"]
        self.bytes = {t["name"]: t["bytes"] for t in graph["tensors"] if t.get("memory") != "external"}
        self.inputs = [t for t in graph["inputs"] if t in self.bytes]
        self.kept = set(graph["outputs"])
        self.before = reordering.predecessors(self.ops)
        self.all = (1 << len(self.ops)) - 1
        self.readers, self.maker = {t: 0 for t in self.bytes}, {}
        self.uses = collections.Counter(graph["outputs"] + [t for op in self.ops for t in op["inputs"]])
        for v, op in enumerate(self.ops):
            for t in op["inputs"]:
                if t in self.bytes:
                    self.readers[t] |= 1 << v
            self.maker.update((t, v) for t in op["outputs"])

    def pairs(self, op):
        """Pairs (input, output) of positions that may be in place, in the order in which they are tried."""
        by_type = op["type"] in IN_PLACE and len(op["outputs"]) == 1
        pairs = [tuple(pair) for pair in op.get("inplace", []) if self.rules != "none"]
        if by_type and self.rules != "none":
            pairs += [(i, 0) for i, t in enumerate(op["inputs"])
                      if self.bytes.get(t) == self.bytes.get(op["outputs"][0])]
        if self.rules == "tflite":
            pairs = [pair for pair in sorted(pairs) if pair[0] < 3 and pair[1] == 0 and self.may_try(op, *pair)][:1]
        if self.rules == "ggml":
            pairs = sorted(set(pairs)) if len(op["outputs"]) == 1 else []
        if self.rules == "ge":
            pairs = [pair for pair in pairs if pair == (0, 0)]
        return pairs

    def may_try(self, op, i, j):
        """What tflite asks of an input alone. The first one of which it is true is the only one that is looked at further."""
        source, target = op["inputs"][i], op["outputs"][j]
        if source not in self.maker or self.bytes.get(source) != self.bytes.get(target) or target in self.kept:
            return False
        return op["type"] in VIEWS["tflite"] or self.bytes[source] > 4 and self.uses[source] == 1

    def may_share(self, v, done, root, source, target):
        """Whether the output target of v is written over its input source, or is a view of it."""
        op, rules, bytes = self.ops[v], self.rules, self.bytes
        if source not in bytes or target not in bytes or source not in self.maker or bytes[target] > bytes[source]:
            return False
        if rules not in ("nnvm", "ggml") and target in self.kept:
            return False
        if rules in ("nnvm", "ggml") and bytes[target] != bytes[source]:
            return False
        if rules == "nnvm" and not self.readers[target] and target not in self.kept:
            return False
        if op["type"] in VIEWS.get(rules, ()):
            return True
        if rules == "ggml" and self.ops[self.maker[source]]["type"] in VIEWS[rules] and root[source] != source:
            return False  # a view
        place = [t for t in root if root[t] == root[source]]
        if any(self.maker.get(t) == v for t in place):  # another output of v has it
            return False
        if rules == "ge" and self.uses[source] != 1 or rules == "tflite" and self.uses[root[source]] != 1:
            return False
        if any(t in self.kept or self.readers[t] & ~done & ~(1 << v) for t in place):
            return False
        return sum(root.get(t) == root[source] for t in op["inputs"]) == 1

    def step(self, v, done, root):
        """What v takes after the operators done, and the places (tensor: first tensor in it) that it leaves."""
        op, root, new = self.ops[v], dict(root), {}
        for i, j in self.pairs(op):
            source, target = op["inputs"][i], op["outputs"][j]
            if target not in new and self.may_share(v, done, {**root, **new}, source, target):
                new[target] = root[source]
        root.update((t, new.get(t, t)) for t in op["outputs"] if t in self.bytes)
        live, here = {}, set(op["inputs"]) | set(op["outputs"]) | (set() if done else set(self.inputs))
        for t, place in root.items():
            if t in here or t in self.kept or self.readers[t] & ~done:
                live[place] = max(live.get(place, 0), self.bytes[t])
        return live, root

    def load(self, order):
        done, most, root = 0, 0, {t: t for t in self.inputs}
        for v in order:
            live, root = self.step(v, done, root)
            done, most = done | 1 << v, max(most, sum(live.values()))
        return most

    def order_within(self, capacity):
        """An order whose load is at most capacity, or None: all of them are tried."""
        dead = set()

        def go_on(done, root, order):
            if done == self.all:
                return order
            needed = {t: place for t, place in root.items() if t in self.kept or self.readers[t] & ~done}
            # Of a place that is needed, all tensors count: they say what may be written over it.
            state = done, frozenset((t, p) for t, p in root.items() if p in needed.values())
            if state in dead:
                return None
            dead.add(state)
            for v in range(len(self.ops)):
                if not done >> v & 1 and not self.before[v] & ~done:
                    live, after = self.step(v, done, root)
                    if sum(live.values()) <= capacity:
                        answer = go_on(done | 1 << v, after, order + [v])
                        if answer is not None:
                            return answer
            return None

        return go_on(0, {t: t for t in self.inputs}, [])

    def damage(self, order, offsets, peak):
        """What is wrong with a plan in this order, or None."""
        done, root = 0, {t: t for t in self.inputs}
        for v in order:
            live, root = self.step(v, done, root)
            done |= 1 << v
            for a, b in itertools.combinations(live, 2):
                if offsets[a] < offsets[b] + live[b] and offsets[b] < offsets[a] + live[a]:
                    return f"{a} and {b} share bytes when {self.ops[v]['name']} runs"
        for t, place in root.items():
            if offsets[t] != offsets[place] or offsets[t] + self.bytes[t] > peak:
                return f"{t} is not where it has to be"
        return None


def lower_load(case, flat, bound):
    """An order whose load is below the bound, as a sentence, or None."""
    graph = case["graph"]
    if flat:
        order = flat.order_within(bound - 1)
        return order and f"load {flat.load(order)} of {[graph['ops'][v]['name'] for v in order]}"
    for ops in itertools.islice(reordering.orders_of(graph["ops"]), MOST_ORDERS):
        ordered = {**graph, "ops": ops}
        found = runs.value_load(ordered) < bound and paths.least_peak(ordered, case["policy"], bound)
        if found:
            return f"peak {found[0]} of {[op['name'] for op in graphs.operators(ordered)]} by {found[1]}"
    return None


def wrong_row(case, flat, row):
    """What is wrong with the order that a search found, its load, or its plan, or None."""
    graph = case["graph"]
    number = {name: v for v, name in enumerate(row["operators"])}
    ops = reordering.reordered(graph["ops"], number)
    for each in graphs.lists(graph["ops"]):
        before = reordering.predecessors(each)
        order = sorted(range(len(each)), key=lambda v: number[each[v]["name"]])
        if any(before[v] >> u & 1 for i, v in enumerate(order) for u in order[i + 1:]):
            return f"{row['operators']} is no order"
    order = sorted(range(len(graph["ops"])), key=lambda v: number[graph["ops"][v]["name"]])
    if flat and flat.load(order) != row["load"]:
        return f"{row['operators']} has load {flat.load(order)}, not {row['load']}"
    ordered = {**graph, "ops": ops}
    if not flat and case["inplace"] == "none":
        live = runs.value_load(ordered)
        if not any("carried" in op for op in graphs.operators(graph)):  # with loops the load is a bound
            if live > row["load"] or live < row["load"] and case["policy"] == "select":
                return f"{row['operators']} has load {live}, not {row['load']}"
        found = live < row["load"] and paths.least_peak(ordered, case["policy"], row["load"])
        if found:
            return f"{row['operators']} has load {row['load']} and a peak of {found[0]} by {found[1]}"
    wrong = None
    if flat and "offsets" in row:
        wrong = flat.damage(order, row["offsets"], row["peak"])
    elif case["inplace"] == "none" and "offsets" in row:
        placed = paths.variants(graph, "path")[0] & row["offsets"].keys()
        wrong = paths.damage(ordered, placed, row["offsets"], row["peak"])
    return wrong and f"a plan of {row['peak']} by {row['offsets']} for {row['operators']}: {wrong}"


def contradiction(case, claim):
    if "error" in claim:
        return claim["error"] if claim["error"].startswith("the program") else None
    flat = case["policy"] == "flat" and Flat(case["graph"], case["inplace"])
    what, bounds = f"{case['inplace']}, {case['policy']}: ", {"analysis": claim["bound"]}
    for row in claim["orders"]:
        if not row:
            continue  # it found none
        if "broken" in row:
            return what + f"{row['broken']} is no order, or has another load than it says"
        bounds[row["order"]] = row["load"] if row["status"] == "optimal" else row["bound"]
        wrong = wrong_row(case, flat, row)
        if wrong:
            return what + f"{row['order']}: {wrong}"
    name, bound = max(bounds.items(), key=lambda item: item[1])
    found = lower_load(case, flat, bound)
    return found and what + f"{name} says {bound}, but {found}"


def make(random):
    """A case: six of ten graphs have no regions."""
    orders = ["stored", "exact_order"] + random.sample(SEARCHES, 2)
    case = {"policy": random.choice(("path", "select")), "inplace": "none", "orders": orders}
    regions = random.random() < 0.4
    if random.random() < (0.03 if regions else 0.2):  # with regions it takes a hundred times as long, and proves nothing
        orders.append("best")
    if regions:
        while True:
            maker = graphs.Paths(random, [1, 2, 3, 4, 8])
            inputs = [maker.tensor(), maker.tensor()]
            visible = list(inputs)
            ops = maker.block(visible, 0, random.randint(2, 5))
            graph = maker.graph(inputs, [t for t in visible if random.random() < 0.3], ops)
            if 2 <= sum(1 for _ in itertools.islice(runs.runs(graph, set()), 17)) <= 16:
                break
        case["inplace"] = random.choice(("none", "none", "none", "declared", "borders", "nnvm", "tflite", "ge", "ggml"))
    else:
        case["policy"] = "flat"
        case["inplace"] = random.choice(("none", "declared", "declared", "borders", "tflite", "tflite", "nnvm", "ge", "ggml"))
        graph = graphs.InPlace(random, [1, 2, 3, 5, 8, 10]).whole()
    for ops in graphs.lists(graph["ops"]):
        for v in range(1, len(ops)):
            if random.random() < 0.1:
                ops[v]["after"] = [ops[random.randrange(v)]["name"]]
    return {"graph": graph, **case}


if __name__ == "__main__":
    differential.main(make, contradiction, graphs.smaller)
