#ifndef MEMPLAN_PROOFS_CHECKER_FACTS_H
#define MEMPLAN_PROOFS_CHECKER_FACTS_H

#include "proofs/checker/problem.h"

/* What a log has shown so far, and what is assumed while a clause is proved. */

/* The offset of one buffer less that of another is at least `up`, or at most -`down`: literal v
   says the first of choice v, literal -v the second. */
struct choice {
    uint32_t first, second;
    int64_t up, down;
};

/* A literal as a difference: to's offset is at least from's plus the distance. */
struct difference {
    uint32_t from, to;
    int64_t distance;
};

struct member {
    uint32_t buffer;
    int64_t begin, end; /* of its bytes: they and those of other members never overlap */
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
    bool is_touched;   /* whether it has other values than at the beginning */
};

struct facts {
    const struct problem *problem;
    struct fault *fault;
    int64_t capacity;
    char letter;         /* of the rule that is being applied */
    struct place *place; /* [buffers] */
    uint32_t *touched;   /* [touched_count] buffers */
    struct choice *choice;
    uint8_t *holds; /* [choices] 1: the literal holds, 2: its opposite does */
    size_t *held;   /* [held_count] choices of which that is known */
    size_t choices, choice_room, holds_room, held_room, held_count, touched_count;
    struct member *member;
    size_t *clique; /* [cliques + 1] into member */
    size_t members, member_room, cliques, clique_room;
    struct clause *clause; /* [clauses] the last one is being proved where `proves` */
    size_t clauses, clause_room;
    bool proves, refuted; /* refuted: a clause without literals was proved */
    bool absurd;          /* there is no such plan */
    bool absurd_at_first; /* no plan at all fits the capacity */
};

/* Facts of which the problem and the fault are set get their arrays, with no buffer used. */
bool check_facts_create(struct facts *facts);
void check_facts_free(struct facts *facts);

/* Begins, once the buffers used are known. A fault where the unit does not divide some used
   buffer's size, windows and fixed offset, or is neither a divisor nor a multiple of its alignment.
 */
bool check_facts_begin(struct facts *facts, int64_t capacity, int64_t unit);

void check_facts_raise(struct facts *facts, uint32_t buffer, int64_t low);
void check_facts_lower(struct facts *facts, uint32_t buffer, int64_t high);

struct difference check_facts_difference(const struct facts *facts, int64_t literal);
bool check_facts_holds(const struct facts *facts, int64_t literal);
/* From now on the literal holds; with its opposite, that is absurd. */
void check_facts_hold(struct facts *facts, int64_t literal);

/* The proof of the last clause, if there is one, is over, and what it assumed is forgotten. Refused
   without a contradiction. O(what was touched). */
bool check_facts_end_clause(struct facts *facts);

/* The member of the clique whose buffer this is, the first one if there are several; NULL where
   there is none. */
const struct member *check_facts_member(const struct facts *facts, int64_t clique, uint32_t buffer);

#endif
