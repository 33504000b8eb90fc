#!/bin/sh
# run.sh NAME: runs the case NAME.sh in an empty folder and compares its standard output with
# NAME.stdout. MEMPLAN is the path of the binary. MEMPLAN_UPDATE=1 rewrites NAME.stdout instead.
#
# What a case prints on standard error is for people: parts it had to skip, and notes on a failure.
set -u

if [ $# -ne 1 ] || [ -z "${MEMPLAN:-}" ]; then
    echo "Usage: MEMPLAN=path/to/memplan run.sh NAME" >&2
    exit 2
fi
name=$1
CASES=$(cd "$(dirname "$0")" && pwd) || exit 2
MEMPLAN=$(cd "$(dirname "$MEMPLAN")" && pwd)/$(basename "$MEMPLAN") || exit 2
if [ ! -f "$CASES/$name.sh" ] || [ ! -x "$MEMPLAN" ]; then
    echo "run.sh: no case '$CASES/$name.sh', or no program '$MEMPLAN'" >&2
    exit 2
fi

top=$(mktemp -d "${TMPDIR:-/tmp}/memplan-cli.XXXXXX") || exit 2
trap 'rm -rf "$top"' EXIT
trap 'exit 2' HUP INT TERM
mkdir "$top/case" "$top/scratch"
SCRATCH=$top/scratch
LC_ALL=C
MEMPLAN_CACHE_DISABLE=1
export CASES MEMPLAN SCRATCH LC_ALL MEMPLAN_CACHE_DISABLE
unset ARGP_HELP_FMT COLUMNS

(cd "$top/case" && sh "$CASES/$name.sh") >"$top/stdout"
code=$?
if [ "${MEMPLAN_UPDATE:-0}" = 1 ]; then
    cp "$top/stdout" "$CASES/$name.stdout"
    exit "$code"
fi
if ! diff -u "$CASES/$name.stdout" "$top/stdout"; then
    echo "run.sh: $name: standard output is not as expected (- expected, + found)" >&2
    exit 1
fi
if [ "$code" -ne 0 ]; then
    echo "run.sh: $name.sh ended with exit code $code" >&2
    exit 1
fi
