#ifndef MEMPLAN_HARNESS_EXPLANATION_EXPLANATION_H
#define MEMPLAN_HARNESS_EXPLANATION_EXPLANATION_H

#include "harness/explanation/whole_problem.h"
#include "harness/job/job.h"
#include "solvers/common/infeasible_subset.h"

/* Why a job's instance does not fit its capacity, and which one it does fit. */
struct explanation {
    const struct problem *problem; /* that load and subset are about; NULL where nothing needs more
                                      than the capacity, or nothing that does was looked for */
    uint32_t region; /* whose level the problem is, where a graph's policy plans level by level;
                        GRAPH_NONE for a problem of the whole instance */
    bool blocks_are_least; /* proved: no block in that level can be smaller */
    uint64_t load_bytes;
    uint32_t load_step;              /* where the section is that has that load */
    uint64_t least_bytes;            /* peak of the best plan known of the whole; 0 for none */
    uint64_t bound_bytes;            /* proved: no plan of the whole has a lower peak */
    struct infeasible_subset subset; /* where it does not fit and no section is over the capacity */
    struct whole_problem whole;      /* owns the problem where it is that of the whole instance */
    struct problem *level;           /* owns it where it is one level: a copy of that level's, in
                                        which the names of blocks say so */
};

/* By the planner exact in the job's time limit: half goes to the least capacity, the
   rest to the subset. Where the policy plans level by level, the problem is the first level,
   innermost first, that needs more than the capacity. Both leave *explanation fit for
   explanation_clear. */
enum status explanation_find(const struct job *job, struct explanation *explanation,
                             struct error *error);

/* Only problem and load, of a problem or of a graph whose policy makes one problem of it; for other
   policies only the region. As long as that problem takes, and O(segments log segments). */
enum status explanation_find_section(const struct job *job, struct explanation *explanation,
                                     struct error *error);

void explanation_clear(struct explanation *explanation);

/* What was found, the first of these that holds. */
enum explanation_finding {
    EXPLANATION_SECTION, /* a section is over the capacity */
    EXPLANATION_SUBSET,  /* buffers are proved not to fit together */
    EXPLANATION_FITS,    /* some plan does */
    EXPLANATION_NOTHING,
};
enum explanation_finding explanation_finding(const struct explanation *explanation,
                                             uint64_t capacity_bytes);

/* The bytes of the buffer's window at a step; 0 where it is not live. */
uint64_t explanation_live_bytes(const struct problem *problem, uint32_t buffer, uint32_t step);

#endif
