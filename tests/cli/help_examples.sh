#!/bin/sh
# Every example of every help page is run as it stands, in a folder with the files it names.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

# Leaks are looked for in the cases of each command.
XDG_CACHE_HOME=$SCRATCH/caches
MEMPLAN_CACHE_DISABLE=0
ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0
export XDG_CACHE_HOME MEMPLAN_CACHE_DISABLE ASAN_OPTIONS

mkdir "$SCRATCH/bin"
ln -s "$MEMPLAN" "$SCRATCH/bin/memplan"
PATH=$SCRATCH/bin:$PATH

prepare_folder() {
    write_figure4 problem.csv
    case $1 in
    verify)
        prepare plan problem.csv -o plan.csv
        prepare plan luna/denoise -o plan.json
        # What a solver would have found, in units of 1000000 bytes.
        sed -n 's/^\(t[0-9]*\),.*,\([0-9]*\)$/offset_\1 \2e-6/p' plan.csv >problem.sol
        ;;
    submit-plan)
        prepare plan minimalloc/C --planner large_first -o plan.json
        head -n 1 "$ROOT/results/best_known.csv" >list.csv
        ;;
    versus | standings)
        for limit in 1 10; do
            prepare bench minimalloc/A --planners naive,large_first --time-limit $limit --db one-second.db
        done
        cat >planner.py <<'END'
import csv, sys
rows, at = list(csv.DictReader(open(sys.argv[1]))), 0
with open(sys.argv[2], "w", newline="") as file:
    writer = csv.writer(file)
    writer.writerow(["id", "lower", "upper", "size", "offset"])
    for row in rows:
        writer.writerow([row["id"], row["lower"], row["upper"], row["size"], at])
        at += int(row["size"])
END
        ;;
    advise)
        cp "$ROOT/tests/fuzz/corpus/pytorch/stored.pt2" model.pt2
        ;;
    audit)
        prepare plan patent/figure4 -o plan.csv
        prepare plan "$ROOT/tests/fuzz/corpus/tflite/plain.tflite" --alignment 16 -o model.tflite
        prepare plan problem.csv -o allocinfo.csv.xla.csv
        mv allocinfo.csv.xla.csv allocinfo.csv
        ;;
    compare | runs)
        for database in my.db old.db new.db; do
            for run in yesterday today; do
                prepare bench problem.csv --planners naive,tflite_greedy_by_size --run "$run" --db "$database"
            done
        done
        ;;
    submit | merge)
        prepare submit --shards 1 --dry-run -- problem.csv --planners exact
        SLURM_ARRAY_TASK_ID=1 sh memplan-shards/array.sh >/dev/null 2>&1
        for shard in 1 2; do
            prepare bench problem.csv --planners naive,large_first --run one --shard $shard/2 --db shard-$shard.db
        done
        for machine in laptop server; do
            prepare bench problem.csv --planners naive,large_first --run one --db $machine.db
        done
        ;;
    best)
        prepare plan problem.csv -o plan.json
        prepare bench patent/figure4 --planners large_first --db my.db
        mkdir results
        cp "$ROOT/results/best_known.csv" results
        ;;
    table | plot | report)
        prepare bench luna/denoise --planners naive,large_first
        cp memplan.db my.db
        prepare bench luna/denoise --planners naive --run yesterday --db my.db
        prepare bench luna/denoise --planners naive --run today --db my.db
        ;;
    esac
}

# 43 MB do not fit in the 1 MiB of one example.
small() {
    sed 's/000000$/0000/' problem.csv >"$SCRATCH/small" && cp "$SCRATCH/small" problem.csv
}

run_example() {
    case $1 in
    *--capacity*) small ;;
    *.svg | *.png | "memplan plot"* | "memplan report"* | "memplan reproduce"*)
        if ! have gnuplot; then
            skip "no gnuplot: $1"
            return
        fi
        ;;
    esac
    example=$1
    # Some of it, with less time for the exact planner; all of it takes minutes with sanitizers.
    [ "$example" != "memplan reproduce" ] ||
        example="$example luna-dma worked --time-limit 0.1"
    # A network of fewer weights and a suite of fewer networks, which take seconds less with sanitizers.
    case $example in
    "memplan dma zoo/mobilenet_v1"*) example=$(echo "$example" | sed 's|mobilenet_v1|squeezenet|') ;;
    "memplan bench --suite zoo"*) example=$(echo "$example" | sed 's|zoo|patent|') ;;
    esac
    # Without planning the collection.
    case $example in
    "memplan standings --mine"*) example="$example --dry-run --db one-second.db" ;;
    esac
    # One instance and one opponent instead of a suite and all there are.
    case $example in
    *"versus inductor"*) example="$example --orders stored" ;;
    "memplan versus"*) example="$example patent/figure4 --planners large_first -t 10" ;;
    esac
    sh -c "$example" >"$SCRATCH/stdout" 2>"$SCRATCH/stderr" </dev/null || {
        echo "exit $?"
        cat "$SCRATCH/stderr"
    }
}

# "help" stands for the examples of memplan --help.
for command in help $("$MEMPLAN" --help | sed -n '/^  [a-z]/s/^  \([a-z]*\) .*/\1/p' | grep -v '^memplan$') complete manual; do
    if [ "$command" = help ]; then
        "$MEMPLAN" --help
    else
        "$MEMPLAN" "$command" --help
    fi | sed '1,/^Examples:$/d' >"$SCRATCH/examples"
    mkdir "$command"
    cd "$command" || exit 1
    prepare_folder "$command"
    while read -r example; do
        echo "$example"
        run_example "$example"
    done <"$SCRATCH/examples"
    cd ..
done
