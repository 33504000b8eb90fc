"""Second opinion on proofs: every offset of problems of up to eight buffers tried, and a second checker of logs.

A case is {"problem": of formats.md, "capacity": bytes}. The program answers {"log": text} or {"unchecked": why}; and
the same with "veripb" {"log": .., "formula": text}; the same with "opb" {"formula": text}; and
{"file": of the problem, "logs": [file, ..]} with {"accepted": [whether memplan-check accepts each, ..]}. Each log is changed in a few places: the
checkers have to agree on what becomes of it (with $MEMPLAN_VERIFIED also the program that proofs/coq/build.sh makes), and no log may be accepted of a capacity that something fits.
"""
import json
import os
import random as randoms
import re
import subprocess
import sys
import tempfile

import differential
import packing
from exact import Truth, make as make_exact, smaller as smaller_exact
from packing import heaviest
from proof_check import Problem, check, pack
from veripb_check import check as check_veripb
from veripb_formula import solvable, wrong

MUTANTS = 12
MOST_UNITS = 1000  # of a problem whose plans are enumerated
NEIGHBOURS = 4  # problems that differ in one buffer, to which the log does not belong
FULL_SHARE = 0.2  # of the cases: full problems above their load, which few random ones are
VERIPB_SHARE = 0.25  # of the cases; it takes most of the time
MOST_CONSTRAINTS, MOST_CHOICES = 300, 300  # of a formula that is solved


def make_long(random):
    """More of what has to be searched: many buffers that live long."""
    steps = random.randint(4, 8)
    buffers = []
    for i in range(random.randint(6, 8)):
        begin = random.randrange(steps)
        buffers.append({"name": f"b{i}", "size": random.randint(1, 6), "segments": [[begin, random.randint(begin + 1, min(steps, begin + 4))]]})
        if i and random.random() < 0.3:  # alike
            buffers[-1] = {**buffers[-2], "name": f"b{i}"}
        elif random.random() < 0.2:
            buffers[-1]["alignment"] = random.choice((2, 3, 4))
    return {"format": "memplan-problem/1", "name": "case", "buffers": buffers}


def make_full(random, most, parts):
    """No byte is free at any step: what ends gives its bytes to what begins. At most `most` buffers, `parts` at once in the beginning."""
    def split(size, parts):
        cuts = [0, *sorted(random.sample(range(1, size), min(parts, size) - 1)), size]
        return [end - begin for begin, end in zip(cuts, cuts[1:])]
    live, buffers, step = [(size, 0) for size in split(random.randint(6, 14), parts)], [], 0
    while len(buffers) + len(live) < most - 2:
        step += 1
        random.shuffle(live)
        ended = [live.pop() for _ in range(min(len(live), random.randint(1, 2)))]
        buffers += [(*x, step) for x in ended]
        live += [(size, step) for size in split(sum(size for size, _ in ended), random.randint(1, 3))]
    buffers += [(*x, step + 1) for x in live]
    return {"format": "memplan-problem/1", "name": "case", "buffers": [
        {"name": f"b{i}", "size": size, "segments": [[begin, end]]} for i, (size, begin, end) in enumerate(buffers[:most])]}


def make_rounded(random):
    """Nearly all offsets are multiples of a number that divides few sizes; some buffers are fixed, some use parts of their bytes."""
    multiple, buffers, steps = random.randint(2, 6), [], random.randint(1, 3)
    for i in range(random.randint(3, 7)):
        begin = random.randrange(steps)
        buffers.append({"name": f"b{i}", "size": random.randint(1, 3 * multiple), "alignment": multiple * random.choice((1, 1, 1, 1, 2)),
                        "segments": [[begin, random.randint(begin + 1, steps)]]})
        if random.random() < 0.1:
            buffers[-1]["offset"] = multiple * random.randint(0, 3) + random.choice((0, 0, 0, 1))
        elif random.random() < 0.05:
            buffers[-1]["segments"][0] += [random.randrange(buffers[-1]["size"]), buffers[-1]["size"]]
    return {"format": "memplan-problem/1", "name": "case", "buffers": buffers}


def make_handed_over(random):
    """A full problem above its load, or None after many attempts: of 14 buffers one in a hundred is, of 8 hardly any."""
    for _ in range(300):
        problem = make_full(random, random.randint(10, 14), random.randint(3, 4))
        truth = Truth(problem)
        if truth.fits(max(heaviest(truth.windows), *truth.sizes)) is False:
            return problem
    return None


