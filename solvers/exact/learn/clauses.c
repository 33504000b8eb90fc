#include "solvers/exact/learn/clauses.h"

#include <assert.h>

#include "core/memory.h"
#include "solvers/exact/learn/trail.h"

/* A conflict is traced back to decisions: each atom is replaced by those it was found from, the
   latest first, until of the latest level one literal is left (first unique implication point,
   Marques-Silva and Sakallah, GRASP, 1996) and of the levels before nothing but literals. Of a
   bound only the value that is needed is traced, which makes clauses short and their limits
   high. */

struct blame {
    struct exact_learn *learn;
    uint32_t level_begin; /* first event of the latest level; 0: there is no decision */
    uint32_t open;        /* atoms of the latest level that are not replaced yet */
    uint32_t last;        /* latest event of an atom of the conflict, plus one */
    uint64_t limit;
};

/* The event that first raised the bound to the atom's value or above, looked for backwards from an
   event `from` that is not before it. A literal has one event only. */
static uint32_t find_event(const struct exact_learn *learn, const struct exact_atom *atom,
                           uint32_t from)
{
    if (exact_is_literal(learn, atom->item))
        return learn->event_of[atom->item / 2];
    assert(from < learn->events && learn->event[from].atom.value >= atom->value);
    uint32_t previous = learn->event[from].previous;
    while (previous != EXACT_NONE && learn->event[previous].atom.value >= atom->value) {
        from = previous;
        previous = learn->event[from].previous;
    }
    return from;
}

static uint32_t find_latest(const struct exact_learn *learn, const struct exact_atom *atom)
{
    assert(atom->item < 2 * (learn->variables + learn->model->buffers));
    if (exact_is_literal(learn, atom->item))
        return learn->event_of[atom->item / 2];
    return find_event(learn, atom, learn->latest[atom->item - 2 * learn->variables]);
}

static bool is_latest_level(const struct blame *blame, const struct exact_atom *atom)
{
    return find_latest(blame->learn, atom) >= blame->level_begin;
}

static void need_literal(struct blame *blame, const struct exact_atom *atom)
{
    assert(blame->learn->truth[atom->item] > 0);
    struct exact_learn *learn = blame->learn;
    if (learn->seen[atom->item / 2])
        return;
    learn->seen[atom->item / 2] = true;
    learn->activity[atom->item / 2] += learn->increment;
    blame->open += is_latest_level(blame, atom);
}

/* Notes that the conflict depends on the item: on the literal, or on the bound being at least the
   value. */
static void need(struct blame *blame, uint32_t item, int64_t value)
{
    struct exact_learn *learn = blame->learn;
    const struct exact_atom atom = {item, value};
    if (exact_is_literal(learn, item)) {
        need_literal(blame, &atom);
        return;
    }
    int64_t *needed = &learn->needed[item - 2 * learn->variables];
    const struct exact_atom before = {item, *needed};
    if (*needed >= value)
        return;
    if (*needed != EXACT_NO_NEED && is_latest_level(blame, &before))
        blame->open--;
    *needed = value;
    blame->open += is_latest_level(blame, &atom);
}

static void lower_limit(struct blame *blame, uint64_t limit)
{
    blame->limit = limit < blame->limit ? limit : blame->limit;
}

/* A bound of an empty plan has no reason, but it may depend on the capacity. The greatest offset of
   a buffer is the capacity less its size there, and the conflict needs it to be no more than
   -value: that limits the capacities for which the clause is known. */
static void replace_start(struct blame *blame, uint32_t bound, int64_t value)
{
    const struct exact_learn *learn = blame->learn;
    const struct exact_model *model = learn->model;
    if (!(bound & 1) || model->highest[bound / 2] != UINT64_MAX)
        return;
    int64_t limit = (int64_t)model->size[bound / 2] - exact_learn_unrounded(learn, bound, value);
    assert(limit >= (int64_t)learn->capacity);
    lower_limit(blame, (uint64_t)limit);
}

static void replace_by_literal(struct blame *blame, uint32_t literal, uint32_t bound, int64_t value)
{
    assert(exact_is_literal(blame->learn, literal) && bound < 2 * blame->learn->model->buffers);
    const struct exact_learn *learn = blame->learn;
    const struct exact_literal *edge = &learn->literal[literal];
    uint32_t source = bound & 1 ? 2 * edge->to + 1 : 2 * edge->from;
    need(blame, literal, 0);
    need(blame, exact_bound_item(learn, source),
         exact_learn_unrounded(learn, bound, value) - edge->distance);
}

static void replace_by_bounds(struct blame *blame, const struct exact_atom *atom)
{
    assert(exact_is_literal(blame->learn, atom->item));
    const struct exact_learn *learn = blame->learn;
    const struct exact_literal *edge = &learn->literal[atom->item ^ 1];
    need(blame, exact_bound_item(learn, 2 * edge->from), atom->value);
    need(blame, exact_bound_item(learn, 2 * edge->to + 1), 1 - edge->distance - atom->value);
}

static void replace_by_clause(struct blame *blame, uint32_t index, uint32_t literal)
{
    assert(index < blame->learn->clauses);
    const struct exact_learn *learn = blame->learn;
    const struct exact_clause *clause = &learn->clause[index];
    lower_limit(blame, clause->limit);
    for (uint32_t i = 0; i < clause->literals; i++)
        if (learn->clause_literal[clause->begin + i] != literal)
            need(blame, learn->clause_literal[clause->begin + i] ^ 1, 0);
}

