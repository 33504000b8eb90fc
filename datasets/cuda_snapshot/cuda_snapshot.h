#ifndef MEMPLAN_DATASETS_CUDA_SNAPSHOT_CUDA_SNAPSHOT_H
#define MEMPLAN_DATASETS_CUDA_SNAPSHOT_CUDA_SNAPSHOT_H

#include "datasets/carried/carried.h"
#include "datasets/json/document.h"

/* Snapshots of PyTorch's allocator for CUDA, as JSON (examples/snapshot_to_json.py makes it of the
   pickle), see docs/formats.md: what one device allocated and freed while it was recorded, as a
   problem, with the addresses that the allocator gave. */

bool cuda_snapshot_is(const struct json_document *document);

/* The choice's memory is the number of a device; else the one with the most events is read. Each
   event is a step. Addresses are counted without the gaps between the allocator's segments, so the
   arena is what it reserved, at any time of the recording. Fails with STATUS_BAD_INPUT, the file
   and the line. The caller clears *carried, also after an error. */
enum status cuda_snapshot_read(struct json_document *document, const struct carried_choice *choice,
                               struct carried *carried, struct error *error);

#endif
