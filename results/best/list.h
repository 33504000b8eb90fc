#ifndef MEMPLAN_RESULTS_BEST_LIST_H
#define MEMPLAN_RESULTS_BEST_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/text.h"

/* Lists of best known values: for each problem the lowest peak and the highest lower bound that are
   known from any source, as in MIPLIB's .solu files. A problem is the content of an instance under
   a policy, with the options that change it (in-place rules, alignment): digest, policy,
   options. Of a problem with several memories it is the least cost. */

#define BEST_BY_LOAD "load" /* the prover of a bound that is the load and so needs no search */
#define BEST_MEMORIES "memories"
#define BEST_INFINITE "infinite" /* the bound of the cost where no plan is valid */

struct best_known {
#define TEXT(name) const char *name;
#define INTEGER(name) uint64_t name;
#include "results/best/columns.def"
#undef TEXT
#undef INTEGER
};

/* The cost of a line and its bound, in thousandths; UINT64_MAX and 0 where none is known, and
   UINT64_MAX for BEST_INFINITE. The line is one of a list, or its texts have the same form: a
   number with at most three digits behind the point. */
uint64_t best_cost(const struct best_known *line);
uint64_t best_cost_bound(const struct best_known *line);

/* Ranks the words for proofs: 0 for no proof, and a greater number the more checkers accepted
   it. */
unsigned best_rank_proof(const char *proof);

/* Zero-initialise it; it owns the texts of its lines. */
struct best_list {
    struct best_known *line; /* [count] by digest, policy, options */
    uint32_t count;
    size_t capacity;
};

/* Reads a file as best_list_parse does; NULL for the list that was compiled in,
   results/best_known.csv. */
enum status best_list_read(const char *path, struct best_list *list, struct error *error);

/* Takes the lines of a CSV text, as best_list_write writes them, into an empty list. Fails with
   STATUS_BAD_INPUT, path and line. Free the list also after a failure. */
enum status best_list_parse(const struct text *text, const char *path, struct best_list *list,
                            struct error *error);
void best_list_free(struct best_list *list);

/* The line of a problem; NULL where the list has none. O(log lines). */
const struct best_known *best_list_find(const struct best_list *list, const char *digest,
                                        const char *policy, const char *options);

/* Adds a copy of the line, or replaces the line of the same problem; the status is computed from
   the numbers. O(lines). */
enum status best_list_put(struct best_list *list, const struct best_known *line,
                          struct error *error);

/* Sorts the lines by instance, policy, options and digest, into an array [count] that the caller
   frees. */
enum status best_list_sort(const struct best_list *list, const struct best_known ***sorted,
                           struct error *error);

/* Appends the list as CSV, sorted as by best_list_sort. Equal lists give equal bytes. */
enum status best_list_write(const struct best_list *list, struct text *text, struct error *error);

#endif
