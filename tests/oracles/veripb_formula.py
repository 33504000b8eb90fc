"""The formula of docs/proofs.md, made again from the comments of one, with a look at whether these are true of the problem."""
import re

from veripb_check import parse_formula


def clause(*literals):
    """A constraint; True and False are constants. None where one is True."""
    if any(literal is True for literal in literals):
        return None
    return {abs(literal): 1 if literal > 0 else -1 for literal in literals if literal is not False}, 1


def opposite(literal):
    return not literal if isinstance(literal, bool) else -literal


def wrong(problem, capacity, text):
    """Why the formula is not that of the problem (of proof_check) and the capacity; None where it is."""
    comments = [line[2:] for line in text.split("\n") if line.startswith("* ")]
    variables, constraints = map(int, re.fullmatch(r"#variable= (\d+) #constraint= (\d+)", comments[0]).groups())
    said, unit = map(int, re.fullmatch(r"capacity (\d+) in units of (\d+)", comments[1]).groups())
    if said != capacity // unit * unit:
        return f"the capacity is {said}"
    places, choices, next_variable = {}, [], 1
    for line in comments[2:]:
        numbers = [int(n) for n in re.findall(r"-?\d+", line)]
        if line.startswith("buffer"):
            b, least, *chain = numbers
            step = 1 if problem.fixed[b] is not None else max(unit, problem.alignment[b])
            parts = [problem.size[b], problem.fixed[b] or 0] + [n for s in problem.segments[b] for n in s[2:]]
            if any(n % unit for n in parts) or (problem.alignment[b] % unit and unit % problem.alignment[b]):
                return f"buffer {b} is not in units"
            count = 0 if problem.fixed[b] is not None else (said - problem.size[b]) // step
            if least != (problem.fixed[b] or 0) or chain != ([next_variable, next_variable + count - 1, step] if count else []):
                return f"the line '{line}'"
            places[b] = (least, step, count, next_variable)
            next_variable += count
        else:
            variable, to, up, start, down = numbers
            if variable != next_variable or up + down < 1 or not problem.forbids(start, to, 1 - down, up - 1):
                return f"the line '{line}'"
            choices.append((variable, start, to, up))
            choices.append((-variable, to, start, down))
            next_variable += 1

    def at_least(b, offset):
        least, step, count, first = places[b]
        k = max(0, -(-(offset - least) // step))
        return True if k == 0 else False if k > count else first + k - 1

    expected = []
    for b, (least, step, count, first) in places.items():
        expected += [clause(first + k, -(first + k + 1)) for k in range(count - 1)]
    for literal, start, to, distance in choices:
        least, step, count, first = places[start]
        for k in range(count + 1):
            offset = least + k * step
            expected.append(clause(-literal, opposite(at_least(start, offset)), at_least(to, offset + distance)))
    expected = [constraint for constraint in expected if constraint]
    if next_variable != variables + 1 or len(expected) != constraints:
        return "the numbers of variables and constraints"
    return None if expected == parse_formula(text) else "the constraints"


def solvable(text, most_choices):
    """Whether a formula of clauses has a solution: one literal after the other, with all that follows. None where it takes too long."""
    clauses = [[v if c > 0 else -v for v, c in terms.items()] for terms, _ in parse_formula(text)]

    def follow(left, literal):
        """What is left of the clauses where the literal is true; None where one has no literal any more."""
        true = [literal]
        while true:
            fixed = true.pop()
            left = [[x for x in clause if x != -fixed] for clause in left if fixed not in clause]
            if [] in left:
                return None
            true += [clause[0] for clause in left if len(clause) == 1][:1]
        return left

    open_ones = [clauses]
    for _ in range(most_choices):
        if not open_ones:
            return False
        left = open_ones.pop()
        if not left:
            return True
        chosen = min(left, key=len)[0]
        open_ones += [rest for rest in (follow(left, -chosen), follow(left, chosen)) if rest is not None]
    return None
