"""Second opinion on problems with several memories: 6 to 30 buffers, made around a plan, so that the least cost is known in part.

Cases and answers are those of memories.py, and "planted": [memory, offset] of each buffer in that plan. No claim may contradict what
that plan, or the plan of another planner, costs.
"""
import copy
import itertools

import differential
import memories
import planted


def contradiction(case, claim):
    if "error" in claim:
        return f"a problem with a plan is refused, or worse: {claim['error']}"
    truth = memories.Truth(case["problem"])
    plans = [case["planted"], *(said["places"] for said in claim["plans"].values() if "places" in said)]
    costs = [truth.cost([tuple(place) for place in places]) for places in plans]
    least = min(cost for cost in costs if cost is not None)
    return memories.misjudged(truth, case, claim) or memories.refuted(truth, least, claim)


def make_memory(random, m, n, steps, height):
    """A memory whose capacity its planted buffers just need, or nearly, and these buffers as pieces (start, end, offset, size)."""
    chunks, step = random.choice((1, 1, 1, 2)), random.choice((1, 1, 1, 2, 4))
    pieces, chunk = [], 0
    parts = [random.choice((planted.cut, planted.stack))(random, max(1, n // chunks), steps, height) for _ in range(chunks)]
    chunk = step * max(o + s for part in parts for _, _, o, s in part)
    for k, part in enumerate(parts):  # offsets are multiples of the alignment, sizes up to one less
        pieces += [(a, b, k * chunk + step * o, max(1, step * s - random.randint(0, step - 1))) for a, b, o, s in part]
    memory = {"name": f"m{m}", "capacity": chunk * chunks + random.choice((0, 0, 0, step * random.randint(1, height)))}
    if step > 1:
        memory["alignment"] = step
    if chunks > 1:
        memory["chunk"] = chunk
    if random.random() < 0.3:
        memory["reserved"] = [[chunk * chunks, chunk * chunks + 2]]
    if random.random() < 0.7:
        memory["read_ns_per_byte"] = random.choice((0, 0.5, 1, 0.125, 3))
        memory["write_ns_per_byte"] = random.choice((0, 1, 2))
    return memory, pieces


def make_buffer(random, name, piece, mine, names, kinds):
    buffer = {"name": name, "size": piece[3], "segments": [list(piece[:2])]}
    if "choice" not in kinds:
        buffer["memories"] = [mine]
    elif random.random() < 0.3:
        buffer["memories"] = sorted({mine, *random.sample(names, random.randint(1, len(names)))})
    if random.random() < 0.3:
        buffer["read_bytes"] = random.choice((random.randint(0, 50), 10**6))
    return buffer


def make(random):
    n, steps = random.randint(6, random.choice((10, 16, 30))), random.randint(2, 20)
    kinds = {kind for kind in ("choice", "separations", "exclusions", "colocations", "pins") if random.random() < 0.4}
    names = [f"m{m}" for m in range(random.choice((1, 2, 2, 3)))]
    density = random.choice((0, 0.1, 0.3, 1))
    is_plain = random.random() < 0.3  # one memory is limited, and lives alone keep buffers apart: more planners take these
    if is_plain:
        names, kinds, density = ["m0", "m1"], {"choice"}, 0
    made = [make_memory(random, m, max(1, n // len(names)), steps, random.choice((4, 12, 60))) for m in range(len(names))]
    if is_plain or random.random() < 0.2:
        made[-1][0].pop("capacity")
    for memory, _ in made if is_plain else ():
        memory.pop("chunk", 0), memory.pop("reserved", 0)
    buffers, places = [], []
    for m, piece in random.sample(flat := [(m, p) for m, (_, pieces) in enumerate(made) for p in pieces], len(flat)):
        buffers.append(make_buffer(random, f"b{len(buffers)}", piece, names[m], names, kinds))
        places.append((m, piece[2]))
    problem = {"format": "memplan-memories/1", "name": "case", "memories": [memory for memory, _ in made], "buffers": buffers}
    if "colocations" in kinds:  # lives within another buffer's life, in its place
        i = random.randrange(len(buffers))
        buffers.append({**copy.deepcopy(buffers[i]), "name": "twin", "size": random.randint(1, buffers[i]["size"])})
        places.append(places[i])
        problem["colocations"] = [[i, len(buffers) - 1]]
    pairs = list(itertools.combinations(range(len(buffers)), 2))
    truth = memories.Truth(problem)
    weights = random.choice(((1,), (1, 2, 5), (0.5, 3, 7, 0), (10**6,)))
    problem["penalties"] = [[*pair, random.choice(weights)] for pair in pairs if random.random() < density]
    if "exclusions" in kinds:
        problem["exclusions"] = [list(pair) for pair in pairs if random.random() < 0.05]
    if "separations" in kinds:
        problem["separations"] = [[i, j] for i, j in pairs if random.random() < 0.1 and places[i] != places[j] and not truth.share(i, j, places)]
    if "pins" in kinds:
        problem["pins"] = [{"buffer": i, "memory": names[places[i][0]], "offset": places[i][1], "exclusive": False}
                           for i in range(n // 2) if random.random() < 0.1]
    changed = list(places)
    if random.random() < 0.3:
        i = random.randrange(len(places))
        changed[i] = (random.randrange(len(names)), max(0, places[i][1] + random.randint(-3, 3)))
    return {"problem": problem, "places": changed, "planted": places, "limit_ms": random.choice((10, 40))}


def smaller(case):
    for less in memories.smaller(case):
        less["planted"] = less["planted"][:len(less["places"])]
        yield less


if __name__ == "__main__":
    differential.main(make, contradiction, smaller)
