import csv, sys
rows = sorted(csv.DictReader(open(sys.argv[1])), key=lambda row: -int(row["size"]))
for n, row in enumerate(rows):
    live = [r for r in rows[:n] if int(r["lower"]) < int(row["upper"]) and int(row["lower"]) < int(r["upper"])]
    row["offset"] = max([0] + [r["offset"] + int(r["size"]) for r in live])
out = csv.DictWriter(open(sys.argv[2], "w"), rows[0])
out.writeheader(), out.writerows(rows)
