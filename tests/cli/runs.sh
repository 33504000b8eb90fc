#!/bin/sh
# The runs of a database: what there is, and deleting.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

list() {
    "$MEMPLAN" runs --db some.db --format csv | cut -d, -f1-5 | sort
}

write_figure4 one.csv
prepare bench one.csv --planners naive,large_first --run first --db some.db
prepare bench one.csv patent/figure4 --planners naive --policies flat --run second --db some.db
list

# A planner's rows of a run, then a run; its layouts go with it.
memplan runs delete first --planner naive --db some.db
list
memplan runs delete second --db some.db
list
memplan table summary --db some.db --run second

# What is not there.
memplan runs delete second --db some.db
memplan runs delete --db some.db
memplan runs forget --db some.db
memplan runs --db missing.db
memplan runs delete first --db missing.db
ls
