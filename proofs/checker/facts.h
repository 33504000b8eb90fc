#ifndef MEMPLAN_PROOFS_CHECKER_FACTS_H
#define MEMPLAN_PROOFS_CHECKER_FACTS_H

#include "proofs/checker/problem.h"

/* What the lines of a log have shown so far: choices, cliques and clauses, which stay, and what
   holds in the proof that is going on, which is forgotten with its end. */

/* A literal as a difference: to's offset is at least from's plus the distance. */
struct difference {
    uint32_t from, to;
    int64_t distance;
    int64_t holds; /* in the proof that is going on: 1 where it does, else 0 */
};

struct member {
    uint32_t buffer;
    int64_t begin, end; /* of its bytes: they and those of other members never overlap */
};

struct clique {
    struct member *member;
    size_t members;
};

struct clause {
    int64_t *literal; /* NULL once it is forgotten */
    size_t literals;
};

/* Where a buffer can lie in the plans that fit the capacity and for which the clause that is being
   proved is false. */
struct place {
    int64_t step;      /* what divides the offset: its alignment or the unit */
    int64_t low, high; /* least and greatest offset */
    bool is_used;      /* whether the proof is about it; of others nothing is known */
};

/* A number that is another one until the end of the proof that is going on. */
struct change {
    int64_t *number, before;
};

struct facts {
    const struct problem *problem;
    int64_t capacity;
    char letter;           /* of the line: its rule, and its numbers */
    const int64_t *number; /* [count] */
    size_t count;
    struct place *place;        /* [buffers] */
    struct difference *literal; /* [literals] literal v, then literal -v, of choice v */
    struct clique *clique;
    struct clause *clause; /* [clauses] the last one is being proved where `proves` */
    struct change *change; /* [changes] in the order in which they were made */
    size_t literals, cliques, clauses, changes;
    bool proves, refuted; /* refuted: a clause without literals was proved */
    bool absurd;          /* there is no such plan */
    bool absurd_at_first; /* no plan at all fits the capacity */
};

/* The facts of the log that is being checked; there is one log at a time. */
extern struct facts check_facts;

/* Begins a log of a problem, whose buffers b with used[b] it is about. A fault where the unit does
   not divide such a buffer's size, windows and fixed offset, or is neither a divisor nor a multiple
   of its alignment. To be freed also after a fault. */
void check_facts_begin(const struct problem *problem, const bool *used, int64_t capacity,
                       int64_t unit);
void check_facts_free(void);

/* Refuses the line with the condition that does not hold. */
void check_expect(bool condition, const char *text);

/* The greatest multiple of the step that is no more than the value, which may be negative. */
int64_t check_round_down(int64_t value, int64_t step);

/* What a literal says. */
struct difference *check_facts_get(int64_t literal);

/* Lets the literal hold until the proof ends; there is no such plan if its opposite holds, too. */
void check_facts_add(int64_t literal);

/* Raises the least offset of a buffer to `low` and lowers its greatest one to `high`, where that
   says more than is known already. */
void check_facts_bound(uint32_t b, int64_t low, int64_t high);

/* Ends the proof that is going on, if there is one, and forgets what it assumed. It is a fault if
   it has met no contradiction. O(what was changed). */
void check_facts_end_clause(void);

#endif
