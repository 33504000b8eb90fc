#ifndef MEMPLAN_RESULTS_STORE_TIMELINES_H
#define MEMPLAN_RESULTS_STORE_TIMELINES_H

#include <stddef.h>
#include <stdint.h>

#include "core/text.h"

/* Timelines of weight transfers: what the processor and the channel do, and when. They have a table
   of their own beside the results. */

struct store;

struct timelines_event {
    const char *lane;  /* who is busy: "processor", "channel" */
    const char *label; /* of the operator */
    const char *kind;  /* what is done: "compute", "wait", "transfer", ... */
    uint64_t begin_ns, end_ns;
};

struct timelines_chart {
    const char *run, *instance, *digest;
    const char *variant;                /* how: hardware, mode and path */
    const char *host, *build, *started; /* as in struct result_row */
    struct timelines_event *event;      /* [events] in the order in which they are to be listed */
    uint32_t events;
};

/* Writes a timeline in one transaction. A timeline of the same run, instance, content and variant
   is replaced. STATUS_BAD_INPUT for a time above 2^63 - 1. */
enum status timelines_write(struct store *store, const struct timelines_chart *timeline,
                            struct error *error);

struct timelines_set {
    uint32_t count;
    /* [count] by instance, variant; texts and events are the set's */
    struct timelines_chart *timeline;
    size_t capacity;
    struct text text;
};

/* Reads the newest timeline of each (instance, variant). A store without timelines, or one older
   than their table, gives an empty set. The set is zeroed by the caller and freed with
   timelines_free. O(events). */
enum status timelines_read(struct store *store, struct timelines_set *set, struct error *error);
void timelines_free(struct timelines_set *set);

#endif
