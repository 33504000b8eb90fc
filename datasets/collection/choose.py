#!/usr/bin/env python3
"""Chooses the collection memplan-lib from its candidates, as MIPLIB 2017 was chosen: features, clusters, one or two of
each. The same candidates, features and seed give the same set.

  choose.py names                       the candidates, one a line, for memplan bench
  choose.py measure ROWS.csv            measures candidates with the program MEMPLAN, into features.csv; ROWS.csv is
                                        memplan table rows of a bench of them by large_first and exact
  choose.py choose [SEED]               features.csv -> memplan-lib-1.csv
  choose.py classify ROWS.csv           the classes of the entries, by rows of a bench of them
  choose.py files                       memplan-lib-1.csv -> files/ and SHA256SUMS, with the program MEMPLAN
  choose.py figure FILE.svg             both -> a figure, with gnuplot
"""
import csv
import gzip
import hashlib
import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
MEMPLAN = os.environ.get("MEMPLAN", "memplan")
VERSION = 1
# Entries of each track, and the most that may come from one source: a tenth of all.
QUOTA = {"problems": 130, "control-flow": 36, "orders": 34, "streams": 28, "sizes": 22}
MOST_OF_SOURCE = sum(QUOTA.values()) // 10
# A search that did not end counts as this many nodes.
UNSOLVED_NODES = 10**7
# Planners that make an entry easy: no searches.
QUICK = {"large_first", "xla_packing_search", "tflite_greedy_by_size", "size_best_fit"}
FEATURES = ["buffers", "live", "flatness", "size_spread", "sizes", "lifetime", "density", "gap", "nodes"]


def path(name):
    return os.path.join(HERE, name)


def read_rows(name):
    with open(path(name), newline="") as file:
        return list(csv.DictReader(file))


def write_rows(name, rows):
    with open(path(name), "w", newline="") as file:
        out = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        out.writeheader()
        out.writerows(rows)


def expand(pattern):
    """The names that a pattern with braces stands for."""
    found = re.search(r"\{([^{}]*)\}", pattern)
    if not found:
        return [pattern]
    span = re.fullmatch(r"(\d+)\.\.(\d+)", found[1])
    words = map(str, range(int(span[1]), int(span[2]) + 1)) if span else found[1].split(",")
    return [name for word in words for name in expand(pattern[: found.start()] + word + pattern[found.end() :])]


def candidates():
    with open(path("candidates.txt")) as file:
        for line in file:
            if not line.startswith("#"):
                source, track, half, *patterns = line.split()
                for pattern in patterns:
                    for name in expand(pattern):
                        yield {"instance": name, "track": track, "source": source, "half": half}


def run(*words):
    return subprocess.run([MEMPLAN, *words], check=True, capture_output=True, text=True).stdout


def convert(name, *options):
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "x.json")
        run("convert", name, file, *options)
        with open(file) as opened:
            return opened.read()


def size_at_most(size, parameters):
    """The bytes of a size that may be an expression of parameters, at their greatest values."""
    if isinstance(size, int):
        return size
    if not re.fullmatch(r"[\w\s+*()/-]+", size):
        raise ValueError(f"found size {size!r}, expected an expression")
    return int(eval(size, {"__builtins__": {}}, {name: span[1] for name, span in parameters.items()}))


def sections(buffers):
    """Load and number of live buffers at every step where something begins."""
    events = {}
    for buffer in buffers:
        for segment in buffer.get("segments", []):
            for step, sign in ((segment[0], 1), (segment[1], -1)):
                count, size = events.get(step, (0, 0))
                events[step] = (count + sign, size + sign * buffer["bytes"])
    count = load = 0
    for step in sorted(events):
        count, load = count + events[step][0], load + events[step][1]
        yield count, load


def before(one, other):
    return all(a <= b for a, b in zip(one["clock"][1], other["clock"][0]))


def conflicts(buffers):
    """Pairs that are live together; a buffer with several segments counts once for each."""
    if "clock" in buffers[0]:
        return sum(not before(a, b) and not before(b, a) for i, a in enumerate(buffers) for b in buffers[:i])
    events = sorted((s[k], 1 - k) for b in buffers for s in b.get("segments", []) for k in (0, 1))
    live = pairs = 0
    for _, begins in events:
        pairs += live if begins else 0
        live += 1 if begins else -1
    return pairs


