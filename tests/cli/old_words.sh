#!/bin/sh
# Commands and options of the last release do what they did, and say on standard error what they are called now.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

# old NAME COMMAND... -- NEW...: shows what the old words say, and where what they print or their exit code
# differs from the new ones.
old() {
    printf '%s\n' "$1 | $2"
    code=0
    eval "\"\$MEMPLAN\" $1" >"$SCRATCH/old" 2>"$SCRATCH/stderr" || code=$?
    grep 'is now' "$SCRATCH/stderr"
    again=0
    eval "\"\$MEMPLAN\" $2" >"$SCRATCH/new" 2>"$SCRATCH/stderr" || again=$?
    [ "$code" -eq "$again" ] || echo "exit $code and $again"
    [ -s "$SCRATCH/new" ] || [ "${made:-}" ] || echo 'nothing printed'
    normalise <"$SCRATCH/old" >"$SCRATCH/old.lines"
    normalise <"$SCRATCH/new" | diff "$SCRATCH/old.lines" -
}

write_graph small.json
prepare plan small.json --planner naive -o plan.csv
sed 's/^\(next,.*\),[0-9]*$/\1,0/' plan.csv >wrong.csv
for command in 'plan small.json -p naive' 'info small.json' 'verify small.json plan.csv' 'list formats' 'best zoo/resnet50'; do
    old "$command --json" "$command -f json"
done
old 'info small.json --policies' 'info small.json --policy all'
old 'execute small.json plan.csv' 'verify --execute small.json plan.csv'
old 'execute small.json wrong.csv --json' 'verify --execute small.json wrong.csv -f json'
old 'help execute' 'help verify'
old 'bench small.json -p naive --policies flat --policies path --run one --dry-run' \
    'bench small.json -p naive --policy flat,path --run one --dry-run'
prepare bench small.json -p naive --run one
old 'rows -f csv' 'table rows -f csv'
old 'versus naive small.json --planners large_first --policies=flat -f csv' \
    'versus naive small.json --planners large_first --policy=flat -f csv'
old 'dma luna/denoise --store times.db' 'dma luna/denoise --db times.db'
[ -e times.db ] || echo 'no times.db'

made=file
old 'generate control_flow --operators 30 --depth=3 --width 2 --escape 10 --loops 20 -o old.json' \
    'generate control_flow --set operators=30,depth=3,width=2,escape=10 --set loops=20 -o new.json'
cmp old.json new.json
old 'generate tight --buffers 30 --capacity 1MiB --steps 20 -o old.csv' \
    'generate tight --set buffers=30,capacity=1MiB,steps=20 -o new.csv'
cmp old.csv new.csv
old 'generate layered --buffers 30 --live 5 -o old.csv' 'generate layered --set buffers=30,live=5 -o new.csv'
cmp old.csv new.csv
old 'generate adversarial --target large_first --level 2 -o old.csv' \
    'generate adversarial --set target=large_first,level=2 -o new.csv'

# What an old word says of a wrong value is about the new one; help does not tell of old words.
memplan generate layered --buffers x -o old.csv
memplan bench small.json --policies nothing
for command in plan bench generate dma; do
    if "$MEMPLAN" $command --help | grep -e --json -e --policies -e --store -e --live; then echo "$command"; fi
done
cat >open.csv <<'END'
id,lower,upper,size
a,0,3,16
b,2,5,16
END
old 'list planners --bibtex' 'list planners -f bibtex'
old 'info open.csv --lifetimes open' 'info open.csv --dialect open'
old 'plan open.csv -p naive --dialect idealloc --lifetimes inclusive' \
    'plan open.csv -p naive --dialect idealloc,inclusive'
old 'bench small.json -p vela_hill_climb --seeds 1-3 --dry-run' 'bench small.json -p vela_hill_climb --seed 1-3 --dry-run'
prepare bench small.json -p large_first --run two
old 'compare one two --search-tolerance 5 --tolerance 1 --node-tolerance 10 -f csv' \
    'compare one two --tolerance 1,search=5,nodes=10 -f csv'
made=yes old 'bench small.json --memories imxrt1060 --moves --front -p still --db front.db' \
    'bench small.json --memories imxrt1060 --moves=front -p still --db front.db'
made=yes old 'standings --only nobody --db none.db' 'standings --mine nobody --db none.db'
old 'submit --shards 1 --partition a,b --time 1:00 --mem 4G --cpus-per-task 2 --array-limit 3 -o old --dry-run -- small.json -p naive | sed 1q' \
    'submit --shards 1 --sbatch partition=a,b,time=1:00,mem=4G,cpus-per-task=2,array-limit=3 -o new --dry-run -- small.json -p naive | sed 1q'
for script in array.sh merge.sh; do
    sed 's|/old|/new|; s/--run [-0-9T:]*//' "old/$script" >script.old
    sed 's/--run [-0-9T:]*//' "new/$script" | diff script.old -
done
