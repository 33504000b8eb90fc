#ifndef MEMPLAN_RESULTS_STORE_RUNS_H
#define MEMPLAN_RESULTS_STORE_RUNS_H

#include <stddef.h>
#include <stdint.h>

#include "core/text.h"
#include "results/store/store.h"

/* The runs of a store: the rows that were written under one label, and what is known of how they
   were made. Functions that write need a store that is open for writing. */

struct run_summary {
    struct run_row run; /* texts are the list's */
    uint64_t rows, instances, planners;
    uint64_t failed; /* number of rows whose status or verdict is a fault: error, crash, invalid */
};

struct run_list {
    struct run_summary *run; /* [count] the run that was started last comes first */
    uint32_t count;
    size_t capacity;
    struct text text;
};

/* Fills a zeroed list; free it with runs_free. O(rows log rows). */
enum status runs_list(struct store *store, struct run_list *list, struct error *error);
void runs_free(struct run_list *list);

/* The command of the run with that label; "" where it is not known. */
const char *runs_command(const struct run_list *list, const char *label);

/* How the rows of a run ended. */
enum { RUNS_MOST_STATUSES = 16 };
struct run_statuses {
    uint32_t count;
    struct {
        char status[16];
        uint64_t rows, wall_ns; /* wall_ns is the sum of their median times */
    } of[RUNS_MOST_STATUSES];   /* [count] the status with most rows first */
};
enum status runs_count_statuses(struct store *store, const char *label,
                                struct run_statuses *statuses, struct error *error);

/* Stores what is known of the run with that label. If the run is already there, the time of its
   start is kept. */
enum status runs_write(struct store *store, const struct run_row *run, struct error *error);

/* Stores a new run. Where its label is taken already, "-2" or a greater number is added. The label
   that it got is appended to *label. */
enum status runs_write_new(struct store *store, const struct run_row *run, struct text *label,
                           struct error *error);

/* Appends the label of the newest run that this build of the program made and whose command begins
   with `command`; nothing where there is none. */
enum status runs_find_newest(struct store *store, const char *build, const char *command,
                             struct text *label, struct error *error);

/* Deletes all rows of a run with their layouts and measures, and the run itself; where planner is
   not NULL, only the rows of that planner. All or nothing. */
struct runs_deleted {
    uint64_t rows, runs;
};
enum status runs_delete(struct store *store, const char *label, const char *planner,
                        struct runs_deleted *deleted, struct error *error);

/* Where the rows of a store come from, for the foot of a report: values separated by ", ", sorted,
   each once. Free the texts with facts_free. */
struct result_facts {
    uint64_t rows;
    char *runs, *hosts, *builds;
    char *first_started, *last_started; /* "" without rows */
};
/* O(rows). */
enum status facts_read(struct store *store, struct result_facts *facts, struct error *error);
void facts_free(struct result_facts *facts);

#endif
