#ifndef MEMPLAN_TESTS_TWO_SIDES_H
#define MEMPLAN_TESTS_TWO_SIDES_H

#include "results/compare/comparison.h"
#include "results/made_up.h"
#include "support/must.h"

enum { MOST = 8 };

/* Two sides that a test fills by hand; texts are literals. */
struct two_sides {
    struct result_row row[2][MOST];
    struct result_set set[2];
    struct comparison_sides sides;
    struct comparison comparison;
};

static inline void add(struct two_sides *two, int side, struct result_row row)
{
    two->row[side][two->set[side].count++] = row;
}

static inline struct result_row make_row(const char *instance, const char *planner,
                                         uint64_t peak_bytes, const char *samples)
{
    struct result_row row = made_up_row(instance, "flat", planner, peak_bytes);
    row.digest = instance;
    row.wall_samples = samples;
    return row;
}

static inline void compare(struct two_sides *two)
{
    for (int side = 0; side < 2; side++) {
        two->set[side].row = two->row[side];
        two->sides.set[side] = &two->set[side];
        two->sides.name[side] = side ? "new" : "old";
    }
    must(comparison_create(&two->sides, &two->comparison, &error));
}

/* One job on both sides. */
static inline void add_both(struct two_sides *two, const char *instance, uint64_t first,
                            uint64_t second, uint64_t seed)
{
    for (int side = 0; side < 2; side++) {
        struct result_row row = make_row(instance, "p", side ? second : first, "");
        row.seed = seed;
        add(two, side, row);
    }
}

#endif
