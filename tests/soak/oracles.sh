#!/bin/sh
# oracles.sh PROGRAMS SECONDS SEED: each oracle of tests/oracles whose program claims_NAME is in the folder
# PROGRAMS, for its share of SECONDS, on random cases from SEED on. Prints the smallest case of each claim that
# was contradicted, and how many cases each tried. Exit code 1 where one was.
set -u

# shellcheck source=share.sh
. "$(dirname "$0")/share.sh"
share_time claims_ 'PROGRAMS SECONDS SEED' "$@"
oracles=$(cd "$(dirname "$0")/../oracles" && pwd)
failed=0
for program in "$1"/claims_*; do
    name=${program##*/claims_}
    said=$(python3 -B "$oracles/$name.py" --claims "$program" --seed "$seed" --cases 1000000000 --seconds "$share") || {
        failed=1
        echo "oracle $name:"
        printf '%s\n' "$said"
    }
    cases=$(printf '%s\n' "$said" | sed -n '$s/ cases.*//p')
    echo "oracles $name ${cases:-0}"
done
exit $failed
