#ifndef MEMPLAN_PLANNING_VERIFY_VERDICT_H
#define MEMPLAN_PLANNING_VERIFY_VERDICT_H

#include <stdint.h>

/* What a check of a plan or of a placement finds. */

enum verify_fault {
    VERIFY_VALID,
    VERIFY_WRONG_COUNT,   /* the plan is for another number of buffers */
    VERIFY_NO_OFFSET,     /* buffer first has no offset */
    VERIFY_OUT_OF_RANGE,  /* buffer first ends beyond 2^64 */
    VERIFY_MISALIGNED,    /* an extent of first does not begin at a multiple of its alignment */
    VERIFY_NOT_FIXED,     /* first is not at its fixed offset */
    VERIFY_OVERLAP,       /* first and second are live at step and share bytes */
    VERIFY_WRONG_PEAK,    /* the plan's peak is not max(offset + size) */
    VERIFY_WRONG_EXTENTS, /* the extents of first do not add up to its size, one is empty, or the
                             first of them is not at its offset */
    VERIFY_SELF_OVERLAP,  /* two extents of first share bytes */
    VERIFY_DEVICES,       /* first and second are on different devices and share bytes */
    VERIFY_NOT_OF_POLICY, /* the placement is right for the graph, but buffers that are live at once
                             under its policy share bytes */
    VERIFY_BELOW_ITSELF,  /* in a plan for all sizes first lies below itself, by way of others, or
                             above buffers that do */
    VERIFY_NOT_ORIENTED,  /* a plan for all sizes does not say which of first and second, which are
                             live at step, lies below the other */
    VERIFY_SAMPLED,       /* no fault on `first` ways through the graph, which are not all: neither
                             valid nor known to be wrong */
};

/* What is wrong, and the buffers or tensors that show it. */
struct verdict {
    enum verify_fault fault;
    uint32_t first, second; /* buffers */
    uint32_t step;
};

/* VERIFY_OVERLAP of two different buffers or tensors, the lower number first. */
struct verdict verify_overlap(uint32_t a, uint32_t b, uint32_t step);

const char *verify_fault_name(enum verify_fault fault);

#endif
