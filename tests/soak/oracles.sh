#!/bin/sh
# oracles.sh PROGRAMS SECONDS SEED: each oracle that tests/oracles/CMakeLists.txt names, against its program claims_NAME in the
# folder PROGRAMS, for its share of SECONDS, on random cases from SEED on. Prints the smallest case of each claim that
# was contradicted, and how many cases each tried. Exit code 1 where one was.
set -u

# shellcheck source=share.sh
. "$(dirname "$0")/share.sh"
share_time claims_ 'PROGRAMS SECONDS SEED' "$@"
oracles=$(cd "$(dirname "$0")/../oracles" && pwd)
named=$(sed -n 's/^oracle(\([a-z_]*\) .*/\1:\1/p; s/^oracle_test(\([a-z_]*\) \([a-z_]*\).*/\1:\2/p' "$oracles/CMakeLists.txt")
count=$(echo "$named" | wc -l)
share=$(($2 / count + 1))
failed=0
for pair in $named; do
    name=${pair%:*}
    said=$(python3 -B "$oracles/$name.py" --claims "$1/claims_${pair#*:}" --seed "$seed" --cases 1000000000 --seconds "$share") || {
        failed=1
        echo "oracle $name:"
        printf '%s\n' "$said"
    }
    cases=$(printf '%s\n' "$said" | sed -n 's/^\([0-9]*\) cases, [0-9]* refused.*/\1/p')
    echo "oracles $name ${cases:-0}"
done
exit $failed
