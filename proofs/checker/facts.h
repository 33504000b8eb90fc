#ifndef MEMPLAN_PROOFS_CHECKER_FACTS_H
#define MEMPLAN_PROOFS_CHECKER_FACTS_H

#include "proofs/checker/bounds.h"

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

struct facts {
    const struct problem *problem;
    struct bounds bounds;
    struct fault *fault;
    struct choice *choice;
    uint8_t *holds; /* [choices] 1: the literal holds, 2: its opposite does */
    size_t *held;   /* [held_count] choices of which that is known */
    size_t choices, choice_room, holds_room, held_room, held_count;
    struct member *member;
    size_t *clique; /* [cliques + 1] into member */
    size_t members, member_room, cliques, clique_room;
    struct clause *clause; /* [clauses] the last one is being proved where `proves` */
    size_t clauses, clause_room;
    bool proves, refuted; /* refuted: a clause without literals was proved */
};

void check_facts_free(struct facts *facts);

struct difference check_facts_difference(const struct facts *facts, int64_t literal);
bool check_facts_holds(const struct facts *facts, int64_t literal);
/* From now on the literal holds; with its opposite, that is absurd. */
void check_facts_hold(struct facts *facts, int64_t literal);

/* The proof of the last clause, if there is one, is over. Refused without a contradiction. */
bool check_facts_end_clause(struct facts *facts);

/* The member of the clique whose buffer this is, the first one if there are several; NULL where
   there is none. */
const struct member *check_facts_member(const struct facts *facts, size_t clique, uint32_t buffer);

#endif
