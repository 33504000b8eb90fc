#!/bin/sh
# fuzz.sh TARGETS FOLDER SECONDS SEED: runs each fuzz target of the folder TARGETS for its share of SECONDS,
# from the kept corpus and from what earlier runs left in FOLDER/fuzz/NAME. Prints the executions of each,
# and of what fails the end of its report; the input is then in FOLDER. Exit code 1 where something failed.
set -u

if [ $# -ne 4 ] || [ ! -d "$1" ]; then
    echo 'Usage: fuzz.sh TARGETS FOLDER SECONDS SEED' >&2
    exit 2
fi
kept=$(cd "$(dirname "$0")/../fuzz" && pwd)
failed=0
total=0
count=0
for target in "$1"/fuzz_*; do count=$((count + 1)); done
for target in "$1"/fuzz_*; do
    name=${target##*/fuzz_}
    grown=$2/fuzz/$name
    mkdir -p "$grown"
    case $name in
    *json*) set -- "$1" "$2" "$3" "$4" "-dict=$kept/json.dict" ;;
    *csv*) set -- "$1" "$2" "$3" "$4" "-dict=$kept/csv.dict" ;;
    *) set -- "$1" "$2" "$3" "$4" ;;
    esac
    [ -d "$kept/corpus/$name" ] && set -- "$@" "$kept/corpus/$name"
    seconds=$3
    seed=$4
    (
        artifacts=$2/$name-
        shift 4
        "$target" -max_total_time=$((seconds / count + 1)) -seed="$seed" -timeout=20 -rss_limit_mb=4000 \
            -print_final_stats=1 -artifact_prefix="$artifacts" "$grown" "$@"
    ) >"$grown.log" 2>&1 || {
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
