#!/bin/sh
# oracles.sh PROGRAMS SECONDS SEED: each oracle of tests/oracles whose program claims_NAME is in the folder
# PROGRAMS, for its share of SECONDS, on random cases from SEED on. Prints the smallest case of each claim that
# was contradicted, and how many cases each tried. Exit code 1 where one was.
set -u

if [ $# -ne 3 ] || [ ! -d "$1" ]; then
    echo 'Usage: oracles.sh PROGRAMS SECONDS SEED' >&2
    exit 2
fi
oracles=$(cd "$(dirname "$0")/../oracles" && pwd)
failed=0
count=0
for program in "$1"/claims_*; do count=$((count + 1)); done
for program in "$1"/claims_*; do
    name=${program##*/claims_}
    said=$(python3 -B "$oracles/$name.py" --claims "$program" --seed "$3" --cases 1000000000 \
        --seconds $(($2 / count + 1))) || {
        failed=1
        echo "oracle $name:"
        printf '%s\n' "$said"
    }
    cases=$(printf '%s\n' "$said" | sed -n '$s/ cases.*//p')
    echo "oracles $name ${cases:-0}"
done
exit $failed
