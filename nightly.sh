#!/bin/sh
# The nightly run: benches a suite into a history database, holds the run against the last good one and
# against the best known values, and writes a report. docs/nightly.md tells more.
set -u

usage() {
    cat <<'END'
Usage: nightly.sh [OPTION...]
  -o, --output FOLDER       where everything goes (default results/nightly, or MEMPLAN_NIGHTLY)
  -d, --database FILE       the history (default FOLDER/history.db)
  -s, --suite SUITE         what is run (default nightly)
  -p, --planners PLANNERS   by which planners (default: quick heuristics and exact)
  -t, --time-limit SECONDS  for each plan (default 20)
  -j, --jobs JOBS           plans at a time (default 1)
  -n, --nodes PERCENT       more nodes of a finished search that are no regression (default 10)
  -u, --unfinished PERCENT  worse peaks of unfinished searches that are no regression (default 5)
  -c, --commands FILE       what is timed beside the program of the last good night: arguments of
                            memplan, a line each (default: a list in this file)
  -z, --sizes FILE          instances that are planned for all sizes, a name each line (default: the
                            suite sizes where the suite is nightly, else none)
  -x, --slower PERCENT      more processor time of these that is no regression (default 25)
  -k, --keep NIGHTS         older nights are deleted, but for the last good ones (default: all stay)
  -h, --help                this
MEMPLAN is the program to run; without it the sources are built first. MEMPLAN_NIGHTLY_OPTIONS are more
options of memplan bench, quoted as for a shell (--external 'mine=./mine {in} {out}').
Exit codes: 0 as good as the last good run, 1 a regression, 2 wrong usage, 4 another night is running,
others: the run did not come to its end, and nothing of it is kept.
END
}

# Each takes some tenths of a second, and always does the same work.
speed_commands() {
    cat <<'END'
plan minimalloc/D --planner exact
plan generate:tight?buffers=1000&seed=7 --planner exact
plan generate:boxes?buffers=1000&steps=1000&longest=100&seed=502 --planner exact
plan minimalloc/D --planner exact --capacity 1048576
plan generate:layered?buffers=100000&live=200&seed=7 --planner large_first
plan generate:layered?buffers=100000&live=200&seed=7 --planner tflite_greedy_by_size
END
}

refuse() {
    echo "nightly.sh: $*" >&2
    exit 2
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
commands=
sizes=
slower_percent=25
keep=
while [ $# -gt 0 ]; do
    option=$1
    case $option in
    -h | --help)
        usage
        exit 0
        ;;
    -*) [ $# -gt 1 ] || refuse "'$option' is no option, or takes a value" ;;
    esac
    case $option in
    -o | --output) folder=$2 ;;
    -d | --database) database=$2 ;;
    -s | --suite) suite=$2 ;;
    -p | --planners) planners=$2 ;;
    -t | --time-limit) seconds=$2 ;;
    -j | --jobs) jobs=$2 ;;
    -n | --nodes) nodes_percent=$2 ;;
    -u | --unfinished) unfinished_percent=$2 ;;
    -c | --commands) commands=$2 ;;
    -z | --sizes) sizes=$2 ;;
    -x | --slower) slower_percent=$2 ;;
    -k | --keep) keep=$2 ;;
    *) refuse "'$option' is no option, -h lists them" ;;
    esac
    shift 2
done
for number in "$slower_percent" "${keep:-1}"; do
    case $number in
    '' | *[!0-9]* | 0) refuse "found '$number', expected a number from 1 on" ;;
    esac
done
for file in "$commands" "$sizes"; do
    [ -z "$file" ] || [ -r "$file" ] || refuse "cannot read '$file'"
done

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
        need_packages && cmake --preset release -DMEMPLAN_TESTS=OFF && cmake --build --preset release || exit
        ! command -v coqc || ! command -v ocamlopt || sh proofs/coq/build.sh build
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

# Shows the last line of the log on a terminal, until it is told to end or this script is gone.
show_progress() {
    while sleep 1 && kill -0 $$ 2>/dev/null; do
        printf '\r\033[K%.79s' "$(tail -n 1 "$log")" >&2
    done 9>&-
}

bench() {
    suites=$suite
    proofs=
    [ "$suite" != nightly ] || {
        suites=nightly,shapes
        proofs=--proofs
    }
    echo "$label" >"$folder/unfinished"
    watcher=
    if [ -t 2 ]; then show_progress & watcher=$!; fi
    eval "set -- ${MEMPLAN_NIGHTLY_OPTIONS:-}"
    # shellcheck disable=SC2086
    memplan bench --suite "$suites" --planners "$planners" --time-limit "$seconds" --jobs "$jobs" --keep-plans $proofs \
        --run "$label" --db "$database" --format csv "$@" >"$work/rows.csv"
    code=$?
    [ -z "$watcher" ] || {
        kill "$watcher"
        printf '\r\033[K' >&2
    }
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
    memplan compare "$good" "$label" --db "$database" \
        --tolerance "search=$unfinished_percent,nodes=$nodes_percent" --format "$1" --output "$2"
}

# The last good run of the suite may have been deleted, or be by other planners; then there is nothing to hold
# this one against.
compare_with_good() {
    good=$(cat "$folder/good-$suite" 2>/dev/null)
    [ -n "$good" ] || {
        echo 'No good run yet to compare with.' | tee "$work/brief.txt" >"$work/compare.md"
        return
    }
    compare brief "$work/brief.txt"
    case $? in
    0) ;;
    1) regress "compare: worse than $good" ;;
    *)
        echo "Not compared: $(tail -n 1 "$log")" | tee "$work/brief.txt" >"$work/compare.md"
        good=
        return
        ;;
    esac
    for format in md csv html; do
        compare "$format" "$work/compare.$format"
    done
}

