#!/bin/sh
# All tests, from nothing: installs what is missing, builds with sanitizers and runs all tests.
# test.sh long: those that try more in the ordinary build, there, and the inputs that are kept for the fuzz
# targets; soak.sh asks for them, too.
# Says what was skipped, and why.
set -eu
cd "$(dirname "$0")"
. cmake/packages.sh

# run_tests PRESET FOLDER ctest-options ... The preset sets every option of the build, whatever an
# earlier run left in the folder, and is an error where no test is found.
run_tests() {
    preset=$1
    folder=$2
    shift 2
    cmake --preset "$preset"
    cmake --build --preset "$preset"
    ctest --preset "$preset" "$@"
    sed -n 's/.*skipped: /skipped: /p' "$folder/Testing/Temporary/LastTest.log" | sort -u
}

need_packages
if [ "${1-}" = long ]; then
    run_tests release build -L long
    if command -v clang >/dev/null; then
        run_tests fuzz build-fuzz -L fuzz
    else
        echo 'skipped: the kept inputs of the fuzz targets, no clang'
    fi
    exit
fi
run_tests debug build-debug
# Other versions lay some lines out differently.
if command -v clang-format-14 >/dev/null; then
    git ls-files '*.c' '*.h' '*.cc' | xargs clang-format-14 --dry-run --Werror
else
    echo 'skipped: the layout of the sources, no clang-format-14'
fi
