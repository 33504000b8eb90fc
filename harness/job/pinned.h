#ifndef MEMPLAN_HARNESS_JOB_PINNED_H
#define MEMPLAN_HARNESS_JOB_PINNED_H

#include "harness/job/job.h"

/* Pinned inputs and outputs: those tensors of the outermost level that the graph takes and hands
   out, as far as they are in the arena, keep bytes of their own for the whole run. They lie at the
   start of the arena, first the inputs and then the outputs in the order of the graph, each at the
   next multiple of its alignment; so their offsets follow from the graph alone. Everything else is
   planned behind them, from the next multiple of the greatest alignment on. */
struct pinned {
    struct job job; /* of what is planned behind them: to it they are external */
    struct instance instance;
    struct graph graph; /* that of the pinning job, but tensors have the bytes of their values */
    uint64_t *offset;   /* [tensors] of the pinned ones; PROBLEM_FREE */
    uint64_t bytes;     /* of all of them */
    uint64_t end;       /* of the last of them; above `bytes` where they are padded */
    uint64_t base;      /* the rest begins here */
};

/* The job has a graph and pins. STATUS_BAD_INPUT where the pinned tensors add up to more than
   2^64 - 1 bytes. The struct may not be moved; the caller clears it, also after an error. */
enum status pinned_create(const struct job *job, struct pinned *pinned, struct error *error);
void pinned_clear(struct pinned *pinned);

/* Makes the placement of the rest that of the whole graph. What was proved of the rest is proved of
   the whole only where nothing could lie in the padding of the pinned tensors; else the bound is
   their bytes and the load of the rest. */
enum status pinned_finish(const struct pinned *pinned, struct placement *placement,
                          struct error *error);

#endif
