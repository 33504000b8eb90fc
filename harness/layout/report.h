#ifndef MEMPLAN_HARNESS_LAYOUT_REPORT_H
#define MEMPLAN_HARNESS_LAYOUT_REPORT_H

#include "harness/job/job.h"

/* GE's memory report of a plan (its --dump-memory-layout): for each tensor with a place, or buffer
   of a problem, its size, first and last step, address, which tensors use its bytes next, and which
   one it is written over in place. A buffer that is live at no time step has no steps.

       tensor  size  start  end  address  reused by  in-place
       a          8      0    2  0x0      c          -
       b          4      1    3  0x8      c, d       -
       c         10      3    5  0x0      -          - */

enum { LAYOUT_REPORT_MOST_NAMES = 8 };

struct layout_report_row {
    const char *name; /* borrowed from the instance */
    uint32_t item;    /* tensor or buffer */
    /* The first and the last step at which it is live; UINT32_MAX and 0 for none. */
    uint32_t start, end;
    uint64_t size_bytes;
    uint64_t address; /* of its first extent */
    uint32_t first_extent, extents;
    /* [min(reusers, most)] the rows that reuse its bytes, ascending */
    uint32_t reused_by[LAYOUT_REPORT_MOST_NAMES];
    uint32_t reusers;  /* number of rows that are the next to use some byte of it */
    uint32_t in_place; /* the row of the tensor that it is written over, UINT32_MAX for none */
};

/* A report, whose rows are sorted by first step, then by address, then by position. */
struct layout_report {
    struct layout_report_row *row; /* [rows] */
    uint32_t rows;
    struct extent *extent; /* [extents] of all rows, by address */
    uint32_t extents;
    bool problem; /* whether rows are buffers of a problem */
};

/* Makes the report of an outcome with a plan. A byte counts as reused by the row that is the first
   to use it after this one. O(n log n + reuses log reuses) for n extents over all segments. The
   report is to be freed also after an error. */
enum status layout_report_create(const struct job *job, const struct outcome *outcome,
                                 struct layout_report *report, struct error *error);
void layout_report_free(struct layout_report *report);

#endif
