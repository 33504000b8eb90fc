#ifndef MEMPLAN_DATASETS_INSTANCE_H
#define MEMPLAN_DATASETS_INSTANCE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/digest.h"
#include "datasets/instance_options.h"
#include "datasets/instance_table.h"
#include "planning/graph/graph.h"
#include "planning/problem/problem.h"
#include "planning/sizes/sizes.h"

/* What is planned: a built-in example or network, or the content of a file. Exactly one of graph
   and problem is set. */
struct instance {
    /* For a built-in instance with its options; for a file without folder and extension. */
    char *name;
    char *path; /* absolute for a file; else the name */
    /* Digest of the content, which does not depend on name, note and layout. */
    char digest[DIGEST_TEXT_BYTES];
    struct graph *graph;
    struct problem *problem;
    /* [graph->tensors] the bytes of each tensor, where they depend on parameters; the graph has
       those of the greatest point. NULL where they do not. */
    struct symbolic_sizes *tensor_sizes;
    /* With tensor_sizes: how the file is read at other points; what it points to is borrowed. */
    struct model_options model;
    /* [problem->buffers] the offsets of the plan that a framework's file carries for the problem,
       and the bytes that it says its arena has. NULL and 0 where it carries none. */
    uint64_t *carried_offset;
    uint64_t carried_bytes;
    bool is_reconstruction; /* as in struct instance_row; false for files and generated ones */
};

/* Loads a built-in instance (zoo/NAME?option=value&... for networks), a generated one by its name
   (generate.h), one made of others by its name (perturb.h, side_by_side.h), or a file by its
   extension: .json (graph or problem, as its "format" says), .csv, .onnx, .tflite, .pte or .pb, the
   last two under any other extension too. Which of several problems of these is meant may follow
   the name (MODEL.pte?method=NAME&memory=NUMBER), and so may ranges or values of an ONNX model's
   named dimensions and of a TFLite model's batch (MODEL.onnx?batch=1..64). options may be NULL;
   what they point to has to outlive an instance with ranges. Fails with STATUS_USAGE when there is
   no such instance (with what is near it) and with STATUS_BAD_INPUT, file and line (or byte offset)
   when a file is wrong. */
enum status instance_load(const char *name_or_path, const struct instance_options *options,
                          struct instance **instance, struct error *error);

/* Makes an instance of a graph or problem that was made elsewhere (the other one is NULL). The
   instance owns it from now on, even if the call fails. */
enum status instance_create(const char *name, struct graph *graph, struct problem *problem,
                            struct instance **instance, struct error *error);
/* The instance with the sizes at one point, where they depend on parameters.
   The caller frees it. */
enum status instance_create_at(const struct instance *family, const uint64_t *point,
                               struct instance **instance, struct error *error);
/* The expressions of the sizes of its buffers or tensors, NULL where none depends on a
   parameter. */
const struct symbolic_sizes *instance_sizes(const struct instance *instance);
void instance_free(struct instance *instance); /* NULL is fine */
SCOPED_POINTER(struct instance, instance_release, instance_free);

#endif
