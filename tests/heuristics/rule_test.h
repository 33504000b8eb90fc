#ifndef MEMPLAN_TESTS_RULE_TEST_H
#define MEMPLAN_TESTS_RULE_TEST_H

#include "planning/plan/planner.h"
#include "support/made_problem.h"
#include "support/random_problem.h"

/* For tests of planners that follow a rule exactly: against worked examples, against a second
   implementation that is too simple to be wrong, and without memory. */

const struct planner *rule_test_find(const char *name);

/* "name" or "name?settings" on the problem; for planner_free. */
struct planner *rule_test_configure(const char *planner);

/* Runs the planner; the plan, which is valid unless the planner is called unsafe, for plan_free.
   The second form plans a problem of a graph. */
struct plan *rule_test_run(const char *planner, const struct problem *problem);
struct plan *rule_test_run_level(const char *planner, const struct problem *problem,
                                 const struct level *level);

void rule_test_expect(const char *planner, const struct made_buffer *rows, uint32_t count,
                      const uint64_t *offsets);

enum { RULE_TEST_BUFFERS = 12, RULE_TEST_BYTES = 256, RULE_TEST_MOST = 128, RULE_TEST_KEYS = 4 };

/* What buffers are sorted by: the greatest first, with sign -1 the least. A list of keys ends at
   one without a measure. */
typedef int64_t rule_test_measure(const struct problem *problem, uint32_t buffer);
struct rule_test_key {
    int sign;
    rule_test_measure *of;
};

/* An offset for a buffer, and all free bytes [begin, end) around it. */
struct rule_test_gap {
    uint64_t offset, begin, end;
};
/* Chooses the offset from a list of all gaps with room, the lowest first,
   the one without end last. */
typedef uint64_t rule_test_choice(const struct rule_test_gap *gaps, uint32_t count);

/* What the references of several planners differ in; not all of them use all of it. */
struct rule_test_how {
    struct rule_test_key key[RULE_TEST_KEYS];
    rule_test_choice *choose;
    uint64_t number;
};

/* Up to RULE_TEST_BUFFERS buffers in 12 steps, with all that buffers may have. */
extern const struct random_problem rule_test_everything;

/* The problem of that kind and seed. */
struct problem *rule_test_draw(const struct random_problem *kind, uint64_t seed);

/* Fills offset[problem->buffers]. */
typedef void rule_test_reference(const struct problem *problem, const struct rule_test_how *how,
                                 uint64_t *offset);

/* On random problems, a part of them with holes, windows, alignments and fixed buffers, the
   planner gives the offsets of the reference. */
void rule_test_compare(const char *planner, rule_test_reference *reference,
                       const struct rule_test_how *how, uint64_t seeds);
/* The plans are valid, on as many. */
void rule_test_validate(const char *planner, uint64_t seeds);

/* The planner plans an empty problem, and every allocation of it fails once on a problem with
 * everything in it. */
void rule_test_fail_each(const char *planner);

/* Obvious pieces of references. */

/* Segments overlap in time. */
bool rule_test_conflict(const struct problem *problem, uint32_t a, uint32_t b);

/* The lowest gap; the smallest, and only else the one without end. */
rule_test_choice rule_test_first, rule_test_best;

/* Places fixed buffers, then the others of sorted[problem->buffers] one after another. */
void rule_test_place(const struct problem *problem, const uint32_t *sorted,
                     rule_test_choice *choose, uint64_t *offset);
uint64_t rule_test_peak(const struct problem *problem, const uint64_t *offset);

/* Keeps the offsets in offset if their peak is below *peak. */
void rule_test_keep_least(const struct problem *problem, const uint64_t *tried, uint64_t *peak,
                          uint64_t *offset);

rule_test_measure rule_test_size, rule_test_lower, rule_test_upper, rule_test_span,
    rule_test_position;
/* Equal ones stay in their order; sorted[problem->buffers]. */
void rule_test_sort(const struct problem *problem, const struct rule_test_key *keys,
                    uint32_t *sorted);

/* rule_test_place of the buffers sorted by how->key, each as how->choose says. */
rule_test_reference rule_test_place_sorted;

#endif
