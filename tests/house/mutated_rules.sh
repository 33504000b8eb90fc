#!/bin/sh
# No measured figure of a source comes from anything but its rules: each rule of mutated_rules.txt is broken in a copy of
# its file, which is compiled and linked into a program of its own, and some figure on the page must then be another one.
# BUILD is the folder of the build, made by Ninja.
# shellcheck source=common.sh
. "$(dirname "$0")/common.sh"
BUILD=${BUILD:?is the folder of the build}
rules=$(cd "$(dirname "$0")" && pwd)/mutated_rules.txt

command -v ninja >/dev/null || {
    echo "skipped: rules that are broken, no ninja"
    exit 0
}
cd "$BUILD" || exit 2
ninja -t commands memplan >"$top/commands" || exit 2

# breaks FILE OLD NEW: the file with one piece of it replaced; fails where the piece does not stand there once.
breaks() {
    old=$2 new=$3 awk 'BEGIN { old = ENVIRON["old"]; new = ENVIRON["new"] }
        (at = index($0, old)) { found++; $0 = substr($0, 1, at - 1) new substr($0, at + length(old)) }
        { print }
        END { exit found != 1 }' "$1"
}

# links FILE: the program with $top/mutated.c in the place of the file.
links() {
    compile=$(sed -n "s, -MD .* -c $ROOT/$1\$, -w -c $top/mutated.c -o $top/mutated.o,p" "$top/commands" | head -1)
    [ "$compile" ] || return 1
    eval "$compile" &&
        eval "$(tail -1 "$top/commands" | sed "s, -o memplan , $top/mutated.o -o $top/memplan ,")"
}

# measures SOURCE PROGRAM: the rows of verdicts on the page: place, figure, printed, measured, verdict.
measures() {
    rm -rf "$top/out"
    timeout 60 "$2" reproduce "$1" --output "$top/out" >"$top/log" 2>&1
    sed -n '/<details class="verdicts"/,/<\/details>/{ /^<tr>/{ s/<[^>]*>/|/g; p; }; }' "$top/out/index.html" 2>>"$top/log"
}

tried=0
while read -r line; do
    case $line in '' | '#'*) continue ;; esac
    source=${line%%:*}
    { IFS= read -r file && IFS= read -r old && IFS= read -r new; } || fault "$line: four lines are expected"
    tried=$((tried + 1))
    cp "$ROOT/$file" "$top/mutated.c"
    if [ ! -f "$top/$source" ]; then
        # The same way without a change: the figures of the program that was built.
        links "$file" || fault "$file: cannot be linked into a program"
        measures "$source" "$top/memplan" >"$top/$source"
        [ -s "$top/$source" ] || fault "$source: no figure on the page"
        measures "$source" "$BUILD/memplan" | cmp - "$top/$source" || fault "$source: other figures without a change"
    fi
    breaks "$ROOT/$file" "$old" "$new" >"$top/mutated.c" || {
        fault "$line: '$old' does not stand in $file once"
        continue
    }
    links "$file" || {
        fault "$line: does not compile"
        continue
    }
    measures "$source" "$top/memplan" >"$top/figures"
    changed=$(diff "$top/$source" "$top/figures" | grep -c '^>')
    [ "$changed" -gt 0 ] || fault "$line: no figure changes"
    echo "$line: $changed figures"
done <"$rules"
[ $tried -ge 10 ] || fault "$tried rules, expected ten or more"
finish
