#!/bin/sh
# The module that reads ONNX models: found where it is built and where it is installed, missed elsewhere.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

build=$(dirname "$MEMPLAN")
cp "$CASES/../fuzz/corpus/onnx/loop_nested.onnx" loop.onnx
memplan info loop.onnx
"$MEMPLAN" info loop.onnx >"$SCRATCH/built"

cmake --install "$build" --prefix "$PWD/installed" >"$SCRATCH/install" || cat "$SCRATCH/install"
installed/bin/memplan info loop.onnx | diff "$SCRATCH/built" -

cp "$MEMPLAN" alone
MEMPLAN=./alone
memplan info loop.onnx
"$MEMPLAN" info patent/figure4 >"$SCRATCH/shown" || cat "$SCRATCH/shown"
