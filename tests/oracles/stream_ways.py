"""What a plan for several streams has to respect, from docs/streams.md and problem.md: every way through a graph, one by one.

Where docs/ leave room there are two readings. `strict` takes nothing as needed but what an operator or the end reads of bytes that
are written, in as many turns as there are; the other one also holds what a loop reads from outside until it is left, takes any
number of turns of loops that have one, and has what is copied and never read. What a plan says is false only under both.
"""
import collections
import math

MOST_WAYS = 300


class TooManyWays(Exception):
    pass


def operators(ops):
    """All operators, those in regions as well."""
    for op in ops:
        yield op
        for region in op.get("regions", []):
            yield from operators(region["ops"])


class Value:
    """Bytes that one node writes into a place, and the nodes that use them."""

    def __init__(self, place, size, writer, source=None):
        self.place, self.size, self.writer, self.source, self.reads = place, size, writer, source, []
        self.before = None  # of an argument that a turn gives a new value: the one that it had


class Run:
    """One way through a graph. A node is an operator, or what happens when one with regions is entered, ends a turn, is left."""

    def __init__(self, graph, choices, offsets, strict):
        self.choices, self.options, self.offsets, self.strict = choices, [], offsets, strict
        self.auto = graph.get("waits") == "auto"
        self.sizes = {t["name"]: t["bytes"] for t in graph["tensors"]}
        self.external = {t["name"] for t in graph["tensors"] if t.get("memory") == "external"}
        self.arguments = {c["argument"] for op in operators(graph["ops"]) for c in op.get("carried", [])}
        self.before, self.last, self.values, self.held = [], {}, [], []
        self.known, self.made_at = {}, {}  # by name: the value, the node that made it
        begin = self.node("main", [])
        self.base = [begin]
        for name in graph["inputs"]:
            self.write(name, begin)
        self.region(graph["ops"], "main")
        end = self.node("main", range(len(self.before)))
        for name in graph["outputs"]:
            self.read(name, end)

    def node(self, stream, waits):
        """A new node; bit i of before[n] says that node i has ended when n begins."""
        before = 0
        for other in [*waits, *([self.last[stream]] if stream in self.last else [])]:
            before |= self.before[other] | 1 << other
        self.before.append(before)
        self.last[stream] = len(self.before) - 1
        return self.last[stream]

    def choose(self, count):
        taken = self.choices[len(self.options)] if len(self.options) < len(self.choices) else 0
        self.options.append(count)
        return taken

    def write(self, name, node, source=None):
        """What name is from now on; a copy that would lie exactly on its source is not made. A result has the bytes that were
        yielded, an argument always all of its own."""
        self.made_at[name] = node
        size = source.size if source and name not in self.arguments else self.sizes[name]
        if source and self.offsets and self.offsets[source.place] == self.offsets[name] and source.size == size:
            self.known[name] = source
        elif name not in self.external:
            self.known[name] = Value(name, size, node, source)
            self.values.append(self.known[name])

    def read(self, name, node):
        for outside, values in self.held:
            if name in outside and name in self.known:
                values.append(self.known[name])
        if name in self.known:
            self.known[name].reads.append(node)

    def waits(self, names):
        return [self.made_at[name] for name in names if self.auto and name in self.made_at]

    def region(self, ops, stream):
        ends = {}
        for op in ops:
            own = op.get("stream", stream)
            waits = self.base + [ends[name] for name in op.get("after", [])] + self.waits(op["inputs"])
            waits += self.waits([c["init"] for c in op.get("carried", [])])
            node = self.node(own, waits)
            for name in op["inputs"]:
                self.read(name, node)
            if "carried" in op:
                node = self.loop(op, own, node)
            elif "regions" in op:
                node = self.branch(op, own, node)
            else:
                for name in op["outputs"]:
                    self.write(name, node)
            ends[op["name"]] = node

    def inside(self, ops, stream, enter):
        """Runs a region; the nodes after which it has ended."""
        first, outer = len(self.before), self.base
        self.base = outer + [enter]
        self.region(ops, stream)
        self.base = outer
        return [enter, *range(first, len(self.before))]

    def move(self, pairs, node, turn_ends=False):
        """All copies of one node: {name: name of what goes there}."""
        moves = [(name, self.known.get(source), self.known.get(name)) for name, source in pairs]
        for name, source, before in moves:
            self.write(name, node, source)
            if turn_ends and name in self.known and self.known[name] is not source:
                self.known[name].before = before
        for outside, values in self.held:
            values += [self.known[s] for _, s in pairs if s in outside and s in self.known]

    def branch(self, op, stream, enter):
        regions = sorted(op["regions"], key=lambda region: len(region["ops"]))
        region = regions[self.choose(len(regions))]
        ends = self.inside(region["ops"], stream, enter)
        leave = self.node(stream, ends + self.waits(region["yields"]))
        self.move(list(zip(op["outputs"], region["yields"])), leave)
        return leave

    def loop(self, op, stream, node):
        count = op["trip_count"]
        turns = [0, 1, 2] if count is None or not (count or self.strict) else [min(count, 3)] if self.strict else [1, 2]
        turns = turns[self.choose(len(turns))]
        outside = set(self.made_at)
        self.move([(c["argument"], c["init"]) for c in op["carried"]], node)
        self.held.append((outside, []))
        for _ in range(turns):
            ends = self.inside(op["regions"][0]["ops"], stream, node)
            node = self.node(stream, ends + self.waits([c["yield"] for c in op["carried"]]))
            self.move([(c["argument"], c["yield"]) for c in op["carried"] if c["yield"] != c["argument"]], node, True)
        leave = self.node(stream, [node])
        for value in self.held.pop()[1]:
            if not self.strict:
                value.reads.append(leave)
        for c in op["carried"]:
            self.made_at[c["result"]] = leave
            if c["argument"] in self.known:
                self.known[c["result"]] = self.known[c["argument"]]
                if not self.strict:
                    self.known[c["argument"]].reads.append(leave)
        return leave

    def apart(self):
        """(place, bytes, place, bytes) of values whose bytes must not meet."""
        for value in reversed(self.values):
            if value.source and (value.reads or not self.strict):
                value.source.reads.append(value.writer)
        found = set()
        for value in self.values:
            if value.reads or not value.source or not self.strict:
                uses = 1 << value.writer
                for read in value.reads:
                    uses |= 1 << read
                for other in self.values:
                    racing = uses & ~self.before[other.writer]
                    if other is value or not racing or self.before[value.writer] >> other.writer & 1:
                        continue
                    copied_now = other.source and racing == 1 << other.writer
                    if copied_now and (other.before is value or self.strict and other.source is value):
                        continue  # arguments may change places; a copy may lie over its source
                    a, b = sorted(((value.place, value.size), (other.place, other.size)))
                    found.add((*a, *b))
        return found


