/* What the claims about graphs share: the case {"graph": {..}, "policy": .., "inplace": ..}. */
#ifndef MEMPLAN_TESTS_ORACLES_GRAPH_CASE_H
#define MEMPLAN_TESTS_ORACLES_GRAPH_CASE_H

#include "datasets/json/fields.h"
#include "harness/job/job.h"

struct graph_case {
    struct json_document *document;
    struct instance *instance;
    struct job job; /* by the planner exact, on the instance */
};

/* graph_case_read: fails with STATUS_BAD_INPUT or STATUS_USAGE where the case is none. The caller
   frees it in any case. A case without inplace has no rules at all. */
enum status graph_case_read(const char *text, size_t length, struct graph_case *read,
                            struct error *error);
void graph_case_free(struct graph_case *read);

/* Writes {"tensor": offset, ..} with the tensors that have one. */
void graph_case_write_offsets(const struct graph *graph, const struct placement *placement,
                              FILE *out);

#endif
