#ifndef MEMPLAN_HARNESS_FILES_OFFLINE_FILE_H
#define MEMPLAN_HARNESS_FILES_OFFLINE_FILE_H

#include "harness/files/plan_buffers.h"

/* Plans in the form of TFLite Micro (datasets/tflite/offline.h), for instances that were read from
   a model with one subgraph: a .bin file is only the plan's buffer, a .tflite file a whole model
   that carries it. offline_file_is says whether a path has one of these forms. */
bool offline_file_is(const char *path);

/* Appends the plan of the buffers in the form that path asks for. STATUS_USAGE where the instance
   is no .tflite file, STATUS_BAD_INPUT where an offset needs more than 31 bits or is no multiple of
   16, or a buffer is split. */
enum status offline_file_write(const struct plan_buffers *buffers, const struct plan *plan,
                               const char *path, struct text *text, struct error *error);

/* Reads such a file for the instance. (*offset)[tensors] holds an offset for each tensor of the
   graph, -1 for tensors that have no place or get one from the runtime. The caller frees it with
   memory_free, also after an error. */
enum status offline_file_read(const struct instance *instance, const struct text *text,
                              const char *path, int32_t **offset, struct error *error);

/* Notes in the placement that tensors with equal offsets are in place of each other, where
   operators allow that. */
enum status offline_file_declare(const struct graph *graph, const int32_t *offset,
                                 struct placement *placement, struct error *error);

/* Fills the plan with the offsets from the file. Buffers without an offset are placed around the
   others by tflm_greedy, as the runtime would place them. */
enum status offline_file_take(const struct plan_buffers *buffers, const int32_t *offset,
                              struct plan *plan, struct error *error);

#endif
