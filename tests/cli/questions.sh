#!/bin/sh
# The commands of docs/questions.md as they stand there, on what they need.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"
# shellcheck source=templates.sh
. "$CASES/templates.sh"

template mine.c
build_plugin -o mine.so mine.c
template questions.sh questions
template questions_failures.sh questions

# What does not depend on times; the page's counts of peaks are held against what comes out.
show_answers() {
    [ "$1" = bench ] && {
        prepare "$@"
        return
    }
    "$MEMPLAN" "$@" >"$SCRATCH/answer"
    echo "exit $?"
    grep -e '^| jobs on both' -e '^| peak' -e '^| instances' -e '^| luck' -e 'refused' "$SCRATCH/answer" |
        while read -r line; do
            grep -qxF "$line" "$ROOT/docs/questions.md" && echo "as on the page: $line" ||
                echo "not on the page: $line"
        done
}
(
    memplan() { show_answers "$@"; }
    # shellcheck disable=SC1091
    . ./questions.sh
    prepare bench --suite bugs --plugin ./mine.so --planners large_first,exclusive,ge_pool_published,mine --db night.db
    memplan() {
        "$MEMPLAN" "$@" --format md | cut -d'|' -f2-4
    }
    # shellcheck disable=SC1091
    . ./questions_failures.sh
)
rm -f mine.db* night.db* mine.so
find . | sort
