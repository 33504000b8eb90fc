#include "planning/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/memory.h"

/* A segment of a buffer becomes live or stops to be. */
struct event {
    uint32_t step;
    bool starts;
    uint32_t buffer, segment;
};

/* The bytes of the arena that a live segment uses. */
struct window {
    uint64_t lower, upper;
    uint32_t buffer;
};

struct sweep {
    const struct problem *problem;
    const struct plan *plan;
    struct event *event; /* [2 * segments] */
    struct window *live; /* [segments] by address; disjoint, or the sweep has ended */
    uint32_t lives;
};

static void set_overlap(struct verdict *verdict, uint32_t a, uint32_t b, uint32_t step)
{
    *verdict = (struct verdict){VERIFY_OVERLAP, a < b ? a : b, a < b ? b : a, step};
}

static enum verify_fault check_buffer(const struct problem *problem, const struct plan *plan,
                                      uint32_t buffer)
{
    uint64_t offset = plan->offset[buffer];
    uint64_t end;
    if (offset == PROBLEM_FREE)
        return VERIFY_NO_OFFSET;
    if (!checked_add(offset, problem->size[buffer], &end))
        return VERIFY_OUT_OF_RANGE;
    if (offset % problem->alignment[buffer])
        return VERIFY_MISALIGNED;
    if (problem->fixed_offset[buffer] != PROBLEM_FREE && problem->fixed_offset[buffer] != offset)
        return VERIFY_NOT_FIXED;
    return VERIFY_VALID;
}

/* Everything that one buffer alone can have wrong. */
static void check_buffers(const struct problem *problem, const struct plan *plan,
                          struct verdict *verdict)
{
    *verdict = (struct verdict){.fault = VERIFY_VALID};
    if (plan->buffers != problem->buffers)
        verdict->fault = VERIFY_WRONG_COUNT;
    for (uint32_t b = 0; b < problem->buffers && !verdict->fault; b++) {
        verdict->fault = check_buffer(problem, plan, b);
        verdict->first = verdict->fault ? b : 0;
    }
}

/* The buffer that ends last is the witness. */
static void check_peak(const struct problem *problem, const struct plan *plan,
                       struct verdict *verdict)
{
    uint64_t peak = 0;
    uint32_t highest = 0;
    for (uint32_t b = 0; b < problem->buffers; b++) {
        uint64_t end = plan->offset[b] + problem->size[b];
        if (end > peak) {
            peak = end;
            highest = b;
        }
    }
    if (plan->peak_bytes != peak)
        *verdict = (struct verdict){.fault = VERIFY_WRONG_PEAK, .first = highest};
}

/* At one step what ends goes first, since [lower, upper) does not hold upper. */
static int compare_events(const void *left, const void *right)
{
    const struct event *a = left;
    const struct event *b = right;
    if (a->step != b->step)
        return a->step < b->step ? -1 : 1;
    if (a->starts != b->starts)
        return a->starts ? 1 : -1;
    return a->segment < b->segment ? -1 : a->segment > b->segment;
}

static uint32_t list_events(struct sweep *sweep)
{
    const struct problem *problem = sweep->problem;
    uint32_t events = 0;
    for (uint32_t b = 0; b < problem->buffers; b++)
        for (uint32_t s = problem->first[b]; s < problem->first[b + 1]; s++) {
            sweep->event[events++] = (struct event){problem->lower[s], true, b, s};
            sweep->event[events++] = (struct event){problem->upper[s], false, b, s};
        }
    qsort(sweep->event, events, sizeof *sweep->event, compare_events);
    return events;
}

