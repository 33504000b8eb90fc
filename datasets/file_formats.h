#ifndef MEMPLAN_DATASETS_FILE_FORMATS_H
#define MEMPLAN_DATASETS_FILE_FORMATS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/text.h"
#include "datasets/carried/carried.h"
#include "datasets/instance_options.h"
#include "planning/graph/graph.h"
#include "planning/problem/problem.h"
#include "planning/sizes/sizes.h"

/* What a file or a built-in instance holds: a graph or a problem. */
struct file_content {
    struct graph *graph;
    struct symbolic_sizes *sizes; /* of the graph's tensors, where options are ranges */
    struct problem *problem;
    struct carried carried; /* instead of the problem, of a file that carries a plan */
};

/* A file that is read, and what follows its name behind a ?, or NULL. */
struct file_source {
    const char *path, *part;
    struct text text;
    bool is_mapped; /* the text is the file itself, and no zero stands behind it */
};

/* Fails where something follows the name. */
enum status file_source_refuse_part(const struct file_source *source, struct error *error);

/* A format of files. */
struct file_format {
    const char *extension;
    bool (*recognises)(const struct text *text); /* by content; NULL: by extension alone */
    bool has_parts;                              /* a choice may follow the name of the file */
    bool is_mapped; /* the reader looks at parts of the file, which may hold weights */
    enum status (*read)(const struct file_source *source, const struct instance_options *options,
                        struct file_content *content, struct error *error);
};

#define FILE_FORMATS ".json, .csv, .tflite, .onnx, .ort, .xml, .pte, .pt2, .pb"

/* The formats in the order in which they are tried, NULL behind the last. */
const struct file_format *file_format_at(uint32_t index);

/* Fails for a file of a format that is known and not read, with what to bring instead. */
enum status file_format_refuse_foreign(const struct file_source *source, struct error *error);

#endif
