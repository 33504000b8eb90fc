#ifndef MEMPLAN_PLANNING_FAMILY_FAMILY_H
#define MEMPLAN_PLANNING_FAMILY_FAMILY_H

#include <assert.h>

#include "planning/family/orientation.h"
#include "planning/sizes/sizes.h"

/* A problem whose sizes depend on parameters (problem->sizes is set), and what is needed to find
   its sizes, load and peak at a point of its box. */
struct family {
    const struct problem *problem;
    const struct symbolic_sizes *sizes;
    uint32_t parameters;
    struct timeline timeline;
    uint32_t *same;   /* [buffers] the first buffer whose size is the same expression */
    uint64_t *offset; /* [buffers] for family_peak */
    struct scratch scratch;
};

/* STATUS_BAD_INPUT where no orientation can be safe for all sizes: where a buffer has a fixed
   offset or uses a window of its bytes, or where clocks say what conflicts. The problem must
   outlive the family. O(segments log segments + steps of all expressions). */
enum status family_create(const struct problem *problem, struct family *family,
                          struct error *error);
void family_free(struct family *family);

/* Fills size[buffers] with the sizes at a point; false where some size would be 0 or above 2^63 -
   1, which happens only outside of the box. */
bool family_sizes(const struct family *family, const uint64_t *point, uint64_t *size);

/* The greatest sum of sizes that are live at one step. O(segments). */
uint64_t family_load(const struct family *family, const uint64_t *size);
/* The same; *step is one at which it is reached. */
uint64_t family_load_at(const struct family *family, const uint64_t *size, uint32_t *step);

/* The peak of an orientation for these sizes, which are those of a point of the box. O(buffers). */
uint64_t family_peak(struct family *family, const struct orientation *orientation,
                     const uint64_t *size);

/* A peak as a multiple of the load: peak_bytes / load_bytes. */
struct family_ratio {
    uint64_t peak_bytes, load_bytes;
};
/* Below 0, 0 or above 0 as a is less than b, equal or greater; exact. */
int family_ratio_compare(struct family_ratio a, struct family_ratio b);
static inline double family_ratio_value(struct family_ratio ratio)
{
    assert(ratio.load_bytes > 0);
    return (double)ratio.peak_bytes / (double)ratio.load_bytes;
}

#endif
