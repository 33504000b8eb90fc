#!/bin/sh
# Plug-ins: the templates of docs/adding-a-planner.md as they stand there, and what is wrong with others.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"
# shellcheck source=templates.sh
. "$CASES/templates.sh"

# The page's own commands.
template mine.c
template plugin.sh
cc() { build_plugin "$@"; }
(
    memplan() { show_lines mine "$@"; }
    # shellcheck disable=SC1091
    . ./plugin.sh
)
rm mine.db

# Graphs level by level, a problem with holes, windows, alignment and a fixed offset.
cat >hard.csv <<'END'
id,lower,upper,size,alignment,gaps,offset
a,0,9,100,64,3-5,
b,1,8,40,8,2-4@8:24,256
c,3,5,90,1,,
d,0,3,10,16,,
e,4,9,77,32,6-7,
END
# plan_hard PLANNER SHARED_OBJECT...
plan_hard() {
    planner=$1
    shift
    for instance in hard.csv 'patent/figure4 --policy recursive' 'luna/denoise --policy recursive'; do
        # shellcheck disable=SC2086
        "$MEMPLAN" plan $instance "$@" --planner "$planner" |
            grep -e ^peak -e ^verify -e ^execute | tr '\n' ' '
        echo
    done
}
plan_hard mine --plugin mine.so

# In C++, and two at once.
template first.cc
CXX=${CXX:-c++}
if have "$CXX"; then
    "$CXX" -Wall -Wextra -Werror -I"$ROOT/include" -shared -fPIC -o first.so first.cc
    plan_hard stack --plugin mine.so --plugin ./first.so | diff - "$CASES/plugin_stack.expected"
else
    skip "no C++ compiler: first.cc is not built"
fi
rm -f first.cc first.so
memplan_results plan hard.csv --plugin mine.so --planner mine --capacity 100

# The planner in the tree is compiled as it stands.
template stack.c
"$CC" -std=c11 -Wall -Wextra -Wpedantic -Werror -I"$ROOT" -c -o stack.o stack.c || echo "stack.c does not compile"
rm stack.c stack.o

# What is refused before anything is run.
echo 'not a shared object' >text.so
memplan plan patent/figure4 --plugin text.so -o plan.csv
memplan plan patent/figure4 --plugin missing.so
memplan plan patent/figure4 --plugin mine.so --plugin ./mine.so
memplan bench patent/figure4 --plugin text.so --db none.db
memplan list planners --plugin text.so
memplan plan patent/figure4 --plugin mine.so --planner 'mine?depth=3'
echo 'int something;' >empty.c
build_plugin -o empty.so empty.c
memplan plan patent/figure4 --plugin empty.so
# refuse_table TABLE [ROW]
row='{"mine", "title", "source", 0, plan, NULL}'
refuse_table() {
    cat >table.c <<END
#include <memplan/plugin.h>
static enum memplan_result plan(const struct memplan_planner *planner,
                                const struct memplan_problem *problem, struct memplan_answer *answer)
{
    (void)planner, (void)problem, (void)answer;
    return MEMPLAN_GAVE_UP;
}
extern const struct memplan_planner rows[];
const struct memplan_planner rows[] = {${2:-$row}, {"other", "title", "source", 0, plan, NULL}};
const struct memplan_plugin memplan_plugin = {$1};
END
    build_plugin -o table.so table.c
    memplan_errors plan patent/figure4 --plugin table.so --planner mine | tail -n +2
}
refuse_table 'MEMPLAN_PLUGIN_VERSION + 1, 2, sizeof *rows, rows'
refuse_table 'MEMPLAN_PLUGIN_VERSION, 0, sizeof *rows, rows'
refuse_table 'MEMPLAN_PLUGIN_VERSION, 2, sizeof *rows, NULL'
refuse_table 'MEMPLAN_PLUGIN_VERSION, 2, 8, rows'
good='MEMPLAN_PLUGIN_VERSION, 2, sizeof *rows, rows'
refuse_table "$good" '{NULL, "title", "source", 0, plan, NULL}'
refuse_table "$good" '{"mine", NULL, "source", 0, plan, NULL}'
refuse_table "$good" '{"mine", "title", "", 0, plan, NULL}'
refuse_table "$good" '{"mine", "title", "source", 0, NULL, NULL}'
refuse_table "$good" '{"Mine?", "title", "source", 0, plan, NULL}'
refuse_table "$good" '{"mine", "two\nlines", "source", 0, plan, NULL}'
refuse_table "$good" '{"naive", "title", "source", 0, plan, NULL}'
refuse_table "$good" '{"other", "title", "source", 0, plan, NULL}'
refuse_table "$good"
rm -f table.c table.so text.so empty.c empty.so

