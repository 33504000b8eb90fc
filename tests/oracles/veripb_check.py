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
        self.database, self.occurs, self.units = [], {}, []
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
        for variable in terms:
            self.occurs.setdefault(variable, []).append(number)
        if sum(map(abs, terms.values())) - degree < max(map(abs, terms.values()), default=1):
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
        total = sum(map(abs, goal[0].values()))
        opposite = ({v: -c for v, c in goal[0].items()}, total - goal[1] + 1)
        true, slack, queue = set(), {}, []

        def look(number):
            """Whether a constraint is in conflict; what it needs to be true becomes true."""
            terms, degree = opposite if number < 0 else self.database[number]
            if number not in slack:
                slack[number] = sum(abs(c) for v, c in terms.items() if (-v if c > 0 else v) not in true) - degree
            if slack[number] < 0:
                return True
            for v, c in terms.items():
                literal = v if c > 0 else -v
                if abs(c) > slack[number] and literal not in true and -literal not in true:
                    true.add(literal)
                    queue.append(literal)
            return False

        if look(-1) or any(look(number) for number in list(self.units)):
            return goal
        while queue:
            literal = queue.pop()
            for number in [-1] * (abs(literal) in goal[0]) + self.occurs.get(abs(literal), []):
                coefficient = (opposite if number < 0 else self.database[number])[0][abs(literal)]
                slack.pop(number, None)  # is found again
                if coefficient * literal < 0 and look(number):
                    return goal
        raise Refused("no conflict")


def check(formula, text):
    """None, or why the proof is refused."""
    try:
        Check(formula, text)
    except (Refused, ValueError, IndexError) as refused:
        return str(refused) or "unreadable"
    return None
