#!/bin/sh
# The page of standings, from rows that are there: of a few entries, by two planners and one that was brought along.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

cat >mine.sh <<'END'
awk -F, 'NR == 1 { print $0 ",offset"; next } { print $0 "," sum + 0; sum += $4 }' "$1" >"$2"
END
"$MEMPLAN" bench minimalloc/A minimalloc/C 'generate:tight?buffers=20&seed=2' wired/darts_cell --planners large_first,best,mine \
    --external 'mine=sh mine.sh {in} {out}' --time-limit 1 --db few.db --run few >/dev/null 2>&1
# Rows with another limit stand in no table of this class.
"$MEMPLAN" bench minimalloc/A minimalloc/C --planners naive,best --time-limit 2 --db few.db --run longer >/dev/null 2>&1
"$MEMPLAN" bench wired/darts_cell --planners best --orders stored,beam --time-limit 1 --db few.db --run orders >/dev/null 2>&1
# Measures of several memories have a run of each class.
for limit in 1 10; do
    prepare bench memories/two_banks memories/dsa_example --planners best,first_fit --time-limit $limit --db few.db --run standings-memories-${limit}s
done
prepare bench memories/two_banks --planners ruin_recreate --time-limit 0.1 --db few.db --run standings-memories-10s
memplan standings --dry-run --pages --mine mine --external 'mine=sh mine.sh {in} {out}' --db few.db -o page
# Which table mine stands in depends on its time.
cat page/standings-problems-*.csv | grep ',mine,' | cut -d, -f2-4
cut -d, -f1-6 page/standings-problems-exact.csv
grep -o '<a href="#results?planner=[a-z_]*">' page/index.html | sort | uniq -c | sed 's/^ *[0-9]* //'
# The data of the page, which is compressed.
unpack() {
    sed "s/.*', '//; s/');$//" "page/data/$1.js" | base64 -d | gzip -d
}
# Its numbers lead to the rows that they are from, and each of these to the command that repeats it.
grep -o '<a href="#results?planner=mine&amp;[^"]*">' page/index.html | sort -u
grep -o 'order=beam&amp;[^"]*' page/index.html | sort -u
unpack rows | grep -o '"repeat": {"names": [^]]*'
unpack suites | grep -o '"orders easy", "instances": [^]]*'
grep -c '^"\?minimalloc/A' page/entries.csv
# Of a graph in several orders the best one counts, against what is proved of all orders.
grep '^wired/darts_cell' page/entries.csv
cut -d, -f2,3 page/standings-orders-all.csv
unpack rows >rows.json
grep -l ',naive,\|"naive"\|longer' page/*.csv rows.json
cut -d, -f1-6 page/standings-memories-all.csv
cut -d, -f1-3 page/memories.csv
# Each entry that was planned has a page with the best layout, to which its name leads.
for page in $(sed -n 's/.*"\(entry-[0-9]*.html\)">.*/\1/p' page/index.html); do
    sed -n 's/.*<h1>\(.*\)<.h1>.*/\1/p; s/.*<code>\(memplan plan .*\)<.code>.*/\1/p; s/.*<img src="\(.*svg\)" .*/\1/p' "page/$page"
    test -s "page/${page%html}svg" || echo "no picture of $page"
    grep -o 'index.html#results?[^"]*planner=[a-z_]*' "page/$page"
done
sed -n '/Features/,/<.ul>/s/<[^>]*>/ /gp' page/entry-0.html | grep '154'
ls page/entry-*.html | wc -l
# The rows beside the page make the same page, and nothing changed.
prepare runs import page/rows.csv.gz --db again.db
prepare standings page/rows.csv.gz --dry-run --db again.db -o again
for table in page/standings-*.csv page/entries.csv; do cmp "$table" "again/${table#page/}"; done
sed -n 's/<p>\(All .*\)<.p>/\1/p' again/index.html
# One planner is new, one is gone, and the bytes of an entry are fewer.
"$MEMPLAN" bench minimalloc/A minimalloc/C 'generate:tight?buffers=20&seed=2' --planners size_best_fit --time-limit 1 --db again.db --run new \
    >/dev/null 2>&1
prepare runs delete few --planner best --db again.db
prepare standings page/rows.csv.gz --dry-run --db again.db -o again
# Which table the new one stands in, and at which rank there, depends on its time.
grep -v ',mine,' again/changes.csv | sed 's/^problems-[qs][a-z]*,size_best_fit,new,,[12],/problems,size_best_fit,new,,RANK,/'
cut -d, -f1-3,6 again/changed-entries.csv
# Whose numbers they are.
sed -n 's/.*<td>few<.td>.*>\(memplan bench [^<]*\)<.*/\1/p' page/index.html | cut -d' ' -f1-6
# A planner with an unsafe plan is not ranked; where it is alone nothing can be drawn of its others.
cat >bad.sh <<'END'
[ "$(wc -l <"$1")" -gt 160 ] && exec sh mine.sh "$1" "$2"
awk -F, '{ print $0 "," (NR == 1 ? "offset" : 0) }' "$1" >"$2"
END
"$MEMPLAN" bench minimalloc/A minimalloc/C --planners bad --external 'bad=sh bad.sh {in} {out}' --time-limit 1 --db bad.db >/dev/null 2>&1
memplan standings --dry-run --db bad.db -o bad
cut -d, -f1-4 bad/standings-problems-*.csv
memplan_errors standings --mine
memplan_errors standings --mine nobody --db none.db
memplan_errors standings --dry-run --time-limit 5 --db few.db
memplan_errors standings --dry-run --time-limit 10 --db few.db
memplan_errors standings --dry-run --db none.db
memplan_errors standings none.csv.gz --dry-run --db few.db
memplan_errors standings page/entries.csv --dry-run --db few.db
: >file
memplan_errors standings --dry-run --db few.db -o file
memplan_errors standings --dry-run --db few.db -o none/page
