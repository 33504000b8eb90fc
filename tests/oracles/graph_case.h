/* What the claims about graphs share: the case {"graph": {..}, "policy": .., "inplace": ..}. One
   without inplace has no rules at all; one without "alignment" has places of every offset, where it
   is 0 of what each dtype needs; where "pin_io" is there, inputs and outputs are pinned. */
#ifndef MEMPLAN_TESTS_ORACLES_GRAPH_CASE_H
#define MEMPLAN_TESTS_ORACLES_GRAPH_CASE_H

#include "datasets/json/fields.h"
#include "harness/job/job.h"

struct graph_case {
    struct json_document *document;
    struct instance *instance;
    struct job job; /* by the planner exact, on the instance */
};

/* What a program whose cases are graphs defines in place of claims_answer. */
enum status graph_case_answer(const struct graph_case *read, FILE *out, struct error *error);

/* Writes {"tensor": offset, ..} with the tensors that have one. */
void graph_case_write_offsets(const struct graph *graph, const struct placement *placement,
                              FILE *out);

/* Writes the hardware profile that stands in the case as a text, "hardware", to a file of its own,
   which the caller removes. */
enum { GRAPH_CASE_PATH_BYTES = 64 };
enum status graph_case_write_profile(const struct json_reader *reader,
                                     char path[GRAPH_CASE_PATH_BYTES]);

#endif
