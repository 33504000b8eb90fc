"""Random programs of ExecuTorch with branches and loops, and at which instructions docs/formats.md says that their tensors are in use.

A case is {"program": .., "pte": the file as hexadecimal digits}; the claims are {"buffers": [[name, size, offset, [[lower, upper], ..]], ..]}. What
is true is found by running: along every way through the program, each loop turned up to three times, a tensor is in use at a step that touches it, and
at one before which it was touched and behind which it is read again before it is written anew.

A program is {"kinds": {value: "input" | "state" | "other"}, "outputs": [value, ..], "body": [statement, ..]}, a statement a list:
  ["call", operator, reads, outs, form]  ["touch", "add_", value, reads]  ["view", from, to]  ["delegate", values]
  ["cond", value, body, body, [[to, from of the first, from of the second], ..]]  ["loop", value, body]
"""
import collections
import itertools
import struct

import differential

SIZE = 16
MOST_WAYS = 300


class Table(dict):
    """Fields of a table of FlatBuffers by number: (bytes, number), or what has a place of its own."""


class Vector(list):
    """Numbers of `width` bytes, or what has a place of its own."""

    def __init__(self, items, width=4):
        super().__init__(items)
        self.width = width


def serialize(root, identifier=b"ET12"):
    """The bytes of a file of FlatBuffers: what is pointed to comes behind what points."""
    out, waiting = bytearray(4) + identifier, collections.deque([(0, root)])

    def pad(rest):
        while len(out) % 8 != rest:
            out.append(0)

    while waiting:
        at, item = waiting.popleft()
        if isinstance(item, str):
            pad(0)
            place = len(out)
            out += struct.pack("<I", len(item)) + item.encode() + b"\0"
        elif isinstance(item, Vector):
            pad(4)
            place = len(out)
            out += struct.pack("<I", len(item))
            for element in item:
                if isinstance(element, int):
                    out += element.to_bytes(item.width, "little", signed=element < 0)
                else:
                    waiting.append((len(out), element))
                    out += bytes(4)
        else:
            fields = max(item, default=-1) + 1
            pad(0)
            vtable, offsets = len(out), [0] * fields
            for i, field in enumerate(item):
                offsets[field] = 4 + 8 * i
            out += struct.pack(f"<{2 + fields}H", 4 + 2 * fields, 4 + 8 * len(item), *offsets)
            pad(4)
            place = len(out)
            out += struct.pack("<i", place - vtable)
            for value in item.values():
                if isinstance(value, tuple):
                    out += value[1].to_bytes(value[0], "little").ljust(8, b"\0")
                else:
                    waiting.append((len(out), value))
                    out += bytes(8)
        out[at:at + 4] = struct.pack("<I", place - at)
    return bytes(out)


def flatten(body, steps):
    """Appends the instructions: tuples whose last item of a jump is a list with the target in it."""
    for statement in body:
        if statement[0] == "cond":
            _, condition, first, second, results = statement
            past_first, past_second = [None], [None]
            steps.append(("jump", condition, past_first))
            flatten(first, steps)
            steps.extend(("move", a, to) for to, a, _ in results)
            steps.append(("jump", "false", past_second))
            past_first[0] = len(steps)
            flatten(second, steps)
            steps.extend(("move", b, to) for to, _, b in results)
            past_second[0] = len(steps)
        elif statement[0] == "loop":
            begin = len(steps)
            flatten(statement[2], steps)
            steps.append(("jump", statement[1], [begin]))
        else:
            steps.append(tuple(statement))
    return steps


def encode(program):
    steps = flatten(program["body"], [])
    names = list(program["kinds"])
    number = {name: i for i, name in enumerate(names)}
    values = []
    for i, name in enumerate(names):
        tensor = Table({0: (1, 0), 2: Vector([SIZE]), 6: Table({0: (4, 1), 1: (4, SIZE * i)})})
        if program["kinds"][name] == "state":
            tensor[5] = (4, 1)
        values.append(Table({0: (1, 5), 1: tensor}))
    number["false"] = len(values)
    values.append(Table({0: (1, 3), 1: Table({0: (1, 0)})}))
    operators, instructions = [], []

    def operator(name):
        if name not in operators:
            operators.append(name)
        return (4, operators.index(name))

    def add(kind, content):
        instructions.append(Table({0: (1, kind), 1: Table(content)}))

    for step in steps:
        if step[0] == "call":
            _, name, reads, outs, form = step
            arguments = [number[v] for v in reads + outs]
            if form == "twice":
                arguments.append(number[outs[0]])
            elif form == "list":
                values.append(Table({0: (1, 10), 1: Table({0: Vector([number[v] for v in outs])})}))
                arguments.append(len(values) - 1)
            add(1, {0: operator(name), 1: Vector(arguments)})
        elif step[0] == "touch":
            add(1, {0: operator(step[1]), 1: Vector([number[v] for v in [step[2], *step[3]]])})
        elif step[0] == "view":
            add(1, {0: operator("executorch_prim::et_view"), 1: Vector([number[step[1]], number["false"], number[step[2]]])})
        elif step[0] == "delegate":
            add(2, {0: (4, 0), 1: Vector([number[v] for v in step[1]])})
        elif step[0] == "move":
            add(3, {0: (4, number[step[1]]), 1: (4, number[step[2]])})
        else:
            add(4, {0: (4, number[step[1]]), 1: (4, step[2][0])})
    plan = Table({0: "forward", 2: Vector(values), 3: Vector([number[v] for v in names if program["kinds"][v] == "input"]),
                  4: Vector([number[v] for v in program["outputs"]]), 5: Vector([Table({2: Vector(instructions)})]),
                  6: Vector([Table({0: name}) for name in operators]), 8: Vector([0, SIZE * len(names)], 8)})
    return serialize(Table({1: Vector([plan])})).hex()