def find_least(truth):
    """The least peak in units, None for none, and whether the heaviest clique and the greatest buffer say as much."""
    begin = max(heaviest(truth.windows), *truth.sizes) // truth.unit
    end = truth.ample // truth.unit + 1
    least = next((units for units in range(begin, end) if truth.fits(units * truth.unit)), None)
    return least, least == begin


def make(random):
    problem = make_handed_over(random) if random.random() < FULL_SHARE else None
    if problem:
        truth = Truth(problem)
        return {"problem": problem, "capacity": max(heaviest(truth.windows), *truth.sizes)}
    easy = True
    for _ in range(random.choice((1, 20))):
        make_one = random.choice((make_long, make_long, make_rounded, lambda x: make_full(x, 8, 3), lambda x: make_full(x, 8, 3), None))
        problem = make_one(random) if make_one else make_exact(random)["problem"]
        while "clock" in problem["buffers"][0]:
            problem = make_exact(random)["problem"]
        truth = Truth(problem)
        least, easy = find_least(truth)
        if not easy:
            break
    capacity = truth.ample if least is None else least * truth.unit - random.choice((1, 1, 1, 1, 2, 0))
    return {"problem": problem, "capacity": max(capacity, 0)}


def mutate(random, log):
    lines = log[:-1].split("\n")
    at = random.choice((random.randrange(len(lines)), random.randrange(1, len(lines))))
    numbers = re.findall("-?[0-9]+", log)
    kind = random.choice(("number", "number", "number", "letter", "leave", "again", "swap", "word", "head", "behind", "twins", "takes", "rounds"))
    words = lines[at].split(" ")
    if kind == "number":
        spots = [m.span() for m in re.finditer("-?[0-9]+", lines[at])]
        if spots:
            begin, end = random.choice(spots)
            old = int(lines[at][begin:end])
            new = random.choice((old + 1, old - 1, -old, 2 * old, 0, int(random.choice(numbers[3:])), 2 ** 62 - 1, 2 ** 64))
            lines[at] = lines[at][:begin] + str(new) + lines[at][end:]
    elif kind == "letter":
        lines[at] = random.choice("vqcdEOCPTKRDHGWMX") + lines[at][1:]
    elif kind == "leave":
        del lines[at]
    elif kind == "again":
        lines.insert(random.randrange(5, len(lines)), lines[at])
    elif kind == "twins":
        choices = log.count("\nv")
        begins = [i for i, line in enumerate(lines) if line[0] == "c"]
        lines.insert(random.choice(begins) + 1, f"T {random.choice((1, 1, -1)) * random.randint(1, max(choices, 1))}")
    elif kind == "takes":
        capacity, cliques = int(lines[2].split(" ")[1]), max(log.count("\nq"), 1)
        begins = [i for i, line in enumerate(lines) if line[0] == "c"]
        q, r, begin = random.randint(1, cliques), random.randint(1, cliques), random.choice((0, 0, random.randint(0, capacity)))
        end, buffer, offset = random.choice((capacity, capacity, random.randint(0, capacity))), random.randrange(8), random.randint(-1, capacity)
        lines.insert(random.choice(begins) + 1, f"{random.choice('WM')} {q} {begin} {end} {r} {buffer} {offset}")
    elif kind == "rounds":
        capacity, begins = int(lines[2].split(" ")[1]), [i for i, line in enumerate(lines) if line[0] == "c"]
        begin, end = random.choice((0, 0, random.randint(0, capacity))), random.choice((capacity, capacity, random.randint(0, capacity)))
        lines.insert(random.choice(begins) + 1, f"R {random.randint(1, max(log.count(chr(10) + 'q'), 1))} {begin} {end} {random.randint(1, 8)}")
    elif kind == "swap":
        other = random.randrange(len(lines))
        lines[at], lines[other] = lines[other], lines[at]
    elif kind == "word":
        words.insert(random.randrange(len(words) + 1), words.pop(random.randrange(len(words))))
        lines[at] = " ".join(words[:-1] if random.random() < 0.5 else words)
    elif kind == "head":
        lines[2] = "capacity " + str(int(lines[2].split(" ")[1]) + random.choice((1, 1, 2, 3, 1 << 33)))
    else:
        lines = lines[:at]
    return "\n".join(lines) + "\n" if random.random() < 0.98 else "\n".join(lines)


