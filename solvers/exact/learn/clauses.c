#include "solvers/exact/learn/clauses.h"

#include <assert.h>

#include "core/memory.h"
#include "solvers/exact/learn/log.h"
#include "solvers/exact/learn/trail.h"

/* A conflict is traced back to decisions: each atom is replaced by the atoms it was found from, the
   latest first, until one literal of the latest level is left (first unique implication point,
   Marques-Silva and Sakallah, GRASP, 1996) and only literals of the levels before. A bound is
   traced only as far as its value is needed, which makes clauses short and their limits high. */

struct blame {
    struct exact_learn *learn;
    uint32_t level_begin; /* first event of the latest level; 0: there is no decision */
    uint32_t open;        /* atoms of the latest level that are not replaced yet */
    uint64_t limit;
};

/* The event that first made the atom hold: of a bound, the first that raised it to the atom's value
   or above. */
static uint32_t find_latest(const struct exact_learn *learn, const struct exact_atom *atom)
{
    assert(atom->item < 2 * (learn->variables + learn->model->buffers));
    if (exact_is_literal(learn, atom->item))
        return learn->event_of[atom->item / 2];
    uint32_t event = learn->latest[atom->item - 2 * learn->variables];
    assert(event < learn->events && learn->event[event].atom.value >= atom->value);
    uint32_t previous = learn->event[event].previous;
    while (previous != EXACT_NONE && learn->event[previous].atom.value >= atom->value) {
        event = previous;
        previous = learn->event[event].previous;
    }
    return event;
}

static bool is_latest_level(const struct blame *blame, const struct exact_atom *atom)
{
    return find_latest(blame->learn, atom) >= blame->level_begin;
}

/* Notes that the conflict depends on the item: on the literal, or on the bound being at least the
   value. */
