#ifndef MEMPLAN_PLANNING_VERIFY_SPANS_H
#define MEMPLAN_PLANNING_VERIFY_SPANS_H

#include "core/scratch.h"
#include "planning/plan/extents.h"

/* A set of spans of addresses that finds its members which share bytes with a given span. All spans
   that may become members are given at the start, and numbered in that order; members may
   overlap. */

struct verify_span {
    uint64_t lower, upper; /* the bytes [lower, upper); equal where it has none */
};

struct verify_spans {
    uint32_t count, leaves;   /* a power of two, at least count */
    struct verify_span *span; /* [count] sorted by where they begin */
    uint32_t *number;         /* [count] the number of each span in this order */
    uint32_t *rank;           /* [count] the position in this order of each number */
    uint64_t *reach; /* [2 * leaves] how far the members below a node reach, 0 without any; node n
                        has the nodes 2 n and 2 n + 1, leaf r of the rank r is node leaves + r */
};

/* No members at first. O(count) and 40 bytes for each span, which live as long as the scratch. */
enum status verify_spans_create(const struct verify_span *span, uint32_t count,
                                struct verify_spans *spans, struct scratch *scratch,
                                struct error *error);

/* The number may be a member already when it is inserted, or none when it is removed. O(log
   count). */
void verify_spans_insert(struct verify_spans *spans, uint32_t number);
void verify_spans_remove(struct verify_spans *spans, uint32_t number);

/* The bytes of the number's span. */
struct verify_span verify_spans_get(const struct verify_spans *spans, uint32_t number);

/* Goes over the members with bytes in [lower, upper) by where they begin:

       for (uint32_t at = 0; verify_spans_next(&spans, span, &at, &number);) ...

   False after the last. O(log count) each. */
bool verify_spans_next(const struct verify_spans *spans, struct verify_span span, uint32_t *at,
                       uint32_t *number);

/* From the first to the last byte of a walk that has not begun; empty where its bytes end beyond
   2^64 - 1. O(extents). */
struct verify_span verify_span_around(struct extents_walk walk);

#endif
