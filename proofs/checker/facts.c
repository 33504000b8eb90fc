#include "proofs/checker/facts.h"

#include <assert.h>
#include <stdlib.h>

void check_facts_free(struct facts *facts)
{
    check_bounds_free(&facts->bounds);
    for (size_t c = 0; c < facts->clauses; c++)
        free(facts->clause[c].literal);
    free(facts->clause);
    free(facts->clique);
    free(facts->member);
    free(facts->choice);
    free(facts->holds);
    free(facts->held);
}

/* The choice that a literal is about. */
static size_t get_choice(int64_t literal)
{
    assert(literal);
    return (size_t)(literal < 0 ? -literal : literal) - 1;
}

struct difference check_facts_difference(const struct facts *facts, int64_t literal)
{
    const struct choice *choice = &facts->choice[get_choice(literal)];
    return literal > 0 ? (struct difference){choice->first, choice->second, choice->up}
                       : (struct difference){choice->second, choice->first, choice->down};
}

bool check_facts_holds(const struct facts *facts, int64_t literal)
{
    return facts->holds[get_choice(literal)] & (literal > 0 ? 1 : 2);
}

void check_facts_hold(struct facts *facts, int64_t literal)
{
    size_t choice = get_choice(literal);
    assert(facts->proves && choice < facts->choices);
    if (!facts->holds[choice])
        facts->held[facts->held_count++] = choice;
    facts->holds[choice] |= literal > 0 ? 1 : 2;
    facts->bounds.absurd = facts->bounds.absurd || facts->holds[choice] == 3;
}

bool check_facts_end_clause(struct facts *facts)
{
    if (!facts->proves)
        return true;
    if (!facts->bounds.absurd)
        return REFUSED(facts->fault,
                       "the proof of clause %zu ended before this line without a contradiction",
                       facts->clauses);
    facts->refuted = facts->refuted || !facts->clause[facts->clauses - 1].literals;
    while (facts->held_count)
        facts->holds[facts->held[--facts->held_count]] = 0;
    check_bounds_restart(&facts->bounds);
    facts->proves = false;
    return true;
}

const struct member *check_facts_member(const struct facts *facts, size_t clique, uint32_t buffer)
{
    assert(clique >= 1 && clique <= facts->cliques);
    for (size_t m = facts->clique[clique - 1]; m < facts->clique[clique]; m++)
        if (facts->member[m].buffer == buffer)
            return &facts->member[m];
    return NULL;
}
