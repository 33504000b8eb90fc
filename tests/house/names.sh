#!/bin/sh
# What the READMEs and the pages name in backticks is there: files by the end of their path, functions,
# types, planners, columns and keys (a name with an underscore) as a word of some source. names.txt lists
# what is somebody else's, or made while the program runs.
# shellcheck source=common.sh
. "$(dirname "$0")/common.sh"

cd "$ROOT" || exit 2
list_files >"$top/files"
grep -E '\.md$' "$top/files" >"$top/pages"
grep -vE '\.(md|png|gz|onnx|tflite|ort|pte|pt2|pb)$|^tests/house/names.txt$' "$top/files" >"$top/sources"

# Every name in backticks, a line for each with its page; blocks of code are left out, but a block may have
# the name of a file that the reader is to save it as.
while read -r page; do
    awk -v page="$page" -v saved="$top/saved" '
        /^ *```/ { if (!inside && NF > 1) print page, $2 >>saved; inside = !inside; next }
        !inside { for (rest = $0; match(rest, /`[^`]+`/); rest = substr(rest, RSTART + RLENGTH))
                      print page, substr(rest, RSTART + 1, RLENGTH - 2) }' "$page"
done <"$top/pages" | sort -u >"$top/quoted"
[ -s "$top/quoted" ] && [ -s "$top/saved" ] || fault 'no page has anything in backticks, or no block has a name'
grep -v '^#' tests/house/names.txt | cat - "$top/saved" >"$top/excused"

# leave_excused: the lines that are not excused.
leave_excused() {
    awk 'NR == FNR { excused[$1 " " $2]; next } !($0 in excused)' "$top/excused" -
}

# Files and folders, and the folders above them. What stands in front (../) is left off.
awk '{ print; while (sub(/[^\/]*\/?$/, "") && $0 != "") print }' "$top/files" | sort -u >"$top/paths"
grep -E '^[^ ]+ ([A-Za-z0-9_.-]+/)*([a-z0-9_-]+\.(c|h|cc|def|awk|sh|cmake|in)|[a-z0-9_]+/)$' "$top/quoted" |
    sed 's, \(\.\.*/\)*, ,' | leave_excused |
    awk 'NR == FNR { ends[$0]; while (sub(/^[^\/]*\//, "") && $0 != "") ends[$0]; next }
        !($2 in ends) { print $1 " names " $2 ", which is not there" }' "$top/paths" - >"$top/faults"

xargs grep -ohE '[A-Za-z0-9]+(_[A-Za-z0-9]+)+' <"$top/sources" | sort -u >"$top/words"
grep -E '^[^ ]+ [a-z0-9]+(_[a-z0-9]+)+(\(\))?$' "$top/quoted" | sed 's/()$//' | leave_excused |
    awk 'NR == FNR { known[$1]; next } !($2 in known) { print $1 " names " $2 ", which no source has" }' \
        "$top/words" - >>"$top/faults"
while read -r line; do fault "$line"; done <"$top/faults"
finish
