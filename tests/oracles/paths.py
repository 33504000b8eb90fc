"""Whether "optimal", the bound and the plan are right under the policies path and select.

A graph is run along every path, with 0, 1, 2 and 3 turns of each loop, and what it writes, moves and needs is noted
down (docs/problem.md, "The two checks"). None of that depends on addresses, so it says which places must share no byte
at all, and which only unless they hold the same value at the same address. Of the placements that keep these, the one
of least peak is found by trying all; each that counts, and the plan of the program, is executed on bytes that remember
by which write they came. Large searches for addresses give up (places.py).
"""
import itertools

import differential
import graphs
import places
from runs import runs, value_load


def demands(run, pairs, size):
    """Adds what a path demands of pairs of places, and their bytes; false where no addresses can do."""
    writes, seen, held = [], {}, {}

    def write(place, value):
        writes.append((place, value))
        seen[place], held[place] = len(writes), value
        size[place] = max(size.get(place, 0), value[1])

    for kind, *what in run.events:
        if kind == "write":
            write(*what)
        elif kind == "need":
            place, value = what
            if held[place] != value:
                return False
            for other, new in writes[seen[place]:]:
                places.demand(pairs, place, value[1], other, new[1], new == value)
            seen[place] = len(writes)
        else:
            moves, exempt = what
            for (source, old, _, _), (_, _, place, new) in itertools.permutations(moves, 2):
                if source and source not in exempt:  # a value that is moved must not be hit by another one
                    places.demand(pairs, source, old[1], place, new[1], new == old)
            for _, _, place, value in moves:
                write(place, value)
    return True


def variants(graph, policy):
    """Sets of results of Ifs that have a place of their own."""
    results = [t for op in graphs.operators(graph) if "carried" not in op and op.get("regions") for t in op["outputs"]]
    counts = [len(results)] if policy == "path" else range(len(results) + 1)
    return [set(few) for n in counts for few in itertools.combinations(results, n)]


def least_peak(graph, policy, below):
    """The least peak under `below` and its addresses, or None. A place is as large as what is ever in it."""
    best = None
    for placed in variants(graph, policy) if value_load(graph) < below else []:
        pairs, size = {}, {}
        if all(demands(run, pairs, size) for run in runs(graph, placed)):
            found = places.least(size, pairs, below, lambda offsets: not damage(graph, placed, offsets, below))
            if found:
                below, best = found[0], found
    return best


def damage(graph, placed, offsets, peak):
    """What is wrong with a plan, as a sentence, or None: every path on bytes that remember by which write they came."""
    for run in runs(graph, placed):
        arena, tag = {}, {}

        def write(place, value):
            tag[place] = object()
            arena.update((offsets[place] + i, (tag[place], i)) for i in range(value[1]))
            return offsets[place] + value[1] <= peak

        def lost(place, value, old):
            return [i for i in range(offsets[place], offsets[place] + value[1])
                    if arena.get(i) != (old, i - offsets[place])]

        for kind, *what in run.events:
            if kind == "write":
                wrong = None if write(*what) else what[0]
            elif kind == "need":
                wrong = what[0] if lost(*what, tag.get(what[0])) else None
            else:
                wrong, (moves, exempt) = None, what
                sources = [source for source, _, _, _ in moves]
                before = [tag.get(source) for source in sources]
                for (source, old, place, new), was in zip(moves, before):
                    if source and offsets[source] == offsets[place] and old[1] == new[1]:  # it stays
                        tag[place] = was
                    elif not write(place, new):
                        wrong = place
                for (source, old, place, new), was in zip(moves, before):
                    if source and source not in exempt:
                        own = range(offsets[place], offsets[place] + new[1]) if sources.count(source) == 1 else ()
                        wrong = source if set(lost(source, old, was)) - set(own) else wrong
            if wrong:
                return f"{wrong} is damaged or ends above {peak} on the path {[n for n, _ in run.choices]}"
    return None


def contradiction(case, claim):
    graph, policy = case["graph"], case["policy"]
    if "error" in claim:
        return claim["error"] if claim["error"].startswith("the program") else None
    if "broken" in claim:
        return f"no plan, or one that a check refuses: {claim['broken']}"
    if claim["status"] == "optimal" and claim["bound"] != claim["peak"]:
        return f"optimal at {claim['peak']} with bound {claim['bound']}"
    found = least_peak(graph, policy, claim["bound"])
    if found:
        return f"{policy}: {claim['status']} {claim['peak']}, bound {claim['bound']}, but {found[0]} by {found[1]}"
    offsets, placed = claim["offsets"], variants(graph, policy)[-1]
    for op in graphs.operators(graph):
        if any(offsets.get(row["result"]) not in (None, offsets[row["argument"]]) for row in op.get("carried", [])):
            return f"a result of {op['name']} lies apart from its argument"
    if policy == "path" and not placed <= offsets.keys():
        return "a result has no place"
    wrong = damage(graph, placed & offsets.keys(), offsets, claim["peak"])
    return wrong and f"{policy}: a plan of {claim['peak']} by {claim['offsets']}: {wrong}"


def make(random):
    """A case: graphs of too many places or paths are made again."""
    while True:
        maker = graphs.Paths(random, [1, 2, 3, 4, 8])
        outside = {"memory": "external"} if random.random() < 0.15 else {}
        inputs = [maker.tensor(**outside)] + [maker.tensor() for _ in range(random.randint(0, 1))]
        visible = list(inputs)
        ops = maker.block(visible, 0, random.randint(1, 5))
        outputs = [t for t in visible if t != "t0" and random.random() < 0.3]
        graph = maker.graph(inputs, outputs, ops)
        ways = sum(1 for _ in itertools.islice(runs(graph, set()), 65))
        policy = random.choice(("path", "select"))
        if 2 <= ways <= 64 and len(graph["tensors"]) <= 14 and ways * len(variants(graph, policy)) <= 200:
            return {"graph": graph, "policy": policy}


if __name__ == "__main__":
    differential.main(make, contradiction, graphs.smaller)
