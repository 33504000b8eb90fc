#ifndef MEMPLAN_CORE_SCRATCH_H
#define MEMPLAN_CORE_SCRATCH_H

#include "core/memory.h"

/* Memory that lives as long as one call: taken piece by piece, freed at once. The function that
   zero-initialised the scratch frees it before it returns, also after an error; functions to which
   it passes the scratch free nothing. */
struct scratch {
    struct scratch_piece *latest;
};

/* Zeroed memory for count items into *block, never NULL on success; as memory_create. */
enum status scratch_take(struct scratch *scratch, void *block, size_t count, size_t item_bytes,
                         struct error *error);
/* Does this for up to eight arrays: scratch_take_all(scratch, count, error, &a, &b). */
#define scratch_take_all(scratch, count, error, ...)                                               \
    scratch_take_arrays(scratch, MEMORY_ARRAYS(__VA_ARGS__), count, error)
enum status scratch_take_arrays(struct scratch *scratch, const struct memory_array *array,
                                size_t count, struct error *error);
void scratch_free(struct scratch *scratch); /* leaves an empty one */

#endif
