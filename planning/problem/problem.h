#ifndef MEMPLAN_PLANNING_PROBLEM_PROBLEM_H
#define MEMPLAN_PLANNING_PROBLEM_PROBLEM_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/error.h"
#include "core/names.h"
#include "planning/problem/clocks/clocks.h"
#include "planning/sizes/sizes.h"

/* The problem is all that most planners see. A buffer is a number of bytes that needs one place in
   the arena while it is live. It is live in one or more segments [lower, upper) of steps, and in
   each it uses the byte window [window_lower, window_upper) of itself, mostly all of it. Two
   buffers conflict when segments of theirs overlap in time; where they do, their windows must not
   overlap in the arena.

   Segments of buffer b: first[b] .. first[b + 1] - 1, ascending, not overlapping.

   Steps before line_end are time steps: positions in the order in which operators run. Those from
   line_end on are conflict steps, at which nothing runs: the buffers that are live at one of them
   conflict pairwise, and that is all they say. So they express conflicts that no order of time can,
   and every planner can work with them; see planning/problem/explicit_conflicts.h and
   planning/lowering/path_level.h.

   Where buffers come from several streams, they may have clocks, which say which of them is over
   before which begins; see planning/problem/clocks/clocks.h.

   Where sizes depend on parameters, sizes has an expression for each buffer, and size has the
   values at the greatest point: the problem is then a family (planning/family). */
struct problem {
    struct names name;  /* one name */
    char *note;         /* free text of the file, or NULL */
    struct names names; /* [buffers], not always unique */
    uint32_t buffers, segments;
    uint64_t *size;          /* [buffers] bytes, at least 1 */
    uint64_t *any_alignment; /* [buffers] see problem_alignment; NULL where all are 1 */
    uint64_t *any_fixed;     /* [buffers] see problem_fixed_offset; NULL where all are free */
    uint64_t *any_hint;      /* [buffers] see problem_hint; NULL where nothing has one */
    uint32_t *first;         /* [buffers + 1] */
    uint32_t *lower, *upper; /* [segments] steps */
    uint64_t *any_window_lower, *any_window_upper; /* [segments] bytes, see problem_window_lower;
                                                      NULL where each buffer has one segment, in
                                                      which it uses all of its bytes */
    uint32_t line_end;     /* the first conflict step; PROBLEM_NO_LINE_END, which is above any step,
                              where all steps are time steps */
    struct clocks *clocks; /* of its buffers; NULL where they have none */
    struct symbolic_sizes *sizes;      /* [buffers] NULL where no size depends on a parameter */
    struct problem_building *building; /* NULL once it is finished */
};

#define PROBLEM_FREE UINT64_MAX
#define PROBLEM_NO_LINE_END UINT32_MAX
#define PROBLEM_ANTICHAIN_STEP 1

/* At least 1; the buffer's offset is a multiple of it. */
static inline uint64_t problem_alignment(const struct problem *problem, uint32_t buffer)
{
    assert(buffer < problem->buffers);
    return problem->any_alignment ? problem->any_alignment[buffer] : 1;
}

/* PROBLEM_FREE where it may lie anywhere. */
static inline uint64_t problem_fixed_offset(const struct problem *problem, uint32_t buffer)
{
    assert(buffer < problem->buffers);
    return problem->any_fixed ? problem->any_fixed[buffer] : PROBLEM_FREE;
}

/* The hint that the problem's file has for the buffer. No planner reads it: it is kept for writing
   the file again. Negative for none. */
static inline int64_t problem_hint(const struct problem *problem, uint32_t buffer)
{
    assert(buffer < problem->buffers);
    return problem->any_hint ? (int64_t)problem->any_hint[buffer] : -1;
}

/* A segment of a buffer uses the buffer's bytes in [window_lower, window_upper). */
static inline uint64_t problem_window_lower(const struct problem *problem, uint32_t segment)
{
    assert(segment < problem->segments);
    return problem->any_window_lower ? problem->any_window_lower[segment] : 0;
}
static inline uint64_t problem_window_upper(const struct problem *problem, uint32_t segment)
{
    assert(segment < problem->segments);
    return problem->any_window_upper ? problem->any_window_upper[segment] : problem->size[segment];
}