# What it answers is checked.
cat >bad.c <<'END'
#include <memplan/plugin.h>
#include <stdlib.h>
#include <string.h>

static enum memplan_result plan(const struct memplan_planner *planner,
                                const struct memplan_problem *problem, struct memplan_answer *answer)
{
    const char *name = planner->name;
    if (strcmp(name, "crashes") == 0)
        abort();
    if (strcmp(name, "leaves") == 0)
        _Exit(0);
    while (strcmp(name, "hangs") == 0)
        problem = *(const struct memplan_problem *const volatile *)&problem;
    if (strcmp(name, "fails") == 0) {
        strcpy(answer->message, "no idea");
        return MEMPLAN_FAILED;
    }
    if (strcmp(name, "no_number") == 0)
        return (enum memplan_result)77;
    if (strcmp(name, "denies") == 0)
        return MEMPLAN_INFEASIBLE;
    for (uint32_t b = 0; b < problem->buffers; b++)
        answer->offset[b] = strcmp(name, "overlaps") == 0 ? 0 : b * UINT64_C(50000000);
    if (strcmp(name, "forgets") == 0)
        answer->offset[problem->buffers - 1] = MEMPLAN_FREE;
    if (strcmp(name, "runs_over") == 0)
        answer->offset[0] = UINT64_MAX - 1;
    if (strcmp(name, "soars") == 0)
        answer->offset[0] = UINT64_C(1) << 63;
    if (strcmp(name, "counts") == 0)
        answer->nodes = UINT64_C(1) << 63;
    if (strcmp(name, "bounds") == 0)
        answer->lower_bound_bytes = UINT64_MAX;
    return strcmp(name, "boasts") == 0 || strcmp(name, "lies") == 0 ? MEMPLAN_OPTIMAL : MEMPLAN_FOUND;
}

#define ROW(name, flags) {name, "bad", "a test", flags, plan, NULL}
static const struct memplan_planner planners[] = {
    ROW("crashes", 0), ROW("leaves", 0),    ROW("hangs", 0),   ROW("fails", 0),  ROW("no_number", 0),
    ROW("denies", 1),  ROW("overlaps", 0),  ROW("forgets", 0), ROW("bounds", 0), ROW("runs_over", 0),
    ROW("soars", 0),   ROW("counts", 0),    ROW("boasts", 0),  ROW("lies", MEMPLAN_EXACT)};
const struct memplan_plugin memplan_plugin = {
    MEMPLAN_PLUGIN_VERSION, sizeof planners / sizeof *planners, sizeof *planners, planners};
END
build_plugin -o bad.so bad.c
write_figure4 one.csv
for planner in crashes leaves fails no_number denies overlaps forgets bounds runs_over soars counts boasts lies; do
    memplan_errors plan one.csv --plugin bad.so --planner $planner -o plan.csv
done
ls plan.csv && rm plan.csv
memplan_errors plan patent/figure4 --plugin bad.so --planner overlaps
memplan_errors plan one.csv --plugin bad.so --planner denies --capacity 50M
memplan_errors plan one.csv --plugin bad.so --planner denies --capacity 40M

# In a bench each costs its own row; a hang is ended some seconds after the limit.
show_rows() {
    memplan bench one.csv --plugin bad.so --jobs 2 --format csv "$@" >"$SCRATCH/shown"
    sed -n -e '/^exit /p' -e '/^stderr: memplan/p' -e 's/,[0-9.]*$/,T/' -e '/^one,/p' "$SCRATCH/shown"
}
show_rows --planners large_first,crashes,overlaps,fails,soars,counts,naive
show_rows --planners hangs --run hung --time-limit 0.1
# A prover that is wrong is found out by the others.
memplan bench one.csv --plugin bad.so --planners large_first,lies,overlaps --db lies.db 2>&1 | sed '/ms$/d' | grep '^stderr: '
memplan bench one.csv --plugin bad.so --planners large_first,lies --db lies.db 2>&1 | grep -e ^exit -e 'stderr: memplan'
find . | sort
