#!/bin/sh
# What `cmake --install` leaves in an empty prefix: a program that finds its module, and a library that
# the examples find by pkg-config and by find_package, all outside the tree and the build.
set -eu

top=$(mktemp -d "${TMPDIR:-/tmp}/memplan-install.XXXXXX")
trap 'rm -rf "$top"' EXIT
trap 'exit 2' HUP INT TERM
prefix=$top/prefix
cmake --install "$BUILD" --prefix "$prefix" >"$top/log" || { cat "$top/log"; exit 1; }
cp -r "$ROOT/examples" "$top/examples"
cd "$top"

fail() {
    echo "installed.sh: $*" >&2
    exit 1
}

library=$(find "$prefix" -name libmemplan.so)
[ -n "$library" ] || fail "no libmemplan.so below the prefix"
folder=$(dirname "$library")

# Only the functions of the header are symbols, all with a version; nothing is written to.
exported=$(nm -D --defined-only "$library" | sed 's/.* //' | grep -v '^MEMPLAN_' | sort)
declared=$(sed -n 's/.*[ *]\(memplan_[a-z_]*\)(.*/\1@@MEMPLAN_0.1/p' "$prefix/include/memplan/memplan.h" |
    grep -v -e 'if (' | sort -u)
[ "$exported" = "$declared" ] || fail "exports $exported, expected $declared"
if objdump -t "$library" | grep -E ' [.](data|bss)\s' | grep -v -e __dso_handle -e __TMC_END__ -e completed.0 -e __cpu_; then
    fail "has variables that are written, beside what the compiler adds"
fi
objdump -p "$library" | grep -q 'SONAME *libmemplan.so.0$' || fail "no SONAME libmemplan.so.0"

# expect NAME COMMAND...: the command prints the plan of the examples.
expect() {
    name=$1
    shift
    "$@" >"$top/$name.out" || fail "$name ends with an error"
    grep -q '^optimal, peak 5120 bytes$' "$top/$name.out" || { cat "$top/$name.out"; fail "$name finds another plan"; }
    [ "$(grep -c '^buffer [0-2] at [0-9]*$' "$top/$name.out")" = 3 ] || fail "$name names other buffers"
}

LD_LIBRARY_PATH=$folder
PKG_CONFIG_PATH=$folder/pkgconfig
export LD_LIBRARY_PATH PKG_CONFIG_PATH
# shellcheck disable=SC2046
"$CC" -std=c99 -Wall -Wextra -Wpedantic -Werror examples/plan.c -o pkg_c $(pkg-config --cflags --libs memplan)
expect pkg_c ./pkg_c
# As docs/library.md says: the program finds the library by itself.
# shellcheck disable=SC2046
"$CC" examples/plan.c $(pkg-config --cflags --libs memplan) "-Wl,-rpath,$(pkg-config --variable=libdir memplan)" -o rpath_c
expect rpath_c env -u LD_LIBRARY_PATH ./rpath_c
if [ -n "$CXX" ]; then
    # shellcheck disable=SC2046
    "$CXX" -std=c++11 -Wall -Wextra -Wpedantic -Werror examples/plan.cc -o pkg_cc $(pkg-config --cflags --libs memplan)
    expect pkg_cc ./pkg_cc
fi

cmake -S examples -B found -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$CC" -DCMAKE_CXX_COMPILER="$CXX" >"$top/log"
cmake --build found >>"$top/log" || { cat "$top/log"; fail "find_package(memplan) gives what does not build"; }
expect found_c found/plan_c
expect found_cc found/plan_cc
found/graph_c | grep -q '^optimal, peak 28672 bytes$' || fail "graph.c finds another plan"
found/memories_c | grep -q '^tensor conv at [0-9]* of sdram$' || fail "memories.c finds another plan"

"$prefix/bin/memplan" --version >"$top/log" || fail "the installed program does not start"
for file in share/man/man1/memplan.1 share/man/man1/memplan-plan.1 share/bash-completion/completions/memplan \
    share/zsh/site-functions/_memplan share/fish/vendor_completions.d/memplan.fish \
    share/doc/memplan/LICENSE share/doc/memplan/copyright share/doc/memplan/docs/library.md share/doc/memplan/examples/plan.c; do
    [ -s "$prefix/$file" ] || fail "no $file"
done
