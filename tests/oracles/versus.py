"""`memplan versus`, `table versus`, `versus-instances` and `leaderboard`, worked out again from docs/measuring.md, words.md
and database.md: peaks as fractions, so that equal is equal; Student's t by its sum for whole degrees of freedom; ranks
and sums of Wilcoxon's test counted. Usage: versus.py --memplan PROGRAM [--seed N] [--duels N] [--answers N]"""
import argparse
import collections
import csv
import functools
import io
import math
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
from fractions import Fraction

PROBLEM = "id,lower,upper,size\na,0,2,8\nb,1,3,4\n"
FACTORS = [Fraction(n, 20) for n in (20, 20, 20, 21, 22, 24, 25, 30, 40)]
COUNTING = [("valid", "intact"), ("valid", ""), ("valid", "sampled")]
FAILED = [("crash", "", "", 0), ("timeout", "", "", 0), ("feasible", "overlap", "", 7), ("feasible", "valid", "damaged", 7)]


@functools.lru_cache(maxsize=None)
def quantile(tail, degrees):
    """What Student's t exceeds, on either side, with this probability."""
    def inside(t):
        angle = math.atan2(t, math.sqrt(degrees))
        cosine, sine = math.cos(angle), math.sin(angle)
        if degrees % 2 == 0:
            term = total = 1.0
            for k in range(2, degrees, 2):
                term *= cosine * cosine * (k - 1) / k
                total += term
            return sine * total
        term = total = cosine if degrees > 1 else 0.0
        for k in range(3, degrees, 2):
            term *= cosine * cosine * (k - 1) / k
            total += term
        return 2 / math.pi * (angle + sine * total)

    low, high = 0.0, 1.0
    while inside(high) < 1 - tail:
        high *= 2
    for _ in range(90):
        middle = (low + high) / 2
        low, high = (middle, high) if inside(middle) < 1 - tail else (low, middle)
    return high


def compare_sizes(one, other):
    """By how far these roots of fractions, (fraction, degree), are from 1, up or down."""
    (a, k), (b, m) = one, other
    a, b = max(a, 1 / a) ** m, max(b, 1 / b) ** k
    return (a > b) - (a < b)


def wilcoxon(means):
    """The probability of Wilcoxon's two-sided signed-rank test on the logarithms of these roots."""
    means = sorted((mean for mean in means if mean[0] != 1), key=functools.cmp_to_key(compare_sizes))
    doubled, groups, first = [], [], 0
    while first < len(means):
        last = first
        while last + 1 < len(means) and compare_sizes(means[first], means[last + 1]) == 0:
            last += 1
        doubled += [first + last + 2] * (last + 1 - first)
        groups.append(last + 1 - first)
        first = last + 1
    n = len(means)
    above = sum(rank for rank, (ratio, _) in zip(doubled, means) if ratio > 1)
    least = min(above, sum(doubled) - above)
    if n > 50:
        variance = n * (n + 1) * (2 * n + 1) / 24 - sum(t**3 - t for t in groups) / 48
        z = (least / 2 - n * (n + 1) / 4 + NUDGE) / math.sqrt(variance)
        return min(1.0, math.erfc(-z / math.sqrt(2)))
    ways = [1] + [0] * sum(doubled)
    for rank in doubled:
        for total in range(len(ways) - 1, rank - 1, -1):
            ways[total] += ways[total - rank]
    return float(min(Fraction(1), Fraction(2 * sum(ways[: least + 1]), 2**n)))


NUDGE = 0.5  # towards the middle: the correction for continuity


