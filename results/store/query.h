#ifndef MEMPLAN_RESULTS_STORE_QUERY_H
#define MEMPLAN_RESULTS_STORE_QUERY_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "core/text.h"
#include "results/store/choice.h"
#include "results/store/row.h"

/* Reading a store. A set of results owns its rows and their texts. */

struct store;

/* The rows for which one row of a set stands; they differ only in seed and repetition. */
struct result_spread {
    /* Number of rows, and of those for which query_worth gives RESULT_NUMBER. */
    uint32_t rows, valid;
    uint64_t best_bytes, worst_bytes; /* of the valid peaks; 0 without any */
};

struct result_set {
    uint32_t count;
    /* [count] sorted by instance, policy, planner, options (and seed, repetition). The texts are
       the set's; row->instance is as short as it can be while all instances differ. */
    struct result_row *row;
    int64_t *id; /* [count] for rectangles_read */
    /* [count] the highest lower bound of a built-in planner, or load, in any row of the store for
       the same content, policy and in-place rules; 0 where none is known */
    uint64_t *bound_bytes;
    struct result_spread *spread; /* [count] */
    /* Number of rows of plug-ins and programs with a bound or an optimum that no built-in planner
       proved; they count as feasible. */
    uint32_t claims;
    struct text text, names;
    struct names graphs; /* of results/store/order_rows.h */
    bool is_lent; /* by a store that keeps its rows, to several readers, none of which changes it */
};

/* As strcmp, at once where both are one text, as equal names of a store's rows mostly are. */
static inline int compare_texts(const char *a, const char *b)
{
    return a == b ? 0 : strcmp(a, b);
}

/* Reads the newest answers. For each question (instance, policy, planner, options) these are the
   rows of the run that was started last among those that pass the filter: one row with the lower
   median of the peaks over seeds and repetitions, or each of these rows. Where the content of an
   instance has changed, only rows for the newest content count, so that rows side by side can be
   compared. If rows are wanted as they were stored, they come in the order in which they were
   written. O(rows log rows). The set is freed with query_free. */
enum status query_newest(struct store *store, const struct result_filter *filter,
                         struct result_set *set, struct error *error);
void query_free(struct result_set *set);

/* Frees a set that a store lends; NULL is allowed. */
void query_forget(struct result_set *set);

/* The index of the row for these three, or UINT32_MAX. A row without options comes first, else the
   newest. policy and planner may be NULL for any. */
uint32_t query_find(const struct result_set *set, const char *instance, const char *policy,
                    const char *planner);

/* What a row's peak is worth: a number only where verify found the plan valid and execution, where
   there was one, left everything intact. */
enum result_worth { RESULT_NUMBER, RESULT_INVALID, RESULT_NO_PLAN };
enum result_worth query_worth(const struct result_row *row);

/* Whether a row answers a question better than another one, where several differ only in options
   and seed: rows without options come first, then newer ones. */
bool query_prefers(const struct result_row *row, const struct result_row *other);

/* 100 * (peak - bound) / bound; only for bound > 0. */
double query_gap_percent(uint64_t peak_bytes, uint64_t bound_bytes);

#endif