/* The components of each clock; 0 where buffers have none. */
static inline uint32_t problem_streams(const struct problem *problem)
{
    return problem->clocks ? problem->clocks->streams : 0;
}
static inline struct clock problem_clock(const struct problem *problem, uint32_t buffer)
{
    assert(problem->clocks);
    return clocks_get(problem->clocks, buffer);
}

/* Whether only the clocks say which buffers conflict, since there are too many pairs for conflict
   steps. All buffers are live at step 0, so that a planner that looks at steps makes a safe plan;
   those of the heaviest antichain are also live at PROBLEM_ANTICHAIN_STEP. */
static inline bool problem_is_by_clocks(const struct problem *problem)
{
    return problem->clocks && problem->clocks->alone;
}

struct problem_buffer {
    const char *name;
    uint64_t size, alignment, fixed_offset;
    int64_t hint;
};

/* A buffer uses the window [window_lower, window_upper) of its bytes at the steps [lower,
   upper). */
struct problem_segment {
    uint32_t lower, upper;
    uint64_t window_lower, window_upper;
};

enum status problem_create(struct problem **problem, const char *name, struct error *error);
void problem_free(struct problem *problem); /* NULL is fine */
SCOPED_POINTER(struct problem, problem_release, problem_free);

/* Adds a buffer (size and alignment at least 1), to which the segments added next belong. Fails
   with STATUS_BAD_INPUT on bad values. O(1) amortised. */
enum status problem_add_buffer(struct problem *problem, const struct problem_buffer *buffer,
                               struct error *error);
/* lower < upper, after the last segment of the same buffer; window inside the buffer. Errors and
   costs as problem_add_buffer. */
enum status problem_add_segment(struct problem *problem, struct problem_segment segment,
                                struct error *error);
/* Gives the last buffer a clock; the one before it has one. Errors as clocks_add. */
enum status problem_add_clock(struct problem *problem, struct clock clock, struct error *error);
/* Changes a buffer that was added: its alignment, at least 1; its fixed offset, or PROBLEM_FREE;
   its size, at least 1, which only a buffer without windows may change. problem_finish has to be
   called again. O(1) except for the first alignment and the first fixed buffer. */
enum status problem_set_alignment(struct problem *problem, uint32_t buffer, uint64_t alignment,
                                  struct error *error);
enum status problem_fix(struct problem *problem, uint32_t buffer, uint64_t offset,
                        struct error *error);
void problem_resize(struct problem *problem, uint32_t buffer, uint64_t size);

/* Checks that every buffer has a segment, and that no plan, even without reuse and above the
   highest fixed buffer, needs more than 2^63 - 1 bytes: what every file format and database here
   can hold. */
enum status problem_finish(struct problem *problem, struct error *error);
/* The first buffer that problem_finish refuses, problem->buffers for none. O(buffers). */
uint32_t problem_find_fault(const struct problem *problem);

/* Also makes every offset a multiple of alignment_bytes; 0 asks for nothing. STATUS_BAD_INPUT
   where this and a buffer's alignment have no common multiple below 2^64, STATUS_NO where a buffer
   is fixed at another offset. O(buffers). */
enum status problem_align(struct problem *problem, uint64_t alignment_bytes, struct error *error);

/* A buffer's first step, and one past its last. */
uint32_t problem_lower(const struct problem *problem, uint32_t buffer);
uint32_t problem_upper(const struct problem *problem, uint32_t buffer);
/* A buffer's first time step, and one past its last; both are line_end if it is live at none. */
void problem_time_steps(const struct problem *problem, uint32_t buffer, uint32_t *lower,
                        uint32_t *upper);
/* At how many time steps the buffer is live. */
uint64_t problem_duration(const struct problem *problem, uint32_t buffer);
/* One past the last step, time step or conflict step. O(segments). */
uint32_t problem_steps(const struct problem *problem);
/* One past the last time step. O(segments). */
uint32_t problem_line_steps(const struct problem *problem);
/* Whether some segment uses less than its whole buffer. */
bool problem_has_windows(const struct problem *problem);

/* Where the highest fixed buffer ends, 0 without one. O(buffers). */
uint64_t problem_fixed_end(const struct problem *problem);

/* The peak when all buffers lie one after another, without sharing, above the highest fixed one.
   Some plan has it, unless fixed buffers collide. O(buffers). */
uint64_t problem_ample_bytes(const struct problem *problem);

/* Sum of all sizes: no reuse. */
uint64_t problem_naive_bytes(const struct problem *problem);

#endif
