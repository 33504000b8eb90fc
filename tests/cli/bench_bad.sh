#!/bin/sh
# What bench refuses, before anything is run and without touching the database, and files that it cannot read.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

write_figure4 one.csv
echo 'this is no database' >bad.db
memplan bench one.csv --planners naive --db bad.db
cat bad.db
memplan bench one.csv --planners naive --db missing/results.db
mkdir folder.db
memplan bench one.csv --planners naive --db folder.db
memplan bench
memplan bench --suite nothing
memplan bench --suite ''
memplan bench nothing
memplan bench one.csv --planners naive,nothing
memplan bench one.csv --planners naive,
memplan bench one.csv --planners naive,large_first,naive
memplan bench one.csv --planners 'nnvm?colours=2,nnvm?colours=2'
memplan bench one.csv --policy nothing
memplan bench one.csv --policy flat,sum,flat
memplan bench one.csv zoo/alexnet --inplace nnvm --disable-inplace Covn
memplan bench one.csv --format xml
memplan bench one.csv --jobs 0
memplan bench one.csv --jobs 257
memplan bench one.csv --jobs x
memplan bench one.csv --time-limit x
memplan bench one.csv --output x
find . | sort

# Nothing but bad files: nothing is run.
echo 'id,lower,upper' >two.csv
memplan bench two.csv missing.csv --planners naive
find . | sort

# Bad files among good ones cost a row each for every planner, again when the run is resumed.
memplan bench missing.csv one.csv two.csv two.csv --planners naive,large_first --dry-run
memplan bench one.csv two.csv --planners naive,large_first --dry-run --format json
for i in 1 2; do
    memplan bench missing.csv one.csv two.csv two.csv --planners naive,large_first --run some --resume --db some.db \
        --format csv |
        sed 's/,[0-9.]*$/,T/'
done
memplan table failures --db some.db --format csv
