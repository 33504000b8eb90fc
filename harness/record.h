#ifndef MEMPLAN_HARNESS_RECORD_H
#define MEMPLAN_HARNESS_RECORD_H

#include "harness/job/job.h"
#include "harness/job/settings.h"
#include "results/store/store.h"

/* A job and its outcome as a row of a store, and other measures of an instance. */

/* The time, in UTC, ISO 8601: "2026-11-22T14:03:59Z". */
enum { RECORD_TIME_BYTES = 32 };
void record_time_now(char text[RECORD_TIME_BYTES]);

/* What all rows of a run share. */
struct record_context {
    const char *run;
    char host[256];
    char build[128];
    char started[RECORD_TIME_BYTES];
    uint32_t most_rectangles; /* a layout with more is not kept */
};

void record_context_fill(struct record_context *context, const char *run);

/* A row that has the key of a job and no outcome: enough for store_has. */
struct record_key {
    struct result_row row; /* texts are borrowed from context, job and this */
    char settings[SETTINGS_BYTES];
};
void record_key_fill(const struct record_context *context, const struct job *job,
                     struct record_key *key); /* which must not be moved */

/* Writes the row and its layout. */
enum status record_write(struct store *store, const struct record_context *context,
                         const struct job *job, const struct outcome *outcome, struct error *error);

/* Writes a row for a job that failed: status "error", or how its order ended, and the text as its
   stop reason. */
enum status record_write_failure(struct store *store, const struct record_context *context,
                                 const struct job *job, const char *text, struct error *error);

/* What measures are of that are no plan's: an instance, a topic ("quantise") and a variant of it
   ("int8"). */
struct record_measured {
    const struct record_context *context;
    const struct instance *instance;
    const char *topic, *variant;
};

/* One measure: its name, with the unit, and its value. */
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