class Maker:
    def __init__(self, random):
        self.random, self.kinds, self.moved = random, {}, set()

    def value(self, kind="other"):
        name = f"t{len(self.kinds)}"
        self.kinds[name] = kind
        return name

    def body(self, known, depth, in_loop):
        """Statements, and the tensors that are known behind them."""
        random, known, body = self.random, list(known), []
        for _ in range(random.randint(1, 4)):
            kind = random.choice(["call", "call", "call", "touch", "view", "delegate", "again", "cond", "loop"])
            reads = [random.choice(known) for _ in range(random.randint(0, 2))] if known else []
            whole = [v for v in known if self.kinds[v] == "other" and v not in self.moved]
            if kind == "again" and whole:  # written once more
                out = random.choice(whole)
                body.append(["call", "aten::mul", [v for v in reads if v != out or random.random() < 0.3], [out], "twice"])
            elif kind == "touch" and known:
                body.append(["touch", random.choice(["aten::add_", "executorch_prim::et_copy_index"]), random.choice(known), reads])
            elif kind == "view" and known:
                base = random.choice(known)
                known.append(self.value())
                self.moved.add(known[-1])
                self.moved.add(base)
                body.append(["view", base, known[-1]])
            elif kind == "delegate":
                outs = [self.value() for _ in range(random.randint(1, 2))]
                body.append(["delegate", reads + outs])
                known += outs
            elif kind == "cond" and known and depth:
                first, inside = self.body(known, depth - 1, in_loop)
                second, other = self.body(known, depth - 1, in_loop)
                results = []
                if not in_loop:
                    for _ in range(random.randint(0, 2)):
                        results.append([self.value(), random.choice(inside), random.choice(other)])
                        self.moved.update(results[-1])
                body.append(["cond", random.choice(known), first, second, results])
                known += [to for to, _, _ in results]
            elif kind == "loop" and depth:
                inside, after = self.body(known, depth - 1, True)
                condition = self.value()
                inside.append(["call", "aten::eq", [random.choice(after)], [condition], "twice"])
                body.append(["loop", condition, inside])
                known = after + [condition]
            else:
                form = random.choice(["twice", "once", "list"])
                outs = [self.value() for _ in range(random.randint(1, 2) if form == "list" else 1)]
                scratch = [self.value()] if random.random() < 0.1 else []
                self.moved.update(scratch)
                body.append(["call", "aten::relu", reads + scratch, outs, form])
                known += outs
        return body, known


def rebuilt(program):
    return {"program": program, "pte": encode(program)}


def make(random):
    maker = Maker(random)
    known = [maker.value("input") for _ in range(random.randint(1, 2))]
    known += [maker.value("state") for _ in range(random.random() < 0.2)]
    body, known = maker.body(known, 3, False)
    return rebuilt({"kinds": maker.kinds, "outputs": random.sample(known, random.randint(0, min(2, len(known)))), "body": body})


def ways(body, at):
    """All lists of steps that running the body from step `at` may take, and the step behind it."""
    found = [[]]
    for statement in body:
        if statement[0] == "cond":
            _, _, first, second, results = statement
            one, behind = ways(first, at + 1)
            one = [[at] + way + list(range(behind, behind + len(results) + 1)) for way in one]
            other, end = ways(second, behind + len(results) + 1)
            parts = one + [[at] + way + list(range(end, end + len(results))) for way in other]
            at = end + len(results)
        elif statement[0] == "loop":
            turns, end = ways(statement[2], at)
            turns = [turn + [end] for turn in turns]
            parts = [list(itertools.chain(*some)) for k in (1, 2, 3) for some in itertools.product(turns, repeat=k)] if len(turns) < 7 else None
            at = end + 1
        else:
            parts, at = [[at]], at + 1
        if parts is None or len(found) * len(parts) > MOST_WAYS:
            raise OverflowError
        found = [way + part for way in found for part in parts]
    return found, at


