#!/bin/sh
# fuzz.sh TARGETS SECONDS SEED FOLDER: runs each fuzz target of the folder TARGETS for its share of SECONDS,
# from the kept corpus and from what earlier runs left in FOLDER/fuzz/NAME. Prints the executions of each,
# and of what fails the end of its report; the input is then in FOLDER. Exit code 1 where something failed.
set -u

# shellcheck source=share.sh
. "$(dirname "$0")/share.sh"
share_time fuzz_ 'TARGETS SECONDS SEED FOLDER' "$@"
targets=$1
folder=$4
kept=$(cd "$(dirname "$0")/../fuzz" && pwd)
failed=0
total=0
for target in "$targets"/fuzz_*; do
    name=${target##*/fuzz_}
    grown=$folder/fuzz/$name
    mkdir -p "$grown"
    set -- "$grown"
    case $name in
    *json*) set -- "$@" "-dict=$kept/json.dict" ;;
    *csv*) set -- "$@" "-dict=$kept/csv.dict" ;;
    esac
    [ -d "$kept/corpus/$name" ] && set -- "$@" "$kept/corpus/$name"
    "$target" -max_total_time="$share" -seed="$seed" -timeout=20 -rss_limit_mb=4000 \
        -print_final_stats=1 -artifact_prefix="$folder/$name-" "$@" >"$grown.log" 2>&1 || {
        failed=1
        echo "fuzz_$name failed:"
        tail -n 25 "$grown.log"
    }
    executed=$(sed -n 's/^stat::number_of_executed_units: //p' "$grown.log")
    echo "fuzz $name ${executed:-0}"
    total=$((total + ${executed:-0}))
done
echo "fuzz executions $total"
exit $failed
