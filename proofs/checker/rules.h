#ifndef MEMPLAN_PROOFS_CHECKER_RULES_H
#define MEMPLAN_PROOFS_CHECKER_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A rule of docs/proofs.md. Each of the numbers of its line is of a kind: b buffer, n any number,
   l literal, h literal that holds, q clique, c proved clause, and m a member of a clique, which is
   three numbers (buffer, begin, end). */
struct rule {
    char letter;
    const char *kinds; /* of its numbers */
    char more;         /* the kind of any further ones, or 0 */
    bool is_step;      /* of the proof of a clause */
    void (*apply)(void);
};

/* The rule with this letter; NULL where there is none. */
const struct rule *check_rules_find(char letter);

/* Ends the proof that is going on if the rule is no step of a proof. Returns whether the rule has
   to be applied; it need not be in a proof that has met a contradiction, since everything follows
   from that. */
bool check_rules_prepare(const struct rule *rule);

/* Applies a rule to the numbers of its line: one for each of its kinds, and any further ones that
   its `more` allows. */
void check_rules_apply(const struct rule *rule, const int64_t *number, size_t count);

/* Ends the log: a fault where no plan was refuted. Returns how many clauses were proved. */
size_t check_rules_end(void);

#endif
