#!/bin/sh
# The nightly run: benches a suite into a history database, holds the run against the last good one and
# against the best known values, and writes a report. docs/nightly.md tells more.
set -u

usage() {
    cat <<'END'
Usage: nightly.sh [OPTION...]
  -o FOLDER    where everything goes (default results/nightly, or MEMPLAN_NIGHTLY)
  -d FILE      the history database (default FOLDER/history.db)
  -s SUITE     what is run (default nightly)
  -p PLANNERS  by which planners (default: quick heuristics and exact)
  -t SECONDS   for each plan (default 20)
  -j JOBS      plans at a time (default 1)
  -n PERCENT   more nodes of a finished search that are no regression (default 10)
  -u PERCENT   worse peaks of unfinished searches that are no regression (default 5)
  -h           this
MEMPLAN is the program to run; without it the sources are built first. MEMPLAN_NIGHTLY_OPTIONS are more
options of memplan bench, separated by blanks (--plugin mine.so).
Exit codes: 0 as good as the last good run, 1 a regression, 2 wrong usage, 4 another night is running,
others: the run did not come to its end, and nothing of it is kept.
END
}

folder=${MEMPLAN_NIGHTLY:-}
database=
suite=nightly
planners=naive,large_first,short_first,sequential,size_best_fit,area_best_fit,tflite_greedy_by_size
planners=$planners,tflm_greedy,usmp_greedy_by_size,iree,strip_best_fit,xla_choose_best,exact
seconds=20
jobs=1
nodes_percent=10
unfinished_percent=5
while getopts o:d:s:p:t:j:n:u:h option; do
    case $option in
    o) folder=$OPTARG ;;
    d) database=$OPTARG ;;
    s) suite=$OPTARG ;;
    p) planners=$OPTARG ;;
    t) seconds=$OPTARG ;;
    j) jobs=$OPTARG ;;
    n) nodes_percent=$OPTARG ;;
    u) unfinished_percent=$OPTARG ;;
    h)
        usage
        exit 0
        ;;
    *)
        usage >&2
        exit 2
        ;;
    esac
done
shift $((OPTIND - 1))
[ $# -eq 0 ] || {
    echo "nightly.sh: '$1' is no option" >&2
    exit 2
}

stop() {
    code=$1
    shift
    echo "nightly.sh: $*" >&2
    exit "$code"
}

sources=$(cd "$(dirname "$0")" && pwd) || exit 5
folder=${folder:-$sources/results/nightly}
mkdir -p "$folder" || stop 3 "cannot make $folder"
folder=$(cd "$folder" && pwd) || exit 3
database=${database:-$folder/history.db}

# One night at a time: the lock goes with this process, however it ends.
exec 9>"$folder/lock" || stop 3 "cannot write $folder/lock"
flock -n 9 || stop 4 "another night is running in $folder"

label=
while [ -z "$label" ] || [ -e "$folder/$label" ]; do
    [ -z "$label" ] || sleep 1
    label=nightly-$(date -u +%Y%m%dT%H%M%SZ)
done
night=$folder/$label
rm -rf "$folder"/*.unfinished
work=$night.unfinished
mkdir "$work" || stop 3 "cannot make $work"
log=$work/log.txt

build() {
    (
        cd "$sources" || exit 5
        . cmake/packages.sh
        need_packages && cmake --preset release -DMEMPLAN_TESTS=OFF && cmake --build --preset release
    ) >"$work/build.txt" 2>&1 9>&- || {
        tail -n 20 "$work/build.txt" >&2
        stop 5 "the sources do not build, see $work/build.txt"
    }
    MEMPLAN=$sources/build/memplan
}
[ -n "${MEMPLAN:-}" ] || build
[ -x "$MEMPLAN" ] || stop 2 "MEMPLAN is '$MEMPLAN', expected the program"

# Calls the program and adds what it says to the log.
memplan() {
    printf '$ memplan' >>"$log"
    printf ' %s' "$@" >>"$log"
    echo >>"$log"
    "$MEMPLAN" "$@" 2>>"$log" 9>&-
}

# A run that was stopped half-way is no part of the history: its label stands in a file until the end.
forget_unfinished() {
    [ -s "$folder/unfinished" ] || return 0
    [ ! -e "$database" ] || memplan runs delete "$(cat "$folder/unfinished")" --db "$database" >>"$log" ||
        [ $? -eq 1 ] || return 3
    rm -f "$folder/unfinished"
}
give_up() {
    trap - EXIT HUP INT TERM
    forget_unfinished
    exit "$1"
}
forget_unfinished || stop 3 "cannot delete what an earlier night has left in $database, see $log"
trap 'give_up 5' EXIT
trap 'give_up 4' HUP INT TERM

regressions=
regress() {
    regressions="$regressions
  $*"
}

bench() {
    echo "$label" >"$folder/unfinished"
    # shellcheck disable=SC2086
    memplan bench --suite "$suite" --planners "$planners" --time-limit "$seconds" --jobs "$jobs" --keep-plans \
        --run "$label" --db "$database" --format csv ${MEMPLAN_NIGHTLY_OPTIONS:-} >"$work/rows.csv"
    code=$?
    case $code in
    0) ;;
    1) regress "bench: $(tail -n 1 "$log")" ;;
    *)
        tail -n 1 "$log" >&2
        give_up $code
        ;;
    esac
}

compare() {
    memplan compare "$good" "$label" --db "$database" --search-tolerance "$unfinished_percent" \
        --node-tolerance "$nodes_percent" --format "$1" --output "$work/compare.$1"
}

# The last good run of the suite may have been deleted, or be by other planners; then there is nothing to hold
# this one against.
compare_with_good() {
    good=$(cat "$folder/good-$suite" 2>/dev/null)
    [ -n "$good" ] || {
        echo 'No good run yet to compare with.' >"$work/compare.md"
        return
    }
    compare md
    case $? in
    0) ;;
    1) regress "compare: $(tail -n 1 "$log")" ;;
    *) echo "Not compared: $(tail -n 1 "$log")" >"$work/compare.md" ;;
    esac
    compare csv
    compare html
}

write_report() {
    memplan table best-known --run "$label" --db "$database" --output "$work/best-known.md"
    memplan report --db "$database" --output "$work/report" >>"$log" ||
        echo 'The report is not complete.' >>"$log"
}

# Everything is in its place before the names that lead to it change.
publish() {
    grep '^better than the best known' "$log" >"$work/better.txt"
    rm -f "$folder/unfinished"
    trap - EXIT HUP INT TERM
    mv "$work" "$night" && ln -sfn "$label" "$folder/latest" || exit 3
    [ -n "$regressions" ] || {
        echo "$label" >"$folder/good.new" && mv "$folder/good.new" "$folder/good-$suite" || exit 3
    }
}

bench
compare_with_good
write_report
{
    echo "$label: $(sed 1d "$work/rows.csv" | grep -c .) results, compared with ${good:-nothing}"
    [ -z "$regressions" ] || echo "regressions:$regressions"
} >"$work/summary.txt"
publish
cat "$night/summary.txt"
[ ! -s "$night/better.txt" ] || {
    cat "$night/better.txt"
    echo "take them in: memplan best --accept $database"
}
[ -z "$regressions" ]
