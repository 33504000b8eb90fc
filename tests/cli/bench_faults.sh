#!/bin/sh
# What goes wrong around a bench: planners that misbehave cost one row each, with the status that says so;
# a disk that is full, a database that nobody may write and a folder that is gone cost no row that is not
# made by --resume.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"
# shellcheck source=templates.sh
. "$CASES/templates.sh"

cat >bad.c <<'END'
#define _XOPEN_SOURCE 700
#include <memplan/plugin.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void leave_behind(void)
{
    if (fork() == 0) {
        setsid();
        signal(SIGTERM, SIG_IGN);
        sleep(1000);
        _exit(0);
    }
}

static void write_garbage(void)
{
    char garbage[4096];
    memset(garbage, 0x5a, sizeof garbage);
    for (int file = 3; file < 64; file++)
        while (write(file, garbage, sizeof garbage) < 0)
            break;
}

static enum memplan_result plan(const struct memplan_planner *planner, const struct memplan_problem *problem,
                                struct memplan_answer *answer)
{
    const char *name = planner->name;
    uint64_t top = 0;
    if (strcmp(name, "faults") == 0) {
        signal(SIGSEGV, SIG_DFL);
        raise(SIGSEGV);
    }
    if (strcmp(name, "aborts") == 0)
        abort();
    if (strcmp(name, "leaves") == 0)
        _exit(3);
    if (strcmp(name, "is_deaf") == 0)
        signal(SIGTERM, SIG_IGN);
    while (strcmp(name, "loops") == 0 || strcmp(name, "is_deaf") == 0)
        problem = *(const struct memplan_problem *const volatile *)&problem;
    while (strcmp(name, "devours") == 0) {
        void *block = malloc(1 << 20);
        if (!block)
            return MEMPLAN_NO_MEMORY;
        memset(block, 1, 1 << 20);
    }
    if (strcmp(name, "forks") == 0)
        leave_behind();
    if (strcmp(name, "garbles") == 0)
        write_garbage();
    for (uint32_t b = 0; b < problem->buffers; b++) {
        answer->offset[b] = strcmp(name, "overlaps") == 0 ? 0 : top;
        top += problem->size[b];
    }
    if (strcmp(name, "bounds") == 0)
        answer->lower_bound_bytes = top;
    return strcmp(name, "boasts") == 0 ? MEMPLAN_OPTIMAL : MEMPLAN_FOUND;
}

#define ROW(name, flags) {name, "bad", "a test", flags, plan, NULL}
static const struct memplan_planner planners[] = {
    ROW("faults", 0),  ROW("aborts", 0),  ROW("leaves", 0),   ROW("is_deaf", 0), ROW("loops", 0),
    ROW("devours", 0), ROW("forks", 0),   ROW("garbles", 0),  ROW("overlaps", 0), ROW("bounds", 0),
    ROW("boasts", MEMPLAN_EXACT)};
const struct memplan_plugin memplan_plugin = {
    MEMPLAN_PLUGIN_VERSION, sizeof planners / sizeof *planners, sizeof *planners, planners};
END
build_plugin -o bad.so bad.c
write_figure4 one.csv

# The whole bench is through, with a row for each planner.
bad=faults,aborts,leaves,is_deaf,loops,forks,garbles,overlaps,bounds,boasts
statuses() {
    "$MEMPLAN" table summary --db "$1" --run "$2" --format csv | awk -F, 'NR > 1 { print $3, $10, $12 }' | sort
}
"$MEMPLAN" bench one.csv --plugin bad.so --planners large_first,$bad,naive --jobs 2 --time-limit 0.2 --run bad \
    --db bad.db >/dev/null 2>&1
echo "exit $?"
statuses bad.db bad
"$MEMPLAN" bench one.csv --plugin bad.so --planners devours --memory-limit 300M --run devours --db devours.db \
    >/dev/null 2>"$SCRATCH/stderr"
code=$?
if grep -q 'memory-limit' "$SCRATCH/stderr"; then
    skip 'a planner that takes all memory: no --memory-limit in a build with sanitizers'
else
    [ "$code $(statuses devours.db devours)" = '0 devours memout memout' ] ||
        echo "devours: exit $code, $(statuses devours.db devours)"
fi

# The same rows, whatever came in between.
good() {
    "$MEMPLAN" bench one.csv luna/denoise patent/figure4 --planners naive,large_first,short_first,nnvm --run good \
        --repeat 3 --resume --format csv --db "$@" 2>"$SCRATCH/stderr"
}
without_time() { sed 's/,[0-9.]*$/,T/'; }
good good.db | without_time >"$SCRATCH/expected"
resume() {
    good "$1" | without_time | diff "$SCRATCH/expected" - && grep " jobs*, " "$SCRATCH/stderr" | tail -n 1 | normalise |
        sed 's/, [0-9]* already/, N already/'
}

# A file may get no longer than this: as where the disk is full.
for blocks in 50 150 250; do
    (trap '' XFSZ && ulimit -f $blocks && good full.db) >/dev/null
    code=$?
    [ $code -eq 3 ] || echo "exit $code with $blocks blocks"
    sed -n 's/^\(full.db: cannot [a-z ]*\): .*/\1/p' "$SCRATCH/stderr"
done
resume full.db

# Root may write everywhere, so it becomes nobody.
as_nobody() {
    if [ "$(id -u)" != 0 ]; then
        "$@"
    elif have setpriv; then
        setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
    else
        return 99
    fi
}
chmod 755 . .. && mkdir sealed && cp good.db sealed/read_only.db && chmod 444 sealed/read_only.db && chmod 555 sealed
if as_nobody "$MEMPLAN" --version >/dev/null 2>&1; then
    as_nobody "$MEMPLAN" bench "$PWD/one.csv" --planners naive --db sealed/read_only.db 2>&1 >/dev/null
    as_nobody "$MEMPLAN" bench "$PWD/one.csv" --planners naive --db sealed/new.db 2>&1 >/dev/null
else
    skip 'a database that nobody may write: this user may'
    echo 'sealed/read_only.db: cannot use the results: attempt to write a readonly database'
    echo 'sealed/new.db: cannot open: unable to open database file'
fi
chmod 755 sealed
cp sealed/read_only.db writable.db
chmod 644 writable.db
resume writable.db

# The folder that it runs in is gone.
mkdir gone
top=$PWD
(
    cd gone || exit
    rmdir ../gone
    "$MEMPLAN" bench "$top/one.csv" patent/figure4 --planners naive --jobs 2 --db "$top/gone.db" 2>&1 >/dev/null |
        tail -n 1 | normalise
    "$MEMPLAN" bench patent/figure4 --planners naive 2>&1 | sed 's/^\(memplan: memplan.db: cannot [a-z]*\): .*/\1/'
)
