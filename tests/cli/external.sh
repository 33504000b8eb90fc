#!/bin/sh
# External programs: the template of docs/adding-a-planner.md as it stands there, and programs that misbehave.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"
# shellcheck source=templates.sh
. "$CASES/templates.sh"

template planner.py
template external.sh
TMPDIR=$SCRATCH/temporary
mkdir "$TMPDIR"
export TMPDIR
cat >hard.csv <<'END'
id,lower,upper,size,alignment,gaps,offset
a,0,9,100,64,3-5,
b,1,8,40,8,2-4@8:24,256
c,3,5,90,1,,
d,0,3,10,16,,
e,4,9,77,32,6-7,
END
if have python3; then
    (
        memplan() { show_lines mine "$@"; }
        # shellcheck disable=SC1091
        . ./external.sh
    ) >"$SCRATCH/page"
    for instance in hard.csv luna/denoise; do
        "$MEMPLAN" plan $instance --external 'mine=python3 planner.py {in} {out}' --planner mine |
            grep -e ^peak -e ^verify -e ^execute | tr '\n' ' '
        echo
    done >>"$SCRATCH/page"
    diff "$CASES/external_page.expected" "$SCRATCH/page" && echo 'the page works'
    rm -f mine.db
else
    skip 'no python3: planner.py is not run'
    echo 'the page works'
fi

# A program of this folder that does what it is told; stack lays one above the other.
cat >program.sh <<'END'
#!/bin/sh
in=$2 out=$3
case $1 in
show) cat "$in" >&2; exit 9;;
values) shift; echo "$@" | sed "s,$TMPDIR/memplan-external-......,FOLDER,g" >&2; exit 9;;
nothing) ;;
empty) : >"$out";;
same) cp "$in" "$out";;
garbage) printf 'id,lower,upper,size,offset\n0,0,2,5000000,x\n' >"$out";;
short) awk -F, 'NR == 1 { print $0 ",offset" } NR == 2 { print $0 ",0" }' "$in" >"$out";;
overlap) awk -F, '{ print $0 (NR == 1 ? ",offset" : ",0") }' "$in" >"$out";;
stack) awk -F, 'NR == 1 { print $0 ",offset"; next } { printf "%s,%d\n", $0, top; top += $4 }' "$in" >"$out";;
loud) echo 'on standard output'; echo 'on standard error' >&2; exec sh "$0" stack "$in" "$out";;
long) awk 'BEGIN { for (i = 0; i < 5000; i++) print "line", i }' >&2; exit 3;;
crash) kill -9 $$;;
hang) sleep 1000 & echo $! >child; sleep 1000;;
flee) setsid sleep 1000 & echo $! >child; sleep 1000;;
leave) sleep 1000 & echo $! >child; exec sh "$0" stack "$in" "$out";;
closes) exec 2>/dev/null; sleep 0.2; exec sh "$0" stack "$in" "$out";;
exit) exit "$2";;
esac
END
chmod +x program.sh
write_figure4 one.csv
run() {
    what=$1
    shift
    echo "-- $what"
    memplan_errors plan one.csv --external "mine=./program.sh $what {in} {out}" --planner mine "$@" | tail -n +2
}
for what in nothing empty same garbage short overlap stack loud long crash closes show; do
    run $what
done
# Waits for what is to come about at once; so long only where the machine is busy, or it never does.
wait_for() {
    for _ in $(seq 3000); do
        "$@" && return
        sleep 0.1
    done
    echo "not within 300 s: $*"
}
has_child() { [ -s child ]; }
# Killed, if it may still wait for somebody to notice.
child_ended() {
    state=$(sed 's/.*) \(.\).*/\1/' "/proc/$(cat child)/stat" 2>/dev/null)
    case $state in '' | Z | X) ;; *) false ;; esac
}
check_child() {
    has_child || echo 'it had no child'
    wait_for child_ended
    rm child
}
# A busy machine may not have come to its child by then.
for limit in 0.5 5 50; do
    run hang --time-limit $limit >"$SCRATCH/hung"
    has_child && break
done
cat "$SCRATCH/hung"
check_child
run leave
check_child

