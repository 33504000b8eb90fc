#!/bin/sh
# The plan cache: planned, hit, weights replaced; listed, verified, damaged, cleared; bench with it.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

XDG_CACHE_HOME=$SCRATCH/caches
MEMPLAN_CACHE_DISABLE=0
export XDG_CACHE_HOME MEMPLAN_CACHE_DISABLE

# Lists files without what differs from build to build.
list_files() {
    memplan cache "$@" | sed -e "s,$SCRATCH,SCRATCH," -e 's/\<[0-9a-f]\{8\}\>/DIGEST/g' -e 's/  [0-9] [0-9]\{3\}  /  BYTES  /' \
        -e 's/[0-9]* of at most/BYTES of at most/' -e '/bytes, in$/{N;s/\n */ /;}' -e "s,$SCRATCH,SCRATCH,"
}
grep_cache() {
    memplan "$@" | grep -e '^cache ' -e '"cache"' -e '^peak' -e '^stderr' -e '^exit'
}

write_graph small.json
for turn in 1 2; do
    grep_cache plan -p large_first small.json
    grep_cache plan -p large_first zoo/squeezenet --policy flat -f json
done
prepare quantise zoo/squeezenet -o quantised.json
grep_cache plan -p large_first quantised.json
grep_cache plan -p large_first zoo/squeezenet --weights missing.raw
write_figure4 figure4.csv
memplan plan -p large_first figure4.csv --weights missing.raw
list_files
list_files verify
list_files list -f json | sed 's/"bytes": [0-9]*/"bytes": BYTES/'

# One byte of the newest plan's archive, in the name that stands at its beginning.
plans=$XDG_CACHE_HOME/memplan/plans.db
name=$("$MEMPLAN" cache list -f json | sed -n 's/^ *"\(structure\|weights\)": "\([0-9a-f]*\)".*/\2/p' | tail -n 2 | paste -sd-)
printf 'x' | dd of="$plans" bs=1 seek="$(grep -abo "$name" "$plans" | cut -d: -f1)" conv=notrunc 2>/dev/null
list_files verify
"$MEMPLAN" plan -p large_first quantised.json 2>&1 >/dev/null | sed -e "s,$SCRATCH,SCRATCH," -e 's/[0-9a-f]\{64\}/DIGEST/g'
grep_cache plan -p large_first quantised.json
list_files
list_files verify
memplan_results cache clear
list_files

# What was not proved is planned again.
grep_cache plan -p exact 'generate:gap?buffers=25&seed=3' -t 0.000000001
grep_cache plan -p exact 'generate:gap?buffers=25&seed=3' -t 0.000000001

# A file that is no database.
prepare cache clear
printf 'no database' >"$plans"
grep_cache plan -p large_first small.json | sed "s,$SCRATCH,SCRATCH,"
grep_cache plan -p large_first small.json

# The limit, and none at all.
MEMPLAN_CACHE_MAX_BYTES=100 grep_cache plan -p large_first small.json
MEMPLAN_CACHE_MAX_BYTES=lots memplan plan -p large_first small.json
MEMPLAN_CACHE_DISABLE=maybe memplan plan -p large_first small.json
MEMPLAN_CACHE_DISABLE=1 grep_cache plan -p large_first small.json
MEMPLAN_CACHE_DISABLE=1 memplan cache
list_files

# bench asks the cache only if it is told to; times are then those of the first run.
memplan_results cache clear
for jobs in 1 2; do
    for run in first second; do
        prepare bench small.json --planners large_first,exact --policy flat,path --cache \
            --jobs $jobs --db a.db --run $run$jobs
        "$MEMPLAN" table summary --db a.db --run $run$jobs --format csv >$run.csv
    done
    cmp first.csv second.csv
done
prepare bench small.json --planners naive --policy flat --db a.db --run third
memplan cache list -f json | grep -c '"state": "good"'
memplan cache erase
memplan cache list twice
