#include "heuristics/common/events.h"

#include "core/memory.h"
#include "heuristics/common/keyed_order.h"

static void get_begin_keys(const struct problem *problem, uint32_t buffer, const void *context,
                           uint64_t *key)
{
    (void)context;
    key[0] = problem_lower(problem, buffer);
    key[1] = problem_upper(problem, buffer);
}

static void get_end_keys(const struct problem *problem, uint32_t buffer, const void *context,
                         uint64_t *key)
{
    (void)context;
    key[0] = problem_upper(problem, buffer);
    key[1] = problem_lower(problem, buffer);
}

/* A buffer that begins at the step at which another has ended comes after its free. */
static void merge_events(const struct problem *problem, const uint32_t *beginning,
                         const uint32_t *ending, struct event *events)
{
    uint32_t begun = 0;
    for (uint32_t ended = 0; ended < problem->buffers; ended++) {
        uint32_t upper = problem_upper(problem, ending[ended]);
        while (begun < problem->buffers && problem_lower(problem, beginning[begun]) < upper)
            *events++ = (struct event){beginning[begun++], false};
        *events++ = (struct event){ending[ended], true};
    }
}

enum status events_create(const struct problem *problem, struct event **created,
                          struct error *error)
{
    uint32_t *beginning = NULL, *ending = NULL;
    struct event *events = NULL;
    size_t buffers = problem->buffers;
    enum status status;
    TRY_OR_DONE(status, memory_create(&events, 2 * buffers, sizeof *events, error));
    TRY_OR_DONE(status, memory_create(&beginning, buffers, sizeof *beginning, error));
    TRY_OR_DONE(status, memory_create(&ending, buffers, sizeof *ending, error));
    TRY_OR_DONE(status, keyed_order_sort(problem, get_begin_keys, NULL, beginning, error));
    TRY_OR_DONE(status, keyed_order_sort(problem, get_end_keys, NULL, ending, error));
    merge_events(problem, beginning, ending, events);
    *created = events;
done:
    memory_free(beginning);
    memory_free(ending);
    if (status)
        memory_free(events);
    return status;
}
