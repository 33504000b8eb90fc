#include "solvers/exact/learn/log.h"

#include <assert.h>

#include "core/memory.h"

void exact_log_free(struct exact_log *log)
{
    memory_free_all(log->number, log->clause, log->of_event, log->used);
    *log = (struct exact_log){0};
}

void exact_log_add_event(struct exact_learn *learn)
{
    struct exact_log *log = learn->log;
    assert(learn->events > 0 || learn->status);
    if (!log || learn->status)
        return;
    learn->status = memory_reserve(&log->of_event, &log->of_event_room, learn->events,
                                   sizeof *log->of_event, learn->error);
    if (!learn->status)
        log->of_event[learn->events - 1] = log->latest;
}

void exact_log_use(struct exact_learn *learn, uint32_t event)
{
    struct exact_log *log = learn->log;
    assert(event < learn->events);
    if (!log || learn->status)
        return;
    learn->status = memory_reserve(&log->used, &log->used_room, log->used_count + 1,
                                   sizeof *log->used, learn->error);
    if (!learn->status)
        log->used[log->used_count++] = event;
}

static void add_number(struct exact_learn *learn, int64_t number)
{
    struct exact_log *log = learn->log;
    if (learn->status)
        return;
    learn->status = memory_reserve(&log->number, &log->number_room, log->numbers + 1,
                                   sizeof *log->number, learn->error);
    if (!learn->status)
        log->number[log->numbers++] = number;
}

/* The atoms are the reason of a chain, whose literals are among them. */
static void add_chain(struct exact_learn *learn, const struct exact_reason *reason)
{
    size_t count_at = learn->log->numbers;
    add_number(learn, 0);
    for (uint32_t i = reason->source; i < reason->source + reason->count; i++)
        if (exact_is_literal(learn, learn->atom[i].item)) {
            add_number(learn, learn->atom[i].item);
            if (!learn->status)
                learn->log->number[count_at]++;
        }
}

static void add_derived(struct exact_learn *learn, const struct exact_derivation *derivation,
                        const struct exact_reason *reason)
{
    assert(derivation->rule != EXACT_STEP_CHAIN || reason);
    if (derivation->rule == EXACT_STEP_NONE)
        return;
    add_number(learn, derivation->rule);
    add_number(learn, derivation->section);
    if (derivation->rule == EXACT_STEP_CLAUSE)
        return;
    if (derivation->rule == EXACT_STEP_WEAKEN) {
        add_number(learn, derivation->literal);
        return;
    }
    add_number(learn, derivation->begin);
    if (derivation->rule == EXACT_STEP_CHAIN || derivation->rule == EXACT_STEP_HANG) {
        add_chain(learn, reason);
        return;
    }
    assert(derivation->begin <= derivation->end);
    add_number(learn, derivation->end);
    if (derivation->rule == EXACT_STEP_OVERLOAD)
        return;
    if (derivation->rule != EXACT_STEP_EDGE)
        add_number(learn, derivation->other);
    add_number(learn, derivation->literal);
    if (derivation->rule != EXACT_STEP_EDGE)
        add_number(learn, derivation->offset);
}

static void add_step(struct exact_learn *learn, uint32_t index)
{
    const struct exact_event *event = &learn->event[index];
    switch (event->reason.kind) {
    case EXACT_BY_START:
    case EXACT_BY_DECISION:
        break;
    case EXACT_BY_TWINS:
        add_number(learn, EXACT_STEP_TWINS);
        add_number(learn, event->atom.item);
        break;
    case EXACT_BY_CLAUSE:
        add_number(learn, EXACT_STEP_CLAUSE);
        assert(learn->clause[event->reason.source].number < learn->log->clauses);
        add_number(learn, learn->clause[event->reason.source].number);
        break;
    case EXACT_BY_LITERAL:
        add_number(learn, EXACT_STEP_PASS);
        add_number(learn, event->reason.source);
        break;
    case EXACT_BY_BOUNDS:
        add_number(learn, EXACT_STEP_EXCLUDE);
        add_number(learn, event->atom.item ^ 1);
        break;
    case EXACT_BY_ATOMS:
        add_derived(learn, &learn->log->of_event[index], &event->reason);
        break;
    }
}

uint32_t exact_log_end_clause(struct exact_learn *learn)
{
    struct exact_log *log = learn->log;
    if (!log || learn->status)
        return 0;
    learn->status = memory_reserve(&log->clause, &log->clause_room, log->clauses + 1,
                                   sizeof *log->clause, learn->error);
    if (learn->status)
        return 0;
    log->clause[log->clauses] = log->numbers;
    add_number(learn, learn->learned_count);
    for (uint32_t i = 0; i < learn->learned_count; i++)
        add_number(learn, learn->learned[i]);
    while (log->used_count)
        add_step(learn, log->used[--log->used_count]);
    add_derived(learn, &log->conflict, NULL);
    log->conflict = (struct exact_derivation){.rule = EXACT_STEP_NONE};
    return (uint32_t)log->clauses++;
}
