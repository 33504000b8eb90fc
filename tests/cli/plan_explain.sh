#!/bin/sh
# Why a capacity is too small, and which one is not.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

memplan plan -p large_first patent/figure4 --capacity 42M --explain
memplan plan -p large_first patent/figure4 --capacity 42M --explain -f json
memplan plan -p large_first patent/figure4 --explain

# The load fits, and some plan does.
memplan plan -p large_first patent/figure4 --capacity 43M --explain

# Policies with blocks: the region that needs more than the capacity, or the level around blocks.
memplan plan -p large_first luna/denoise --policy recursive --capacity 95000 --explain
memplan plan -p large_first luna/denoise --policy recursive --capacity 95000 --explain -f json
memplan plan -p large_first luna/denoise --policy hoist --capacity 96000 --explain
memplan plan -p large_first luna/denoise --policy recursive --capacity 96000 --explain

# Under select a result may also be a copy: here that needs less than passing x on.
cat >pass.json <<'END'
{
  "format": "memplan-graph/1",
  "name": "pass",
  "tensors": [
    {"name": "flag", "bytes": 1}, {"name": "x", "bytes": 64}, {"name": "small", "bytes": 16},
    {"name": "r", "bytes": 64}, {"name": "y", "bytes": 64}, {"name": "z", "bytes": 16}
  ],
  "inputs": [],
  "outputs": [],
  "ops": [
    {"name": "make", "type": "Conv", "inputs": [], "outputs": ["flag"]},
    {"name": "conv", "type": "Conv", "inputs": ["flag"], "outputs": ["x"]},
    {"name": "choose", "type": "If", "inputs": ["x"], "outputs": ["r"], "regions": [
      {"name": "then", "ops": [], "yields": ["x"]},
      {"name": "else", "ops": [
        {"name": "pool", "type": "Conv", "inputs": ["x"], "outputs": ["small"]}
      ], "yields": ["small"]}
    ]},
    {"name": "read", "type": "Conv", "inputs": ["r"], "outputs": ["y", "z"]}
  ]
}
END
memplan plan pass.json --policy select --planner exact
memplan plan pass.json --policy select --planner exact --capacity 143 --explain
