#!/bin/sh
# CITATION.cff has what version 1.2.0 of its format asks for, and the version of CMakeLists.txt.
set -u
faults=0
need() {
    grep -Eq "$1" "$ROOT/CITATION.cff" || {
        echo "CITATION.cff has no line $1"
        faults=$((faults + 1))
    }
}

version=$(sed -n 's/^project(memplan VERSION \([0-9.]*\) .*/\1/p' "$ROOT/CMakeLists.txt")
need '^cff-version: 1\.2\.0$'
need '^message: "[^"]+"$'
need '^title: "[^"]+"$'
need '^type: software$'
need '^authors:$'
need '^  - (name|family-names): .+$'
need "^version: ${version:-none}\$"
need '^date-released: "[0-9]{4}-[0-9]{2}-[0-9]{2}"$'
need '^license: Apache-2\.0$'
[ "$faults" -eq 0 ]
