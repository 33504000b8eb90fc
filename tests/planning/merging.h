#ifndef MEMPLAN_TESTS_MERGING_H
#define MEMPLAN_TESTS_MERGING_H

#include "planning/inplace/inplace.h"
#include "planning/sketch.h"

/* What sets of in-place rules make of finished sketches. */

void merging_set_type(struct sketch *sketch, const char *name, const char *type);
/* Pairs of positions that the operator allows: an input's and an output's in turn. */
void merging_declare(struct sketch *sketch, const char *name, const uint32_t *pairs,
                     uint32_t count);
void merging_declare_first(struct sketch *sketch, const char *name); /* 0, 0 */

/* "u<t v=t": u overwrites t, v is a view of t; in the order of the tensors. */
void merging_expect(struct sketch *sketch, const char *rules, const char *expected);
void merging_expect_without(struct sketch *sketch, const char *rules, const char *disabled,
                            const char *expected);

#endif