# The processor time of a program with its arguments, in ms.
measure() {
    # shellcheck disable=SC2016
    MEMPLAN_CACHE_DISABLE=1 bash -c 'TIMEFORMAT=%3U; time "$@" >/dev/null 2>&1' measure "$@" 2>&1 9>&- |
        tr -d . | sed 's/^0*\(.\)/\1/'
}

# Runs both programs in turn, so that what slows the machine down slows both, and leaves the least time of
# each in $before and $now.
measure_in_turn() {
    rounds=$1
    shift
    while [ "$rounds" -gt 0 ]; do
        time=$(measure "$folder/program-$suite" "$@")
        [ "$time" -ge "${before:-999999}" ] || before=$time
        time=$(measure "$MEMPLAN" "$@")
        [ "$time" -ge "${now:-999999}" ] || now=$time
        rounds=$((rounds - 1))
    done
}

is_slower() { [ $((now * 100)) -gt $((before * (100 + slower_percent))) ]; }

# Times this program beside that of the last good night. What seems slower is measured again before it is told.
compare_speed() {
    [ -x "$folder/program-$suite" ] || return 0
    ! cmp -s "$MEMPLAN" "$folder/program-$suite" || return 0
    if [ -n "$commands" ]; then cat "$commands"; else speed_commands; fi >"$work/commands.txt"
    while read -r line; do
        before=
        now=
        # shellcheck disable=SC2086
        measure_in_turn 3 $line </dev/null
        # shellcheck disable=SC2086
        ! is_slower || measure_in_turn 7 $line </dev/null
        echo "$line: $before ms before, $now ms now" >>"$work/speed.txt"
        ! is_slower || regress "speed: memplan $line: processor time was $before ms, is $now ms"
    done <"$work/commands.txt"
    rm -f "$work/commands.txt"
}

list_sizes() {
    if [ -n "$sizes" ]; then
        cat "$sizes"
    elif [ "$suite" = nightly ]; then
        "$MEMPLAN" list suites -f json | sed -n '/"name": "sizes"/,/\]/s/^        "\(.*\)",\{0,1\}$/\1/p'
    fi
}

# The value of a key in the facts about a plan.
get_fact() { sed -n "s/^  \"$1\": \"\{0,1\}\([^\",]*\).*/\1/p" "$work/facts.json"; }

# One plan for all sizes of each instance: it has to be safe, and neither its greatest peak nor what is proved of
# its ratios may be above that of the last good night.
plan_sizes() {
    list_sizes >"$work/names.txt"
    while read -r name; do
        memplan plan "$name" --time-limit "$seconds" -f json >"$work/facts.json" </dev/null || {
            regress "sizes: memplan plan '$name': $(tail -n 1 "$log")"
            continue
        }
        line="$name $(get_fact status) $(get_fact peak) $(get_fact proved_ratio)"
        echo "$line" >>"$work/sizes.txt"
        before=$([ -z "$good" ] || grep -F "$name " "$folder/$good/sizes.txt" 2>/dev/null | head -n 1)
        [ -z "$before" ] || echo "$before $line" | awk '{ exit $7 > $3 || $8 > $4 + 1e-9 }' ||
            regress "sizes: $line, was ${before#"$name" }"
    done <"$work/names.txt"
    rm -f "$work/names.txt" "$work/facts.json"
}

write_summary() {
    if [ -n "$regressions" ]; then echo "$label: REGRESSION$regressions"; else echo "$label: good"; fi
    cat "$work/brief.txt"
    echo "$(sed 1d "$work/rows.csv" | grep -c .) results, page: $night/report/index.html"
}

write_report() {
    memplan table best-known --run "$label" --db "$database" --output "$work/best-known.md"
    memplan report ${good:+"$good"} --db "$database" --verdict "$work/summary.txt" --output "$work/report" \
        --tolerance "search=$unfinished_percent,nodes=$nodes_percent" >>"$log" ||
        echo 'The report is not complete.' >>"$log"
}

# Everything is in its place before the names that lead to it change.
publish() {
    grep '^better than the best known' "$log" >"$work/better.txt"
    rm -f "$folder/unfinished" "$work/brief.txt"
    trap - EXIT HUP INT TERM
    mv "$work" "$night" && ln -sfn "$label" "$folder/latest" || exit 3
    [ -n "$regressions" ] || {
        cp "$MEMPLAN" "$folder/new" && mv "$folder/new" "$folder/program-$suite" || exit 3
        echo "$label" >"$folder/new" && mv "$folder/new" "$folder/good-$suite" || exit 3
    }
}

# Deletes all nights but the newest and those that later ones are held against.
forget_old_nights() {
    [ -n "$keep" ] || return 0
    log=$night/log.txt
    old=
    for path in $(ls -d "$folder"/nightly-*Z | sort -r | sed "1,${keep}d"); do
        name=${path##*/}
        grep -qx "$name" "$folder"/good-* || old="$old $name"
    done
    [ -n "$old" ] || return 0
    # shellcheck disable=SC2086
    memplan runs delete $old --db "$database" >>"$log" || [ $? -eq 1 ] || return 0
    for name in $old; do
        rm -rf "${folder:?}/$name"
    done
}

bench
compare_with_good
compare_speed
plan_sizes
write_summary >"$work/summary.txt"
write_report
publish
forget_old_nights
cat "$night/summary.txt"
[ ! -s "$night/better.txt" ] || {
    cat "$night/better.txt"
    echo "take them in: memplan best --accept $database"
}
[ -z "$regressions" ]
