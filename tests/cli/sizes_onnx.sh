#!/bin/sh
# ONNX models whose named dimensions have ranges, and PyTorch programs whose symbols have: one plan for all sizes.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

cp "$CASES/../fuzz/corpus/onnx/named_dimensions.onnx" "$CASES/../fuzz/corpus/onnx/loop_nested.onnx" .
memplan plan named_dimensions.onnx --range batch=1..8 --range sequence=1..5
memplan plan 'named_dimensions.onnx?batch=1..8&sequence=5..5' -f json
memplan plan named_dimensions.onnx --range batch=1..8 --range sequence=5..5 --at batch=2,sequence=5
memplan plan named_dimensions.onnx --range batch=2..2 --range sequence=1..64 -o plan.json
memplan verify named_dimensions.onnx plan.json --range batch=2..2 --range sequence=1..64
memplan verify named_dimensions.onnx plan.json --range batch=3..3 --range sequence=1..64
memplan info named_dimensions.onnx --range batch=1..8 --range sequence=1..5
cp "$CASES/../fuzz/corpus/pytorch/symbols.pt2" .
memplan plan symbols.pt2 --range s0=2..64
memplan plan 'symbols.pt2?s0=5'

# What is wrong.
memplan plan symbols.pt2 --range s0=1..64
memplan plan symbols.pt2 --range s1=2..64
memplan plan named_dimensions.onnx --range batch=1..8
memplan plan named_dimensions.onnx --range batch=1..8 --range length=1..8
memplan plan named_dimensions.onnx --range batch=8..1 --range sequence=1..8
memplan plan named_dimensions.onnx --range batch=1..8 --range batch=1..8
memplan plan named_dimensions.onnx --range batch=1..8 --range sequence=0..8
memplan plan named_dimensions.onnx --range batch=1..20000 --range sequence=1..8
memplan plan named_dimensions.onnx --range batch=4000000000..4000000000 --range sequence=4000000000..4000000000
memplan plan loop_nested.onnx --range batch=1..8
memplan plan patent/figure4 --range batch=1..8
memplan plan zoo/unet --range image=188..200 --planner large_first
