"""A checker of proofs in the format VeriPB 3.0, as far as memplan writes it: f, pol, rup, output NONE, conclusion UNSAT, end.

A constraint is (terms, degree): {variable: coefficient}, above 0 for the variable and below for its opposite, and what the true ones have to
add up to at least.
"""


class Refused(Exception):
    """A line is wrong, or cannot be read."""


def need(condition, text):
    if not condition:
        raise Refused(text)


def parse_literal(word):
    sign, name = (-1, word[1:]) if word.startswith("~") else (1, word)
    need(name.startswith("x") and name[1:].isdigit() and int(name[1:]) > 0, f"the literal {word}")
    return sign * int(name[1:])


def parse_constraint(words):
    """COEFFICIENT LITERAL .. >= DEGREE"""
    need(">=" in words and len(words) == words.index(">=") + 2 and len(words) % 2 == 0, f"the constraint {words}")
    at = words.index(">=")
    made = ({}, int(words[-1]))
    for coefficient, literal in zip(words[:at:2], words[1:at:2]):
        literal = parse_literal(literal)
        need(int(coefficient) > 0, "a coefficient")
        made = add(made, ({abs(literal): int(coefficient) if literal > 0 else -int(coefficient)}, 0))
    return made


def add(a, b):
    terms, degree = dict(a[0]), a[1] + b[1]
    for variable, coefficient in b[0].items():
        old = terms.pop(variable, 0)
        if old * coefficient < 0:  # of c x and d ~x a constant is left
            degree -= min(abs(old), abs(coefficient))
        if old + coefficient:
            terms[variable] = old + coefficient
    return terms, degree


def parse_formula(text):
    formula = []
    for line in text.splitlines():
        if not line.startswith("*"):
            words = line.split()
            need(words and words[-1] == ";", f"the constraint '{line}'")
            formula.append(parse_constraint(words[:-1]))
    return formula


class Check:
    def __init__(self, formula, text):
        self.database, self.slack, self.greatest, self.occurs, self.units = [], [], [], {}, []
        for constraint in parse_formula(formula):
            self.insert(constraint)
        lines = text.split("\n")
        need(lines.pop() == "", "the file is cut off")
        need(lines[0] == "pseudo-Boolean proof version 3.0", "the format")
        need(lines[1] == f"f {len(self.database)} ;", "the number of constraints")
        need(lines[-3] == "output NONE;" and lines[-1] == "end pseudo-Boolean proof;", "the end")
        for line in lines[2:-3]:
            rule, *words = line.split()
            need(words and words.pop() == ";", f"the line '{line}'")
            need(rule in ("pol", "rup"), f"the rule {rule}")
            self.insert(self.evaluate(words) if rule == "pol" else self.propagate(parse_constraint(words)))
        *words, last = lines[-2].removesuffix(";").split()
        terms, degree = self.find(int(last))
        need(words == ["conclusion", "UNSAT", ":"] and degree > sum(map(abs, terms.values())), "no contradiction")

    def find(self, number):
        need(1 <= number <= len(self.database), f"there is no constraint {number}")
        return self.database[number - 1]

    def insert(self, constraint):
        number = len(self.database)
        self.database.append(constraint)
        terms, degree = constraint
        for variable, coefficient in terms.items():
            literal = variable if coefficient > 0 else -variable
            self.occurs.setdefault(literal, []).append((number, abs(coefficient)))
        self.slack.append(sum(map(abs, terms.values())) - degree)
        self.greatest.append(max(map(abs, terms.values()), default=1))
        if self.slack[-1] < self.greatest[-1]:
            self.units.append(number)

    def evaluate(self, words):
        stack = []
        constraint = lambda item: item if isinstance(item, tuple) else self.find(item)
        for word in words:
            if word.isdigit():
                stack.append(int(word))
                continue
            need(word in "+*ds" or word[0] in "x~", f"the word {word}")
            if word[0] in "x~":
                literal = parse_literal(word)
                stack.append(({abs(literal): 1 if literal > 0 else -1}, 0))
                continue
            need(len(stack) > (word != "s"), "a short expression")
            top = stack.pop()
            if word == "+":
                stack.append(add(constraint(stack.pop()), constraint(top)))
            elif word == "s":
                terms, degree = constraint(top)
                stack.append(({v: max(-degree, min(c, degree)) for v, c in terms.items()}, degree) if degree > 0 else ({}, 0))
            else:
                need(isinstance(top, int) and (top > 0), "a factor")
                terms, degree = constraint(stack.pop())
                if word == "*":
                    stack.append(({v: c * top for v, c in terms.items()}, degree * top))
                else:
                    stack.append(({v: -(-abs(c) // top) * (1 if c > 0 else -1) for v, c in terms.items()}, -(-degree // top)))
        need(len(stack) == 1, "an expression that is left over")
        return constraint(stack[0])

    def propagate(self, goal):
        """The goal, once its opposite leads to a conflict by unit propagation."""
        opposite = ({v: -c for v, c in goal[0].items()}, sum(map(abs, goal[0].values())) - goal[1] + 1)
        self.insert(opposite)
        try:
            need(self.leads_to_conflict(), "no conflict")
        finally:
            for variable, coefficient in opposite[0].items():
                self.occurs[variable if coefficient > 0 else -variable].pop()
            if self.units and self.units[-1] == len(self.database) - 1:
                self.units.pop()
            self.database.pop(), self.slack.pop(), self.greatest.pop()
        return goal

    def leads_to_conflict(self):
        true, slack, queue = set(), {}, []

        def force(number, left):
            """What a constraint needs, once so much may be false beside what is."""
            for v, c in self.database[number][0].items():
                literal = v if c > 0 else -v
                if abs(c) > left and literal not in true and -literal not in true:
                    true.add(literal)
                    queue.append(literal)

        for number in self.units:
            if self.slack[number] < 0:
                return True
            force(number, self.slack[number])
        # A constraint that was a unit may have lost literals that became false meanwhile; they are in the queue.
        while queue:
            for number, coefficient in self.occurs.get(-queue.pop(), ()):
                left = slack[number] = slack.get(number, self.slack[number]) - coefficient
                if left < 0:
                    return True
                if left < self.greatest[number]:
                    force(number, left)
        return False


def check(formula, text):
    """None, or why the proof is refused."""
    try:
        Check(formula, text)
    except (Refused, ValueError, IndexError) as refused:
        return str(refused) or "unreadable"
    return None
