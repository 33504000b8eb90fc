#ifndef MEMPLAN_PROOFS_CHECKER_RULES_H
#define MEMPLAN_PROOFS_CHECKER_RULES_H

#include "proofs/checker/facts.h"

/* The numbers of a line, each of a kind: b buffer, n any number, l literal, q clique, c proved
   clause, and m a member of a clique, which is three numbers (buffer, begin, end). */
struct numbers {
    int64_t *number; /* [count] */
    size_t count, room;
};

/* A rule of docs/proofs.md. */
struct rule {
    char letter;
    const char *kinds; /* of its numbers */
    char more;         /* the kind of any further ones, or 0 */
    bool is_step;      /* of the proof of a clause */
    bool (*apply)(struct facts *facts, const struct numbers *line);
};

/* NULL where there is none of this letter. */
const struct rule *check_rules_find(char letter);

/* Applies the rule to numbers of which there are as many as it has kinds. */
bool check_rules_apply(const struct rule *rule, struct facts *facts, const struct numbers *numbers);

#endif