def mutate_packed(random, log):
    at = random.randrange(random.choice((0, log.index("use"), log.index("use"))), len(log))
    kind = random.choice(("number", "number", "number", "leave", "again", "behind"))
    if kind == "number":
        return log[:at] + chr(random.choice((ord(log[at]) ^ 1 << random.randrange(8), (ord(log[at]) + 2) % 256))) + log[at + 1:]
    if kind == "behind":
        return log[:at]
    return log[:at] + (log[at + 1:] if kind == "leave" else log[at] + log[at:])


def make_neighbour(random, problem, unit):
    """Another problem in which often more fits: a buffer is smaller or lives for fewer steps, or two swap their sizes."""
    buffers = [{**b, "segments": [list(s) for s in b.get("segments", [])]} for b in problem["buffers"]]
    changed, other = random.choice(buffers), random.choice(buffers)
    segment = random.choice(changed["segments"] or [None])
    kind = random.choice(("size", "begin", "end", "swap"))
    if any(len(s) > 2 for b in (changed, other) for s in b["segments"]):
        kind = random.choice(("begin", "end"))
    if kind == "size":
        changed["size"] -= unit if changed["size"] > unit else 0
    elif kind == "swap":
        changed["size"], other["size"] = other["size"], changed["size"]
    elif segment and segment[1] - segment[0] > 1:
        segment[kind == "end"] += 1 if kind == "begin" else -1
    return {**problem, "buffers": buffers}


def mutate_veripb(random, proof):
    """Without a line, or with another number in one."""
    lines = proof.split("\n")
    at = random.randrange(2, max(3, len(lines) - 4))
    if random.random() < 0.3:
        del lines[at]
    else:
        spots = [m.span() for m in re.finditer("[0-9]+", lines[at])]
        begin, end = random.choice(spots)
        lines[at] = lines[at][:begin] + str(int(lines[at][begin:end]) + random.choice((-1, 1, 2))) + lines[at][end:]
    return "\n".join(lines)


def contradict_formula(case, fits):
    """The formula that `convert` writes has a solution where something fits."""
    answer = asked.answer({**case, "opb": True})
    if "formula" not in answer:
        known = any(word in answer.get("unchecked", answer.get("error", "")) for word in ("too large", "does not fit"))
        return None if known else f"there is no formula: {answer}"
    why = wrong(Problem(case["problem"]), case["capacity"], answer["formula"])
    if why:
        return f"the formula: {why}"
    if answer["formula"].count("\n") <= MOST_CONSTRAINTS:
        solution = solvable(answer["formula"], MOST_CHOICES)
        counts["solved"] += solution is not None
        if solution not in (None, fits):
            return f"the formula has {'no' if fits else 'a'} solution, and {'something' if fits else 'nothing'} fits"
    return None


def contradict_checkers(problem, truth, logs, good):
    """All checkers answer the same of each log, accept the first `good`, and none of a capacity that something fits."""
    files = [os.path.join(folder, name) for name in ["problem.json", *(f"log{i}" for i in range(len(logs)))]]
    for file, content in zip(files, [json.dumps(problem), *logs]):
        with open(file, "w", newline="", encoding="latin-1") as out:
            out.write(content)
    answers = asked.answer({"file": files[0], "logs": files[1:]}).get("accepted")
    if answers is None:
        return "memplan-check has no answer"
    for i, (log, accepted) in enumerate(zip(logs, answers)):
        said, why = check(problem, log)
        counts["accepted" if accepted else "refused"] += i >= good
        if accepted != (said is not None):
            return f"memplan-check {'accepts' if accepted else 'refuses'}, and the other checker does not: {why}\n{log}"
        if verified:
            ending = subprocess.run([verified, files[0], files[i + 1]], capture_output=True).returncode
            if (ending == 0) != accepted or ending not in (0, 1, 3):
                return f"memplan-check {'accepts' if accepted else 'refuses'}, and the verified checker ends with {ending}\n{log}"
        if i < good and not accepted:
            return f"the log is refused: {why}"
        if accepted and truth.fits(min(said[0], truth.ample)):
            return f"both checkers accept a log of a capacity that something fits\n{log}"
    return None


