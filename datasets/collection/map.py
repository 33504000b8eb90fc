#!/usr/bin/env python3
"""The tables of docs/state-of-the-art.md, from rows of standings: what is solved, what is open, and a tree that says which
quick rule to take.

  map.py ROWS.csv.gz [PAGE.md]     prints the tables, or puts them into the page, behind the heading "Tables"
"""
import csv
import gzip
import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
MARK = "## Tables\n"
CLASSES = ["easy", "medium", "hard", "open"]
# What a planner may look at before it plans.
FEATURES = ["buffers", "live", "flatness", "size_spread", "sizes", "lifetime", "density"]
# Planners that try several rules or orders, and those that search.
SEVERAL = {"strip_best_fit_all", "xla_choose_best", "xla_packing_search", "idealloc", "portfolio", "descent", "best", "exact"}
MOST_LEAVES, LEAST_ENTRIES, QUICK_NS, FOLDS = 10, 8, 10**7, 10


def read(*parts):
    with open(os.path.join(HERE, *parts), newline="") as file:
        return list(csv.DictReader(file))


def table(header, rows):
    print("| " + " | ".join(header) + " |\n|" + " --- |" * len(header))
    for row in rows:
        print("| " + " | ".join(str(cell) for cell in row) + " |")
    print()


def tell_classes(entries):
    tracks = list(dict.fromkeys(entry["track"] for entry in entries))
    count = lambda **wanted: sum(all(e[k] == v for k, v in wanted.items()) for e in entries)
    print("### What is solved\n\nEntries by track and class.\n")
    rows = [[track, *(count(**{"track": track, "class": c}) for c in CLASSES), count(track=track)] for track in tracks]
    table(["track", *CLASSES, "all"], rows + [["all", *(count(**{"class": c}) for c in CLASSES), len(entries)]])


def group_rows(entry, rows):
    """The rows of an entry by policy; of orders all orders of it together."""
    if entry["track"] == "orders":
        found = [r for group in rows.values() for r in group if r["instance"].split("@")[0] == entry["instance"]]
        return [found] if found else []
    here = rows.get(entry["digest"], [])
    return [[r for r in here if r["policy"] == policy] for policy in sorted({r["policy"] for r in here})]


def find_gap(group):
    """In percent, from the least peak to the greatest bound; where orders have a bound, from the least load to it."""
    bound = max(int(r["order_bound_bytes"]) for r in group)
    if bound:
        return 100 * (min(int(r["load_bytes"]) for r in group) / bound - 1)
    return 100 * (min(int(r["peak_bytes"]) for r in group) / max(int(r["lower_bound_bytes"]) for r in group) - 1)


def tell_open(entries, rows, features):
    print("### The smallest open entries\n\nAt most five of each track, by buffers; the gap is from the least peak of the standings to the bound, of the policy")
    print("where it is greatest; of orders from the least load of an order to the bound on all orders.\n")
    shown = []
    for track in dict.fromkeys(entry["track"] for entry in entries):
        unsolved = [e for e in entries if e["track"] == track and e["class"] == "open"]
        unsolved.sort(key=lambda e: (float(features[e["digest"]]["buffers"]), e["instance"]))
        for entry in unsolved[:5]:
            gaps = [find_gap(group) for group in group_rows(entry, rows)]
            buffers = round(10 ** float(features[entry["digest"]]["buffers"]))
            shown.append([f"`{entry['instance']}`", track, buffers, f"{max(gaps):.2f} %" if gaps else "-"])
    table(["entry", "track", "buffers", "gap"], shown)


