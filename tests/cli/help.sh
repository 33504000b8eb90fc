#!/bin/sh
# Help in general and of every command: on standard output, exit code 0, worked examples at the end.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

memplan --version
"$MEMPLAN" --help >"$SCRATCH/help" || echo "--help: exit $?"
"$MEMPLAN" help | diff "$SCRATCH/help" -
sed -n '/^  [a-z]/s/^  \([a-z]*\) .*/\1/p' "$SCRATCH/help" | grep -v '^memplan$' >"$SCRATCH/commands"
cat "$SCRATCH/commands"

# Without a command the same goes to standard error, with exit code 2.
"$MEMPLAN" >"$SCRATCH/stdout" 2>"$SCRATCH/stderr"
echo "no command: exit $?"
cat "$SCRATCH/stdout"
diff "$SCRATCH/help" "$SCRATCH/stderr"
memplan frobnicate | grep -e exit -e "no command"
memplan help frobnicate | grep -e exit -e "no command"
memplan help pln
# No line of it is wider than a terminal.
awk 'length > 80' "$SCRATCH/help"

while read -r command; do
    echo "== $command"
    "$MEMPLAN" "$command" --help >"$SCRATCH/stdout" 2>"$SCRATCH/stderr" || echo "exit $?"
    cat "$SCRATCH/stderr"
    grep -q "^Usage: memplan $command " "$SCRATCH/stdout" || echo "no usage"
    grep -q "^memplan $command: " "$SCRATCH/stdout" || echo "no summary"
    sed '1,/^Examples:$/d' "$SCRATCH/stdout" >"$SCRATCH/examples"
    # Nothing but examples follows, and none is broken over two lines.
    grep -v "^  memplan $command" "$SCRATCH/examples"
    [ "$(wc -l <"$SCRATCH/examples")" -ge 2 ] || echo "less than two examples"
    cat "$SCRATCH/examples"
    "$MEMPLAN" "$command" --usage | grep -q '^Usage:' || echo "no --usage"
done <"$SCRATCH/commands"