def measure(candidate, rows):
    """The features of one candidate: of graphs those of the problem under the policy flat."""
    name = candidate["instance"]
    info = json.loads(run("info", name, "-f", "json"))
    problem = json.loads(convert(name, "--policy", "flat") if info["kind"] == "graph" else convert(name))
    buffers = problem["buffers"]
    for buffer in buffers:
        buffer["bytes"] = size_at_most(buffer["size"], problem.get("parameters", {}))
    n, bytes_ = len(buffers), sorted(buffer["bytes"] for buffer in buffers)
    steps = max(1, info["steps"])
    loads = list(sections(buffers)) if "clock" not in buffers[0] else []
    loads = loads or [(info["load_buffers"], info["load"])]
    lives = [sum(s[1] - s[0] for s in b["segments"]) / steps for b in buffers if "segments" in b] or [0]
    quick, search = rows.get((name, "large_first")), rows.get((name, "exact"))
    ended = search and search["status"] == "optimal"
    gap = int(quick["peak_bytes"]) / int(quick["load_bytes"]) - 1 if quick and int(quick["load_bytes"]) else 0
    values = {
        "buffers": math.log10(n),
        "live": math.log10(max(1, max(count for count, _ in loads))),
        "flatness": sum(load for _, load in loads) / len(loads) / max(1, max(load for _, load in loads)),
        "size_spread": math.log10(bytes_[-1] / max(1, bytes_[n // 2])),
        "sizes": len(set(bytes_)) / n,
        "lifetime": math.log10(1e-6 + sum(lives) / len(lives)),
        "density": conflicts(buffers) / max(1, n * (n - 1) / 2),
        "gap": gap,
        "nodes": math.log10(1 + (int(search["nodes"]) if ended else UNSOLVED_NODES)),
    }
    return {
        **candidate,
        "kind": info["kind"],
        "digest": info["digest"],
        **{key: f"{value:.6f}" for key, value in values.items()},
        "load_bytes": info["load"],
    }


def measure_all(rows_file):
    rows = {}
    with open(rows_file, newline="") as file:
        for row in csv.DictReader(file):
            if row["policy"] in ("problem", "flat", "streams"):
                rows[row["instance"], row["planner"]] = row
    found, seen = [], set()
    for candidate in candidates():
        row = measure(candidate, rows)
        if row["digest"] not in seen:
            found.append(row)
        seen.add(row["digest"])
    write_rows("features.csv", found)


def normalise(rows):
    """Each feature to mean 0 and deviation 1 within the rows."""
    points = [[float(row[key]) for key in FEATURES] for row in rows]
    for k in range(len(FEATURES)):
        values = [point[k] for point in points]
        mean = sum(values) / len(values)
        deviation = math.sqrt(sum((v - mean) ** 2 for v in values) / len(values)) or 1
        for point in points:
            point[k] = (point[k] - mean) / deviation
    return points


def distance(a, b):
    return sum((x - y) ** 2 for x, y in zip(a, b))


def cluster(points, count, chance):
    """k-means; its first centres are drawn far apart (k-means++). The members of each cluster, by index."""
    centres = [points[chance.randrange(len(points))]]
    while len(centres) < count:
        weights = [min(distance(p, c) for c in centres) for p in points]
        if not sum(weights):
            break
        centres.append(points[chance.choices(range(len(points)), weights)[0]])
    members = []
    for _ in range(50):
        members = [[] for _ in centres]
        for i, point in enumerate(points):
            members[min(range(len(centres)), key=lambda c: (distance(point, centres[c]), c))].append(i)
        moved = [
            [sum(points[i][k] for i in group) / len(group) for k in range(len(FEATURES))] if group else centre
            for group, centre in zip(members, centres)
        ]
        if moved == centres:
            break
        centres = moved
    for group, centre in zip(members, centres):
        group.sort(key=lambda i: (distance(points[i], centre), i))
    return [group for group in members if group]


def choose_track(rows, quota, whole, taken, chance):
    """Indices of the chosen rows: whole sources, then of each cluster its middle, then, of large clusters first, the
    member farthest from what was chosen, until the quota is full."""
    points = normalise(rows)
    chosen = [i for i, row in enumerate(rows) if row["source"] in whole]
    for i in chosen:
        taken[rows[i]["source"]] = taken.get(rows[i]["source"], 0) + 1
    clusters = cluster(points, max(1, (quota - len(chosen)) * 2 // 3), chance)
    clusters.sort(key=lambda group: (-len(group), group))
    for turn in range(2):
        for group in clusters:
            free = [i for i in group if i not in chosen and taken.get(rows[i]["source"], 0) < MOST_OF_SOURCE]
            if not free or len(chosen) >= quota:
                continue
            inside = [i for i in group if i in chosen]
            if turn == 0 and inside:
                continue
            best = free[0] if not inside else max(free, key=lambda i: (min(distance(points[i], points[k]) for k in inside), -i))
            chosen.append(best)
            taken[rows[best]["source"]] = taken.get(rows[best]["source"], 0) + 1
    return chosen


def choose(seed):
    chance, rows, taken, chosen = random.Random(seed), read_rows("features.csv"), {}, []
    sources = {row["source"]: row for row in read_rows("sources.csv")}
    whole = {name for name, row in sources.items() if row["whole"] == "yes"}
    for track, quota in QUOTA.items():
        here = [row for row in rows if row["track"] == track]
        for i in sorted(choose_track(here, quota, whole, taken, chance)):
            chosen.append(here[i])
    entries = [
        {
            "instance": row["instance"],
            "track": row["track"],
            "class": "open",
            "half": row["half"],
            "source": row["source"],
            "licence": sources[row["source"]]["licence"],
            "digest": row["digest"],
        }
        for row in chosen
    ]
    return entries


def classify(rows_file):
    """Classes by what rows say: easy, a planner that is no search is at the optimum; medium, the optimum is proved by a
    search; hard, it is known otherwise (results/best_known.csv, or by how it was made: tight ones are cut without waste);
    open. Of orders: an order by rule has the least load, a search proved it, open."""
    optimum, quick, orders, least = {}, {}, {}, {}
    with open(os.path.join(HERE, "..", "..", "results", "best_known.csv"), newline="") as file:
        known = {row["digest"] for row in csv.DictReader(file) if row["status"] == "optimal"}
    with open(rows_file, newline="") as file:
        for row in csv.DictReader(file):
            key, peak = (row["digest"], row["policy"]), int(row["peak_bytes"] or 0)
            if row["verdict"] != "valid" or not peak:
                continue
            graph, _, order = row["instance"].partition("@")
            orders.setdefault(graph, {})[order] = int(row["load_bytes"])
            if row["order_status"] == "optimal":
                least[graph] = int(row["order_load_bytes"])
            if row["status"] == "optimal" or peak <= int(row["lower_bound_bytes"] or 0):
                optimum[key] = min(peak, optimum.get(key, peak))
            if row["planner"] in QUICK:
                quick[key] = min(peak, quick.get(key, peak))
    entries = read_rows(f"memplan-lib-{VERSION}.csv")
    for entry in entries:
        keys = [key for key in quick if key[0] == entry["digest"]]
        if entry["track"] == "orders":
            found = orders.get(entry["instance"], {})
            rules = [load for order, load in found.items() if order not in ("beam", "exact_order")]
            bound = least.get(entry["instance"])
            entry["class"] = "open" if bound is None else "easy" if min(rules) <= bound else "medium"
        elif keys and all(key in optimum and quick[key] <= optimum[key] for key in keys):
            entry["class"] = "easy"
        elif keys and all(key in optimum for key in keys):
            entry["class"] = "medium"
        else:
            is_known = entry["digest"] in known or entry["source"] == "tight"
            entry["class"] = "hard" if is_known else "open"
    return entries


def write_table(entries):
    """The same for the program, as rows of C."""
    with open(os.path.join(HERE, "..", "collection.def"), "w") as file:
        file.write("/* Written by choose.py: entries of the collection, struct collection_entry. */\n")
        for entry in entries:
            version = f"memplan-lib {VERSION}" + (", held back" if entry["half"] == "held" else "")
            title = f"{entry['class']}, {entry['track']}, from {entry['source']}, {version}"
            cells = [entry["instance"], title, *(entry[key] for key in ("track", "class", "half", "source", "licence", "digest"))]
            file.write("    {" + ", ".join(f'"{cell}"' for cell in cells) + "},\n")


def file_name(entry):
    return re.sub(r"[^A-Za-z0-9_.]+", "_", entry["instance"]) + ".json.gz"


def write_files():
    """Each entry as it is, graph or problem, compressed; what has sizes with parameters and is no problem stays a name."""
    os.makedirs(path("files"), exist_ok=True)
    sums = []
    for entry in read_rows(f"memplan-lib-{VERSION}.csv"):
        if ".." in entry["instance"]:
            continue
        data = gzip.compress(convert(entry["instance"]).encode(), 9, mtime=0)
        name = "files/" + file_name(entry)
        with open(path(name), "wb") as file:
            file.write(data)
        sums.append(f"{hashlib.sha256(data).hexdigest()}  {name}\n")
    for name in (f"memplan-lib-{VERSION}.csv", "candidates.txt", "features.csv", "sources.csv"):
        with open(path(name), "rb") as file:
            sums.append(f"{hashlib.sha256(file.read()).hexdigest()}  {name}\n")
    with open(path("SHA256SUMS"), "w") as file:
        file.writelines(sums)


def project(points):
    """The two directions of the greatest spread, by power iteration."""
    axes = []
    for _ in range(2):
        axis = [1 / (k + 1) for k in range(len(FEATURES))]
        for _ in range(200):
            heights = [sum(a * x for a, x in zip(axis, p)) for p in points]
            axis = [sum(h * p[k] for h, p in zip(heights, points)) for k in range(len(FEATURES))]
            for other in axes:
                inside = sum(a * b for a, b in zip(axis, other))
                axis = [a - inside * b for a, b in zip(axis, other)]
            length = math.sqrt(sum(a * a for a in axis)) or 1
            axis = [a / length for a in axis]
        axes.append(axis)
    return [[sum(a * x for a, x in zip(axis, p)) for axis in axes] for p in points]


def draw(output):
    rows = read_rows("features.csv")
    chosen = {row["digest"] for row in read_rows(f"memplan-lib-{VERSION}.csv")}
    places = project(normalise(rows))
    blocks, plots = [], []
    colours = {"problems": "#0072B2", "control-flow": "#E69F00", "orders": "#009E73", "streams": "#CC79A7", "sizes": "#D55E00"}
    groups = [("not chosen", "#999999", 6, [p for p, row in zip(places, rows) if row["digest"] not in chosen])]
    for track, colour in colours.items():
        inside = [p for p, row in zip(places, rows) if row["digest"] in chosen and row["track"] == track]
        groups.append((track, colour, 7, inside))
    for title, colour, point, inside in groups:
        blocks.append("\n".join(f"{x:.4f} {y:.4f}" for x, y in inside))
        size = 0.4 if title == "not chosen" else 0.6
        plots.append(f"$data index {len(plots)} with points pt {point} ps {size} lc rgb '{colour}' title '{title}'")
    script = "$data << END\n" + "\n\n\n".join(blocks) + "\nEND\n"
    script += f"set terminal svg size 720,460 font 'sans-serif,12' background rgb 'white'\nset output '{output}'\n"
    script += "set xlabel 'first direction of the features'\nset ylabel 'second direction'\nset key outside right top\n"
    script += "plot " + ", \\\n  ".join(plots) + "\n"
    subprocess.run(["gnuplot"], input=script, text=True, check=True)


def main(words):
    if words[:1] == ["names"]:
        for candidate in candidates():
            print(candidate["instance"])
    elif words[:1] == ["measure"] and len(words) == 2:
        measure_all(words[1])
    elif words[:1] == ["choose"] and len(words) <= 2:
        entries = choose(int(words[1]) if len(words) == 2 else VERSION)
        write_rows(f"memplan-lib-{VERSION}.csv", entries)
        write_table(entries)
    elif words[:1] == ["classify"] and len(words) == 2:
        entries = classify(words[1])
        write_rows(f"memplan-lib-{VERSION}.csv", entries)
        write_table(entries)
    elif words == ["files"]:
        write_files()
    elif words[:1] == ["figure"] and len(words) == 2:
        draw(words[1])
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
