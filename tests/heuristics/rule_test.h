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

/* Runs the planner; the plan, which is checked, for plan_free. */
struct plan *rule_test_run(const char *planner, const struct problem *problem);

void rule_test_expect(const char *planner, const struct made_buffer *rows, uint32_t count,
                      const uint64_t *offsets);

/* Fills offset[problem->buffers]. */
typedef void rule_test_reference(const struct problem *problem, uint64_t *offset);

/* On random problems, a part of them with holes, windows, alignments and fixed buffers, the
   planner gives the offsets of the reference. */
void rule_test_compare(const char *planner, rule_test_reference *reference, uint64_t seeds);
/* The plans are valid, on as many. */
void rule_test_validate(const char *planner, uint64_t seeds);

/* The planner plans an empty problem, and every allocation of it fails once on a problem with
 * everything in it. */
void rule_test_fail_each(const char *planner);

/* Obvious pieces of references, for small offsets only. */

/* Segments overlap in time. */
bool rule_test_conflict(const struct problem *problem, uint32_t a, uint32_t b);

/* An offset for a buffer, and all free bytes [begin, end) around it. */
struct rule_test_gap {
    uint64_t offset, begin, end;
};
/* Chooses the offset from a list of all gaps with room, the lowest first, the one without end last:
   that of the lowest gap, or of the smallest, and only else of the one without end. */
typedef uint64_t rule_test_choice(const struct rule_test_gap *gaps, uint32_t count);
rule_test_choice rule_test_first, rule_test_best;

/* Places fixed buffers, then the others of sorted[problem->buffers] one after another. */
void rule_test_place(const struct problem *problem, const uint32_t *sorted,
                     rule_test_choice *choose, uint64_t *offset);
uint64_t rule_test_peak(const struct problem *problem, const uint64_t *offset);

/* Whether a goes before b. */
typedef bool rule_test_before(const struct problem *problem, uint32_t a, uint32_t b);
/* By counting, ties by position; sorted[problem->buffers]. */
void rule_test_sort(const struct problem *problem, rule_test_before *before, uint32_t *sorted);

enum { RULE_TEST_BUFFERS = 12, RULE_TEST_BYTES = 256 };

#endif
