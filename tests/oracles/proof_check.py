"""A checker of the logs of docs/proofs.md, written from that page alone. A log is a str, each letter of which is a byte."""
import re

# How many numbers each rule has at least, and which take more.
LEAST = {"v": 4, "q": 0, "c": 0, "d": 0, "E": 1, "O": 1, "C": 1, "P": 2, "T": 1, "K": 3, "R": 4, "D": 4, "H": 3, "G": 3, "W": 6, "M": 6}
MORE = "qcdHG"
LETTERS = "".join(LEAST)


class Refused(Exception):
    """A line is wrong, or cannot be read."""


def need(condition, text):
    if not condition:
        raise Refused(text)


def number(word):
    need(re.fullmatch("-?[0-9]+", word) and abs(int(word)) < 2 ** 62, f"the number {word}")
    return int(word)


def pack(text, problem):
    """The binary form of a log."""
    def packed(n):
        n = 2 * n if n >= 0 else -2 * n - 1
        while n > 127:
            yield n % 128 + 128
            n //= 128
        yield n

    head, lines = text.split("\n")[:5], text.split("\n")[5:-2]
    out = bytearray("\n".join(["memplan-proof 1b"] + head[1:]).encode() + b"\n")
    for letter, *words in (line.split(" ") for line in lines):
        out += letter.encode()
        if letter in MORE:
            out += bytes(packed(len(words)))
        for word in words:
            parts = [int(part) for part in word.split(":")]
            for n in parts + [0, problem["buffers"][parts[0]]["size"]] if letter == "q" and len(parts) == 1 else parts:
                out += bytes(packed(n))
    return (bytes(out) + b"e").decode("latin-1")


