#!/bin/sh
# The first table of the main paper into a fresh folder: published beside measured.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

memplan_results reproduce luna-memory --output out
find out | grep -v '^out/page/' | sort
# No measured row differs from the printed one above it.
sed 1d out/luna-memory.csv | wc -l | tr -d ' '
head -n 1 out/luna-memory.csv
awk -F, '/printed/ { printed = $3 $4 $5 $6 } /measured/ && $3 $4 $5 $6 != printed' out/luna-memory.csv
if have xmllint; then
    xmllint --noout out/index.html
    xmllint --html --noout out/index.html 2>"$SCRATCH/stderr"
    grep 'error' "$SCRATCH/stderr" | grep -v 'Tag [a-z]* invalid'
else
    skip "no xmllint: index.html is not parsed"
fi
grep -q '</html>' out/index.html || echo "index.html has no end"
# The database is an ordinary one.
"$MEMPLAN" table luna-memory --format md --db out/reproduce.db | diff - out/luna-memory.md
rm -f out/*-shm out/*-wal

# Once more into the same folder; into a folder below one that is not there; shorter.
"$MEMPLAN" reproduce luna-memory --output out >"$SCRATCH/again" 2>/dev/null || echo "exit $?"
diff "$SCRATCH/stdout" "$SCRATCH/again"
"$MEMPLAN" reproduce luna-memory --out a/b/c >/dev/null 2>&1 || echo "exit $?"
[ -f a/b/c/index.html ] || echo "no a/b/c/index.html"

echo text >file
memplan reproduce worked --output file/folder
memplan reproduce nothing --output nothing
find . -name 'nothing*'
