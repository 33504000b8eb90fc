#ifndef MEMPLAN_RESULTS_STORE_QUERY_H
#define MEMPLAN_RESULTS_STORE_QUERY_H

#include <stdbool.h>
#include <stddef.h>

#include "core/text.h"
#include "results/store/choice.h"
#include "results/store/row.h"

/* Reading a store. A set owns its rows and the text in them. */

struct store;

/* The rows that one row of a set stands for: they differ in seed and repetition only. */
struct result_spread {
    uint32_t rows, valid;             /* valid: query_worth says RESULT_NUMBER */
    uint64_t best_bytes, worst_bytes; /* of the valid peaks; 0 without any */
};

struct result_set {
    uint32_t count;
    struct result_row *row; /* [count] by instance, policy, planner, options (and seed, repetition);
                               texts are the set's, row->instance is short but unmistakable */
    int64_t *id;            /* [count] for query_rectangles */
    uint64_t *bound_bytes;  /* [count] highest lower bound of a built-in planner, or load, that any
                               row of the store has for the same content, policy and in-place
                               rules; 0 where none is known */
    struct result_spread *spread; /* [count] */
    uint32_t claims; /* rows of plug-ins and programs with a bound or an optimum that nobody here
                        proved: they count as feasible */
    struct text text, names;
};

/* For each question (instance, policy, planner, options) the answers of the newest run that passes
   the filter, by the time it was started: one row with the lower median of the peaks over seeds and
   repetitions, or each of them. Where the content of an instance changed, only rows for its newest
   content count, so that what stands side by side is comparable. As they were stored, rows come in
   the order in which they were written. O(rows log rows). Free with query_free. */
enum status query_newest(struct store *store, const struct result_filter *filter,
                         struct result_set *set, struct error *error);
void query_free(struct result_set *set);

/* Index of the row for these three, or UINT32_MAX: without options if there is one, else the
   newest. policy and planner may be NULL for any. */
uint32_t query_find(const struct result_set *set, const char *instance, const char *policy,
                    const char *planner);

/* What a row's peak is worth: a number only where verify found the plan valid and execution, where
   there was one, left everything intact. */
enum result_worth { RESULT_NUMBER, RESULT_INVALID, RESULT_NO_PLAN };
enum result_worth query_worth(const struct result_row *row);

/* Whether row answers a question better than other does, where several differ in options and seed
   only: without options first, then the newer. */
bool query_prefers(const struct result_row *row, const struct result_row *other);

/* 100 * (peak - bound) / bound; only for bound > 0. */
double query_gap_percent(uint64_t peak_bytes, uint64_t bound_bytes);

struct rectangle_set {
    uint32_t count;
    struct result_rectangle *rectangle; /* [count] in the order they were written */
    size_t capacity;
};

/* The rectangles written with the row of that id; none is no error. Zero-initialise *rectangles. */
enum status query_rectangles(struct store *store, int64_t id, struct rectangle_set *rectangles,
                             struct error *error);
void query_rectangles_free(struct rectangle_set *rectangles);

/* Where the rows of a store come from, for the foot of a report: values separated by ", ", sorted,
   each once. Free the texts with query_facts_free. */
struct result_facts {
    uint64_t rows;
    char *runs, *hosts, *builds;
    char *first_started, *last_started; /* "" without rows */
};
enum status query_facts(struct store *store, struct result_facts *facts, struct error *error);
void query_facts_free(struct result_facts *facts);

#endif
