#!/bin/sh
# soak.sh [SECONDS [SEED]]: runs the long tests, then tries for SECONDS (600) what chance finds: kills of a running bench,
# differential problems through all planners, the oracles of all claims, and, where there is clang, the fuzz
# targets of all readers. Prints the seed, which makes the first three again, and what was counted, and adds the
# counts to results/published/reliability.csv or the file in MEMPLAN_SOAK_COUNTS. Exit code 1 where anything was
# found; docs/reliability.md says what to do then.
set -eu
cd "$(dirname "$0")"
. cmake/packages.sh
seconds=${1:-600}
seed=${2:-$(date +%s)}
case $seconds$seed in
*[!0-9]*)
    echo 'Usage: ./soak.sh [SECONDS [SEED]]' >&2
    exit 2
    ;;
esac
counts=${MEMPLAN_SOAK_COUNTS:-results/published/reliability.csv}
findings=build/soak
found=0
need_packages
echo "soak: $seconds s, seed $seed"

# take PART: shows the counts in its output, lines "PART NAME NUMBER", and adds them to those of the file.
take() {
    grep "^$1 " "$findings/$1.text" | tee "$findings/counts" || return 0
    awk -v today="$(date -u +%Y-%m-%d)" 'BEGIN { FS = OFS = "," }
        NR == FNR { split($0, word, " "); key = word[1] "," word[2]; order[++n] = key; more[key] = word[3]; next }
        ($1 "," $2) in more { key = $1 "," $2; $3 += more[key]; $4++; $6 = today; delete more[key] }
        { print }
        END { for (i = 1; i <= n; i++) if (order[i] in more) print order[i], more[order[i]], 1, today, today }' \
        "$findings/counts" "$counts" >"$findings/counted"
    cp "$findings/counted" "$counts"
}

# run_part PART COMMAND...
run_part() {
    part=$1
    shift
    if ! "$@" >"$findings/$part.text" 2>&1; then
        cat "$findings/$part.text"
        found=1
    fi
    take "$part"
}

cmake --preset release
cmake --build --preset release --target memplan soak_differential oracles
mkdir -p "$findings"
[ -e "$counts" ] || echo 'part,counted,number,runs,first,last' >"$counts"
MEMPLAN=build/memplan
export MEMPLAN
share=$((seconds / 4 + 1))
run_part long ./test.sh long
run_part kill tests/soak/kill.sh 1000000 $share "$seed"
run_part differential build/tests/soak_differential 1000000000 $share "$seed"
if command -v python3 >/dev/null; then
    run_part oracles tests/soak/oracles.sh build/tests $share "$seed"
else
    echo 'skipped: the oracles, no python3'
fi
if command -v clang >/dev/null; then
    cmake --preset fuzz
    cmake --build --preset fuzz
    run_part fuzz tests/soak/fuzz.sh build-fuzz/tests $share "$seed" "$findings"
else
    echo 'skipped: the fuzz targets, no clang'
fi
exit $found