class Tree:
    """Leaves with the rule of the least mean logarithm of peak / least peak, split where that falls most."""

    def __init__(self, points, costs):
        self.points, self.costs = points, costs
        self.root = self.make_leaf(list(range(len(points))))
        leaves = [self.root]
        while len(leaves) < MOST_LEAVES:
            gains = [(self.find_split(leaf), n) for n, leaf in enumerate(leaves)]
            (gain, feature, limit), n = max(gains, key=lambda found: (found[0][0], -found[1]))
            if gain < 0.02:
                break
            leaf = leaves.pop(n)
            sides = [[i for i in leaf["members"] if (points[i][feature] <= limit) == low] for low in (True, False)]
            leaf.update(feature=feature, limit=limit, sides=[self.make_leaf(side) for side in sides])
            leaves += leaf["sides"]
        self.leaves = len(leaves)

    def make_leaf(self, members):
        sums = [sum(self.costs[i][k] for i in members) for k in range(len(self.costs[0]))]
        return {"members": members, "cost": min(sums), "rule": sums.index(min(sums))}

    def find_split(self, leaf):
        best = (0, None, None)
        for feature in range(len(FEATURES)):
            order = sorted(leaf["members"], key=lambda i: (self.points[i][feature], i))
            left, all_of_it = [0.0] * len(self.costs[0]), [sum(column) for column in zip(*(self.costs[i] for i in order))]
            for at in range(1, len(order) - LEAST_ENTRIES + 1):
                left = [a + b for a, b in zip(left, self.costs[order[at - 1]])]
                low, high = self.points[order[at - 1]][feature], self.points[order[at]][feature]
                if low == high or at < LEAST_ENTRIES:
                    continue
                gain = leaf["cost"] - min(left) - min(b - a for a, b in zip(left, all_of_it))
                if gain > best[0] + 1e-12:
                    best = (gain, feature, (low + high) / 2)
        return best

    def choose(self, point):
        node = self.root
        while "sides" in node:
            node = node["sides"][0 if point[node["feature"]] <= node["limit"] else 1]
        return node["rule"]

    def show(self, rules, node=None, depth=0):
        node = node or self.root
        indent = "    " * depth
        if "sides" not in node:
            mean = math.exp(node["cost"] / len(node["members"])) - 1
            print(f"{indent}{rules[node['rule']]}  ({len(node['members'])} entries, {100 * mean:.1f} % above the least)")
            return
        name = FEATURES[node["feature"]]
        print(f"{indent}{name} <= {node['limit']:.3f}:")
        self.show(rules, node["sides"][0], depth + 1)
        print(f"{indent}{name} > {node['limit']:.3f}:")
        self.show(rules, node["sides"][1], depth + 1)


def tell_tree(entries, rows, features):
    """A tree over the entries of the track problems, on the quick planners that have a plan of each of them."""
    here = [e for e in entries if e["track"] == "problems"]
    peaks = [{r["planner"]: r for r in rows.get(e["digest"], []) if r["status"] != "" and r["verdict"] == "valid"} for e in here]
    rules = sorted(set.intersection(*(set(p) for p in peaks)))
    median = lambda rule: sorted(int(p[rule]["wall_ns"]) for p in peaks)[len(peaks) // 2]
    rules = [rule for rule in rules if median(rule) < QUICK_NS and rule not in SEVERAL]
    points = [[float(features[e["digest"]][key]) for key in FEATURES] for e in here]
    costs = []
    for found in peaks:
        least = min(int(found[rule]["peak_bytes"]) for rule in rules)
        costs.append([math.log(int(found[rule]["peak_bytes"]) / least) for rule in rules])
    tree = Tree(points, costs)
    single = min(range(len(rules)), key=lambda k: sum(cost[k] for cost in costs))
    loss = lambda picks: 100 * (math.exp(sum(cost[k] for cost, k in zip(costs, picks)) / len(costs)) - 1)
    unseen = [0] * len(here)
    alone = [0] * len(here)
    for fold in range(FOLDS):
        inside = [i for i in range(len(here)) if i % FOLDS != fold]
        part = Tree([points[i] for i in inside], [costs[i] for i in inside])
        for i in range(fold, len(here), FOLDS):
            unseen[i] = part.choose(points[i])
            alone[i] = min(range(len(rules)), key=lambda k: sum(costs[j][k] for j in inside))
    print("### Which quick rule to take\n")
    print(f"A tree of {tree.leaves} leaves over the {len(here)} entries of the track `problems` and the {len(rules)} planners that place by one rule, with a")
    print("median below 10 ms and a plan of each of them. What it asks for are features of [the collection](collection.md#how-it-was-chosen).\n")
    print("```text")
    tree.show(rules)
    print("```\n")
    picks = [tree.choose(point) for point in points]
    table(
        ["what is taken", "above the least of all quick rules, on entries that were seen", "on entries that were not (ten folds)"],
        [
            [f"always the best single rule, `{rules[single]}` of all", f"{loss([single] * len(here)):.2f} %", f"{loss(alone):.2f} %"],
            ["the rule of the tree", f"{loss(picks):.2f} %", f"{loss(unseen):.2f} %"],
        ],
    )


def main(words):
    if len(words) not in (1, 2):
        sys.exit(__doc__)
    entries = read("memplan-lib-1.csv")
    features = {row["digest"]: row for row in read("features.csv")}
    rows = {}
    opened = gzip.open(words[0], "rt") if words[0].endswith(".gz") else open(words[0], newline="")
    with opened as file:
        for row in csv.DictReader(file):
            if row["verdict"] == "valid":
                rows.setdefault(row["digest"], []).append(row)
    if len(words) == 2:
        with open(words[1]) as file:
            head = file.read().split(MARK)[0]
        sys.stdout = open(words[1], "w")
        print(head + MARK)
    tell_classes(entries)
    tell_open(entries, rows, features)
    tell_tree(entries, rows, features)


if __name__ == "__main__":
    main(sys.argv[1:])