class Case:
    """Random jobs. rows are lists for the database; peak[instance, policy][planner] is what has to count."""

    def __init__(self, rng):
        self.rng, self.rows, self.peak, self.bound = rng, [], {}, {}
        self.refused = collections.defaultdict(set)  # of a row, the planners whose plan a check refused
        self.planners = [f"p{i}" for i in range(rng.randint(2, 9))]
        self.layout = {}
        policies = ["flat", "path", "select"][: rng.randint(1, 3)]
        holes, failures, ties = rng.choice((0, 0, 0.2)), rng.choice((0, 0, 0.1)), rng.random() < 0.6
        skill = {p: rng.choice((1, 1, 1, Fraction(9, 8), Fraction(5, 4), Fraction(39, 40))) for p in self.planners}
        if rng.random() < 0.3:
            skill[self.planners[0]] = skill[self.planners[-1]]
        twins = self.planners[:2] if rng.random() < 0.5 else []
        for i in range(rng.choice((1, 2, 5, 8, 20, 45, 75)) if rng.random() < 0.7 else rng.randint(1, 60)):
            size = rng.choice((400, 800, 1200, 2000)) if ties else rng.randint(300, 4000)
            for policy in policies:
                key = f"i{i:02}", policy
                self.bound[key] = size * rng.choice((100, 100, 90)) // 2
                for planner in self.planners:
                    if rng.random() >= holes:
                        self.add_job(key, planner, size, skill[planner], ties, failures, twins)
        wrong = {key[1] for key, refused in self.refused.items() if len(refused) > max(1, len(self.peak.get(key, ())))}
        self.peak = {key: row for key, row in self.peak.items() if key[1] not in wrong}
        self.unsafe = {planner for key, refused in self.refused.items() if key in self.peak for planner in refused}

    def add_job(self, key, planner, size, skill, ties, failures, twins):
        rng = self.rng
        if planner in twins[1:] and twins[0] in self.peak.get(key, {}):
            peaks = [self.peak[key][twins[0]]]
        elif ties:
            peaks = [int(size * 50 * max(1, skill) * rng.choice(FACTORS))]
        else:
            peaks = [int(size * 50 * max(1, skill * (1 + Fraction(rng.randint(0, 300), 1000)))) for _ in range(rng.choice((1, 1, 1, 3)))]
        if rng.random() < 0.1:
            self.rows.append(("old", *key, planner, 0, "feasible", "valid", "intact", rng.randint(4000, 9000) * 50, self.bound[key]))
        if rng.random() < failures:
            status, verdict, execution, peak = rng.choice(FAILED)
            if verdict not in ("", "valid") or execution not in ("", "intact", "sampled"):
                self.refused[key].add(planner)
            self.rows.append(("new", *key, planner, 0, status, verdict, execution, peak and peaks[0], self.bound[key]))
            return
        verdict, execution = rng.choice(COUNTING)
        for repetition, peak in enumerate(peaks):
            self.rows.append(("new", *key, planner, repetition, "feasible", verdict, execution, peak, self.bound[key]))
        self.peak.setdefault(key, {})[planner] = sorted(peaks)[(len(peaks) - 1) // 2]

    def duels(self, mine):
        """What measuring.md says of mine against each of the others."""
        found = {}
        for other in self.planners:
            pairs = [(key[0], row[mine], row[other]) for key, row in self.peak.items() if mine in row and other in row]
            if other != mine and pairs:
                product, count = collections.defaultdict(lambda: Fraction(1)), collections.Counter()
                for instance, own, against in pairs:
                    product[instance] *= Fraction(own, against)
                    count[instance] += 1
                wins, losses = sum(a < b for _, a, b in pairs), sum(a > b for _, a, b in pairs)
                found[other] = dict(rows=len(pairs), wins=wins, losses=losses, ties=len(pairs) - wins - losses, instances=len(count),
                                    worst_ratio=max(a / b for _, a, b in pairs), unsafe=other in self.unsafe,
                                    means=[(product[i], count[i]) for i in count])
        least = 0.0
        for place, duel in enumerate(sorted(found.values(), key=lambda duel: wilcoxon(duel["means"]))):
            least = max(least, min(1.0, wilcoxon(duel["means"]) * (len(found) - place)))
            duel.update(p=least, p_alone=wilcoxon(duel["means"]))
        for duel in found.values():
            self.add_interval(duel, len(found))
        return found

    def add_interval(self, duel, opponents):
        logs = [(math.log(p.numerator) - math.log(p.denominator)) / k if p != 1 else 0.0 for p, k in duel["means"]]
        n, mean = len(logs), math.fsum(logs) / len(logs)
        duel.update({"ratio": math.exp(mean), "from": None, "to": None})
        if n > 1:
            deviation = math.sqrt(math.fsum((x - mean) ** 2 for x in logs) / (n - 1))
            half = quantile(0.05 / opponents, min(n - 1, 1000)) * deviation / math.sqrt(n)
            duel.update({"from": math.exp(mean - half), "to": math.exp(mean + half)})

    def standings(self):
        """Planner: (rank, mean) where all have a plan that counts on every row; else None."""
        if not self.peak or self.refused or any(len(row) < len(self.planners) for row in self.peak.values()):
            return None
        mean = {p: math.exp(math.fsum(math.log(row[p] / self.bound[key]) for key, row in self.peak.items()) / len(self.peak))
                for p in self.planners}
        return {p: (1 + sum(m < mean[p] - 1e-12 for m in mean.values()), mean[p]) for p in mean}

    def add_layouts(self, mine):
        """Layouts of two buffers; some opponents have mine's, some of them but for one offset, and some rows none."""
        copies = {p: self.rng.choice(("same", "same", "swapped", "other")) for p in self.planners}
        for key, row in self.peak.items():
            for planner in row:
                if planner != mine and row[planner] != row.get(mine) or self.rng.random() < 0.2:
                    continue
                swapped = copies[planner] == "other" or copies[planner] == "swapped" and self.rng.random() < 0.2
                self.layout[key, planner] = (4, 0) if swapped and planner != mine else (0, 4)

    def twins(self, mine):
        """Opponent: (rows where both layouts are known and equal, rows), of those that nowhere differ."""
        found = {}
        for other, duel in self.duels(mine).items():
            both = [key for key, row in self.peak.items() if mine in row and other in row]
            known = [key for key in both if (key, mine) in self.layout and (key, other) in self.layout]
            if known and not duel["wins"] + duel["losses"] and all(self.layout[k, mine] == self.layout[k, other] for k in known):
                found[other] = len(known), len(both)
        return found


def verdicts(duel):
    """The words that are right; near a limit, where rounding decides, several."""
    if duel["unsafe"]:
        return {"unsafe"}
    found = set()
    for nudge in (-1e-9, 1e-9):
        sure = duel["p"] + nudge <= 0.05 and duel["from"] is not None
        for edge in (-1e-9, 1e-9):
            found.add("better" if sure and duel["to"] + edge < 1 else "worse" if sure and duel["from"] + edge > 1 else "unclear")
    return found


def near(text, value):
    return not text if value is None else text != "" and abs(float(text) - value) <= 0.0000501 * max(1, abs(value))


class Database:
    """A database that memplan made, of which all rows are replaced."""

    def __init__(self, memplan, folder):
        self.memplan, self.folder, self.path = memplan, folder, os.path.join(folder, "rows.db")
        problem = os.path.join(folder, "problem.csv")
        with open(problem, "w") as file:
            file.write(PROBLEM)
        for run in ("old", "new", "mine"):
            subprocess.run([memplan, "bench", problem, "-p", "naive", "--run", run, "--db", self.path], check=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.store = sqlite3.connect(self.path, isolation_level=None)
        self.store.execute("PRAGMA synchronous = OFF")
        self.store.row_factory = sqlite3.Row
        self.row = {run: dict(self.store.execute("SELECT * FROM result WHERE run = ?", (run,)).fetchone()) for run in ("old", "new")}
        self.store.execute("UPDATE run SET started = '2026-01-01T00:00:00Z' WHERE label = 'old'")

    def fill(self, case, mine=None):
        self.store.execute("BEGIN")
        for table in ("rectangle", "result"):
            self.store.execute(f"DELETE FROM {table}")
        for run, instance, policy, planner, repetition, status, verdict, execution, peak, bound in case.rows:
            row = dict(self.row[run], run="mine" if planner == mine and run == "new" else run, instance=instance, digest=instance,
                       path=instance, policy=policy, planner=planner, repetition=repetition, status=status, verdict=verdict,
                       execution=execution, peak_bytes=peak, lower_bound_bytes=bound, load_bytes=bound, naive_bytes=10**9)
            row.pop("id")
            number = self.store.execute(f"INSERT INTO result ({','.join(row)}) VALUES ({','.join('?' * len(row))})",
                                        list(row.values())).lastrowid
            for position, offset in enumerate(case.layout.get(((instance, policy), planner), ())):
                self.store.execute("INSERT INTO rectangle VALUES (?, ?, ?, 0, 2, ?, 4, 0, 0)", (number, position, "ab"[position], offset))
        self.store.execute("COMMIT")

    def run(self, *words, **more):
        return subprocess.run([self.memplan, *words, "--db", self.path], capture_output=True, text=True, cwd=self.folder, **more)

    def table(self, *words):
        out = self.run("table", *words, "-f", "csv")
        return list(csv.DictReader(io.StringIO(out.stdout))), out.stderr


def check_duels(database, case, mine, counted):
    """Yields what the table versus says wrongly."""
    duels = case.duels(mine)
    if not duels:
        return
    table, errors = database.table("versus", mine)
    if {row["against"] for row in table} != set(duels):
        yield f"{mine} against {[row['against'] for row in table]}, expected {sorted(duels)}: {errors}"
    for row in table:
        duel = duels.get(row["against"], {})
        counted[row["it_is"]] += 1
        for key in ("rows", "wins", "ties", "losses", "instances"):
            if int(row[key]) != duel.get(key):
                yield f"{mine} against {row['against']}: {key} {row[key]}, expected {duel.get(key)}"
        for key in ("ratio", "from", "to", "p", "p_alone", "worst_ratio"):
            if duel and not near(row[key], duel[key]):
                yield f"{mine} against {row['against']}: {key} {row[key]}, expected {duel[key]}"
        if duel and row["it_is"] not in verdicts(duel):
            yield f"{mine} against {row['against']}: {row['it_is']}, expected {verdicts(duel)}"


def check_instances(database, case, mine):
    """Yields what the table of instances says wrongly: each peak of mine beside the least of the others."""
    others = {key: [v for p, v in row.items() if p != mine and p not in case.unsafe] for key, row in case.peak.items() if mine in row}
    expected = {key: (case.peak[key][mine], min(peaks)) for key, peaks in others.items() if peaks}
    table, errors = database.table("versus-instances", mine)
    found = {(row["instance"], row["policy"]): (int(row["mine_bytes"]), int(row["least_bytes"])) for row in table}
    if found != expected:
        wrong = [key for key in {**found, **expected} if found.get(key) != expected.get(key)][:3]
        yield f"{mine} on {wrong}: {[found.get(k) for k in wrong]}, expected {[expected.get(k) for k in wrong]} {errors}"
    ratios = [found[row["instance"], row["policy"]] for row in table]
    if any(Fraction(*a) > Fraction(*b) for a, b in zip(ratios, ratios[1:])):
        yield f"{mine}: rows are not sorted by ratio"


def check_ranks(database, case):
    standings = case.standings()
    for row in database.table("leaderboard")[0] if standings else []:
        rank, mean = standings[row["planner"]]
        if int(row["rank"]) != rank or not near(row["mean"], mean):
            yield f"{row['planner']}: rank {row['rank']}, mean {row['mean']}, expected {rank}, {mean}"


def check_answer(database, rng, counted):
    """Yields what the whole answer about a run says wrongly: rank, opponents, same plans."""
    case = Case(rng)
    mine = rng.choice(case.planners[:2])
    duels = case.duels(mine)
    if not duels or mine in case.unsafe:
        return
    case.add_layouts(mine)
    database.fill(case, mine)
    # Without gnuplot nothing is drawn: the answer stands on standard output before.
    lines = database.run("versus", "mine", env={"PATH": database.folder}).stdout.splitlines()
    same = {words[0].rstrip(":"): (int(words[5]), int(words[7])) for words in
            (line.replace("same plans", "", 1).split() for line in lines if " every offset alike on " in line)}
    counted["same plans"] += len(same)
    if same != case.twins(mine):
        yield f"{mine} same plans {same}, expected {case.twins(mine)}"
    if not any(line.startswith(f"{mine} of run mine against {len(duels)} planner{'s' * (len(duels) != 1)} ") for line in lines):
        yield f"{mine} against {len(duels)} planners: {lines[:1]}"
    extremes = [line for line in lines if line.endswith((": the five best rows", ": the five worst rows"))]
    if sum(mine in row for row in case.peak.values()) > 10 and len(extremes) != 2:
        yield f"{mine}: {extremes}, expected the five best rows and the five worst ones"
    standings = case.standings()
    if standings and not any(line.startswith(f"rank         {standings[mine][0]} of {len(standings)}, ") for line in lines):
        yield f"{mine}: expected rank {standings[mine]} of {len(standings)}: {lines[:3]}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--memplan", required=True)
    parser.add_argument("--seed", type=int, default=1, help="database i is made from seed + i")
    parser.add_argument("--duels", type=int, default=250)
    parser.add_argument("--answers", type=int, default=4, help="databases for the whole answer")
    options = parser.parse_args()
    wrong, counted, seed = 0, collections.Counter(), options.seed
    with tempfile.TemporaryDirectory() as folder:
        database = Database(os.path.abspath(options.memplan), folder)
        while sum(counted[word] for word in ("better", "worse", "unclear")) < options.duels:
            case = Case(random.Random(seed))
            database.fill(case)
            sentences = list(check_ranks(database, case))
            for mine in case.planners:
                sentences += check_duels(database, case, mine, counted)
            sentences += check_instances(database, case, case.planners[0])
            for sentence in sentences:
                print(f"seed {seed}: {sentence}", flush=True)
            wrong, seed = wrong + len(sentences), seed + 1
        for number in range(options.answers):
            for sentence in check_answer(database, random.Random(-1 - options.seed - number), counted):
                print(f"answer {number}: {sentence}", flush=True)
                wrong += 1
    print(f"{seed - options.seed} databases, {dict(counted)}, {wrong} differences")
    sys.exit(1 if wrong or len(counted) < 3 else 0)


if __name__ == "__main__":
    main()
