#ifndef MEMPLAN_RESULTS_STORE_STORE_H
#define MEMPLAN_RESULTS_STORE_STORE_H

#include <stddef.h>
#include <stdint.h>

#include "core/error.h"

/* Results in one SQLite file (WAL). It knows nothing of planners or graphs: a row is strings and
   integers, so an old database can be read by a new program. Integers above 2^63 - 1 are refused.
 */

struct store;

enum store_mode { STORE_READ, STORE_WRITE /* creates the file and its schema if missing */ };

enum status store_open(const char *path, enum store_mode mode, struct store **store,
                       struct error *error);
void store_close(struct store *store); /* NULL is fine */

/* One job's outcome. The first group is the key: a row with the same key is replaced. */
struct result_row {
    const char *run;               /* label of the bench run */
    const char *instance, *digest; /* name and SHA-256 of the content */
    const char *policy;            /* "problem" where the instance is no graph */
    const char *planner, *options;
    uint64_t seed, repetition;

    const char *status;      /* optimal, feasible, infeasible, timeout, unsupported, error, ... */
    const char *verdict;     /* of verify: "valid", a fault's name, or "" when there is no plan */
    const char *execution;   /* "intact", "damaged", or "" where there is no graph or no plan */
    const char *stop_reason; /* "" when the planner ended by itself; else text */
    uint64_t buffers, peak_bytes, lower_bound_bytes, load_bytes, naive_bytes, nodes, paths;
    uint64_t wall_ns;                   /* median of the samples */
    const char *wall_samples;           /* all of them, ns, separated by blanks */
    const char *host, *build, *started; /* started: UTC, ISO 8601 */
    uint64_t split_buffers;             /* laid in several extents */
    uint64_t pool_bytes, pools;         /* what a pooled planner says it needs; 0 for others */
    const char *counters; /* of a search: "name=number" separated by blanks; "" for none */
    const char *curve;    /* "ns:bound:peak" separated by blanks: from when on the optimum was known
                             to lie between them, peak empty where there was no plan */
    uint64_t best_ns;     /* when the best plan was found; 0 where the planner does not tell */
    const char *fault;    /* what verify or execute found wrong, one sentence; "" for nothing */
    const char *addresses; /* of a graph's plan: "static", or "run-time" where what is read depends
                              on the branch taken; else "" */
};

/* A buffer's place over time, for the layout plots: steps [lower, upper), bytes [offset, offset +
   size). group is 0 for the outer level, else the region, or RESULT_TIMELESS for a buffer that is
   live at no step, whose columns lie behind the last; block marks memory that regions share. */
#define RESULT_TIMELESS UINT32_MAX
struct result_rectangle {
    const char *label;
    uint64_t lower, upper, offset, size, group;
    int block;
};

/* Writes the row and its rectangles (count may be 0) in one transaction. */
enum status store_write(struct store *store, const struct result_row *row,
                        const struct result_rectangle *rectangles, uint32_t count,
                        struct error *error);

/* True in *found if a row with the key of *row is there: what a resumed run leaves out. */
enum status store_has(struct store *store, const struct result_row *row, int *found,
                      struct error *error);

/* Rows that contradict each other: one claims an optimum that another valid row for the same
   content and policy beats, or a valid peak lies below a lower bound. Claims and bounds are of
   plans that split no buffer; those that do are held against the load alone. *count of them; text
   describes the first. */
enum status store_contradictions(struct store *store, uint64_t *count, char *text,
                                 size_t text_bytes, struct error *error);

#endif
