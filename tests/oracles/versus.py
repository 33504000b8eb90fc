"""Rank, wins, losses, ratios, intervals and what is better or worse, of `memplan table versus` and `table
leaderboard`, worked out again from docs/measuring.md ("One planner against the others") on random rows of a database,
whose columns docs/database.md tells. Usage: versus.py --memplan PROGRAM [--seed N] [--databases N]"""
import argparse
import collections
import csv
import io
import itertools
import math
import os
import random
import sqlite3
import subprocess
import sys
import tempfile

PROBLEM = "id,lower,upper,size\na,0,2,8\nb,1,3,4\n"


def betacf(a, b, x):
    """The continued fraction of the incomplete beta function."""
    front, c, d = 1.0, 1.0, 1 / (1 - (a + b) * x / (a + 1))
    front = d
    for m in range(1, 400):
        for top in (m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                    -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))):
            d, c = 1 / (1 + top * d), 1 + top / c
            front *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return front


def student_tail(t, degrees):
    """The probability that Student's t is beyond t on either side: an incomplete beta function."""
    x, a, b = degrees / (degrees + t * t), degrees / 2, 0.5
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x))
    return front * betacf(a, b, x) / a if x < (a + 1) / (a + b + 2) else 1 - front * betacf(b, a, 1 - x) / b


def student_quantile(tail, degrees):
    low, high = 0.0, 1.0
    while student_tail(high, degrees) > tail:
        high *= 2
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if student_tail(middle, degrees) > tail else (low, middle)
    return high


def wilcoxon(values):
    """Two-sided, by all signs where they are few, else by counting sums of ranks."""
    values = sorted((v for v in values if v), key=abs)
    ranks, first = [], 0
    while first < len(values):
        end = first
        while end < len(values) and abs(values[end]) == abs(values[first]):
            end += 1
        ranks += [first + 1 + end] * (end - first)  # twice the mean rank
        first = end
    observed, total = sum(r for r, v in zip(ranks, values) if v > 0), sum(ranks)
    least = min(observed, total - observed)
    if len(ranks) <= 8:
        sums = [sum(itertools.compress(ranks, signs)) for signs in itertools.product((0, 1), repeat=len(ranks))]
        return min(1, 2 * sum(s <= least for s in sums) / len(sums))
    ways = {0: 1}
    for rank in ranks:
        more = dict(ways)
        for s, n in ways.items():
            more[s + rank] = more.get(s + rank, 0) + n
        ways = more
    return min(1, 2 * sum(n for s, n in ways.items() if s <= least) / 2 ** len(ranks))


def holm(values):
    corrected, highest = [0.0] * len(values), 0.0
    for place, i in enumerate(sorted(range(len(values)), key=lambda i: values[i])):
        highest = max(highest, min(1, values[i] * (len(values) - place)))
        corrected[i] = highest
    return corrected


def make_rows(rng):
    """(instance, policy, planner) -> peak, every bound 1000; whole, or with holes."""
    planners = [f"p{i}" for i in range(rng.randint(2, 8))]
    policies = ["flat", "path", "select"][:rng.randint(1, 3)]
    whole, rows = rng.random() < 0.6, {}
    skill = {p: rng.choice((0, 0, 0, -60, 60, 200)) for p in planners}
    for i in range(rng.randint(1, 45)):
        hard = rng.choice((0, 5, 100, 400))
        for policy in policies:
            for planner in planners:
                if whole or rng.random() < 0.8:
                    rows[f"i{i:02}", policy, planner] = 1000 + max(0, skill[planner] + rng.randint(0, hard))
    return planners, whole, rows


def judge(rows, planners, mine):
    """What docs/measuring.md says of mine against each of the others."""
    duels = {}
    for other in planners:
        logs, wins, losses = {}, 0, 0
        for (instance, policy, planner), peak in rows.items():
            if planner == mine and (instance, policy, other) in rows:
                against = rows[instance, policy, other]
                logs.setdefault(instance, []).append(math.log(peak) - math.log(against))
                wins, losses = wins + (peak < against), losses + (peak > against)
        if other != mine and logs:
            means = [sum(v) / len(v) for _, v in sorted(logs.items())]
            duels[other] = dict(rows=sum(map(len, logs.values())), wins=wins, losses=losses, means=means)
    corrected = holm([wilcoxon(d["means"]) for d in duels.values()])
    for duel, p in zip(duels.values(), corrected):
        count = len(duel["means"])
        mean = sum(duel["means"]) / count
        duel.update(p=p, ratio=math.exp(mean), instances=count, lower=None, upper=None)
        if count > 1:
            deviation = math.sqrt(sum((v - mean) ** 2 for v in duel["means"]) / (count - 1))
            half = student_quantile(0.05 / len(duels), count - 1) * deviation / math.sqrt(count)
            duel.update(lower=math.exp(mean - half), upper=math.exp(mean + half))
    return duels


