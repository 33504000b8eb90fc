#!/bin/sh
# What can stand at the end of a command line, the pages for man, and the completion of shells.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

# names WORD...: what is offered there, without what it is.
names() {
    echo "$ $*"
    "$MEMPLAN" complete -- "$@" | cut -f 1
}
names pl
names --v
names help ca
names plan --pl
names plan --planner large_f
names plan -p large_f
names plan --planner=large_f
names bench --planners naive,large_f
names bench --policy flat,s
names bench --suite w
names plan luna/d
names plan luna/denoise --dialect i
names plan luna/denoise --dialect ''
names dma luna/denoise --mode p
names dma luna/denoise --hardware l
names table gap
names plot gap
names table gaps --format t
names reproduce luna
names generate la
names list ta
names cache v
names plan file.c
names plan luna/denoise -o x
names nothing x
memplan complete -- table gap
memplan complete
memplan complete -- ''  >"$SCRATCH/all"
for command in $("$MEMPLAN" list commands | awk '/^  [a-z]/ { print $1 }'); do
    grep -q "^$command	" "$SCRATCH/stdout" || echo "$command is not offered"
    grep -q '	[^ ]' "$SCRATCH/stdout" || echo "$command: nothing is said of it"
done

# bash asks the program, also behind a comma and behind --name=.
if have bash; then
    PATH=$(dirname "$MEMPLAN"):$PATH bash -c '
        . "$1"
        ask() {
            COMP_LINE=$1 COMP_POINT=${#1}
            _memplan
            echo "$1 -> ${COMPREPLY[*]}"
        }
        ask "memplan pl"
        ask "memplan bench --planners naive,large_f"
        ask "memplan plan --planner=large_f"
        ask "memplan plan luna/de"
        ask "memplan plan nothing/like/it"
        ask "memplan table gap"' bash "$ROOT/cli/names/shells/memplan.bash"
else
    skip "no bash: its completion is not tried"
fi

# A page for the program and each command, with each of its options; no line is a request by accident.
"$MEMPLAN" manual -o man
"$MEMPLAN" list commands | awk '/^  [a-z]/ { print "memplan-" $1 ".1" } END { print "memplan.1" }' | sort >"$SCRATCH/pages"
LC_ALL=C ls man | sort | diff "$SCRATCH/pages" -
"$MEMPLAN" manual | cmp - man/memplan.1
"$MEMPLAN" manual verify
grep -h '^[.]' man/*.1 | sed 's/ .*//' | sort -u | tr '\n' ' '
echo
for page in man/memplan-*.1; do
    command=$(basename "$page" .1 | sed 's/memplan-//')
    "$MEMPLAN" "$command" --help | grep -o -e '--[a-z][a-z-]*[=[]\{0,1\}' | grep '[=[]$' | tr -d '=[' | sort -u |
        while read -r option; do
            grep -qF -e "\\-\\-$(printf %s "${option#--}" | sed 's/-/\\-/g')\\fR" "$page" || echo "$page: no $option"
        done
done
memplan manual plna
memplan manual plan -o man
rm -r man
find .
