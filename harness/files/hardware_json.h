#ifndef MEMPLAN_HARNESS_FILES_HARDWARE_JSON_H
#define MEMPLAN_HARNESS_FILES_HARDWARE_JSON_H

#include "core/text.h"
#include "dma/timing/hardware.h"

/* Hardware profiles, memplan-hardware/1:

   {"format", "name", "note", "dma_bytes_per_second", "dma_start_ns", "dma_start_instruction_ns",
    "dma_wait_instruction_ns", "contention", "operations_per_second": {type: n}, "on_chip_bytes",
    "memories": [..]}

   Only the first two and the bandwidth have to be there; costs are 0 otherwise and a type without a
   rate takes that of "default". The memories are for datasets/memories/memory_file.h to read. */
#define HARDWARE_JSON_FORMAT "memplan-hardware/1"

/* Reads a profile into a zeroed struct, which the caller clears, also after an error.
   STATUS_BAD_INPUT with the file and line. */
enum status hardware_json_read(const struct text *text, const char *file, struct hardware *hardware,
                               struct error *error);

#endif
