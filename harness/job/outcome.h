#ifndef MEMPLAN_HARNESS_JOB_OUTCOME_H
#define MEMPLAN_HARNESS_JOB_OUTCOME_H

#include "planning/execute/execute.h"
#include "planning/graph/critical_path.h"
#include "planning/plan/placement.h"
#include "planning/verify/plan.h"

enum { OUTCOME_MOST_SAMPLES = 101 };

/* What came out of a job, checked. Exactly one of plan and placement is set. */
struct outcome {
    enum plan_status status; /* optimal also where a heuristic meets the lower bound */
    struct measures measures;
    uint64_t buffers;
    uint64_t planner_bytes; /* the most that was allocated at once through core/memory.h */
    uint64_t in_place;      /* tensors of a graph that are in the place of another one */
    struct plan *plan;
    struct placement *placement;
    struct search_record *search; /* of a planner that tells, NULL for none; counters of all levels
                                     of a graph, the curve of the outermost */
    struct verdict verdict;       /* of verify_plan or verify_paths, where there is a plan */
    struct execution execution;   /* of a graph's placement */
    struct critical_path path;    /* of a graph on several streams, as it is launched; else 0 */
    char stop_reason[128];        /* "" or why there is no plan, where verdict may hold the witness,
                                     or none that could be proved best */
    uint32_t samples;
    uint64_t wall_ns[OUTCOME_MOST_SAMPLES]; /* [samples] sorted */
};

void outcome_clear(struct outcome *outcome);

/* There is a plan. */
bool outcome_found(const struct outcome *outcome);

/* There is a plan, verify finds it valid and, for a graph, execution leaves everything intact. */
bool outcome_is_good(const struct outcome *outcome);

uint64_t outcome_median_ns(const struct outcome *outcome); /* 0 where nothing was measured */

#endif
