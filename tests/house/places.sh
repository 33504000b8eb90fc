#!/bin/sh
# What it takes to add something: in a copy of the tree each kind of thing gets one more, by at most one
# new file and one new row. The program built of it must list or run all of them.
# shellcheck source=common.sh
. "$(dirname "$0")/common.sh"

tree=$top/tree
copy_tree "$tree" || exit 2
cd "$tree" || exit 2

# add_file NEW OLD SED-SCRIPT: a new file, made of an old one of its kind.
add_file() {
    [ ! -e "$1" ] && [ -f "$2" ] || fault "no place for $1, or no $2 to make it of"
    sed "$3" "$2" >"$1"
    ! cmp -s "$1" "$2" || fault "nothing in $1 differs from $2"
}

# add_row FILE BEFORE ROW: above the first line that begins so.
add_row() {
    awk -v before="$2" -v row="$3" '!added && index($0, before) == 1 { print row; added = 1 } { print }
        END { exit !added }' "$1" >"$top/changed" || fault "$1 has no line '$2'"
    cp "$top/changed" "$1"
}

add_file heuristics/order_fit/house_planner.c heuristics/order_fit/naive.c \
    's/"naive"/"house_planner"/; s/HEURISTICS_ROWS(naive/HEURISTICS_ROWS(house_planner/'
add_row heuristics/planners.def 'HEURISTICS_PLANNERS(naive)' 'HEURISTICS_PLANNERS(house_planner)'

add_file datasets/builtin/ge/house_instance.json datasets/builtin/ge/cnn_block.json \
    's,"ge/cnn_block","ge/house_instance",'
add_row datasets/builtin.def '    {"ge/cnn_block",' \
    '    {"ge/house_instance", INSTANCE_GRAPH, "one more instance", false, false},'

add_row datasets/suites.def '    {.name = "luna", ' \
    '    {.name = "house_suite", .title = "one more suite", .folders = "ge"},'

add_file results/tables/house_table.c results/tables/summary.c \
    's/table_summary/table_house_table/; s/"summary"/"house-table"/'
add_row results/tables/tables.def 'TABLE(summary)' 'TABLE(house_table)'

add_file plots/comparisons/house_plot.c plots/comparisons/wins.c \
    's/plot_draw_wins/plot_draw_house_plot/'
add_row plots/figures/plots.def 'PLOT("wins", wins,' \
    'PLOT("house-plot", house_plot, .title = "one more plot", .data = "any results", .source = TABLE_OF_CONTEST)'

add_file cli/commands/house_command.c cli/commands/quantise.c \
    's/command_quantise/command_house_command/; s/"quantise"/"house-command"/'
add_row cli/commands.def 'COMMAND(quantise)' 'COMMAND(house_command)'

add_file results/table/house_format.c results/table/tex.c \
    's/table_format_tex/table_format_house_format/; s/^    "tex", /    "house-format", /'
add_row results/table/formats.def 'TABLE_FORMAT(tex)' 'TABLE_FORMAT(house_format)'

# Whatever was added above the sources themselves would not be allowed in either.
diff -rq "$ROOT" "$tree" | grep -v "^Only in $ROOT" >"$top/changes"
rows=$(grep -c '^Files ' "$top/changes")
files=$(grep -c "^Only in $tree" "$top/changes")
[ "$rows" -eq 7 ] && [ "$files" -eq 6 ] || fault "7 things took $rows rows and $files files"

# Without what none of this needs, and without optimising.
cmake -S . -B build -G Ninja -DCMAKE_BUILD_TYPE=Debug -DMEMPLAN_TESTS=OFF -DMEMPLAN_WITH_ONNX=OFF \
    -DMEMPLAN_WITH_GLPK=OFF -DMEMPLAN_WITH_CBC=OFF -DMEMPLAN_WITH_SYMPHONY=OFF -DMEMPLAN_WITH_LP_SOLVE=OFF >"$top/log" 2>&1 &&
    cmake --build build -j2 --target memplan >>"$top/log" 2>&1 || {
    tail -n 40 "$top/log"
    fault 'the tree with one more of each does not build'
    finish
}

expect_listed() {
    build/memplan list "$1" | grep -q "^  $2 " || fault "memplan list $1 does not show $2"
}
expect_listed planners house_planner
expect_listed instances ge/house_instance
expect_listed suites house_suite
expect_listed tables house-table
expect_listed plots house-plot
build/memplan --help | grep -q '^  house-command ' || fault 'memplan --help does not show house-command'

cd "$top" || exit 2
memplan=$tree/build/memplan
"$memplan" bench --suite house_suite --planners house_planner,large_first --policy flat >"$top/log" 2>&1 ||
    fault "no bench of the suite: $(tail -n 3 "$top/log")"
"$memplan" table house-table --format house-format >"$top/table" || fault 'no table in the format'
grep -q 'house.*instance.*house.*planner' "$top/table" || fault 'the table has no row of the instance and the planner'
"$memplan" plot house-plot -o house.gp || fault 'no plot'
grep -q house_planner house.gp || fault 'the plot does not show the planner'
"$memplan" house-command ge/house_instance >"$top/log" || fault "the command fails: $(cat "$top/log")"
finish