# When memplan is killed, so are they, and their folder is removed; not before. A folder that nobody holds goes with
# the next run.
no_folder() { [ -z "$(ls "$TMPDIR")" ]; }
for signal in INT TERM KILL; do
    mkdir "$TMPDIR/memplan-external-left"
    : >"$TMPDIR/memplan-external-left/in.csv"
    env --default-signal=INT "$MEMPLAN" plan one.csv --external 'mine=./program.sh flee {in} {out}' --planner mine \
        2>/dev/null &
    wait_for has_child
    run stack >"$SCRATCH/other"
    [ "$(cd "$TMPDIR" && ls -- */in.csv | wc -l)" = 1 ] || ls "$TMPDIR"
    kill -s $signal $!
    check_child
    wait_for no_folder
done

# Exit codes.
for code in 1 20 21; do
    for capacity in 40M 60M; do
        echo "-- exit $code, capacity $capacity"
        memplan_errors plan one.csv --external "mine=./program.sh exit $code {in} {out}" --planner mine \
            --capacity $capacity | tail -n +2
    done
done
echo '-- exit 20, no capacity'
memplan_errors plan one.csv --external "mine=./program.sh exit 20 {in} {out}" --planner mine | tail -n +2

# What stands in the command, and what the program is given.
for capacity in '' 12345; do
    memplan_errors plan hard.csv --seed 7 --planner mine --external \
        "mine=./program.sh values {in}x '{output}' \"a  b\" c\\ d 'it is {capacity}' '' seed={seed} { print \$1 } {}" \
        ${capacity:+--capacity $capacity} | tail -n +2
done
memplan_errors plan hard.csv --time-limit 50000 --planner mine --external \
    'mine=./program.sh values {in} {out} {time_limit}' | tail -n +2 | sed 's/ 49[0-9][0-9][0-9][.][0-9][0-9][0-9]$/ T/'
memplan_errors plan hard.csv --planner mine --external 'mine=./program.sh show {in} {out}' | tail -n +2

# MiniMalloc's own command line.
mkdir bin
cat >bin/minimalloc <<'END'
#!/bin/sh
for word; do
    case $word in
    --capacity=*) capacity=${word#*=};;
    --input=*) in=${word#*=};;
    --output=*) out=${word#*=};;
    esac
done
printf 0.001 >&2
[ "$capacity" -ge 69000000 ] || exit 1
exec ./program.sh stack "$in" "$out"
END
chmod +x bin/minimalloc
PATH=$PWD/bin:$PATH
minimalloc='minimalloc=minimalloc --capacity={capacity} --timeout={time_limit}s --input={in} --output={out}'
memplan_results plan one.csv --planner minimalloc --external "$minimalloc"
memplan plan one.csv --planner minimalloc --external "$minimalloc" --capacity 50M

# Definitions that are none.
for definition in '' mine =x 'mine=' 'mine=  ' 'Mine=x {in} {out}' 'a,b=x {in} {out}' 'mine=x {out}' 'mine=x {in}' \
    'mine=x {in} {out} {capcity}' "mine=x '{in} {out}" 'naive=x {in} {out}'; do
    memplan_errors plan one.csv --external "$definition" | sed 's/^\$ memplan plan one.csv//'
done
memplan_errors plan one.csv --external 'a=x {in} {out}' --external 'a=y {in} {out}'
memplan plan one.csv --planner a --external 'a=./missing {in} {out}'
memplan plan one.csv --planner a --external 'a=./one.csv {in} {out}'

# In a bench: rows of their own, several at a time; an error is a row.
"$MEMPLAN" bench one.csv luna/denoise --policy recursive --jobs 2 --format csv --db "$SCRATCH/x.db" \
    --external 'a=./program.sh stack {in} {out}' --external 'b=./program.sh garbage {in} {out}' \
    --planners a,b,naive 2>"$SCRATCH/stderr" | sed 's/,[0-9.]*$/,T/'
sed -n '/^fault/p' "$SCRATCH/stderr" | sort
tail -n 1 "$SCRATCH/stderr"
grep 'error:' "$SCRATCH/stderr" | sed 's/^\[[^]]*\]/[N]/' | sort
"$MEMPLAN" bench one.csv luna/denoise --policy recursive --jobs 2 --format csv --db "$SCRATCH/x.db" --run hung \
    --external 'c=./program.sh hang {in} {out}' --planners c --time-limit 0.5 2>/dev/null | sed 's/,[0-9.]*$/,T/'
rm -f child
find . "$TMPDIR" | sed "s,$SCRATCH,SCRATCH," | sort
