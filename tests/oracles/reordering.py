"""Orders in which the operators of a graph, and those of its regions, may run."""
import itertools


def touched(op):
    """All tensors that an operator and what is in its regions names, without what they write."""
    names = set(op["inputs"]) | set(op.get("ignored", []))
    names |= {row[key] for row in op.get("carried", []) for key in ("init", "yield")}
    for region in op.get("regions", []):
        names |= set(region["yields"]) | {t for inner in region["ops"] for t in touched(inner)}
    return names


def writes_nothing(op):
    """Whether it, or any in its regions, is one of those that stay in the stored order, as nobody can wait for what it writes."""
    if op.get("regions"):
        return any(writes_nothing(inner) for region in op["regions"] for inner in region["ops"])
    return not op["outputs"]


def predecessors(ops):
    """A set of bits for each operator of a list: which of the list have to run before it."""
    maker = {t: v for v, op in enumerate(ops) for t in op["outputs"]}
    number = {op["name"]: v for v, op in enumerate(ops)}
    before, silent = [], 0
    for v, op in enumerate(ops):
        first = {maker[t] for t in touched(op) if t in maker} | {number[name] for name in op.get("after", [])}
        before.append(sum(1 << u for u in first) | (silent if writes_nothing(op) else 0))
        silent |= 1 << v if writes_nothing(op) else 0
    return before


def orders_of(ops):
    """All orders of a list of operators and of the lists in its regions."""
    before = predecessors(ops)

    def inner(op):
        if not op.get("regions"):
            return [op]
        lists = itertools.product(*(orders_of(region["ops"]) for region in op["regions"]))
        return ({**op, "regions": [{**region, "ops": new} for region, new in zip(op["regions"], each)]} for each in lists)

    def go_on(done, chosen):
        if len(chosen) == len(ops):
            yield from (list(each) for each in itertools.product(*(inner(op) for op in chosen)))
        for v, op in enumerate(ops):
            if not done >> v & 1 and not before[v] & ~done:
                yield from go_on(done | 1 << v, chosen + [op])

    return go_on(0, [])


def reordered(ops, number):
    """The operators of a list, and of the lists in their regions, by number."""
    return [{**op, "regions": [{**region, "ops": reordered(region["ops"], number)} for region in op["regions"]]}
            if op.get("regions") else op for op in sorted(ops, key=lambda op: number[op["name"]])]
