#ifndef MEMPLAN_PROOFS_CHECKER_PROBLEM_H
#define MEMPLAN_PROOFS_CHECKER_PROBLEM_H

#include "proofs/checker/input.h"

/* The problem that a log is about, see docs/proofs.md. */
struct segment {
    int64_t lower, upper; /* steps */
    int64_t begin, end;   /* the bytes of the buffer that are used there */
    uint32_t buffer;
};

struct buffer {
    const char *name;
    int64_t size, alignment; /* bytes, at least 1 */
    int64_t fixed;           /* offset; BUFFER_FREE where it may lie anywhere */
    size_t first, end;       /* its segments, ascending, not overlapping */
    bool paired;             /* it is in one of the pairs */
};

#define BUFFER_FREE (-1)

struct problem {
    struct input input;    /* the file, in whose text the names stand */
    struct buffer *buffer; /* [buffers] */
    struct segment *segment;
    uint64_t *pair; /* [pairs] buffers that conflict whatever their segments, as check_problem_pair
                       makes them, ascending */
    const struct buffer **by_name; /* [buffers] rising */
    uint32_t buffers;
    size_t segments, pairs;
};

/* Frees all of it, after which it is zero. */
void check_problem_free(struct problem *problem);

/* Sorts the buffers by name for check_problem_find. It is a fault if there is no buffer, or if two
   have one name. */
void check_problem_sort(struct problem *problem);
/* The buffer of this name, or NULL. O(log buffers). */
const struct buffer *check_problem_find(const struct problem *problem, const char *name);

/* Two buffers as one number: the lesser one times 2^32, and the greater one. */
uint64_t check_problem_pair(uint32_t i, uint32_t j);
/* For qsort. */
int check_problem_compare_pairs(const void *left, const void *right);

/* A number that tells problems apart, so that a log is not checked against the wrong one by
   mistake; no proof rests on it. FNV-1a (Fowler, Noll and Vo) of a text that docs/proofs.md
   describes. */
uint64_t check_problem_fingerprint(const struct problem *problem);

/* Whether in no plan the offset of j less that of i is one of the whole numbers from `lower` to
   `upper`: windows of theirs that are in use at one step would overlap. O(their segments, squared
   where windows matter). */
bool check_problem_forbids(const struct problem *problem, uint32_t i, uint32_t j, int64_t lower,
                           int64_t upper);

/* Whether all bytes of both buffers are in use at one step, so that a pair of them says nothing
   more. O(their segments). */
bool check_problem_overlaps(const struct problem *problem, uint32_t i, uint32_t j);

/* Whether two buffers are alike: free, of one size and alignment, in use at the same steps with the
   same bytes, and in no pair. O(their segments). */
bool check_problem_alike(const struct problem *problem, uint32_t i, uint32_t j);

#endif
