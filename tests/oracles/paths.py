"""Whether "optimal", the bound and the plan are right under the policies path and select.

A graph is run along every path, with 0, 1, 2 and 3 turns of each loop, and what it writes, moves and needs is noted
down (docs/problem.md, "The two checks"). None of that depends on addresses, so it says which places must share no byte
at all, and which only unless they hold the same value at the same address. Of the placements that keep these, the one
of least peak is found by trying all. The plan of the program is executed on bytes that remember who wrote them.

Where the docs leave something open, the least peak is that of the stricter reading (values that nobody reads are
intact where they appear, too; nothing is damaged and repaired) and a plan is executed by the laxer one.
"""
import itertools

import differential
import graphs
import places

TURNS = (0, 1, 2, 3)


class Run:
    """One path: what happens on it, as events ("write", place, value), ("need", place, value, strict) and
    ("move", [(from, to, value)]). A value is (number, bytes)."""

    def __init__(self, graph, placed, choices, strict):
        self.bytes = {t["name"]: t["bytes"] for t in graph["tensors"]}
        self.outside = {t["name"] for t in graph["tensors"] if t.get("memory") == "external"}
        self.placed, self.choices, self.strict = placed, choices, strict
        self.taken, self.events, self.at, self.values = 0, [], {}, 0
        for name in dict.fromkeys(graph["inputs"] + sorted(self.outside)):
            self.make(name)
        self.need(graph["inputs"])
        self.run(graph["ops"])
        self.need(graph["outputs"])

    def choose(self, among):
        if self.taken == len(self.choices):
            self.choices.append([0, len(among)])
        self.taken += 1
        return among[self.choices[self.taken - 1][0]]

    def make(self, name):
        self.values += 1
        place = None if name in self.outside else name
        self.at[name] = place, (self.values, self.bytes[name])
        if place:
            self.events.append(("write", *self.at[name]))

    def need(self, names, strict=False):
        if self.strict or not strict:
            self.events += [("need", *self.at[name]) for name in names if self.at[name][0]]

    def move(self, pairs, full=False):
        """Moves values into places as if at once; whatever is there already stays. Where `full` says so, a value of fewer
        bytes than its new place becomes one of all of these, another value by the stricter reading."""
        self.need([name for name, _ in pairs])
        moves = []
        for name, place in pairs:
            source, value = self.at[name]
            if full and self.strict and value[1] < self.bytes[place]:
                self.values += 1
                value = self.values, self.bytes[place]
            moves.append((source, value, place))
        self.events.append(("move", [(source, place, value) for source, value, place in moves if source != place]))
        return [(place, value) for _, value, place in moves]

    def run(self, ops):
        for op in ops:
            self.need(op["inputs"])
            if "carried" in op:
                self.loop(op)
            elif op.get("regions"):
                region = self.choose(op["regions"])
                self.run(region["ops"])
                self.leave(op["outputs"], region["yields"])
            else:
                for name in op["outputs"]:
                    self.make(name)
                self.need(op["inputs"] + op["outputs"])

    def leave(self, results, yields):
        found = {result: self.at[name] for result, name in zip(results, yields)}
        self.need(yields)
        copied = [(name, result) for result, name in zip(results, yields) if result in self.placed]
        found.update((place, (place, value)) for place, value in self.move(copied))
        self.at.update(found)
        self.need(results, True)

    def loop(self, op):
        rows = op["carried"]
        arguments = [row["argument"] for row in rows]

        def carry(key):
            self.at.update(zip(arguments, self.move([(row[key], row["argument"]) for row in rows], True)))
            self.need(arguments, True)

        carry("init")
        trip = op["trip_count"]
        for _ in range(self.choose(TURNS if trip is None or self.strict else [trip])):
            self.run(op["regions"][-1]["ops"])
            carry("yield")
        for row in rows:
            self.at[row["result"]] = self.at[row["argument"]]


def runs(graph, placed, strict):
    """The runs along all paths."""
    choices = []
    while True:
        yield Run(graph, placed, choices, strict)
        while choices and choices[-1][0] + 1 == choices[-1][1]:
            choices.pop()
        if not choices:
            return
        choices[-1][0] += 1


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
            moved = {place for _, place, _ in what[0]}
            for (source, _, old), (_, place, new) in itertools.permutations(what[0], 2):
                if source and source not in moved:  # a value that is moved must not be hit by another one
                    places.demand(pairs, source, old[1], place, new[1], new == old)
            for _, place, value in what[0]:
                write(place, value)
    return True


def variants(graph, policy):
    """Sets of results of Ifs that have a place of their own."""
    results = [t for op in graphs.operators(graph) if "carried" not in op and op.get("regions") for t in op["outputs"]]
    if policy == "path":
        return [set(results)]
    return [set(few) for n in range(len(results) + 1) for few in itertools.combinations(results, n)]


def least_peak(graph, policy, below):
    """The least peak under `below` and its addresses, or None. A place is as large as what is ever in it."""
    best = None
    for placed in variants(graph, policy):
        pairs, size = {}, {}
        if all(demands(run, pairs, size) for run in runs(graph, placed, True)):
            found = places.least(size, pairs, below)
            if found:
                below, best = found[0], found
    return best


def damage(graph, policy, offsets, peak):
    """What is wrong with a plan, as a sentence, or None: every path on bytes that remember who wrote them."""
    for op in graphs.operators(graph):
        if any(offsets.get(row["result"], offsets[row["argument"]]) != offsets[row["argument"]]
               for row in op.get("carried", [])):
            return f"a result of {op['name']} lies apart from its argument"
    if not variants(graph, policy)[-1] <= offsets.keys() and policy == "path":
        return "a result has no place"
    for run in runs(graph, set(offsets), False):
        arena = {}
        for kind, *what in run.events:
            if kind == "need":
                place, value = what
                for i in range(value[1]):
                    if arena.get(offsets[place] + i) != (value[0], i):
                        return f"{place} is damaged on the path {[n for n, _ in run.choices]}"
            for _, place, value in what[0] if kind == "move" else [(None, *what)] if kind == "write" else []:
                arena.update((offsets[place] + i, (value[0], i)) for i in range(value[1]))
                if offsets[place] + value[1] > peak:
                    return f"{place} ends above the peak"
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
    wrong = damage(graph, policy, claim["offsets"], claim["peak"])
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
        ways = sum(1 for _ in itertools.islice(runs(graph, set(), True), 65))
        policy = random.choice(("path", "select"))
        if 2 <= ways <= 64 and len(graph["tensors"]) <= 14 and ways * len(variants(graph, policy)) <= 200:
            return {"graph": graph, "policy": policy}


if __name__ == "__main__":
    differential.main(make, contradiction, graphs.smaller)