def must_be_apart(graph, offsets, strict):
    """In how many ways places must not meet in their first bytes: {(place, bytes, place, bytes): number}."""
    pending, found, seen, most = [[]], collections.Counter(), 0, 2 if is_chain(graph) else math.inf
    while pending:
        choices = pending.pop()
        run = Run(graph, choices, offsets, strict)
        found.update(run.apart())
        seen += 1
        if seen > MOST_WAYS and most > 2:
            raise TooManyWays
        if sum(1 for c in choices if c) < most:
            for position in range(len(choices), len(run.options)):
                padded = choices + [0] * (position - len(choices))
                pending += [padded + [k] for k in range(1, run.options[position])]
    return found


class Covering(Run):
    """A way on which is noted what is read by a node that may begin before it is made."""

    def __init__(self, graph):
        self.uncovered = set()
        super().__init__(graph, [], None, True)

    def read(self, name, node):
        if name in self.made_at and not (self.before[node] | 1 << node) >> self.made_at[name] & 1:
            self.uncovered.add(name)
        super().read(name, node)


def uncovered(graph):
    """The names of what is read without waiting for it, where every operator takes its shortest branch."""
    return sorted(Covering(graph).uncovered)


def is_chain(graph):
    """Whether its regions are only branches without results, none in another, one of each If empty. What is taken then only adds
    to what has to wait, so that two operators of branches race on some way if they do where all other Ifs are empty."""
    return all(not op["outputs"] and "carried" not in op and not all(region["ops"] for region in op["regions"])
               and not any("regions" in inner for region in op["regions"] for inner in region["ops"])
               for op in graph["ops"] if "regions" in op)


def broken(graph, offsets, strict):
    """Which places meet that must not. Unless strict, copies are made also where source and target lie at one address."""
    for stays in (offsets,) if strict else (offsets, None):
        for a, size, b, other in must_be_apart(graph, stays, strict):
            if max(offsets[a], offsets[b]) < min(offsets[a] + size, offsets[b] + other):
                return f"bytes of {a} and {b} meet"
    return None


def places(graph):
    """{name: bytes} of what has a place of its own: not what a loop leaves behind, which is where its argument is."""
    results = {c["result"] for op in operators(graph["ops"]) for c in op.get("carried", [])}
    return {t["name"]: t["bytes"] for t in graph["tensors"] if "memory" not in t and t["name"] not in results}