static void replace_by_atoms(struct blame *blame, uint32_t begin, uint32_t count)
{
    assert(begin + count <= blame->learn->atoms);
    for (uint32_t i = begin; i < begin + count; i++)
        need(blame, blame->learn->atom[i].item, blame->learn->atom[i].value);
}

/* Makes the conflict depend on the reasons of an event instead of the event. */
static void replace(struct blame *blame, const struct exact_event *event, int64_t value)
{
    uint32_t item = event->atom.item, bound = item - 2 * blame->learn->variables;
    switch (event->reason.kind) {
    case EXACT_BY_DECISION:
        break;
    case EXACT_BY_START:
        replace_start(blame, bound, value);
        break;
    case EXACT_BY_CLAUSE:
        replace_by_clause(blame, event->reason.source, item);
        break;
    case EXACT_BY_LITERAL:
        replace_by_literal(blame, event->reason.source, bound, value);
        break;
    case EXACT_BY_BOUNDS:
        replace_by_bounds(blame, &event->atom);
        break;
    case EXACT_BY_ATOMS:
        replace_by_atoms(blame, event->reason.source, event->reason.count);
        break;
    }
}

static bool is_before_decisions(const struct exact_learn *learn, uint32_t event)
{
    return !learn->levels || event < learn->level_begin[0];
}

static void visit_literal(struct blame *blame, uint32_t index)
{
    struct exact_learn *learn = blame->learn;
    const struct exact_event *event = &learn->event[index];
    bool is_latest = index >= blame->level_begin;
    bool is_kept = !is_latest || blame->open == 1;
    if (!learn->seen[event->atom.item / 2])
        return;
    learn->seen[event->atom.item / 2] = false;
    assert(!is_latest || blame->open > 0);
    blame->open -= is_latest;
    if (is_kept && !is_before_decisions(learn, index))
        learn->learned[learn->learned_count++] = event->atom.item ^ 1;
    else
        replace(blame, event, 0);
}

/* Replaces the event by its reasons where the conflict depends on it, which it does not where an
   earlier event had raised the bound to what is needed. */
static void visit_bound(struct blame *blame, uint32_t index)
{
    struct exact_learn *learn = blame->learn;
    const struct exact_event *event = &learn->event[index];
    int64_t *needed = &learn->needed[event->atom.item - 2 * learn->variables], value = *needed;
    if (value == EXACT_NO_NEED ||
        (event->previous != EXACT_NONE && learn->event[event->previous].atom.value >= value))
        return;
    *needed = EXACT_NO_NEED;
    assert(index < blame->level_begin || blame->open > 0);
    blame->open -= index >= blame->level_begin;
    replace(blame, event, value);
}

/* Finds the latest level that the conflict depends on; that may be one before the last decision. */
static void find_level(struct blame *blame)
{
    struct exact_learn *learn = blame->learn;
    blame->last = 0;
    for (uint32_t i = learn->conflict; i < learn->atoms; i++) {
        uint32_t event = find_latest(learn, &learn->atom[i]) + 1;
        blame->last = event > blame->last ? event : blame->last;
    }
    uint32_t level = learn->levels;
    while (level && learn->level_begin[level - 1] >= blame->last)
        level--;
    blame->level_begin = level ? learn->level_begin[level - 1] : 0;
    assert(blame->last <= learn->events);
}

static uint32_t get_level(const struct exact_learn *learn, uint32_t literal)
{
    assert(learn->event_of[literal / 2] < learn->events);
    uint32_t event = learn->event_of[literal / 2], level = learn->levels;
    while (level && learn->level_begin[level - 1] > event)
        level--;
    return level;
}

/* Of how many levels the literals of the clause are. They come latest first, so that those of one
   level stand together. */
static uint32_t count_levels(const struct exact_learn *learn)
{
    uint32_t count = 0, before = EXACT_NONE;
    for (uint32_t i = 0; i < learn->learned_count; i++) {
        uint32_t level = get_level(learn, learn->learned[i]);
        assert(level <= before);
        count += level != before;
        before = level;
    }
    return count;
}

bool exact_learn_explain(struct exact_learn *learn, struct exact_learned *learned)
{
    assert(learn->conflict <= learn->atoms);
    struct blame blame = {.learn = learn, .limit = learn->conflict_limit};
    learn->learned_count = 0;
    find_level(&blame);
    replace_by_atoms(&blame, learn->conflict, learn->atoms - learn->conflict);
    for (uint32_t i = blame.last; i-- > 0;)
        if (exact_is_literal(learn, learn->event[i].atom.item))
            visit_literal(&blame, i);
        else
            visit_bound(&blame, i);
    assert(!blame.open);
    assert(learn->learned_count <= learn->variables && blame.limit >= learn->capacity);
    learn->atoms = learn->conflict;
    learned->limit = blame.limit;
    learned->levels = count_levels(learn);
    learned->kept_levels = learn->learned_count > 1 ? get_level(learn, learn->learned[1]) : 0;
    return learn->learned_count > 0;
}

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