def contradiction(case, claim):
    if "error" in claim:
        return claim["error"] if "program ended" in claim["error"] else None
    problem, truth = case["problem"], Truth(case["problem"])
    if truth.ample // truth.unit > MOST_UNITS:  # what is left of a case may have no large unit
        return None
    fits = truth.fits(min(case["capacity"], truth.ample))
    why = contradict_formula(case, fits) if fits is not None else None
    if why:
        return why
    if "unchecked" in claim:
        if "fits" in claim["unchecked"] and not fits:  # the search for offsets may have given up
            packing.MOST_PLACES, few = 10 ** 7, packing.MOST_PLACES
            fits = Truth(problem).fits(min(case["capacity"], truth.ample))
            packing.MOST_PLACES = few
        return None if fits and "fits" in claim["unchecked"] else f"there is no log: {claim['unchecked']}"
    if fits:
        return "there is a log, and something fits"
    random = randoms.Random(str(case))
    veripb = asked.answer({**case, "veripb": True}) if random.random() < VERIPB_SHARE else {"unchecked": "nothing to expand"}
    if "log" in veripb:
        why = wrong(Problem(problem), case["capacity"], veripb["formula"]) or check_veripb(veripb["formula"], veripb["log"])
        if why:
            return f"the proof for VeriPB: {why}"
        counts["veripb"] += 1
        changed = mutate_veripb(random, veripb["log"])
        counts["veripb_refused"] += check_veripb(veripb["formula"], changed) is not None
    elif "nothing to expand" not in veripb["unchecked"] and "too large" not in veripb["unchecked"]:
        return f"there is no proof for VeriPB: {veripb['unchecked']}"
    packed = pack(claim["log"], problem)
    logs = [claim["log"], packed] + [mutate(random, claim["log"]) for _ in range(MUTANTS)]
    logs += [mutate_packed(random, packed) for _ in range(MUTANTS // 3)]
    why = contradict_checkers(problem, truth, logs, 2)
    handed_over, rounds = "\nW" in claim["log"] or "\nM" in claim["log"], "\nR" in claim["log"]
    for _ in range(0 if why else NEIGHBOURS):
        other = make_neighbour(random, problem, truth.unit)
        beside = Truth(other)
        if beside.ample // beside.unit > MOST_UNITS:
            continue
        log = claim["log"].replace(Problem(problem).fingerprint(), Problem(other).fingerprint())
        logs = [log] + [mutate(random, log) for _ in range(2)]
        why = why or contradict_checkers(other, beside, logs, 0)
        counts["changed with W or M"] += handed_over * len(logs)
        counts["changed with R"] += rounds * len(logs)
    if why:
        return why
    counts["handed over"] += handed_over
    counts["changed with W or M"] += handed_over * (MUTANTS + MUTANTS // 3)
    counts["rounded"] += rounds
    counts["changed with R"] += rounds * (MUTANTS + MUTANTS // 3)
    counts["searched"] += claim["log"].count("\nc") > 1 or "\nv" in claim["log"]
    return None


def smaller(case):
    for less in smaller_exact({**case, "offsets": [0] * len(case["problem"]["buffers"])}):
        if less["problem"] != case["problem"]:
            yield {**case, "problem": less["problem"]}


if __name__ == "__main__":
    verified = os.environ.get("MEMPLAN_VERIFIED")
    counts = {"accepted": 0, "refused": 0, "searched": 0, "handed over": 0, "changed with W or M": 0, "rounded": 0, "changed with R": 0, "veripb": 0, "veripb_refused": 0, "solved": 0}
    asked = differential.Claims(sys.argv[sys.argv.index("--claims") + 1])
    with tempfile.TemporaryDirectory(prefix="memplan-proofs.") as folder:
        try:
            differential.main(make, contradiction, smaller)
        finally:
            print(f"logs with a search: {counts['searched']}, with W or M {counts['handed over']}, changed to {counts['changed with W or M']}, with R {counts['rounded']}, changed to {counts['changed with R']}; changed logs: {counts['refused']} refused, "
                  f"{counts['accepted']} accepted, which are still right; proofs for VeriPB: {counts['veripb']}, "
                  f"of which {counts['veripb_refused']} are refused once they are changed; formulas solved: {counts['solved']}")
