#ifndef MEMPLAN_DATASETS_COLLECTION_H
#define MEMPLAN_DATASETS_COLLECTION_H

#include <stdint.h>

/* The collection memplan-lib: the curated set of instances that standings are made from. Its rows
   are chosen by datasets/collection/choose.py, see the README there. */

/* What a citation and a row of results say. */
#define COLLECTION_VERSION "memplan-lib 1"
#define COLLECTION_SUITE "memplan-lib"

struct collection_entry {
    const char *name;   /* of the instance, as instance_load takes it */
    const char *title;  /* class, track and source in a line */
    const char *track;  /* what it asks of a planner: "problems", "orders", ... */
    const char *rank;   /* its class: how hard it was when it was chosen, "easy" to "open" */
    const char *half;   /* "held" where the seed is kept from tuning, else "open" */
    const char *source; /* a row of sources.csv */
    const char *licence;
    const char *digest; /* of the instance */
};

uint32_t collection_count(void);
const struct collection_entry *collection_at(uint32_t index);

/* The entry that an instance is, by its digest; a graph in another order, NAME@ORDER, is the entry
   NAME. NULL where it is none. O(entries). */
const struct collection_entry *collection_find(const char *digest, const char *name);

/* The tracks and the classes of entries, NULL behind the last. */
extern const char *const collection_tracks[];
extern const char *const collection_classes[];

#endif
