#ifndef MEMPLAN_HARNESS_JOB_OUTCOME_H
#define MEMPLAN_HARNESS_JOB_OUTCOME_H

#include "core/digest.h"
#include "planning/execute/execute.h"
#include "planning/graph/critical_path.h"
#include "planning/memories/memory_problem.h"
#include "planning/plan/placement.h"
#include "planning/verify/problem/plan.h"

enum { OUTCOME_MOST_SAMPLES = 101 };

/* What became of the log that shows that no plan has a lower peak, or that none fits the capacity
   (docs/proofs.md). Zeroed where none was asked for. */
enum proof_state {
    PROOF_NOT_ASKED,
    PROOF_NONE,
    PROOF_LOGGED,
    PROOF_CHECKED,
    PROOF_VERIFIED,
    PROOF_REFUSED
};
struct proof_facts {
    enum proof_state state;
    char digest[DIGEST_TEXT_BYTES]; /* of the log; "" where there is none */
    char reason[200]; /* why there is none, or what the checker that refuses it says; else "" */
    uint64_t log_bytes;
    /* Time of the search that writes the log, of memplan-check and of memplan-check-verified. */
    uint64_t log_ns, check_ns, verify_ns;
};

/* The word for a state in rows; "" for PROOF_NOT_ASKED. */
const char *proof_state_name(enum proof_state state);

/* The checked result of a job. Exactly one of plan and placement is set. */
struct outcome {
    enum plan_status status; /* optimal also where the plan of a heuristic meets the lower bound */
    struct measures measures;
    uint64_t buffers;
    uint64_t planner_bytes; /* the most that was allocated at once through core/memory.h */
    uint64_t in_place;      /* number of a graph's tensors that are in the place of another one */
    struct plan *plan;
    struct placement *placement;
    /* The memories in which the placement lies, whose offsets are addresses then
       (planning/memories/address.h); borrowed. NULL: it lies in one arena. */
    const struct memory_problem *memories;
    /* NULL for a planner that keeps no record; else the counters of all levels of a graph and the
       curve of the outermost. */
    struct search_record *search;
    /* Set where there is a plan, by verify_plan or verify_paths; before that it is
       VERIFY_NOT_OF_POLICY where the plan of a level breaks the rules of its problem. */
    struct verdict verdict;
    struct execution execution; /* of a graph's placement */
    struct proof_facts proof;
    struct critical_path path; /* of a graph on several streams as it is launched; else 0 */
    /* Why there is no plan, in which case verdict may hold the witness, or why none could be proved
       best; else "". */
    char stop_reason[128];
    uint32_t samples;
    uint64_t wall_ns[OUTCOME_MOST_SAMPLES]; /* [samples] sorted */
};

void outcome_clear(struct outcome *outcome);

/* Pointers into the plan or the placement of an outcome, whichever it has, so that both can be
   treated alike. */
struct outcome_places {
    enum plan_status *status;
    struct measures *measures;
    uint32_t items, operators; /* buffers, or tensors; a plan has no operators */
    uint64_t *offset;          /* [items] */
    uint32_t **storage_id;     /* *storage_id is [items], or NULL */
    struct extents **extents;
    uint64_t *block_offset, *block_bytes; /* [operators]; NULL of a plan */
};
struct outcome_places outcome_places(const struct outcome *outcome);

/* Whether there is a plan. */
bool outcome_found(const struct outcome *outcome);

/* Whether there is a plan that verify finds valid and whose execution, for a graph, leaves all
   values intact. */
bool outcome_is_good(const struct outcome *outcome);

uint64_t outcome_median_ns(const struct outcome *outcome); /* 0 where nothing was measured */

#endif
