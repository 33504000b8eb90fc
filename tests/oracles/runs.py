"""What happens along each path through a graph, with 0, 1, 2 and 3 turns of each loop, whatever the addresses
(docs/problem.md, "The two checks"): what is written, moved and needed."""
import bisect
import collections

TURNS = (0, 1, 2, 3)


class Run:
    """One path: what happens on it, as events ("write", place, value), ("need", place, value) and
    ("move", [(from, value, to, value there)], places that need not stay intact). A value is (number, bytes)."""

    def __init__(self, graph, placed, choices):
        self.bytes = {t["name"]: t["bytes"] for t in graph["tensors"]}
        self.outside = {t["name"] for t in graph["tensors"] if t.get("memory") == "external"}
        self.placed, self.choices = placed, choices
        self.events, self.chose, self.at, self.values = [], [], {}, 0  # chose: the event before which each choice was made
        for name in dict.fromkeys(graph["inputs"] + sorted(self.outside)):
            self.make(name)
        self.need(graph["inputs"])
        self.run(graph["ops"])
        self.need(graph["outputs"])

    def choose(self, among):
        if len(self.chose) == len(self.choices):
            self.choices.append([0, len(among)])
        self.chose.append(len(self.events))
        return among[self.choices[len(self.chose) - 1][0]]

    def make(self, name):
        self.values += 1
        self.at[name] = None if name in self.outside else name, (self.values, self.bytes[name])
        if name not in self.outside:
            self.events.append(("write", *self.at[name]))

    def need(self, names):
        self.events += [("need", *self.at[name]) for name in names if self.at[name][0]]

    def move(self, pairs, full=False, exempt=()):
        """Moves values into places as if at once; what is there already stays. Where `full` says so, a value of fewer
        bytes than its new place becomes another one, of all of these."""
        self.need([name for name, _ in pairs])
        moves = []
        for name, place in pairs:
            source, value = self.at[name]
            new = value
            if full and value[1] < self.bytes[place]:
                self.values += 1
                new = self.values, self.bytes[place]
            moves.append((source, value, place, new))
        self.events.append(("move", [each for each in moves if each[0] != each[2]], exempt))
        return [(place, new) for _, _, place, new in moves]

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
        found.update((at[0], at) for at in self.move(copied))
        self.at.update(found)
        self.need(results)

    def loop(self, op):
        rows = op["carried"]
        arguments = [row["argument"] for row in rows]

        def carry(key, exempt):
            self.at.update(zip(arguments, self.move([(row[key], row["argument"]) for row in rows], True, exempt)))
            self.need(arguments)

        carry("init", ())
        for _ in range(self.choose(TURNS)):
            self.run(op["regions"][-1]["ops"])
            carry("yield", arguments)  # which may change places
        for row in rows:
            self.at[row["result"]] = self.at[row["argument"]]


def runs(graph, placed):
    """The runs along all paths."""
    choices = []  # [which, of how many]
    while True:
        yield Run(graph, placed, choices)
        while choices and choices[-1][0] + 1 == choices[-1][1]:
            choices.pop()
        if not choices:
            return
        choices[-1][0] += 1


def value_load(graph):
    """The most bytes of different values that are live at once, that is, needed on some path that goes on from there: no
    placement has a lower peak."""
    live_at = collections.defaultdict(set)  # by event and by what was chosen before it
    for run in runs(graph, set()):
        first, live, chosen = {}, set(), [taken for taken, _ in run.choices]
        for when, (kind, *what) in enumerate(run.events):
            if kind != "move":
                first.setdefault(what[1], when)
        for when, (kind, *what) in reversed(list(enumerate(run.events))):
            if kind != "move":
                live.add(what[1])
            live_at[when, *chosen[:bisect.bisect(run.chose, when)]] |= live
            if kind != "move" and first[what[1]] == when:
                live.remove(what[1])
    return max((sum(bytes for _, bytes in live) for live in live_at.values()), default=0)
