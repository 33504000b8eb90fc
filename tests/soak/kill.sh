#!/bin/sh
# kill.sh COUNT SECONDS SEED: kills a running bench with SIGKILL, now itself, now one of its workers or
# planners, at random moments, COUNT times or as often as SECONDS allow (0: no limit), and runs it again
# with --resume until it is through. Its rows are then those of a bench that nobody disturbed, but for
# times. Prints the counts; exit code 1 where rows are lost, doubled or wrong. MEMPLAN is the binary.
set -u

if [ $# -ne 3 ] || [ ! -x "${MEMPLAN:-}" ]; then
    echo "Usage: MEMPLAN=path/to/memplan kill.sh COUNT SECONDS SEED" >&2
    exit 2
fi
count=$1
end=$(($(date +%s) + ($2 ? $2 : 1000000)))
seed=$3
MEMPLAN=$(cd "$(dirname "$MEMPLAN")" && pwd)/$(basename "$MEMPLAN")
folder=$(mktemp -d "${TMPDIR:-/tmp}/memplan-kill.XXXXXX") || exit 2
trap 'rm -rf "$folder"' EXIT
trap 'exit 2' HUP INT TERM
cd "$folder" || exit 2

# draw MOST: sets drawn to a number below MOST. The seed goes on.
draw() {
    seed=$(((seed * 1103515245 + 12345) % 2147483648))
    drawn=$((seed / 65536 % $1))
}

run_bench() {
    exec "$MEMPLAN" bench luna/denoise luna/fusion_detect paper/figure1 patent/figure4 generate:tight?buffers=30 \
        --planners naive,large_first,short_first,ge_pool,tflm_greedy,nnvm,exclusive,vela_hill_climb \
        --policy recursive,path --seed 1-3 --jobs "$1" --run kill --db "$2" --resume
}

rows_of() {
    "$MEMPLAN" table summary --db "$1" --format csv 2>&1 | sed 's/,[0-9.]*$//' | sort
}

children_of() {
    cat "/proc/$1/task/$1/children" 2>/dev/null
}

# Sets victim to the bench, or to one of those below it, and counts it.
choose_victim() {
    workers=$(children_of "$bench")
    planners=
    for worker in $workers; do planners="$planners $(children_of "$worker")"; done
    draw 3
    case $drawn in
    0) victims=$bench ;;
    1) victims=$workers ;;
    *) victims=$planners ;;
    esac
    # shellcheck disable=SC2086
    set -- $victims
    victim=
    [ $# -gt 0 ] || return
    kind=$drawn
    draw $#
    shift "$drawn"
    victim=$1
}

# The bench has ended by itself or was killed; true when it is through.
check_end() {
    wait "$bench" 2>wait.text
    code=$?
    [ $code -eq 137 ] && return 1
    checks=$((checks + 1))
    rows_of run.db >rows
    if [ $code -ne 0 ] || ! cmp -s rows expected; then
        echo "seed $seed, kill $kills: exit $code, rows differ (- undisturbed, + killed and resumed)"
        diff -u expected rows | head -n 20
        tail -n 3 stderr
        wrong=$((wrong + 1))
    fi
    rm -f run.db*
}

(run_bench 1 expected.db) >/dev/null 2>stderr || { cat stderr; exit 2; }
rows_of expected.db >expected
kills=0 benches=0 workers_killed=0 planners_killed=0 checks=0 wrong=0 workers_wanted=1
while [ $kills -lt "$count" ] && [ "$(date +%s)" -lt $end ]; do
    # The number of workers is part of a row's key.
    [ -e run.db ] || { draw 3 && workers_wanted=$((drawn + 1)); }
    (run_bench $workers_wanted run.db) >/dev/null 2>stderr &
    bench=$!
    while kill -0 $bench 2>/dev/null && [ $kills -lt "$count" ]; do
        draw 60
        sleep "$(printf 0.%03d "$drawn")"
        choose_victim
        if [ -n "$victim" ] && kill -9 "$victim" 2>/dev/null; then
            kills=$((kills + 1))
            case $kind in
            0) benches=$((benches + 1)) ;;
            1) workers_killed=$((workers_killed + 1)) ;;
            *) planners_killed=$((planners_killed + 1)) ;;
            esac
        fi
        [ "$victim" = "$bench" ] && break
    done
    check_end
done
if [ -e run.db ]; then
    (run_bench $workers_wanted run.db) >/dev/null 2>stderr &
    bench=$!
    check_end
fi
echo "kill kills $kills"
echo "kill benches $benches"
echo "kill workers $workers_killed"
echo "kill planners $planners_killed"
echo "kill checks $checks"
echo "kill faults $wrong"
[ $wrong -eq 0 ] && [ $checks -gt 0 ]
