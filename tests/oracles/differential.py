"""The loop that all oracles share: cases from seeds, the claims of the C program, differences, shrinking."""
import argparse
import json
import random
import subprocess
import sys
import time


class Claims:
    """The C program, which answers each line of JSON with a line of JSON."""

    def __init__(self, program):
        self.program = program
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def answer(self, case):
        self.process.stdin.write(json.dumps(case) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:  # it crashed: the next case needs a new process
            ending = self.process.wait()
            self.__init__(self.program)
            return {"error": f"the program ended with {ending}"}
        return json.loads(line)


def shrink(case, smaller, differs):
    """Takes the first smaller case that still differs, until there is none."""
    found = True
    while found:
        found = False
        for candidate in smaller(case):
            if differs(candidate):
                case, found = candidate, True
                break
    return case


def main(make, contradiction, smaller):
    """Compares claims on random cases; the exit code is 1 where any is contradicted.

    make(random) gives a case, anything that JSON holds. contradiction(case, claim) says in a sentence what
    is false in the answer of the C program, or None. smaller(case) gives cases with something left out; it may
    give cases that the program refuses, whose answers have the key "error".
    """
    parser = argparse.ArgumentParser()
    parser.add_argument("--claims", required=True, help="the C program that answers")
    parser.add_argument("--seed", type=int, default=1, help="case i is made from seed + i")
    parser.add_argument("--cases", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=0, help="stop after so many seconds; 0: no limit")
    parser.add_argument("--most", type=int, default=20, help="stop after so many differences, each of which is shrunk")
    options = parser.parse_args()
    claims = Claims(options.claims)
    differences = refused = tried = 0
    begin = time.monotonic()
    for seed in range(options.seed, options.seed + options.cases):
        if options.seconds and time.monotonic() - begin > options.seconds or differences == options.most:
            break
        case = make(random.Random(seed))
        claim = claims.answer(case)
        tried += 1
        refused += "error" in claim
        said = contradiction(case, claim)
        if said:
            differences += 1
            least = shrink(case, smaller, lambda c: contradiction(c, claims.answer(c)))
            print(f"seed {seed}: {said}")
            print(f"  smallest: {contradiction(least, claims.answer(least))}\n  {json.dumps(least)}", flush=True)
    print(f"{tried} cases, {refused} refused, {differences} differences")
    sys.exit(differences > 0)