static void need(struct blame *blame, uint32_t item, int64_t value)
{
    struct exact_learn *learn = blame->learn;
    const struct exact_atom atom = {item, value};
    if (exact_is_literal(learn, item)) {
        assert(learn->truth[item] > 0);
        if (learn->seen[item / 2])
            return;
        learn->seen[item / 2] = true;
        learn->activity[item / 2] += learn->increment;
        blame->open += is_latest_level(blame, &atom);
        return;
    }
    assert(item - 2 * learn->variables < 2 * learn->model->buffers);
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

static void replace_by_atoms(struct blame *blame, uint32_t begin, uint32_t count)
{
    assert(begin + count <= blame->learn->atoms);
    for (uint32_t i = begin; i < begin + count; i++)
        need(blame, blame->learn->atom[i].item, blame->learn->atom[i].value);
}

/* Makes the conflict depend on the reasons of an event instead of the event. value: of a bound,
   what is needed of it. */
static void replace(struct blame *blame, const struct exact_event *event, int64_t value)
{
    const struct exact_learn *learn = blame->learn;
    const struct exact_model *model = learn->model;
    uint32_t item = event->atom.item, bound = item - 2 * learn->variables;
    uint32_t source = event->reason.source;
    const struct exact_literal *edge;
    const struct exact_clause *clause;
    assert(exact_is_literal(learn, item) || bound < 2 * model->buffers);
    switch (event->reason.kind) {
    case EXACT_BY_DECISION:
    case EXACT_BY_TWINS:
        break;

    /* A bound of an empty plan has no reason, but it may depend on the capacity. The greatest
       offset of a buffer is the capacity less its size there, and the conflict needs it to be no
       more than -value: that limits the capacities for which the clause is known. */
    case EXACT_BY_START:
        if (bound & 1 && model->highest[bound / 2] == UINT64_MAX) {
            int64_t limit =
                (int64_t)model->size[bound / 2] - exact_learn_unrounded(learn, bound, value);
            assert(limit >= (int64_t)learn->capacity);
            lower_limit(blame, (uint64_t)limit);
        }
        break;
    case EXACT_BY_CLAUSE:
        assert(source < learn->clauses);
        clause = &learn->clause[source];
        lower_limit(blame, clause->limit);
        for (uint32_t i = 0; i < clause->literals; i++)
            if (learn->clause_literal[clause->begin + i] != item)
                need(blame, learn->clause_literal[clause->begin + i] ^ 1, 0);
        break;
    case EXACT_BY_LITERAL:
        assert(exact_is_literal(learn, source) && !exact_is_literal(learn, item));
        edge = &learn->literal[source];
        need(blame, source, 0);
        need(blame, exact_bound_item(learn, bound & 1 ? 2 * edge->to + 1 : 2 * edge->from),
             exact_learn_unrounded(learn, bound, value) - edge->distance);
        break;
    case EXACT_BY_BOUNDS:
        assert(exact_is_literal(learn, item));
        edge = &learn->literal[item ^ 1];
        need(blame, exact_bound_item(learn, 2 * edge->from), event->atom.value);
        need(blame, exact_bound_item(learn, 2 * edge->to + 1),
             1 - edge->distance - event->atom.value);
        break;
    case EXACT_BY_ATOMS:
        replace_by_atoms(blame, source, event->reason.count);
        break;
    }
}

static void visit_literal(struct blame *blame, uint32_t index)
{
    struct exact_learn *learn = blame->learn;
    const struct exact_event *event = &learn->event[index];
    bool is_latest = index >= blame->level_begin;
    bool is_kept = !is_latest || blame->open == 1;
    bool is_before_decisions = !learn->levels || index < learn->level_begin[0];
    assert(index < learn->events && exact_is_literal(learn, event->atom.item));
    if (!learn->seen[event->atom.item / 2])
        return;
    learn->seen[event->atom.item / 2] = false;
    assert(!is_latest || blame->open > 0);
    blame->open -= is_latest;
    if (is_kept && !is_before_decisions) {
        learn->learned[learn->learned_count++] = event->atom.item ^ 1;
        return;
    }
    exact_log_use(learn, index);
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
    assert(event->atom.value >= value);
    exact_log_use(learn, index);
    replace(blame, event, value);
}

static uint32_t get_level(const struct exact_learn *learn, uint32_t literal)
{
    assert(learn->event_of[literal / 2] < learn->events);
    uint32_t event = learn->event_of[literal / 2], level = learn->levels;
    assert(literal / 2 < learn->variables);
    while (level && learn->level_begin[level - 1] > event)
        level--;
    return level;
}

bool exact_learn_explain(struct exact_learn *learn, struct exact_learned *learned)
{
    assert(learn->conflict <= learn->atoms);
    struct blame blame = {.learn = learn, .limit = learn->conflict_limit};
    uint32_t last = 0, level = learn->levels, before = EXACT_NONE;
    learn->learned_count = 0;

    /* The latest level that the conflict depends on may be one before the last decision. */
    for (uint32_t i = learn->conflict; i < learn->atoms; i++) {
        uint32_t event = find_latest(learn, &learn->atom[i]) + 1;
        last = event > last ? event : last;
    }
    while (level && learn->level_begin[level - 1] >= last)
        level--;
    blame.level_begin = level ? learn->level_begin[level - 1] : 0;
    assert(last <= learn->events && blame.level_begin <= last);
    replace_by_atoms(&blame, learn->conflict, learn->atoms - learn->conflict);
    for (uint32_t i = last; i-- > 0;)
        if (exact_is_literal(learn, learn->event[i].atom.item))
            visit_literal(&blame, i);
        else
            visit_bound(&blame, i);
    assert(!blame.open);
    assert(learn->learned_count <= learn->variables && blame.limit >= learn->capacity);
    learned->number = exact_log_end_clause(learn);
    learn->atoms = learn->conflict;
    learned->limit = blame.limit;
    learned->kept_levels = learn->learned_count > 1 ? get_level(learn, learn->learned[1]) : 0;

    /* The literals come latest first, so that those of one level stand together. */
    learned->levels = 0;
    for (uint32_t i = 0; i < learn->learned_count; i++) {
        level = get_level(learn, learn->learned[i]);
        assert(level <= before);
        learned->levels += level != before;
        before = level;
    }
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

/* Notes that the literal holds, since the clause has no other one that could. False where it is
   refuted, too: then all literals of the clause are, which is the conflict. */
static bool assert_by(struct exact_learn *learn, uint32_t clause, uint32_t literal)
{
    const uint32_t *refuted = list_literals(learn, clause);
    assert(literal / 2 < learn->variables);
    assert(learn->clause[clause].limit >= learn->capacity);
    if (learn->truth[literal] >= 0)
        return learn->truth[literal] > 0 ||
               exact_learn_assert(learn, literal, 0,
                                  (struct exact_reason){EXACT_BY_CLAUSE, clause, 0});
    learn->conflict = learn->atoms;
    learn->conflict_limit = learn->clause[clause].limit;
    exact_log_conflict(learn, (struct exact_derivation){.rule = EXACT_STEP_CLAUSE,
                                                        .section = learn->clause[clause].number});
    learn->counter[SEARCH_FAILED_GAP]++;
    for (uint32_t i = 0; i < learn->clause[clause].literals; i++) {
        assert(learn->truth[refuted[i]] < 0);
        exact_learn_add_atom(learn, refuted[i] ^ 1, 0);
    }
    return false;
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
        if (!assert_by(learn, watch / 2, other))
            return false;
        link = &learn->watch[watch].next;
    }
    return true;
}

uint32_t exact_learn_add_clause(struct exact_learn *learn, const struct exact_learned *learned)
{
    size_t clauses = (size_t)learn->clauses + 1, count = learn->learned_count;
    assert(count > 0 && !learn->truth[learn->learned[0]] && learned->levels <= count);
    if (learn->status)
        return EXACT_NONE;
    enum status status = memory_reserve(&learn->clause, &learn->clause_capacity, clauses,
                                        sizeof *learn->clause, learn->error);
    if (!status)
        status = memory_reserve(&learn->watch, &learn->watch_capacity, 2 * clauses,
                                sizeof *learn->watch, learn->error);
    if (!status)
        status = memory_reserve(&learn->clause_literal, &learn->clause_literal_capacity,
                                learn->clause_literals + count, sizeof *learn->clause_literal,
                                learn->error);
    learn->status = status;
    if (status)
        return EXACT_NONE;
    assert(learned->limit >= learn->capacity);
    uint32_t clause = learn->clauses++;
    learn->clause[clause] = (struct exact_clause){learn->clause_literals, learn->learned_count,
                                                  learned->levels, learned->limit, learned->number};
    for (uint32_t i = 0; i < count; i++)
        learn->clause_literal[learn->clause_literals++] = learn->learned[i];
    for (uint32_t place = 0; place < 2 && count > 1; place++)
        add_watch(learn, 2 * clause + place);
    return clause;
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
    for (uint32_t c = 0; c < clauses; c++) {
        struct exact_clause kept = learn->clause[c];
        uint32_t begin = kept.begin;
        if (c < clauses / 2 && (few >= clauses / 4 || kept.levels > FEW_LEVELS))
            continue;
        assert(learn->clauses <= c && learn->clause_literals <= begin);
        kept.begin = learn->clause_literals;
        for (uint32_t i = 0; i < kept.literals; i++)
            learn->clause_literal[learn->clause_literals++] = learn->clause_literal[begin + i];
        learn->clause[learn->clauses++] = kept;
    }
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
