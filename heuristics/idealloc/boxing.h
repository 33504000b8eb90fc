#ifndef MEMPLAN_HEURISTICS_IDEALLOC_BOXING_H
#define MEMPLAN_HEURISTICS_IDEALLOC_BOXING_H

#include <stdbool.h>

#include "core/heap.h"
#include "core/random.h"
#include "core/scratch.h"

/* Boxing after Buchsbaum, Karloff, Kenyon, Reingold and Thorup, "OPT versus LOAD in dynamic storage
   allocation", SIAM J. Comput. 33(3), 2004, in the practical form of Lamprakos et al., arXiv
   2504.04874 (idealloc). Theorem and page numbers are the former's.

   A job is a buffer or a box of jobs. It is live in the open interval (birth, death), where times
   are twice the steps: a job then has a time inside it even when it is live for one step only, and
   jobs that meet at a step do not overlap. Heights are bytes, as real numbers, since they only
   order jobs and never become offsets. */
struct boxing_job {
    uint64_t birth, death;
    double height;
    uint32_t first, count; /* what the box holds, in boxing.content; count is 0 for a buffer */
};

struct boxing_keyed {
    double key;
    uint32_t position, job; /* in the list that is sorted, and which */
};

/* All jobs of a run, and scratch for lists of up to `most` of them. No list of jobs that are in no
   box yet is ever longer than the list of all buffers. */
struct boxing {
    struct boxing_job *job;
    uint32_t jobs;
    /* The jobs in all boxes; `first` and `count` of a box say which are its own. */
    uint32_t *content;
    uint32_t contents;
    size_t job_capacity, content_capacity;
    struct random_state random;
    uint64_t end_ns; /* on the monotonic clock; boxings after that are left unfinished */
    uint32_t most;
    struct boxing_keyed *keyed;         /* [most] scratch of boxing_sort */
    struct heap dying, free_rows;       /* scratch of boxing_colour */
    uint32_t *strip, *by_death, *group; /* [most] scratch of boxing_lemma_1 and boxing_theorem_2 */
    uint32_t *unresolved, *row;         /* [most] scratch of the same */
    bool *taken;                        /* [most] scratch of the same */
};

struct boxing_list {
    uint32_t *job;
    uint32_t count;
};

/* Makes an empty run whose lists of jobs are never longer than `most`. What grows with the jobs is
   freed by boxing_free, also after an error, the rest is in the scratch. */
enum status boxing_create(uint32_t most, uint64_t seed, struct boxing **boxing,
                          struct scratch *scratch, struct error *error);
void boxing_free(struct boxing *boxing); /* NULL is fine */

/* Adds a buffer as the next job; all buffers come before the first box. height: its bytes. */
enum status boxing_add_buffer(struct boxing *boxing, uint64_t birth, uint64_t death, double height,
                              struct error *error);

/* How boxes are to be made: how many jobs a box may hold, how high it is, and the list to which it
   is added. */
struct boxing_target {
    uint64_t jobs; /* most jobs that a box of one class holds at a time */
    double height, epsilon;
    struct boxing_list *boxed;
};

/* Makes a box of the jobs and appends it to target->boxed. */
enum status boxing_add_box(struct boxing *boxing, struct boxing_list jobs,
                           const struct boxing_target *target, struct error *error);

enum boxing_key { BOXING_BIRTH, BOXING_LATE_DEATH, BOXING_HEIGHT, BOXING_LARGE_HEIGHT };
/* Sorts by key, and equal keys by position. */
void boxing_sort_keyed(struct boxing_keyed *keyed, uint32_t count);
/* Sorts the list by the key; equal jobs stay in their order. */
void boxing_sort(const struct boxing *boxing, enum boxing_key key, struct boxing_list list);

/* Gives each of the jobs, which are sorted by birth, the lowest free row. That takes as few rows as
   the most jobs that overlap at any time. Fills row[list.count] and returns the number of rows.
   O(count log count). */
uint32_t boxing_colour(struct boxing *boxing, struct boxing_list list, uint32_t *row);

/* Lemma 1 (p. 553), for jobs that are all live at one time, sorted by birth. Strips of those that
   are born first and of those that die last are cut off in turn and boxed. The jobs of the first
   two strips are not boxed but appended to `left`, as are all jobs where there are few. O(n log
   n). */
enum status boxing_lemma_1(struct boxing *boxing, struct boxing_list list,
                           const struct boxing_target *target, struct boxing_list *left,
                           struct error *error);

/* Theorem 2 (p. 554), for jobs of about the same height. Sorts the list. O(n log^2 n) as a rule. */
enum status boxing_theorem_2(struct boxing *boxing, struct boxing_list list,
                             const struct boxing_target *target, struct error *error);

/* Corollary 15 (p. 561): boxes of one height for jobs that are lower than that: classes of heights
   that grow by 1 + epsilon, each boxed by Theorem 2, which sets how many jobs a box may hold. Sorts
   the list. */
enum status boxing_corollary_15(struct boxing *boxing, struct boxing_list list,
                                struct boxing_target target, struct error *error);

/* The parameters of Theorem 16 that follow from a list of jobs and an epsilon. */
struct boxing_state {
    double ratio;  /* greatest height by least height */
    double mu;     /* epsilon / lg^2 ratio */
    double height; /* height of the boxes */
    double small;  /* jobs of at most this height are boxed */
    bool safe;     /* whether the theorem's guarantees still hold */
};
/* O(count). */
struct boxing_state boxing_examine(const struct boxing *boxing, struct boxing_list list,
                                   double epsilon);
/* The range in which epsilon has to be for a given ratio of heights. */
void boxing_epsilon_range(double ratio, double *least, double *greatest);
/* The largest mu that is of any use. */
double boxing_mu_limit(void);

/* Theorem 16 in its practical form, which the paper calls "rogue": boxes the small jobs of the list
   again and again until the guarantees no longer hold. The list becomes the boxes and jobs that are
   left. */
enum status boxing_theorem_16(struct boxing *boxing, double epsilon, struct boxing_list *list,
                              struct error *error);

/* Opens one box after another, with the bottom of the list at offset 0, and gives each buffer an
   offset. Jobs that do not overlap get the same offset; others are stacked by height, highest
   first, those of one height in rows of jobs that do not overlap. The offsets are real numbers that
   only serve to order the buffers. Fills offset[buffers]; jobs with higher numbers are left out. */
enum status boxing_unbox(struct boxing *boxing, struct boxing_list list, uint32_t buffers,
                         double *offset, struct error *error);

#endif
