#!/bin/sh
# What is tested does not depend on how the folder of the build was used before: a preset sets every
# option, and where no test is found that is an error.
# shellcheck source=common.sh
. "$(dirname "$0")/common.sh"

tree=$top/tree
copy_tree "$tree" || exit 2
cd "$tree" || exit 2

sed -n 's/^option(\([A-Z_]*\) .*/\1/p; s/^set(\([A-Z_]*\) .* CACHE .*/\1/p' CMakeLists.txt >"$top/options"
[ -s "$top/options" ] || fault 'CMakeLists.txt has no options'
while read -r option; do
    grep -q "\"$option\":" CMakePresets.json || fault "no preset sets $option"
done <"$top/options"

configure() {
    cmake --preset release "$@" >"$top/log" 2>&1 || {
        tail -n 20 "$top/log"
        fault "cannot configure: $*"
    }
}
list_options() {
    sed -n 's/^\(MEMPLAN_[A-Z_]*\):[A-Z]*=/\1=/p' build/CMakeCache.txt | sort
}
# As the preset says, in the form of the cache.
sed -n '/"every-option"/,/}/s/ *"\(MEMPLAN_[A-Z_]*\)": "\(.*\)".*/\1=\2/p' CMakePresets.json | sort >"$top/wanted"
configure -DMEMPLAN_TESTS=OFF -DMEMPLAN_SANITIZE=ON -DMEMPLAN_WARNINGS=OFF -DMEMPLAN_WITH_GLPK=OFF \
    -DMEMPLAN_WITH_CBC=OFF -DMEMPLAN_WITH_SYMPHONY=OFF -DMEMPLAN_WITH_LP_SOLVE=OFF \
    -DMEMPLAN_DAMAGED_COPIES=0
list_options | diff -q "$top/wanted" - >/dev/null && fault 'options on the command line do nothing'
configure
list_options | diff "$top/wanted" - || fault 'options stay as an earlier run has left them'
! ctest --preset release -L 'a label that no test has' >"$top/log" 2>&1 ||
    fault 'no test is found, and that is no error'
ctest --preset release -L long -N | grep -q '^Total Tests: [1-9]' || fault 'no long test is found'
finish