def verdicts(duel):
    """The words that are right: near a limit, where rounding decides, two of them."""
    found = set()
    for p in (duel["p"] - 1e-9, duel["p"] + 1e-9):
        for nudge in (-1e-9, 1e-9):
            sure = p <= 0.05 and duel["lower"] is not None
            found.add("better" if sure and duel["upper"] + nudge < 1 else
                      "worse" if sure and duel["lower"] + nudge > 1 else "unclear")
    return found


def near(text, value):
    return not text if value is None else text != "" and abs(float(text) - value) <= 0.000051 * max(1, abs(value))


class Database:
    """A database that memplan made, of which all rows are replaced."""

    def __init__(self, memplan, folder):
        self.memplan, self.path = memplan, os.path.join(folder, "rows.db")
        problem = os.path.join(folder, "problem.csv")
        with open(problem, "w") as file:
            file.write(PROBLEM)
        subprocess.run([memplan, "bench", problem, "-p", "naive", "--run", "r", "--db", self.path], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with sqlite3.connect(self.path) as store:
            store.row_factory = sqlite3.Row
            self.row = dict(store.execute("SELECT * FROM result").fetchone())

    def fill(self, rows):
        keys = [key for key in self.row if key != "id"]
        store = sqlite3.connect(self.path)
        with store:
            for table in ("rectangle", "result"):
                store.execute(f"DELETE FROM {table}")
            for (instance, policy, planner), peak in rows.items():
                row = dict(self.row, instance=instance, digest=instance, path=instance, policy=policy, planner=planner,
                           peak_bytes=peak, lower_bound_bytes=1000, load_bytes=1000, naive_bytes=9999, status="feasible",
                           verdict="valid", execution="intact")
                store.execute(f"INSERT INTO result ({','.join(keys)}) VALUES ({','.join('?' * len(keys))})",
                              [row[key] for key in keys])
        store.close()

    def table(self, *words):
        out = subprocess.run([self.memplan, "table", *words, "-f", "csv", "--db", self.path], capture_output=True, text=True)
        return list(csv.DictReader(io.StringIO(out.stdout))), out.stderr


def check(database, rng, counted):
    """Yields what is wrong."""
    planners, whole, rows = make_rows(rng)
    mine = rng.choice(planners)
    if not any(planner == mine for _, _, planner in rows):
        return
    database.fill(rows)
    duels = judge(rows, planners, mine)
    if duels:
        table, errors = database.table("versus", mine)
        if {row["against"] for row in table} != set(duels):
            yield f"against {[row['against'] for row in table]}, expected {sorted(duels)}: {errors}"
        for row in table:
            counted[row["it_is"]] += 1
            duel = duels.get(row["against"])
            for key in ("rows", "wins", "losses", "instances"):
                if duel and int(row[key]) != duel[key]:
                    yield f"{mine} against {row['against']}: {key} {row[key]}, expected {duel[key]}"
            for key, column in (("ratio", "ratio"), ("lower", "from"), ("upper", "to"), ("p", "p")):
                if duel and not near(row[column], duel[key]):
                    yield f"{mine} against {row['against']}: {column} {row[column]}, expected {duel[key]}"
            if duel and row["it_is"] not in verdicts(duel):
                yield f"{mine} against {row['against']}: {row['it_is']}, expected {verdicts(duel)}"
    if whole:
        means = {p: math.exp(math.fsum(math.log(v / 1000) for (_, _, q), v in rows.items() if q == p) /
                             sum(q == p for _, _, q in rows)) for p in planners}
        for row in database.table("leaderboard")[0]:
            better = sum(m < means[row["planner"]] - 1e-12 for m in means.values())
            if int(row["rank"]) != 1 + better or not near(row["mean"], means[row["planner"]]):
                yield f"{row['planner']}: rank {row['rank']}, mean {row['mean']}, expected {1 + better}, {means[row['planner']]}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--memplan", required=True)
    parser.add_argument("--seed", type=int, default=1, help="database i is made from seed + i")
    parser.add_argument("--databases", type=int, default=60)
    options = parser.parse_args()
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        database, counted = Database(options.memplan, folder), collections.Counter()
        for seed in range(options.seed, options.seed + options.databases):
            rng = random.Random(seed)
            for sentence in check(database, rng, counted):
                print(f"seed {seed}: {sentence}")
                wrong += 1
    print(f"{options.databases} databases, {dict(counted)}, {wrong} differences")
    sys.exit(1 if wrong or len(counted) < 3 else 0)


if __name__ == "__main__":
    main()
