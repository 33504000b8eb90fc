#ifndef MEMPLAN_HARNESS_RECORD_H
#define MEMPLAN_HARNESS_RECORD_H

#include "harness/job/job.h"
#include "results/store/store.h"

/* A job and its outcome as a row of a store. */

/* What all rows of a run share. */
struct record_context {
    const char *run;
    char host[256];
    char build[128];
    char started[32]; /* UTC, ISO 8601 */
};

void record_context_fill(struct record_context *context, const char *run);

/* The key of the job's row: enough for store_has. Texts are borrowed from context and job. */
struct result_row record_key(const struct record_context *context, const struct job *job);

/* Writes the row and its layout if that has at most most_rectangles. */
enum { RECORD_MOST_RECTANGLES = 4096 };
enum status record_write(struct store *store, const struct record_context *context,
                         const struct job *job, const struct outcome *outcome,
                         uint32_t most_rectangles, struct error *error);

/* Writes a row for a job that failed: status "error" and the text as its stop reason. */
enum status record_write_failure(struct store *store, const struct record_context *context,
                                 const struct job *job, const char *text, struct error *error);

#endif
