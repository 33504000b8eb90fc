#ifndef MEMPLAN_PROOFS_CHECKER_PROBLEM_H
#define MEMPLAN_PROOFS_CHECKER_PROBLEM_H

#include "proofs/checker/fault.h"

/* The problem that a log is about, see docs/proofs.md. */
struct segment {
    int64_t lower, upper; /* steps */
    int64_t begin, end;   /* the bytes of the buffer that are used there */
};

struct pair {
    uint32_t first, second;
};

struct name {
    char *text;
    uint32_t buffer;
};

struct problem {
    uint32_t buffers;
    int64_t *size, *alignment; /* [buffers] bytes, at least 1 */
    int64_t *fixed;            /* [buffers] PROBLEM_FREE where it may lie anywhere */
    uint32_t *first;           /* [buffers + 1] into segment */
    struct segment *segment;   /* of each buffer ascending, not overlapping */
    uint32_t segments;
    struct pair *pair; /* [pairs] that conflict whatever their segments, rising, first < second */
    size_t pairs;
    struct name *name; /* [buffers] rising by text */
    size_t buffer_room, segment_room, pair_room;
};

#define PROBLEM_FREE (-1)

/* Reads a problem of docs/formats.md: a .json file, or else CSV. */
bool check_problem_read(const char *path, struct problem *problem, struct fault *fault);
void check_problem_free(struct problem *problem);

/* The buffer of this name, or problem->buffers. O(log buffers). */
uint32_t check_problem_find(const struct problem *problem, const char *name);

/* Tells problems apart, so that a log is not checked against the wrong one. Nothing rests on it.
   FNV-1a (Fowler, Noll and Vo) of a text that docs/proofs.md describes. */
uint64_t check_problem_fingerprint(const struct problem *problem);

/* Whether in no plan the offset of j less that of i is one of the whole numbers from `lower` to
   `upper`: windows of theirs that are in use at one step would overlap. O(their segments, squared
   where windows matter). */
bool check_problem_forbids(const struct problem *problem, uint32_t i, uint32_t j, int64_t lower,
                           int64_t upper);

#endif
