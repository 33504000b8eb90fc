#ifndef MEMPLAN_DATASETS_TFLITE_OFFLINE_H
#define MEMPLAN_DATASETS_TFLITE_OFFLINE_H

#include <stdint.h>

#include "core/text.h"

/* The plan that a TFLite model may carry for TFLite Micro: metadata named OfflineMemoryAllocation,
   whose buffer is a list of little-endian int32: the version of the format, the subgraph, the
   number of tensors, and for each tensor of the subgraph its offset in the arena, or -1 for one
   that the runtime places (tflite-micro, docs/memory_management.md). */
struct tflite_offline {
    uint32_t tensors;
    int32_t *offset; /* [tensors] bytes, or TFLITE_OFFLINE_LATER */
};
enum { TFLITE_OFFLINE_LATER = -1 };
void tflite_offline_clear(struct tflite_offline *offline);

/* Appends the bytes of the buffer, for the main subgraph. */
void tflite_offline_write(const struct tflite_offline *offline, struct text *bytes);

/* Reads the bytes of such a buffer, for the main subgraph. STATUS_BAD_INPUT with the byte offset.
   The caller clears the plan. */
enum status tflite_offline_read(const struct text *bytes, const char *file,
                                struct tflite_offline *offline, struct error *error);

/* The plan that a model carries. STATUS_BAD_INPUT where it carries none, or a damaged one. */
enum status tflite_offline_find(const struct text *model, const char *file,
                                struct tflite_offline *offline, struct error *error);

/* Appends a copy of the model that carries the given bytes of a plan in place of any plan that it
   carried before. STATUS_BAD_INPUT for a model that cannot be moved: with fields that are not
   known, or with constants behind the FlatBuffer. */
enum status tflite_offline_embed(const struct text *model, const char *file,
                                 const struct text *bytes, struct text *copy, struct error *error);

#endif
