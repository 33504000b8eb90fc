#ifndef MEMPLAN_DATASETS_TFLITE_METADATA_H
#define MEMPLAN_DATASETS_TFLITE_METADATA_H

#include "datasets/flatbuffer/flatbuffer.h"

/* Metadata of a TFLite model: named buffers that no tensor uses. */

#define TFLITE_OFFLINE_NAME "OfflineMemoryAllocation"

struct tflite_metadata {
    struct flatbuffer file;
    struct flatbuffer_table root;
    struct flatbuffer_vector buffers, metadata;
};

/* model and file are borrowed. Everything fails with STATUS_BAD_INPUT and the byte offset. */
enum status tflite_metadata_open(const struct text *model, const char *file,
                                 struct tflite_metadata *metadata, struct error *error);

/* The bytes of the first buffer of that name. */
enum status tflite_metadata_find(const struct tflite_metadata *metadata, const char *name,
                                 bool *found, struct flatbuffer_vector *data);

/* Appends a copy of the model in which the bytes are the one buffer of that name. All tables of the
   model stay as they are, behind a new root table and new lists. */
enum status tflite_metadata_replace(const struct tflite_metadata *metadata, const char *name,
                                    const struct text *bytes, struct text *copy);

#endif
