#ifndef MEMPLAN_DATASETS_PYTORCH_PYTORCH_H
#define MEMPLAN_DATASETS_PYTORCH_PYTORCH_H

#include "core/text.h"
#include "datasets/assembly/options.h"
#include "datasets/json/document.h"
#include "planning/graph/graph.h"

/* Programs that torch.export saves (.pt2), see docs/formats.md: a zip archive that holds a graph as
   JSON, or that JSON by itself. */

/* What is not read of a program, and of a snapshot of the allocator (datasets/cuda_snapshot); nodes
   and tensors of a program are read one by one. */
extern const struct json_spare pytorch_spare;

/* Whether the archive has a program in it. */
bool pytorch_is_archive(const struct text *text);
bool pytorch_is_program(const struct json_document *document);

/* Reads a program as a graph, which needs less memory where the document was read with
   pytorch_spare. Of several in an archive, `model` names the one that is meant; NULL
   for the first. Fails with STATUS_BAD_INPUT, the file and the place; with STATUS_USAGE where a
   bind does not fit. */
enum status pytorch_read_archive(const struct text *text, const char *file, const char *model,
                                 const struct model_options *options, struct graph **graph,
                                 struct error *error);
enum status pytorch_read_program(struct json_document *document,
                                 const struct model_options *options, struct graph **graph,
                                 struct error *error);

#endif
