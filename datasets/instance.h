#ifndef MEMPLAN_DATASETS_INSTANCE_H
#define MEMPLAN_DATASETS_INSTANCE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/digest.h"
#include "datasets/csv/dialect.h"
#include "datasets/instance_table.h"
#include "datasets/onnx/read.h"
#include "planning/graph/graph.h"
#include "planning/problem/problem.h"

/* What is planned: a built-in example or network, or a file. Exactly one of graph and problem is
   set. */
struct instance {
    char *name; /* of a built-in instance, with its options; of a file, without folder and extension
                 */
    char *path; /* of a file, absolute; of others the name */
    char digest[DIGEST_TEXT_BYTES]; /* of the content, whatever its name, note and layout */
    struct graph *graph;
    struct problem *problem;
    bool is_reconstruction; /* as in struct instance_row; false for files and generated ones */
};

struct instance_options {
    bool ignore_offsets; /* buffers with a fixed offset in the file are free to move */
    const struct csv_dialect *dialect; /* of .csv files, NULL: MiniMalloc's */
    enum csv_lifetimes lifetimes;      /* of .csv files, 0: as the dialect says */
    struct onnx_options onnx;
};

/* Loads a built-in instance (zoo/NAME?option=value&... for networks), a generated one by its name
   (generate.h), one made of others by its name (perturb.h, side_by_side.h), or a file by its
   extension: .json (graph or problem, as its "format" says), .csv, .onnx or .tflite. options may be
   NULL. Fails with STATUS_USAGE when there is no such instance (with what is near it) and with
   STATUS_BAD_INPUT, file and line (or byte offset) when a file is wrong. */
enum status instance_load(const char *name_or_path, const struct instance_options *options,
                          struct instance **instance, struct error *error);

/* An instance of a graph or problem made elsewhere (the other one is NULL), which it owns from now
   on, also when it fails. */
enum status instance_create(const char *name, struct graph *graph, struct problem *problem,
                            struct instance **instance, struct error *error);
void instance_free(struct instance *instance); /* NULL is fine */

#endif
