#ifndef MEMPLAN_HARNESS_FILES_OFFLINE_FILE_H
#define MEMPLAN_HARNESS_FILES_OFFLINE_FILE_H

#include "harness/files/plan_buffers.h"

/* Plans of TFLite Micro (datasets/tflite/offline.h) for instances that were read from a model with
   one subgraph: .bin is the buffer alone, .tflite a model that carries it. */
bool offline_file_is(const char *path);

/* Appends the plan of the buffers in the form that path asks for. STATUS_USAGE where the instance
   is no .tflite file, STATUS_BAD_INPUT where an offset needs more than 31 bits or is no multiple of
   16, or a buffer is split. */
enum status offline_file_write(const struct plan_buffers *buffers, const struct plan *plan,
                               const char *path, struct text *text, struct error *error);

/* Reads a file for the instance: (*offset)[tensors] of its graph, -1 for what has no place or gets
   one by the runtime. The caller frees it with memory_free, also after an error. */
enum status offline_file_read(const struct instance *instance, const struct text *text,
                              const char *path, int32_t **offset, struct error *error);

/* Tensors at one offset are in place of each other where operators allow it. */
enum status offline_file_declare(const struct graph *graph, const int32_t *offset,
                                 struct placement *placement, struct error *error);

/* Fills the plan of the buffers. Those without an offset are placed around the others by
   tflm_greedy, as the runtime does it. */
enum status offline_file_take(const struct plan_buffers *buffers, const int32_t *offset,
                              struct plan *plan, struct error *error);

#endif
