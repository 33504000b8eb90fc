#ifndef MEMPLAN_HARNESS_FAMILY_SIZE_COMPARISON_H
#define MEMPLAN_HARNESS_FAMILY_SIZE_COMPARISON_H

#include "harness/family/family_plan.h"
#include "solvers/family/vectors.h"

/* One plan for all sizes beside what others do about sizes that are known only when a network runs:
   a table of rules, each looked at, and checked, at some points of the box. */

struct size_comparer;
struct size_comparison_rule {
    const char *name, *title;
    bool is_unsafe;      /* overlaps are expected, and shown */
    const char *planner; /* that runs with the network; NULL where `place` does it */
    enum status (*place)(struct size_comparer *comparer, uint32_t vector, struct plan *plan);
};
uint32_t size_comparison_rules(void);
const struct size_comparison_rule *size_comparison_rule_at(uint32_t index);

/* What a rule did at a point. */
struct size_comparison_cell {
    uint64_t peak_bytes; /* the most that are held at once */
    uint64_t ns;         /* that finding all offsets took */
    bool is_found;       /* false where there is no plan within the time limit */
    bool overlaps;       /* of two buffers that are live at once */
};

struct size_comparison {
    struct size_vectors vectors;       /* the points: the greatest one, and others along the box */
    struct size_comparison_cell *cell; /* [rules * vectors.count] rule by rule */
};

/* Compares at up to SIZE_COMPARISON_POINTS points from the least to the greatest; with two
   parameters at those of a grid. The job of the request plans again at each of them, within its
   time limit for all. The plan was made for the request. STATUS_INTERNAL where a rule that is safe
   is not. The comparison is to be cleared even after an error. */
enum { SIZE_COMPARISON_POINTS = 9 };
enum status size_comparison_make(const struct family_request *request, struct family_plan *plan,
                                 struct size_comparison *comparison, struct error *error);
void size_comparison_clear(struct size_comparison *comparison);

/* The greatest and the mean ratio of peak and load at these points. */
struct size_comparison_ratios {
    struct family_ratio worst;
    double mean;
    uint32_t found, overlapping; /* points */
    uint64_t least_ns;
};
struct size_comparison_ratios size_comparison_summarise(const struct size_comparison *comparison,
                                                        uint32_t rule);

#endif
