#!/bin/sh
# Orders that a user brings along, as docs/adding-a-planner.md has them, and those that misbehave.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"
# shellcheck source=templates.sh
. "$CASES/templates.sh"

show() {
    COLUMNS=120 "$MEMPLAN" "$@" 2>/dev/null | grep -e '^ *mine ' -e '^ *least ' -e '^ *stored ' -e '/liberis_lane.* flat  *[sm]' |
        sed -E 's/ +([0-9]+( [0-9]{3})*(\.[0-9]+)?|[0-9.-]*)$//'
}

# The page's own commands; control flow is asked region by region.
template order.c
template order_plugin.sh
cc() { build_plugin "$@"; }
(
    memplan() { show "$@"; }
    # shellcheck disable=SC1091
    . ./order_plugin.sh
)
cp "$ROOT/examples/order.py" order.py
template order_external.sh
if have python3; then
    (
        memplan() { show "$@"; }
        # shellcheck disable=SC1091
        . ./order_external.sh
        show order luna/denoise --external-order 'mine=python3 order.py {in} {out}' --order mine -q path
        show table orders --db mine.db
    ) >"$SCRATCH/page"
    diff "$CASES/order_brought.expected" "$SCRATCH/page" && echo 'the page works'
    rm -f mine.db
else
    skip 'no python3: order.py is not run'
    echo 'the page works'
fi

# A program of this folder that does what it is told.
cat >program.sh <<'END'
#!/bin/sh
in=$2 out=$3
case $1 in
as_stored) tr '{' '\n' <"$in" | sed -n 's/^"name": "\([^"]*\)", "type".*/\1/p' >"$out";;
show) cat "$in" >&2; exit 9;;
nothing) ;;
empty) : >"$out";;
twice) printf 'op%s\n' 1 2 2 3 4 5 6 7 >"$out";;
unknown) printf 'op1\nseven\n' >"$out";;
edge) printf 'op%s\n' 1 2 3 4 7 6 5 >"$out";;
crash) kill -9 $$;;
fail) echo 'no idea' >&2; exit 3;;
none) exit 21;;
why) echo 'not for this graph' >&2; exit 21;;
hang) sleep 1000;;
esac
END
chmod +x program.sh
for what in as_stored show nothing empty twice unknown edge crash fail none why; do
    echo "-- $what"
    memplan_errors order wired/liberis_lane --external-order "mine=./program.sh $what {in} {out}" --order mine | tail -n +2
done

# Each costs its own rows.
for what in as_stored edge crash none why hang; do
    memplan_errors bench wired/liberis_lane --external-order "mine=./program.sh $what {in} {out}" --orders stored,mine \
        -p large_first -t 1 --db a.db --run $what
    "$MEMPLAN" table rows --db a.db --run $what -f jsonl | grep '"order_name": *"mine"' |
        grep -o -e '"status": *"[^"]*"' -e '"order_status": *"[^"]*"' -e '"stop_reason": *"[^"]*"'
done

# A plug-in that crashes, one that does not end, one that is wrong.
cat >bad.c <<'END'
#include <memplan/plugin.h>
#include <stdlib.h>
static enum memplan_result crash(const struct memplan_order *o, const struct memplan_region *r, struct memplan_order_answer *a)
{
    (void)o, (void)r, (void)a;
    abort();
}
static enum memplan_result hang(const struct memplan_order *o, const struct memplan_region *r, struct memplan_order_answer *a)
{
    (void)o, (void)r;
    for (volatile uint32_t *at = a->permutation; *at < 1000;)
        *at = 0;
    return MEMPLAN_FOUND;
}
static enum memplan_result wrong(const struct memplan_order *o, const struct memplan_region *r, struct memplan_order_answer *a)
{
    (void)o;
    for (uint32_t i = 0; i < r->operators; i++)
        a->permutation[i] = 0;
    return MEMPLAN_FOUND;
}
static enum memplan_result lie(const struct memplan_order *o, const struct memplan_region *r, struct memplan_order_answer *a)
{
    (void)o;
    for (uint32_t i = 0; i < r->operators; i++)
        a->permutation[i] = i;
    return MEMPLAN_OPTIMAL;
}
static const struct memplan_order orders[] = {
    {"crash", "t", "s", 0, crash, 0}, {"hang", "t", "s", 0, hang, 0},
    {"wrong", "t", "s", 0, wrong, 0}, {"lie", "t", "s", 0, lie, 0}, {"proof", "t", "s", MEMPLAN_EXACT, lie, 0}};
const struct memplan_orders memplan_orders = {MEMPLAN_PLUGIN_VERSION, 5, sizeof *orders, orders};
END
build_plugin -o bad.so bad.c
memplan_errors bench wired/liberis_lane --plugin bad.so --orders inductor_lpmf,crash,hang,wrong,lie,proof -p large_first -t 0.1 \
    --db b.db --run one
memplan_errors list orders --plugin bad.so --plugin ./bad.so
memplan_errors list orders --external-order 'fifo=x {in} {out}'
memplan_errors list orders --external-order 'mine=x {in}'
memplan_errors list orders --external-order 'mine=x {in} {out} {capacity}'
sed 's/MEMPLAN_PLUGIN_VERSION, 5/7, 5/' bad.c >old.c
build_plugin -o old.so old.c
memplan_errors list orders --plugin old.so
sed 's/"crash", "t"/"Crash", "t"/' bad.c >named.c
build_plugin -o named.so named.c
memplan_errors list orders --plugin named.so

# A planner that crashes costs the orders with which it does so; all of them, and the run fails.
cat >fussy.c <<'END'
#include <memplan/plugin.h>
#include <stdlib.h>
static enum memplan_result plan(const struct memplan_planner *planner, const struct memplan_problem *problem,
                                struct memplan_answer *answer)
{
    uint64_t end = 0;
    if (planner->name[0] == 'a' || problem->size[3] == 512)
        abort();
    for (uint32_t b = 0; b < problem->buffers; b++) {
        answer->offset[b] = end;
        end += problem->size[b];
    }
    answer->peak_bytes = end;
    return MEMPLAN_FOUND;
}
static const struct memplan_planner planners[] = {{"fussy", "t", "s", 0, plan, 0}, {"aborts", "t", "s", 0, plan, 0}};
const struct memplan_plugin memplan_plugin = {MEMPLAN_PLUGIN_VERSION, 2, sizeof *planners, planners};
END
build_plugin -o fussy.so fussy.c
memplan order wired/liberis_lane --plugin fussy.so -p fussy |
    sed -n -E '/^(exit|stderr)/p; /^(stored|inductor_lpmf) /{s/ +[0-9.-]+$//;p;}'
for planner in fussy aborts; do
    memplan_errors order wired/liberis_lane --plugin fussy.so -p $planner --order fifo
    memplan_errors order wired/liberis_lane --plugin fussy.so -p $planner --order inductor_lpmf
done
memplan_errors plan wired/liberis_lane --plugin fussy.so -p aborts --order best | sed "s/[0-9]* orders/N orders/"
rm -f ./*.c ./*.so ./*.sh ./*.db ./*.py
