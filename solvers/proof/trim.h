#ifndef MEMPLAN_SOLVERS_PROOF_TRIM_H
#define MEMPLAN_SOLVERS_PROOF_TRIM_H

#include "solvers/exact/learn/log.h"

/* What the last clause of a log rests on. */

/* A step of the log, and how many numbers of each kind it has behind its rule. */
struct proof_step {
    enum exact_rule rule;
    const int64_t *number;
    size_t literals, literal_at; /* the last ones */
    bool has_section;
};

/* The step at `at`; moves that behind it. */
struct proof_step proof_step_read(const struct exact_log *log, size_t *at);

/* Whether its numbers are section, begin, end, another section, buffer and offset. */
static inline bool proof_step_hands_over(const struct proof_step *step)
{
    return step->rule == EXACT_STEP_HANDOVER || step->rule == EXACT_STEP_HANDOVER_DOWN;
}

/* Where the steps of a clause begin and end. Its literals stand before them, from
   log->clause[clause] + 1 on. */
size_t proof_step_first(const struct exact_log *log, size_t clause, size_t *end);

/* What is kept has a number from 1 on, what is not has 0. */
struct proof_trim {
    uint32_t *choice;   /* [variables] 1 where it is kept */
    uint32_t *clique;   /* [sections] likewise */
    uint32_t *clause;   /* [clauses] in their order */
    uint32_t *last_use; /* [clauses] the last clause that uses it */
    uint64_t kept;      /* clauses */
};

/* Goes back from the last clause. The arrays are taken from the scratch. O(log). */
enum status proof_trim_create(const struct exact_learn *learn, struct scratch *scratch,
                              struct proof_trim *trim, struct error *error);

#endif
