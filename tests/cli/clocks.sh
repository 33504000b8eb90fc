#!/bin/sh
# Buffers of several streams: clocks in both formats, planned, checked and written again.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

cat >clocks.csv <<'END'
id,lower,upper,size
a,0:0:4,1:0:4,64
b,1:0:4,2:0:4,96
c,0:0:4,0:1:4,48
d,0:1:4,0:2:4,32
END
memplan info clocks.csv
memplan convert clocks.csv clocks.json
cat clocks.json
prepare convert clocks.json again.csv
cat again.csv
prepare convert clocks.csv pairs.dot
grep -e -- pairs.dot
# The digest is over what conflicts, however it is said.
sed -e 's/, "clock": [^}]*//' -e '$s/.*/  ,"conflicts": [[0, 2], [0, 3], [1, 2], [1, 3]]}/' \
    clocks.json >pairs.json
"$MEMPLAN" info pairs.json | grep digest >pairs.digest
"$MEMPLAN" info clocks.json | grep digest >clocks.digest
cmp pairs.digest clocks.digest

# Where one line of steps says it, it does.
grep -v '^[cd]' clocks.csv >line.csv
memplan convert line.csv line.json
cat line.json

memplan_results plan -p large_first clocks.csv -o plan.csv
cat plan.csv
memplan verify clocks.csv plan.csv
sed 's/,48,.*/,48,0/' plan.csv >wrong.csv
memplan verify clocks.csv wrong.csv
sed 's/^a,0:0/a,0:1/' plan.csv >other.csv
memplan verify clocks.csv other.csv
memplan info --dialect idealloc clocks.csv

# More pairs than are listed: planned and checked by clocks alone.
many='generate:sync_pattern?buffers=2000&pattern=independent'
memplan info "$many"
memplan_results plan -p large_first "$many" -o many.csv
prepare convert "$many" many.in.csv
memplan verify many.in.csv many.csv
sed 's/,[0-9]*$/,0/' many.csv >bad.csv
memplan verify many.in.csv bad.csv
memplan_results plan -p breadth_first_fit "$many" -o none.csv
memplan_results plan -p window_search "$many" -o best.csv
"$MEMPLAN" plan -p exact --time-limit 0.2 "$many" | grep -e ^status -e ^verify -e ^lower -e ^note
memplan convert "$many" many.dot
find . | sort
