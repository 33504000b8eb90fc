#!/bin/sh
# The days of somebody who keeps a nightly run: a first night, one like it, a bad one and a second bad one by a
# plug-in that got worse, one where it crashes, its mending; a slower program, old nights that go, nights that
# were stopped, and wrong usage.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"
# shellcheck source=templates.sh
. "$CASES/templates.sh"
# Leaks are looked for in the cases of each command, and nobody reads where a planner crashed.
ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0:symbolize=0
export MEMPLAN ASAN_OPTIONS

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
    sh "$ROOT/nightly.sh" -o out -s worked -p large_first,stack,exact -t 60 "$@" >"$SCRATCH/out" 2>"$SCRATCH/err" || code=$?
    sed 's/nightly-[0-9TZ]*/NIGHT/g; s/^/    /' "$SCRATCH/out" | sed "s;$(pwd)/;;"
    sed 's/nightly-[0-9TZ]*/NIGHT/g; s/^/stderr: /' "$SCRATCH/err" | sed "s;$(pwd)/;;"
    echo "exit $code, $(ls -d out/nightly-*Z | wc -l) nights, $(count_runs) runs, $(say_good)"
}
count_runs() { "$MEMPLAN" runs --db out/history.db --format csv 2>/dev/null | sed 1d | wc -l; }
say_good() {
    [ -e out/good-worked ] || { echo 'none good' && return; }
    [ "$(cat out/good-worked)" = "$(readlink out/latest)" ] && echo 'the last is good' || echo 'the last is not good'
}

# The program, of which a night makes its page only where PAGE says so: most of these nights' pages are not read.
cat >program <<END
#!/bin/sh
[ "\$1" != report ] || [ -n "\${PAGE:-}" ] || exit 0
exec "$MEMPLAN" "\$@"
END
chmod +x program
MEMPLAN=$(pwd)/program
export PAGE=
with_page() {
    PAGE=1
    night
    PAGE=
}

# What stands first on the page is what the mail says.
read_page() {
    sed -n '/<section id="overview">/,/<h3>/p' out/latest/report/index.html >"$SCRATCH/page"
    sed -n '/<pre>/,/<\/pre>/p' "$SCRATCH/page" | sed -e 's/<pre>//' -e 's/<\/pre>//' -e '/^$/d' |
        cmp - out/latest/summary.txt && echo 'the page begins with it'
    sed -n 's/.*<strong>\(.*\)\.<\/strong>.*/page: \1/p' "$SCRATCH/page" | sed 's/nightly-[0-9TZ]*/NIGHT/g' | head -n 1
}

MEMPLAN_NIGHTLY_OPTIONS="--plugin './stack.so'"
export MEMPLAN_NIGHTLY_OPTIONS
write_plugin 1
with_page
ls out out/latest | grep -v -e '^nightly-' -e -shm -e -wal
cat out/latest/compare.md
night
grep -e '^| peak: ' -e '^| nodes' out/latest/compare.md

# Worse by a plug-in that was built again, for two nights, which are held against the same one; it crashes on what
# is not small; then it is good again.
write_plugin 3
with_page
read_page
sed -n '/^## Peaks that got worse/,/^$/p; /figure4.*stack/p' out/latest/compare.md | head -n 3
night | sed '/^    stack/,/^    and/d'

# The command that the mail names does it again.
sed -n "0,/memplan plan/s;^ *memplan;$MEMPLAN;p" out/latest/summary.txt >again
sh ./again | grep -e instance -e peak

sed 's/answer->offset\[b\] = .*/answer->offset[problem->buffers < 5 ? b : 1u << 30] = top;/' stack.c >wrong.c
build_plugin -o stack.so wrong.c
with_page | sed 's/crash: .*/crash/'
read_page
write_plugin 1
with_page
read_page

# A program that takes longer for the same plans.
cat >slower <<END
#!/bin/sh
[ "\$1" != plan ] || { i=0 && while [ \$i -lt 100000 ]; do i=\$((i + 1)); done; }
exec "$MEMPLAN" "\$@"
END
chmod +x slower
echo 'plan minimalloc/A --planner large_first' >commands.txt
program=$MEMPLAN
MEMPLAN=$(pwd)/slower
night -c commands.txt | sed 's/[0-9]* ms/N ms/g'
MEMPLAN=$program

# Plans for all sizes that got worse.
echo sizes/cycle >families.txt
night -z families.txt >"$SCRATCH/shown"
cat out/latest/sizes.txt
good=$(readlink out/latest)
sed 's/ [0-9.]*$/ 1.2/' "out/$good/sizes.txt" >better && cp better "out/$good/sizes.txt"
night -z families.txt | grep sizes
echo zoo/none?batch=1..2 >families.txt
night -z families.txt | grep sizes

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
        sh "$ROOT/nightly.sh" -o out -s worked -p large_first,stack,exact -t 60 >/dev/null 2>&1
        echo "SIG$SIGNAL: exit $?"
        MEMPLAN=$program
        echo "$(ls -d out/nightly-*Z | wc -l) nights, $(count_runs) runs"
    )
done
before=$(stat -c %s out/history.db)
night --keep 2
[ "$(stat -c %s out/history.db)" -lt $((before / 2)) ] && echo 'the history is smaller'
night -k none
ls out | grep unfinished

# Another night holds the lock.
exec 8>out/lock
flock 8
night
exec 8>&-

# What bench refuses leaves nothing; what there is nothing to compare with is good.
night -s nothing
night -p large_first -s patent
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

# The options that the files for GitHub and GitLab give are there.
for file in "$ROOT"/docs/nightly/*.yml; do
    for option in $(grep -o ' --[a-z-]*' "$file" | grep -v -e --global -e --add); do
        sh "$ROOT/nightly.sh" -h | grep -q -e "$option " && echo "${file##*/} $option"
    done
done
