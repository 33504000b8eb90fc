#!/bin/sh
# Hardware profiles with faults are refused with file and line; so are modes and outputs that do not
# exist.
set -u
# shellcheck source=common.sh
. "$CASES/common.sh"

refuse_profile() {
    printf '{"format": "memplan-hardware/1", "name": "bad",\n%s\n}\n' "$1" >bad.json
    sed 's/^/    /' bad.json
    memplan dma luna/wake_up --hardware bad.json -o written.trace.json
}

refuse_profile '"dma_bytes_per_second": 0'
refuse_profile '"dma_bytes_per_second": 1000, "dma_start_ns": -5'
refuse_profile '"dma_bytes_per_second": 1000, "dma_start_instruction_ns": 1.5'
refuse_profile '"dma_bytes_per_second": 1000, "contention": -1'
refuse_profile '"dma_bytes_per_second": 1000, "latency": 1'
refuse_profile '"dma_bytes_per_second": "fast"'
refuse_profile '"dma_bytes_per_second": 1000, "operations_per_second": {"Conv": 0}'
refuse_profile '"dma_bytes_per_second": 1000, "dma_bytes_per_second": 1000'
refuse_profile '"dma_start_ns": 5'
refuse_profile '"dma_bytes_per_second": 1000,'
echo '{"format": "memplan-graph/1"}' >bad.json
memplan dma luna/wake_up --hardware bad.json
memplan dma luna/wake_up --hardware missing.json
memplan dma luna/wake_up --hardware moon
memplan dma luna/wake_up --mode zigzag
memplan dma luna/wake_up --mode ring --buffers 0
memplan dma luna/wake_up --mode ring --buffers many
memplan dma luna/wake_up -o times.csv
memplan_errors dma
write_figure4 problem.csv
memplan dma problem.csv
find . -type f | sort
