#ifndef MEMPLAN_HARNESS_ROWS_RECORD_H
#define MEMPLAN_HARNESS_ROWS_RECORD_H

#include "harness/job/job.h"
#include "results/store/store.h"

/* A job and its outcome as a row of a store, and other measures of an instance. */

/* The time, in UTC, ISO 8601: "2026-11-22T14:03:59Z". */
enum { RECORD_TIME_BYTES = 32 };
void record_time_now(char text[RECORD_TIME_BYTES]);

/* What all rows of a run have in common. */
struct record_context {
    const char *run;
    char host[256];
    char build[128];
    char started[RECORD_TIME_BYTES];
    uint32_t most_rectangles; /* a layout with more rectangles is not kept */
};

void record_context_fill(struct record_context *context, const char *run);

/* A row that has only the key of a job and no outcome, which is enough for store_has. */
struct record_key {
    struct result_row row; /* its texts are borrowed from the context, the job and this struct */
    char settings[JOB_SETTINGS_BYTES];
};
void record_key_fill(const struct record_context *context, const struct job *job,
                     struct record_key *key); /* which must not be moved */

/* Writes the row and its layout. */
enum status record_write(struct store *store, const struct record_context *context,
                         const struct job *job, const struct outcome *outcome, struct error *error);

/* Writes a row for a job that failed. Its status is "error", or says how its order ended; the text
   is its stop reason. */
enum status record_write_failure(struct store *store, const struct record_context *context,
                                 const struct job *job, const char *text, struct error *error);

/* What a measure that is not one of a plan belongs to: an instance, a topic ("quantise") and a
   variant of it ("int8"). */
struct record_measured {
    const struct record_context *context;
    const struct instance *instance;
    const char *topic, *variant;
};

/* A measure: its name, which includes the unit, and its value. */
struct record_number {
    const char *name;
    int64_t value;
};

/* Writes numbers[count], at most RECORD_MOST_NUMBERS, as measures (results/store/measures.h). */
enum { RECORD_MOST_NUMBERS = 8 };
enum status record_write_measures(struct store *store, const struct record_measured *measured,
                                  const struct record_number *numbers, uint32_t count,
                                  struct error *error);

#endif
