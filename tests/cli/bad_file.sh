#!/bin/sh
# Instance files that are missing, folders, empty, or of no known format.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

mkdir folder.csv folder.json folder
: >empty.csv
: >empty.json
printf '\n \n' >blank.csv
printf '\n \n' >blank.json
printf 'id,lower,upper,size\na,0,1,1\n' >instance.txt
printf '\000\001\002' >zero.csv
printf '\000\001\002' >zero.json
for file in missing.csv missing.json missing/file.csv folder.csv folder.json empty.csv empty.json \
    blank.csv blank.json zero.csv zero.json; do
    refuse_everywhere $file
done
ln -s loop.csv loop.csv
refuse_everywhere loop.csv
# Neither a name nor a file that could be one.
memplan info folder
memplan info instance.txt
memplan info /dev/null
memplan info .
memplan info -
memplan info instance
# Formats of frameworks that are not read.
printf 'HloModule f\n' >module.txt
printf '\200\004\225' >snapshot.data
printf 'D\000\000\000FT01' >constants.data
: >model.mlmodel
for file in module.txt snapshot.data constants.data model.mlmodel; do
    memplan info $file
done
# A plan is no instance.
prepare plan patent/figure4 -o plan.json
memplan info plan.json
