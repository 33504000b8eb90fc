#!/bin/sh
# The runs of a database: what there is, one of them, deleting, taking out and in.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

list() {
    "$MEMPLAN" runs --db "${1:-some.db}" --format csv | cut -d, -f1-5 | sort
}

write_figure4 one.csv
prepare bench one.csv --planners naive,large_first --run first --db some.db
prepare bench one.csv patent/figure4 --planners naive --policy flat --run second --db some.db
list

# One run: which facts there are differs from machine to machine.
"$MEMPLAN" runs show first --db some.db -f csv >shown.csv
grep -e ^run, -e ^command, -e ^instances, -e ^planners, -e ^rows shown.csv
for fact in started ended build cores kernel 'load at the end'; do
    grep -q "^$fact," shown.csv || echo "no fact '$fact'"
done

# Out, and into another database: the same rows, to the last bit.
memplan runs export first second --db some.db -o two.db
memplan runs export second --db some.db -o one.db
list one.db
memplan runs import one.db --db other.db
memplan runs import one.db --db other.db
memplan runs import two.db --db other.db
list other.db
"$MEMPLAN" table rows --db some.db --run second -f jsonl >before.jsonl
"$MEMPLAN" table rows --db other.db --run second -f jsonl | cmp - before.jsonl
# As CSV, in which fields with commas and quotes are quoted.
prepare bench patent/figure4 --planners naive --policy flat --run 'say "no", twice' --db quoted.db
"$MEMPLAN" table rows --db quoted.db -f csv >rows.csv
memplan runs import rows.csv --db again.db
"$MEMPLAN" table rows --db quoted.db -f jsonl >before.jsonl
"$MEMPLAN" table rows --db again.db -f jsonl | cmp - before.jsonl
# As a spreadsheet writes it, a carriage return before each line's end.
sed 's/$/\r/' rows.csv >spreadsheet.csv
"$MEMPLAN" runs import spreadsheet.csv --db spreadsheet.db >report.text || cat report.text
"$MEMPLAN" table rows --db spreadsheet.db -f jsonl | cmp - before.jsonl
rm -f spreadsheet.csv spreadsheet.db report.text
memplan runs export third --db some.db -o three.db
memplan runs export first --db some.db
memplan runs import missing.db --db new.db
memplan runs import one.csv --db new.db
memplan runs import some.db --db some.db

# A planner's rows of a run, then a run; its layouts go with it.
memplan runs delete first --planner naive --db some.db
list
memplan runs delete second --db some.db
list
memplan table summary --db some.db --run second

# What is not there.
memplan runs delete second --db some.db
memplan runs show second --db some.db
memplan runs delete --db some.db
memplan runs forget --db some.db
memplan runs --db missing.db
memplan runs delete first --db missing.db
rm -f ./*.db-wal ./*.db-shm
ls
