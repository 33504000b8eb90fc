#!/bin/sh
# nightly.sh: a first night, one like it, a regression by a plug-in that got worse, its mending; nights that
# were stopped, and wrong usage.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"
# shellcheck source=templates.sh
. "$CASES/templates.sh"
export MEMPLAN

# A planner that lays buffers above each other, the given number of times as far apart as it could.
write_plugin() {
    sed "s/FACTOR/$1/" >stack.c <<'END'
#include <memplan/plugin.h>

static enum memplan_result stack(const struct memplan_planner *planner,
                                 const struct memplan_problem *problem,
                                 struct memplan_answer *answer)
{
    uint64_t top = 0;
    (void)planner;
    for (uint32_t b = 0; b < problem->buffers; b++) {
        answer->offset[b] = top * FACTOR;
        top += problem->size[b];
    }
    return MEMPLAN_FOUND;
}

static const struct memplan_planner planners[] = {{"stack", "no reuse", "a test", 0, stack, 0}};

const struct memplan_plugin memplan_plugin = {MEMPLAN_PLUGIN_VERSION, 1, sizeof *planners, planners};
END
    build_plugin -o stack.so stack.c
}

night() {
    echo "\$ nightly.sh $*"
    code=0
    sh "$ROOT/nightly.sh" -o out -s worked -p large_first,stack,exact -t 1 "$@" >"$SCRATCH/out" 2>"$SCRATCH/err" || code=$?
    sed 's/nightly-[0-9TZ]*/NIGHT/g; s/^/    /' "$SCRATCH/out"
    sed 's/nightly-[0-9TZ]*/NIGHT/g; s/^/stderr: /' "$SCRATCH/err" | sed "s;$(pwd)/;;"
    echo "exit $code, $(ls -d out/nightly-*Z | wc -l) nights, $(count_runs) runs, $(say_good)"
}
count_runs() { "$MEMPLAN" runs --db out/history.db --format csv 2>/dev/null | sed 1d | wc -l; }
say_good() {
    [ -e out/good-worked ] || { echo 'none good' && return; }
    [ "$(cat out/good-worked)" = "$(readlink out/latest)" ] && echo 'the last is good' || echo 'the last is not good'
}

MEMPLAN_NIGHTLY_OPTIONS='--plugin ./stack.so'
export MEMPLAN_NIGHTLY_OPTIONS
write_plugin 1
night
ls out out/latest | grep -v -e '^nightly-' -e -shm -e -wal
cat out/latest/compare.md
night
grep -e '^| peak: ' -e '^| nodes' out/latest/compare.md

# Worse by a plug-in that was built again; then it is good again, by the last good run's measure.
write_plugin 3
night
sed -n '/^## Peaks that got worse/,/^$/p; /figure4.*stack/p' out/latest/compare.md | head -n 3
write_plugin 1
night

# A contradiction of the best known values, or any other fault that bench finds, is a regression too.
sed 's/answer->offset\[b\] = .*/answer->offset[b] = 0;/' stack.c >wrong.c
build_plugin -o stack.so wrong.c
night
write_plugin 1

# Stopped in the middle: by a signal that cannot be caught, and by one that can. The next night forgets
# what is left of it.
cat >stopping <<END
#!/bin/sh
"$MEMPLAN" "\$@" || exit
[ "\$1" != bench ] || kill -\$SIGNAL \$PPID
END
chmod +x stopping
for SIGNAL in KILL TERM; do
    export SIGNAL
    (
        program=$MEMPLAN
        MEMPLAN=$(pwd)/stopping
        sh "$ROOT/nightly.sh" -o out -s worked -p large_first,stack,exact -t 1 >/dev/null 2>&1
        echo "SIG$SIGNAL: exit $?"
        MEMPLAN=$program
        echo "$(ls -d out/nightly-*Z | wc -l) nights, $(count_runs) runs"
    )
done
night
ls out | grep unfinished

# Another night holds the lock.
exec 8>out/lock
flock 8
night
exec 8>&-

# What bench refuses leaves nothing; what there is nothing to compare with is good.
night -s nothing
night -p large_first -s gap
night -p naive
head -n 2 out/latest/compare.md | sed 's/nightly-[0-9TZ]*/NIGHT/g'
sh "$ROOT/nightly.sh" -x >/dev/null 2>"$SCRATCH/err"
echo "exit $?"
tail -n 1 "$SCRATCH/err"
sh "$ROOT/nightly.sh" -h | head -n 1
night more
(
    MEMPLAN=/nowhere/memplan
    sh "$ROOT/nightly.sh" -o elsewhere 2>&1
    echo "exit $?"
)