/* The first live window that does not start below address. */
static uint32_t find_live(const struct sweep *sweep, uint64_t address)
{
    uint32_t low = 0;
    uint32_t high = sweep->lives;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (sweep->live[middle].lower < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void end_window(struct sweep *sweep, uint64_t lower)
{
    uint32_t at = find_live(sweep, lower);
    sweep->lives--;
    memmove(sweep->live + at, sweep->live + at + 1, (sweep->lives - at) * sizeof *sweep->live);
}

/* The windows that are live are disjoint, so only the neighbours can reach into a new one. */
static void start_window(struct sweep *sweep, const struct window *window, uint32_t step,
                         struct verdict *verdict)
{
    uint32_t at = find_live(sweep, window->lower);
    struct window *place = sweep->live + at;
    if (at > 0 && place[-1].upper > window->lower)
        set_overlap(verdict, place[-1].buffer, window->buffer, step);
    else if (at < sweep->lives && place->lower < window->upper)
        set_overlap(verdict, place->buffer, window->buffer, step);
    memmove(place + 1, place, (sweep->lives - at) * sizeof *place);
    *place = *window;
    sweep->lives++;
}

static struct window find_window(const struct problem *problem, const struct plan *plan,
                                 uint32_t buffer, uint32_t segment)
{
    uint64_t offset = plan->offset[buffer];
    return (struct window){offset + problem->window_lower[segment],
                           offset + problem->window_upper[segment], buffer};
}

static void sweep_events(struct sweep *sweep, struct verdict *verdict)
{
    uint32_t events = list_events(sweep);
    for (uint32_t e = 0; e < events && !verdict->fault; e++) {
        const struct event *event = &sweep->event[e];
        struct window window =
            find_window(sweep->problem, sweep->plan, event->buffer, event->segment);
        if (event->starts)
            start_window(sweep, &window, event->step, verdict);
        else
            end_window(sweep, window.lower);
    }
}

static enum status check_overlaps(const struct problem *problem, const struct plan *plan,
                                  struct verdict *verdict, struct error *error)
{
    struct sweep sweep = {.problem = problem, .plan = plan};
    enum status status;
    TRY_OR_DONE(status, memory_create(&sweep.event, (size_t)problem->segments * 2,
                                      sizeof *sweep.event, error));
    TRY_OR_DONE(status, memory_create(&sweep.live, problem->segments, sizeof *sweep.live, error));
    sweep_events(&sweep, verdict);
done:
    memory_free(sweep.event);
    memory_free(sweep.live);
    return status;
}

enum status verify_plan(const struct problem *problem, const struct plan *plan,
                        struct verdict *verdict, struct error *error)
{
    check_buffers(problem, plan, verdict);
    if (!verdict->fault)
        TRY(check_overlaps(problem, plan, verdict, error));
    if (!verdict->fault)
        check_peak(problem, plan, verdict);
    return STATUS_OK;
}

static void check_pair(const struct problem *problem, const struct plan *plan, uint32_t first,
                       uint32_t second, struct verdict *verdict)
{
    for (uint32_t s = problem->first[first]; s < problem->first[first + 1]; s++)
        for (uint32_t t = problem->first[second]; t < problem->first[second + 1]; t++) {
            uint32_t lower =
                problem->lower[s] > problem->lower[t] ? problem->lower[s] : problem->lower[t];
            struct window a = find_window(problem, plan, first, s);
            struct window b = find_window(problem, plan, second, t);
            if (lower < problem->upper[s] && lower < problem->upper[t] && a.lower < b.upper &&
                b.lower < a.upper)
                set_overlap(verdict, first, second, lower);
        }
}

void verify_plan_pairwise(const struct problem *problem, const struct plan *plan,
                          struct verdict *verdict)
{
    check_buffers(problem, plan, verdict);
    if (verdict->fault)
        return;
    for (uint32_t a = 0; a < problem->buffers; a++)
        for (uint32_t b = a + 1; b < problem->buffers && !verdict->fault; b++)
            check_pair(problem, plan, a, b, verdict);
    if (!verdict->fault)
        check_peak(problem, plan, verdict);
}

const char *verify_fault_name(enum verify_fault fault)
{
    static const char *const names[] = {
        [VERIFY_VALID] = "valid",           [VERIFY_WRONG_COUNT] = "wrong_count",
        [VERIFY_NO_OFFSET] = "no_offset",   [VERIFY_OUT_OF_RANGE] = "out_of_range",
        [VERIFY_MISALIGNED] = "misaligned", [VERIFY_NOT_FIXED] = "not_fixed",
        [VERIFY_OVERLAP] = "overlap",       [VERIFY_WRONG_PEAK] = "wrong_peak",
    };
    return names[fault];
}

static void describe_overlap(const struct problem *problem, const struct plan *plan,
                             const struct verdict *verdict, char *text, size_t text_bytes)
{
    uint64_t first = plan->offset[verdict->first];
    uint64_t second = plan->offset[verdict->second];
    snprintf(text, text_bytes,
             "buffers '%s' at [%llu, %llu) and '%s' at [%llu, %llu) share bytes at step %u",
             names_get(&problem->names, verdict->first), (unsigned long long)first,
             (unsigned long long)(first + problem->size[verdict->first]),
             names_get(&problem->names, verdict->second), (unsigned long long)second,
             (unsigned long long)(second + problem->size[verdict->second]), verdict->step);
}

/* What one buffer has wrong, as words around its name. */
static void describe_buffer(const struct problem *problem, const struct plan *plan,
                            const struct verdict *verdict, char *text, size_t text_bytes)
{
    const char *name = names_get(&problem->names, verdict->first);
    unsigned long long offset = plan->offset[verdict->first];
    unsigned long long size = problem->size[verdict->first];
    if (verdict->fault == VERIFY_NO_OFFSET)
        snprintf(text, text_bytes, "buffer '%s' has no offset", name);
    else if (verdict->fault == VERIFY_OUT_OF_RANGE)
        snprintf(text, text_bytes, "buffer '%s' of %llu bytes at %llu ends beyond 2^64 bytes", name,
                 size, offset);
    else if (verdict->fault == VERIFY_MISALIGNED)
        snprintf(text, text_bytes, "buffer '%s' is at %llu, expected a multiple of %llu", name,
                 offset, (unsigned long long)problem->alignment[verdict->first]);
    else
        snprintf(text, text_bytes, "buffer '%s' is at %llu, expected its fixed offset %llu", name,
                 offset, (unsigned long long)problem->fixed_offset[verdict->first]);
}

void verify_describe(const struct problem *problem, const struct plan *plan,
                     const struct verdict *verdict, char *text, size_t text_bytes)
{
    uint32_t first = verdict->first;
    switch (verdict->fault) {
    case VERIFY_VALID:
        snprintf(text, text_bytes, "valid");
        return;
    case VERIFY_WRONG_COUNT:
        snprintf(text, text_bytes, "the plan has %u buffers, expected %u", plan->buffers,
                 problem->buffers);
        return;
    case VERIFY_OVERLAP:
        describe_overlap(problem, plan, verdict, text, text_bytes);
        return;
    case VERIFY_WRONG_PEAK:
        snprintf(
            text, text_bytes, "the plan says its peak is %llu, expected %llu%s%s%s",
            (unsigned long long)plan->peak_bytes,
            (unsigned long long)(problem->buffers ? plan->offset[first] + problem->size[first] : 0),
            problem->buffers ? ", where buffer '" : "",
            problem->buffers ? names_get(&problem->names, first) : "",
            problem->buffers ? "' ends" : "");
        return;
    default:
        describe_buffer(problem, plan, verdict, text, text_bytes);
    }
}
