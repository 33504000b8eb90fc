#ifndef MEMPLAN_HARNESS_ROWS_RUN_LOG_H
#define MEMPLAN_HARNESS_ROWS_RUN_LOG_H

#include "core/text.h"
#include "harness/rows/machine.h"
#include "harness/rows/record.h"

/* What a store records of a run beside its rows: when it was made, by which command and on which
   machine. */

struct run_log {
    struct record_context record; /* for the run's rows; its label is below */
    struct run_row row;
    struct text label;
    struct machine machine;
    struct machine_state state; /* at the start */
    uint32_t timed_threads;     /* 0 where the run measures no times */
    uint64_t own_ns;            /* processor time of this program before the run */
    /* Reasons not to trust the times, separated by "; ": of the whole run, and those found at its
       end. */
    struct text noise, noise_after;
    char started[RECORD_TIME_BYTES], ended[RECORD_TIME_BYTES];
};

/* The label that a run is to have, and the command that makes it. */
struct run_request {
    const char *label;   /* NULL: a new one of date, time and commit */
    const char *command; /* as typed, quoted for a shell; must live as long as the log */
    /* For a run that measures times, one job after the other: how many threads each job keeps busy.
       Else 0, and whether times can be trusted is not checked. */
    uint32_t timed_threads;
    bool resume; /* without a label: the newest run of this build whose command begins
                    with the same two words, if there is one */
};

/* Stores the run and fills the log, which must not be moved: log->record is what its rows are
   written with. Free it with run_log_free, also after an error. */
enum status run_log_begin(struct store *store, const struct run_request *request,
                          struct run_log *log, struct error *error);

/* Stores how the run ended. */
enum status run_log_end(struct store *store, struct run_log *log, struct error *error);
void run_log_free(struct run_log *log);

#endif
