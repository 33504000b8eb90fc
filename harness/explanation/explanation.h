#ifndef MEMPLAN_HARNESS_EXPLANATION_EXPLANATION_H
#define MEMPLAN_HARNESS_EXPLANATION_EXPLANATION_H

#include "harness/explanation/whole_problem.h"
#include "harness/job/pinned.h"
#include "solvers/common/infeasible_subset.h"

/* Why the instance of a job does not fit the capacity, and which capacity it does fit. */
struct explanation {
    /* The problem that load and subset belong to; NULL where nothing needs more than the capacity,
       or where that was not examined. */
    const struct problem *problem;
    /* The region of the level to which the problem belongs, where a policy plans level by level;
       GRAPH_NONE for a problem of the whole instance. */
    uint32_t region;
    bool blocks_are_least; /* proved that no block in that level can be smaller */
    uint64_t load_bytes;
    uint32_t load_step;   /* a step of the section that has that load */
    uint64_t least_bytes; /* the lowest peak known for the whole instance; 0 for none */
    uint64_t bound_bytes; /* proved that no plan of the whole instance has a lower peak */
    /* Filled where the problem does not fit and no section is over the capacity. */
    struct infeasible_subset subset;
    struct whole_problem whole; /* owns the problem if it is that of the whole instance */
    struct pinned pinned;       /* inputs and outputs, whose bytes count everywhere above */
    /* Owns the problem if it is a copy of one level's problem, in which the names of blocks say
       that they are blocks. */
    struct problem *level;
};

/* Explains a job with the planner `exact` within the job's time limit: half of it goes to finding
   the least capacity, the rest to the subset. Where the policy plans level by level, the problem is
   that of the first level, innermost first, that needs more than the capacity. Both functions leave
   *explanation fit for explanation_clear. */
enum status explanation_find(const struct job *job, struct explanation *explanation,
                             struct error *error);

/* Finds only the problem and its load, for a problem or for a graph whose policy makes one problem
   of it; for other policies only the region. Takes as long as making that problem, and O(segments
   log segments). */
enum status explanation_find_section(const struct job *job, struct explanation *explanation,
                                     struct error *error);

void explanation_clear(struct explanation *explanation);

/* What an explanation found: the first of these that is true. */
enum explanation_finding {
    EXPLANATION_SECTION, /* a section is over the capacity */
    EXPLANATION_SUBSET,  /* buffers are proved not to fit together */
    EXPLANATION_FITS,    /* some plan fits the capacity */
    EXPLANATION_NOTHING,
};
enum explanation_finding explanation_finding(const struct explanation *explanation,
                                             uint64_t capacity_bytes);

/* The bytes that a buffer uses at a step: its window there, or 0 where it is not live. */
uint64_t explanation_live_bytes(const struct problem *problem, uint32_t buffer, uint32_t step);

#endif
