"""A notebook in Python: a problem planned, drawn, and a heuristic of one's own against others: plan.py"""
import memplan

sizes, lower, upper = [4096, 1024, 4096], [0, 0, 1], [1, 2, 2]
plan = memplan.plan(sizes, lower, upper, planner="exact", alignment=64)  # numpy arrays are fine, too
for buffer, offset in enumerate(plan.offsets):
    print(f"buffer {buffer} at {offset}")
print(f"{plan.status}, peak {plan.peak} bytes")

with open("plan.svg", "w") as file:  # in a notebook the last line of a cell, `plan`, shows the same
    file.write(plan.svg())


def highest(problem):
    """Each buffer above all that were placed before it and are live at the same time, the largest first."""
    offsets = [0] * len(problem.sizes)
    placed = []
    for b in sorted(range(len(problem.sizes)), key=lambda b: -problem.sizes[b]):
        live = [o for o in placed if problem.lower[o] < problem.upper[b] and problem.lower[b] < problem.upper[o]]
        above = max((offsets[o] + problem.sizes[o] for o in live), default=0)
        offsets[b] = -(-above // problem.alignment[b]) * problem.alignment[b]
        placed.append(b)
    return offsets


if __name__ == "__main__":
    rows = memplan.bench(["patent/figure4"], planners=["naive", "best"], functions={"highest": highest})
    for row in rows:  # pandas.DataFrame(rows) is a table of them
        print(f"{row['planner']} needs {row['peak_bytes']} bytes, {row['status']}")
