#ifndef MEMPLAN_SOLVERS_EXACT_LEARN_LOG_H
#define MEMPLAN_SOLVERS_EXACT_LEARN_LOG_H

#include "solvers/exact/learn/state.h"

/* What each learned clause rests on, for proofs that others check (docs/proofs.md): the rules that
   lead from the opposites of its literals to a contradiction. Literals are those of the search,
   sections those of the model, addresses in units. */

/* The rules, by the letters that they have in a proof, each followed by its numbers. */
enum exact_rule {
    EXACT_STEP_NONE = 0,
    EXACT_STEP_PASS = 'E',     /* literal */
    EXACT_STEP_EXCLUDE = 'O',  /* literal */
    EXACT_STEP_CLAUSE = 'C',   /* clause */
    EXACT_STEP_WEAKEN = 'P',   /* literal, literal */
    EXACT_STEP_TWINS = 'T',    /* literal */
    EXACT_STEP_OVERLOAD = 'K', /* section, begin, end */
    EXACT_STEP_EDGE = 'D',     /* section, begin, end, literal */
    EXACT_STEP_CHAIN = 'H',    /* section, begin, how many literals, these */
    EXACT_STEP_HANG = 'G',     /* the same with the end, downwards */
    EXACT_STEP_HANDOVER = 'W', /* section, begin, end, another section, buffer, offset */
    EXACT_STEP_HANDOVER_DOWN = 'M',
};

/* A step of a proof, with those of its numbers that the reason of the event does not tell. */
struct exact_derivation {
    enum exact_rule rule;
    uint32_t section; /* of a clause its number */
    int64_t begin, end;
    uint32_t literal; /* of a handover the buffer */
    uint32_t other;   /* section */
    int64_t offset;
};

struct exact_log {
    int64_t *number; /* [numbers] of each clause how many literals, these, and its steps */
    size_t *clause;  /* [clauses] where each begins in number, in the order of learning */
    size_t numbers, clauses, number_room, clause_room;
    struct exact_derivation *of_event; /* [events] */
    uint32_t *used; /* [used_count] events that a clause rests on, latest first */
    size_t of_event_room, used_room, used_count;
    struct exact_derivation latest;   /* of the event that is added next */
    struct exact_derivation conflict; /* the last step of the conflict */
};

void exact_log_free(struct exact_log *log);

/* Where there is no log, these do nothing; a failed allocation is noted in learn->status. */

/* The next event, or the conflict, follows by this. */
static inline void exact_log_note(struct exact_learn *learn, struct exact_derivation derivation)
{
    if (learn->log)
        learn->log->latest = derivation;
}
static inline void exact_log_conflict(struct exact_learn *learn, struct exact_derivation derivation)
{
    if (learn->log)
        learn->log->conflict = derivation;
}

/* The last event was added; it follows by what was noted last. */
void exact_log_add_event(struct exact_learn *learn);
/* The clause that is being made rests on the event. */
void exact_log_use(struct exact_learn *learn, uint32_t event);
/* The clause of the literals in learn->learned is complete. Returns its number. */
uint32_t exact_log_end_clause(struct exact_learn *learn);

#endif