def events(program, steps):
    """For each step [(tensor, needs, writes), ..], in names of the file; what is scratch or an output of a delegate depends on their order there."""
    seen = {v for v, kind in program["kinds"].items() if kind != "other"}

    def name(value):
        fresh = value not in seen
        seen.add(value)
        return (value, not fresh, fresh)

    found = []
    for step in steps:
        if step[0] == "call":
            seen.update(step[3])
            reads = [name(v) for v in step[2]]
            found.append([(v, False, True) for v in step[3]] + reads)
        elif step[0] == "touch":
            seen.add(step[2])
            found.append([(step[2], True, False)] + [name(v) for v in step[3]])
        elif step[0] == "view":
            found.append([name(step[1])])
            seen.add(step[2])
        elif step[0] == "delegate":
            found.append([name(v) for v in step[1]])
        elif step[0] == "move":
            found.append([(step[1], True, False)])
            seen.add(step[2])
        else:
            found.append([(step[1], True, False)] if step[1] != "false" else [])
    return found


def truth(program):
    steps = flatten(program["body"], [])
    happens = events(program, steps)
    states = {v for v, kind in program["kinds"].items() if kind == "state"}
    live = {v: set() for v in program["kinds"]}
    for way in ways(program["body"], 0)[0]:
        memory = {v: v for v in program["kinds"]}
        last = {v: (0, [0]) for v, kind in program["kinds"].items() if kind == "input"}  # position, steps since it was written or read
        for v in last:
            live[v].add(0)
        for position, step in enumerate(way):
            uses = {}
            for value, needs, writes in happens[step]:
                root = memory[value]
                old = uses.get(root, (False, False))
                uses[root] = (old[0] or needs, old[1] or writes)
            for root, (needs, writes) in uses.items():
                if needs and root in last:
                    live[root].update(way[last[root][0]:position])
                live[root].add(step)
                last[root] = (position, None)
            if steps[step][0] == "view":
                memory[steps[step][2]] = memory[steps[step][1]]
            elif steps[step][0] == "move":
                memory[steps[step][2]] = memory[steps[step][1]]
        for value in program["outputs"]:
            root = memory[value]
            if root in last:
                live[root].update(way[last[root][0]:])
    for v in states:
        live[v] = set(range(len(steps)))
    return {v: found for v, found in live.items() if found}


def contradiction(case, claim):
    if "error" in claim:
        return claim["error"]
    program = case["program"]
    try:
        expected = truth(program)
    except OverflowError:
        return None
    names = list(program["kinds"])
    steps = flatten(program["body"], [])
    jumps = any(step[0] == "jump" for step in steps)
    handed_on = {step[1] for step in steps if step[0] == "move"}
    for step in steps[::-1]:
        if step[0] == "view" and step[2] in handed_on:
            handed_on.add(step[1])
    found = {}
    for name, size, offset, segments in claim["buffers"]:
        number = int(name.split()[0])
        if size != SIZE or offset != SIZE * number:
            return f"{name} has {size} bytes at {offset}"
        found[names[number]] = {s for lower, upper in segments for s in range(lower, upper)}
    for v in names:
        mine, right = found.get(v, set()), expected.get(v, set())
        if right and not jumps:
            right = set(range(min(right), max(right) + 1))
        if mine != right and not (v in handed_on and mine > right):
            return f"{v} is in use at {sorted(mine)}, expected {sorted(right)}"
    return None


def sound(body, known):
    """Whether all is written, or scratch, before it is named; adds what is known behind the body."""
    for statement in body:
        kind, *rest = statement
        if kind == "call":
            known.update(rest[2])
        elif kind == "delegate":
            known.update(rest[0])
        elif kind == "view":
            if rest[0] not in known:
                return False
            known.add(rest[1])
        elif kind == "touch" and not known >= {rest[1], *rest[2]}:
            return False
        elif kind == "cond":
            one, other = set(known), set(known)
            if rest[0] not in known or not sound(rest[1], one) or not sound(rest[2], other):
                return False
            if any(a not in one or b not in other for _, a, b in rest[3]):
                return False
            known.update(to for to, _, _ in rest[3])
        elif kind == "loop" and (not sound(rest[1], known) or rest[0] not in known):
            return False
    return True


def bodies(body):
    """The body with one statement left out, or with a smaller one in its place."""
    for i, statement in enumerate(body):
        yield body[:i] + body[i + 1:]
        for at in {"cond": (2, 3), "loop": (2,)}.get(statement[0], ()):
            for less in bodies(statement[at]):
                yield body[:i] + [statement[:at] + [less] + statement[at + 1:]] + body[i + 1:]


def smaller(case):
    for body in bodies(case["program"]["body"]):
        known = {v for v, kind in case["program"]["kinds"].items() if kind != "other"}
        if flatten(body, []) and sound(body, known) and known >= set(case["program"]["outputs"]):
            yield rebuilt({**case["program"], "body": body})
    for i in range(len(case["program"]["outputs"])):
        outputs = case["program"]["outputs"]
        yield rebuilt({**case["program"], "outputs": outputs[:i] + outputs[i + 1:]})


if __name__ == "__main__":
    differential.main(make, contradiction, smaller)
