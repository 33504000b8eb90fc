#!/bin/sh
# run.sh PAGE: runs the blocks of a page of the documentation that are marked as sh, in order, in an empty
# folder with the examples and the published results of the sources, by the program MEMPLAN. A block that
# fails is a fault, and so is one whose output differs from the block "output" that follows it: there a
# line ... stands for any lines, and times count as equal. A block of another language that has a file's
# name is that file. What a reader of the page does not see are comments in lines of their own before a block:
#
#   <!-- before: COMMAND -->      is run first, for files that the page takes for granted
#   <!-- not run: REASON -->      the block cannot be run here
#   <!-- needs: PROGRAM -->       the block is skipped where the program is missing
#   <!-- exit: CODE -->           the block ends with this code, not with 0
#   <!-- numbers vary: REASON --> of an output: its lines with numbers come out somewhere, with any numbers; with
#                                 HURRY=1, as where sanitizers are, benches of suites and of generated problems
#                                 have a tenth of their time
#
# A block sh with a file's name is run by the script of tests/cli that has this name in it.
set -u

here=$(cd "$(dirname "$0")" && pwd) || exit 2
page=$ROOT/$1
top=$(mktemp -d "${TMPDIR:-/tmp}/memplan-docs.XXXXXX") || exit 2
trap 'rm -rf "$top"' EXIT
trap 'exit 2' HUP INT TERM
mkdir "$top/blocks" "$top/bin" "$top/page" "$top/page/results"
ln -s "$MEMPLAN" "$top/bin/memplan"
ln -s "$MEMPLAN-check" "$top/bin/memplan-check"
cp -r "$ROOT/examples" "$top/page/"
cp -r "$ROOT/results/best_known" "$ROOT/results/best_known.csv" "$top/page/results/"
PATH=$top/bin:$PATH
XDG_CACHE_HOME=$top/cache
LC_ALL=C
export PATH XDG_CACHE_HOME LC_ALL ROOT
COLUMNS=120
export COLUMNS
# Leaks are looked for where tests/cli runs such commands: without that each start with sanitizers costs a fifth less.
ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0
export ASAN_OPTIONS
unset ARGP_HELP_FMT

faults=0
fault() {
    echo "${page#"$ROOT"/}: $*"
    faults=$((faults + 1))
}

# blocks.awk writes of the block that begins in line N: N.sh, N.output, and of the comments before it N.before ...
awk -v folder="$top/blocks" -v files="$top/page" -f "$here/blocks.awk" "$page" >"$top/complaints"
while read -r line; do
    fault "$line"
done <"$top/complaints"

# An example that a page shows is the one of the sources.
for example in "$top/page/examples"/*; do
    cmp -s "$example" "$ROOT/examples/${example##*/}" || fault "shows another ${example##*/} than examples/ has"
done

# What a page refers to is there.
grep -o '](\([^)]*\))' "$page" | sed 's/^](//; s/)$//; s/#.*//' | grep -v -e '^$' -e '^[a-z]*:' | sort -u >"$top/links"
while read -r link; do
    [ -e "$(dirname "$page")/$link" ] || fault "refers to $link, which is not there"
done <"$top/links"

# Times differ from run to run.
equalise() {
    if [ -e "$top/blocks/$1.vary" ]; then
        sed -e 's/[0-9][0-9.,]*/#/g; s/#\( #\)*/#/g' -e 's/---*/-/g' -e 's/  */ /g; s/[*]//g; s/ *$//'
    else
        sed -e 's/^time  *[0-9.]* ms$/time T ms/' -e 's/, [0-9.]* s$/, T s/'
    fi
}

compare_output() {
    equalise "$1" <"$top/blocks/$1.output" >"$top/expected"
    equalise "$1" <"$top/out" >"$top/found"
    anywhere=0
    { [ -e "$top/blocks/$1.output" ] && [ ! -e "$top/blocks/$1.vary" ]; } || anywhere=1
    awk -v anywhere=$anywhere -f "$here/output.awk" "$top/expected" "$top/found" || {
        fault "line $1: what comes out is not what the page shows:"
        cat "$top/out"
    }
}

run_block() {
    code=0
    [ ! -e "$top/blocks/$1.before" ] || (cd "$top/page" && sh -eu "$top/blocks/$1.before") >"$top/out" 2>&1 </dev/null || {
        fault "line $1: what comes before it fails:"
        cat "$top/out"
        return
    }
    [ "${HURRY:-0}" = 0 ] || { [ -e "$top/blocks/$1.output" ] && [ ! -e "$top/blocks/$1.vary" ]; } ||
        sed -i '/^ *memplan bench .*\(--suite \|generate:\)/,/[^\\]$/s/--time-limit \([0-9]\) /--time-limit 0.\1 /' "$top/blocks/$1.sh"
    (cd "$top/page" && sh -eu "$top/blocks/$1.sh") >"$top/out" 2>&1 </dev/null || code=$?
    wanted=$(cat "$top/blocks/$1.exit" 2>/dev/null || echo 0)
    if [ "$code" != "$wanted" ]; then
        fault "line $1: exit code $code, not $wanted:"
        cat "$top/out"
    elif [ -e "$top/blocks/$1.output" ]; then
        compare_output "$1"
    fi
}

for block in $(find "$top/blocks" -name '*.sh' | sed 's|.*/||; s|\.sh$||' | sort -n); do
    if [ -e "$top/blocks/$block.file" ]; then
        file=$(cat "$top/blocks/$block.file")
        grep -qw "template $file" "$ROOT"/tests/cli/*.sh || fault "line $block: no test of tests/cli runs $file"
    elif [ -e "$top/blocks/$block.not" ]; then
        echo "line $block is not run: $(cat "$top/blocks/$block.not")"
    elif [ -e "$top/blocks/$block.needs" ] && ! command -v "$(cat "$top/blocks/$block.needs")" >/dev/null; then
        echo "skipped: ${page#"$ROOT"/}, line $block, no $(cat "$top/blocks/$block.needs")"
    else
        run_block "$block"
    fi
done
[ "$faults" -eq 0 ]
