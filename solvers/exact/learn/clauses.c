#include "solvers/exact/learn/clauses.h"

#include <assert.h>

#include "core/memory.h"
#include "solvers/exact/learn/trail.h"

enum { MOST_CLAUSES = 1 << 14, FEW_LEVELS = 3 };

static uint32_t *list_literals(const struct exact_learn *learn, uint32_t clause)
{
    assert(clause < learn->clauses);
    return learn->clause_literal + learn->clause[clause].begin;
}

static void add_watch(struct exact_learn *learn, uint32_t watch)
{
    uint32_t literal = list_literals(learn, watch / 2)[watch & 1];
    assert(watch / 2 < learn->clauses && learn->clause[watch / 2].literals > 1);
    learn->watch[watch].next = learn->watched[literal];
    learn->watched[literal] = watch;
}

/* Puts another literal, which is not refuted, at the place of the watch, if there is one. */
static bool find_other(struct exact_learn *learn, uint32_t watch)
{
    assert(learn->clause[watch / 2].literals > 1);
    uint32_t *literal = list_literals(learn, watch / 2), place = watch & 1;
    for (uint32_t i = 2; i < learn->clause[watch / 2].literals; i++) {
        if (learn->truth[literal[i]] < 0)
            continue;
        uint32_t other = literal[i];
        literal[i] = literal[place];
        literal[place] = other;
        return true;
    }
    return false;
}

/* All literals of the clause are refuted: that is the conflict. */
static bool refuse_clause(struct exact_learn *learn, uint32_t clause)
{
    assert(learn->clause[clause].limit >= learn->capacity);
    const uint32_t *literal = list_literals(learn, clause);
    learn->conflict = learn->atoms;
    learn->conflict_limit = learn->clause[clause].limit;
    learn->counter[SEARCH_FAILED_GAP]++;
    for (uint32_t i = 0; i < learn->clause[clause].literals; i++)
        exact_learn_add_atom(learn, literal[i] ^ 1, 0);
    return false;
}

/* Notes that the literal holds, since the clause has no other one that could. False where it is
   refuted, too. */
static bool assert_by(struct exact_learn *learn, uint32_t clause, uint32_t literal)
{
    if (learn->truth[literal] < 0)
        return refuse_clause(learn, clause);
    return learn->truth[literal] > 0 ||
           exact_learn_assert(learn, literal, 0, (struct exact_reason){EXACT_BY_CLAUSE, clause, 0});
}

bool exact_learn_visit_clauses(struct exact_learn *learn, uint32_t literal)
{
    uint32_t *link = &learn->watched[literal ^ 1];
    assert(learn->truth[literal] > 0);
    while (*link != EXACT_NONE) {
        assert(list_literals(learn, *link / 2)[*link & 1] == (literal ^ 1));
        uint32_t watch = *link, other = list_literals(learn, watch / 2)[!(watch & 1)];
        if (learn->truth[other] <= 0 && find_other(learn, watch)) {
            *link = learn->watch[watch].next;
            add_watch(learn, watch);
            continue;
        }
        assert(learn->clause[watch / 2].limit >= learn->capacity);
        if (!assert_by(learn, watch / 2, other))
            return false;
        link = &learn->watch[watch].next;
    }
    return true;
}

static enum status reserve_clause(struct exact_learn *learn)
{
    size_t clauses = (size_t)learn->clauses + 1;
    TRY(memory_reserve(&learn->clause, &learn->clause_capacity, clauses, sizeof *learn->clause,
                       learn->error));
    TRY(memory_reserve(&learn->watch, &learn->watch_capacity, 2 * clauses, sizeof *learn->watch,
                       learn->error));
    return memory_reserve(&learn->clause_literal, &learn->clause_literal_capacity,
                          learn->clause_literals + learn->learned_count,
                          sizeof *learn->clause_literal, learn->error);
}

uint32_t exact_learn_add_clause(struct exact_learn *learn, const struct exact_learned *learned)
{
    assert(learn->learned_count > 0 && !learn->truth[learn->learned[0]]);
    learn->status = reserve_clause(learn);
    if (learn->status)
        return EXACT_NONE;
    uint32_t clause = learn->clauses++;
    learn->clause[clause] = (struct exact_clause){learn->clause_literals, learn->learned_count,
                                                  learned->levels, learned->limit};
    for (uint32_t i = 0; i < learn->learned_count; i++)
        learn->clause_literal[learn->clause_literals++] = learn->learned[i];
    for (uint32_t place = 0; place < 2 && learn->learned_count > 1; place++)
        add_watch(learn, 2 * clause + place);
    return clause;
}

static void keep_clause(struct exact_learn *learn, uint32_t clause)
{
    struct exact_clause kept = learn->clause[clause];
    assert(learn->clauses <= clause && learn->clause_literals <= kept.begin);
    for (uint32_t i = 0; i < kept.literals; i++)
        learn->clause_literal[learn->clause_literals + i] = learn->clause_literal[kept.begin + i];
    kept.begin = learn->clause_literals;
    learn->clause_literals += kept.literals;
    learn->clause[learn->clauses++] = kept;
}

/* Where there are very many clauses, drops the older half, but keeps of it those of few levels if
   these are not too many. */
static void drop_clauses(struct exact_learn *learn)
{
    uint32_t clauses = learn->clauses, few = 0;
    if (clauses < MOST_CLAUSES)
        return;
    for (uint32_t c = 0; c < clauses / 2; c++)
        few += learn->clause[c].levels <= FEW_LEVELS;
    learn->clauses = 0;
    learn->clause_literals = 0;
    for (uint32_t c = 0; c < clauses; c++)
        if (c >= clauses / 2 || (few < clauses / 4 && learn->clause[c].levels <= FEW_LEVELS))
            keep_clause(learn, c);
}

bool exact_learn_watch_clauses(struct exact_learn *learn)
{
    assert(!learn->levels);
    if (!(learn->rules & EXACT_LEARN_RULE_KEEP))
        learn->clauses = learn->clause_literals = 0;
    drop_clauses(learn);
    for (uint32_t i = 0; i < 2 * learn->variables; i++)
        learn->watched[i] = EXACT_NONE;
    for (uint32_t c = 0; c < learn->clauses; c++) {
        if (learn->clause[c].limit < learn->capacity)
            continue;
        if (learn->clause[c].literals == 1) {
            if (!assert_by(learn, c, list_literals(learn, c)[0]))
                return false;
            continue;
        }
        add_watch(learn, 2 * c);
        add_watch(learn, 2 * c + 1);
    }
    return true;
}