def unpack(data):
    """The lines behind the head of a binary log, each as the words of its text."""
    at = 0

    def byte():
        nonlocal at
        need(at < len(data), "the file is cut off")
        at += 1
        return ord(data[at - 1])

    def packed():
        value = shift = 0
        more = True
        while more:
            got = byte()
            need(shift <= 56, "a long number")
            value, shift, more = value | (got & 127) << shift, shift + 7, got > 127
        n = -(value // 2) - 1 if value % 2 else value // 2
        need(abs(n) < 2 ** 62, "a large number")
        return n

    while True:
        letter = chr(byte())
        if letter == "e":
            yield ["end"]
            need(at == len(data), "something behind the end")
            return
        need(letter in LETTERS, f"the rule {letter}")
        count = packed() if letter in MORE else LEAST[letter]
        need(count >= LEAST[letter], "the number of numbers")
        words = [letter]
        for _ in range(count):
            words.append(":".join(str(packed()) for _ in range(3)) if letter == "q" else str(packed()))
        yield words


class Problem:
    """Of a memplan-problem/1 with segments and conflicts what the page speaks of."""

    def __init__(self, document):
        buffers = document["buffers"]
        names = [b["name"] for b in buffers]
        self.size = [b["size"] for b in buffers]
        self.alignment = [b.get("alignment", 1) for b in buffers]
        self.fixed = [b.get("offset") for b in buffers]
        self.segments = []
        for b in buffers:
            joined = []
            for lower, upper, *window in b.get("segments", []):
                begin, end = window or (0, b["size"])
                if joined and joined[-1][1] == lower and joined[-1][2:] == (begin, end):
                    lower = joined.pop()[0]
                joined.append((lower, upper, begin, end))
            self.segments.append(joined)
        place = lambda which: which if isinstance(which, int) else names.index(which)
        self.pairs = {frozenset((place(a), place(b))) for a, b in document.get("conflicts", [])}
        self.pairs = {pair for pair in self.pairs if len(pair) == 1 or not self.overlap(*pair)}

    def fingerprint(self):
        value = 14695981039346656037
        for b, segments in enumerate(self.segments):
            fixed = -1 if self.fixed[b] is None else self.fixed[b]
            numbers = [self.size[b], self.alignment[b], fixed] + [n for s in segments for n in s]
            for byte in ("".join(f"{n} " for n in numbers) + "\n").encode():
                value = (value ^ byte) * 1099511628211 % 2 ** 64
        return f"{value:016x}"

    def overlap(self, i, j):
        """Whether all bytes of both are in use at one step."""
        whole = [[s[:2] for s in self.segments[b] if s[2:] == (0, self.size[b])] for b in (i, j)]
        return any(max(s[0], t[0]) < min(s[1], t[1]) for s in whole[0] for t in whole[1])

    def alike(self, i, j):
        facts = [(self.size[b], self.alignment[b], self.segments[b]) for b in (i, j)]
        free = self.fixed[i] is None and self.fixed[j] is None
        return free and facts[0] == facts[1] and not any(b in pair for pair in self.pairs for b in (i, j))

    def forbids(self, i, j, lowest, highest):
        """Whether no plan has a difference (j's offset less i's) from lowest to highest."""
        if i == j:
            return lowest > highest
        windows = [(s[2], s[3], t[2], t[3]) for s in self.segments[i] for t in self.segments[j] if max(s[0], t[0]) < min(s[1], t[1])]
        if frozenset((i, j)) in self.pairs:
            windows.append((0, self.size[i], 0, self.size[j]))
        # [i + a, i + b) and [j + c, j + d) overlap where j - i is from a - d + 1 to b - c - 1.
        at = lowest
        for a, b, c, d in sorted(windows, key=lambda w: w[0] - w[3]):
            if a - d + 1 <= at:
                at = max(at, b - c)
        return at > highest


class Check:
    def __init__(self, problem, text):
        self.problem = problem
        packed = text.startswith("memplan-proof 1b\n")
        need(packed or text.endswith("\n"), "the file is cut off")
        need("\0" not in "\n".join(text.split("\n")[:5]) and (packed or "\0" not in text), "a byte 0")
        lines = text.split("\n", 5)[:5] if packed else text[:-1].split("\n")
        self.lines = (line.split(" ") for line in lines)
        need(self.words() == ["memplan-proof", "1b" if packed else "1"], "the format")
        need(self.words() == ["problem", problem.fingerprint()], "another problem")
        self.capacity = self.head("capacity")
        self.unit = self.head("unit")
        need(self.capacity >= 0 and self.unit >= 1, "the head")
        used = self.words()
        count = len(problem.size)
        need(used[0] == "use", "use")
        self.used = set(range(count)) if used == ["use", "all"] else {number(word) for word in used[1:]}
        need(all(0 <= b < count for b in self.used), "a buffer")
        self.choices, self.cliques, self.clauses = [], [], []
        self.first_low, self.first_high, self.step = {}, {}, {}
        for b in self.used:
            self.begin_buffer(b)
        if packed:
            need(text.count("\n") >= 5, "the file is cut off")
            self.lines = unpack(text.split("\n", 5)[5])
        self.refuted = self.open = False
        self.restart()
        self.run()

    def words(self):
        words = next(self.lines, None)
        need(words is not None, "the file is cut off")
        need(all(words), "an empty word")
        return words

    def head(self, name):
        words = self.words()
        need(len(words) == 2 and words[0] == name, name)
        return number(words[1])

    def begin_buffer(self, b):
        p, unit = self.problem, self.unit
        fixed, alignment = p.fixed[b], p.alignment[b]
        bytes_of = [p.size[b], fixed or 0] + [n for s in p.segments[b] for n in s[2:]]
        need(not any(n % unit for n in bytes_of) and (alignment % unit == 0 or unit % alignment == 0), "the unit")
        self.step[b] = max(unit, alignment) if fixed is None else 1
        highest = self.capacity - p.size[b]
        self.first_low[b] = fixed or 0
        self.first_high[b] = highest // self.step[b] * self.step[b] if fixed is None else min(fixed, highest)

    def restart(self):
        self.low, self.high, self.holds = dict(self.first_low), dict(self.first_high), set()
        self.absurd = any(self.low[b] > self.high[b] for b in self.used)

    def buffer(self, word):
        b = number(word)
        need(b in self.used, "a buffer")
        return b

    def literal(self, word):
        literal = number(word)
        need(1 <= abs(literal) <= len(self.choices), "a literal")
        return literal

    def edge(self, literal):
        i, j, up, down = self.choices[abs(literal) - 1]
        return (i, j, up) if literal > 0 else (j, i, down)

    def hold(self, literal):
        self.holds.add(literal)
        self.absurd |= -literal in self.holds

    def bound(self, b, low=None, high=None):
        step = self.step[b]
        if low is not None and low > self.low[b]:
            self.low[b] = -(-low // step) * step
        if high is not None and high < self.high[b]:
            self.high[b] = high // step * step
        self.absurd |= self.low[b] > self.high[b]

    def clique(self, word):
        q = number(word)
        need(1 <= q <= len(self.cliques), "a clique")
        return self.cliques[q - 1]

    def end_clause(self):
        if self.open:
            need(self.absurd, "no contradiction")
            self.refuted |= not self.clauses[-1]
            self.restart()
        self.open = False

    def run(self):
        while True:
            letter, *words = self.words()
            if letter == "end":
                need(not words, "behind end")
                break
            need(letter in LETTERS and len(letter) == 1, f"the rule {letter}")
            if letter.islower():
                self.end_clause()
            elif self.open and self.absurd:
                continue
            else:
                need(self.open, "no clause")
            getattr(self, "rule_" + letter)(*words)
        self.end_clause()
        need(self.refuted, "no empty clause")
        need(next(self.lines, None) is None, "behind end")

    def rule_v(self, i, j, up, down):
        i, j, up, down = self.buffer(i), self.buffer(j), number(up), number(down)
        need(self.problem.forbids(i, j, 1 - down, up - 1), "closer")
        need(up + down >= 1, "both may be true")
        self.choices.append((i, j, up, down))

    def rule_q(self, *words):
        members = []
        for word in words:
            parts = word.split(":")
            need(len(parts) in (1, 3), "a member")
            b = self.buffer(parts[0])
            begin, end = map(number, parts[1:]) if len(parts) == 3 else (0, self.problem.size[b])
            need(begin < end, "no bytes")
            for other, first, last in members:
                need(self.problem.forbids(other, b, first - end + 1, last - begin - 1), "overlap")
            members.append((b, begin, end))
        self.cliques.append(members)

    def rule_c(self, *words):
        literals = [self.literal(word) for word in words]
        self.clauses.append(literals)
        self.open = True
        for literal in literals:
            self.hold(-literal)

    def rule_d(self, *words):
        for word in words:
            c = number(word)
            need(1 <= c <= len(self.clauses), "a clause")
            self.clauses[c - 1] = None

    def rule_E(self, word):
        literal = self.literal(word)
        need(literal in self.holds, "does not hold")
        i, j, distance = self.edge(literal)
        low, high = self.low[i] + distance, self.high[j] - distance
        self.bound(j, low=low)
        self.bound(i, high=high)

    def rule_O(self, word):
        literal = self.literal(word)
        i, j, distance = self.edge(literal)
        need(self.low[i] + distance > self.high[j], "room")
        self.hold(-literal)

    def rule_C(self, word):
        c = number(word)
        need(1 <= c < len(self.clauses) and self.clauses[c - 1] is not None, "a clause")
        left = [literal for literal in self.clauses[c - 1] if -literal not in self.holds]
        need(len(left) <= 1, "several are left")
        if left:
            self.hold(left[0])
        else:
            self.absurd = True

    def rule_P(self, word, other):
        literal, other = self.literal(word), self.literal(other)
        need(literal in self.holds, "does not hold")
        i, j, distance = self.edge(literal)
        k, m, weaker = self.edge(other)
        need((i, j) == (k, m) and weaker <= distance, "does not follow")
        self.hold(other)

    def rule_T(self, word):
        literal = self.literal(word)
        i, j, _ = self.edge(literal)
        need(i < j and self.edge(-literal)[2] >= 1, "not the first, or not apart")
        need(self.problem.alike(i, j), "not alike")
        self.hold(literal)

    def overfull(self, members, first, last, *more):
        inside = [m for m in members if m in more or
                  self.low[m[0]] + m[1] >= first and self.high[m[0]] + m[2] <= last]
        return sum(end - begin for _, begin, end in inside) > max(last - first, 0)

    def rule_K(self, q, a, b):
        members, a, b = self.clique(q), number(a), number(b)
        need(self.overfull(members, a, b), "they fit")
        self.absurd = True

    def rule_R(self, q, a, b, multiple):
        members, a, b, multiple = self.clique(q), number(a), number(b), number(multiple)
        need(a >= 0 and multiple >= 1, "the numbers")
        rounded, added = 0, [0]
        for buffer, begin, end in members:
            fixed = self.problem.fixed[buffer]
            inside = self.low[buffer] + begin >= a and self.high[buffer] + end <= b
            if inside and begin % multiple == 0 and (self.step[buffer] if fixed is None else fixed) % multiple == 0:
                added.append(-end % multiple)
                rounded += end - begin + added[-1]
        need(rounded - max(added) > max(b - a, 0), "they fit")
        self.absurd = True

    def member(self, members, b):
        found = [m for m in members if m[0] == b]
        need(found, "no member")
        return found[0]

    def rule_D(self, q, a, b, word):
        members, a, b, literal = self.clique(q), number(a), number(b), self.literal(word)
        j, i, distance = self.edge(-literal)
        i, j = self.member(members, i), self.member(members, j)
        need(distance >= j[2] - i[1], "the distance")
        need(self.low[j[0]] + j[1] >= a and self.high[i[0]] + i[2] <= b, "beyond")
        need(self.overfull(members, a, b, i, j), "they fit")
        self.hold(literal)

    def chain(self, q, address, words, down):
        members, total = self.clique(q), number(address)
        address, moved, last = total, None, -1
        need(words, "no literals")
        for word in words:
            literal = self.literal(word)
            need(literal in self.holds, "does not hold")
            i, j, distance = self.edge(literal)
            i, j = self.member(members, i), self.member(members, j)
            need(distance >= i[2] - j[1], "the distance")
            passed, mover = (j, i) if down else (i, j)
            need(moved in (None, mover) and members.index(passed) > last, "the order")
            moved, last = mover, members.index(passed)
            need(self.high[passed[0]] + passed[2] <= address if down else self.low[passed[0]] + passed[1] >= address, "beyond")
            total += (passed[1] - passed[2]) if down else (passed[2] - passed[1])
        if down:
            self.bound(moved[0], high=total - moved[2])
        else:
            self.bound(moved[0], low=total - moved[1])

    def hand_over(self, q, a, b, r, word, offset, down):
        members, a, b, other = self.clique(q), number(a), number(b), self.clique(r)
        taker, offset = self.buffer(word), number(offset)
        _, first, end = self.member(other, taker)
        need(abs(offset) <= self.capacity, "no offset")
        need(self.low[taker] + first >= a and self.high[taker] + end <= b, "beyond")
        step = self.step[taker]
        last = -(-(offset + 1) // step * step) if down else (offset - 1) // step * step
        need(a <= last + first and last + end <= b, "the offset is beyond")
        free, taken = b - a, 0
        for m, begin, stop in members:
            if self.low[m] + begin < a or self.high[m] + stop > b:
                continue
            free -= stop - begin
            apart = m != taker and any(n == m for n, _, _ in other) and self.member(other, m)[1] <= begin and self.member(other, m)[2] >= stop
            reach = self.high[m] + stop - last - first if down else last + end - self.low[m] - begin
            taken += 0 if apart else max(0, min(reach, stop - begin))
        need(free + taken < end - first, "taken over")
        if down:
            self.bound(taker, high=offset)
        else:
            self.bound(taker, low=offset)

    def rule_W(self, *words):
        self.hand_over(*words, False)

    def rule_M(self, *words):
        self.hand_over(*words, True)

    def rule_H(self, q, a, *words):
        self.chain(q, a, words, False)

    def rule_G(self, q, b, *words):
        self.chain(q, b, words, True)


def check(document, text):
    """(capacity, unit) of an accepted log; None and the reason where it is not."""
    try:
        checked = Check(Problem(document), text)
    except Refused as refused:
        return None, str(refused)
    except TypeError:  # another number of words than the rule has
        return None, "the number of words"
    return (checked.capacity, checked.unit), None
