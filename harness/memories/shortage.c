#include "harness/memories/shortage.h"

#include <inttypes.h>
#include <string.h>

#include "core/clock.h"
#include "core/memory.h"
#include "planning/problem/copy.h"
#include "solvers/memories/rows.h"

/* The problem without costs and with one more memory, which has room for all that is left out. */
struct search {
    const struct planner *exact;
    uint64_t until_ns; /* of clock_thread_ns */
    struct memory_problem *relaxed;
    uint32_t limbo; /* the additional memory */
    struct memory_classes classes;
    bool *pinned;  /* [classes] has to stay */
    uint64_t peak; /* of the memory asked for, where a plan was found */
    struct error *error;
};

static void clear_search(struct search *search)
{
    memory_problem_free(search->relaxed);
    memory_classes_free(&search->classes);
    memory_free(search->pinned);
}

/* Copies a list of a problem. */
#define COPY_LIST(list, number)                                                                    \
    do {                                                                                           \
        TRY(memory_create(&relaxed->list, problem->number, sizeof *relaxed->list, error));         \
        if (problem->number)                                                                       \
            memcpy(relaxed->list, problem->list, problem->number * sizeof *relaxed->list);         \
        relaxed->number = problem->number;                                                         \
    } while (0)

static enum status relax(struct search *search, const struct memory_problem *problem)
{
    struct error *error = search->error;
    struct problem *plain;
    uint32_t buffers = problem->problem->buffers, memories = problem->memories;
    SCOPED(memory_release) uint32_t *all = NULL;
    TRY(memory_create(&all, buffers, sizeof *all, error));
    for (uint32_t b = 0; b < buffers; b++)
        all[b] = b;
    TRY(problem_copy_part(problem->problem, names_get(&problem->problem->name, 0), all, buffers,
                          &plain, error));
    TRY(memory_problem_create(&search->relaxed, plain, memories + 1, error));
    struct memory_problem *relaxed = search->relaxed;
    for (uint32_t m = 0; m <= memories; m++)
        TRY(names_add(&relaxed->names, m < memories ? names_get(&problem->names, m) : "", error));
    for (uint32_t m = 0; m < memories; m++) {
        relaxed->memory[m] = problem->memory[m];
        relaxed->memory[m].read_cost = relaxed->memory[m].write_cost = 0;
    }
    for (uint32_t b = 0; b < buffers; b++)
        for (uint32_t m = 0; m <= memories; m++)
            relaxed->allowed[(size_t)b * (memories + 1) + m] =
                m < memories && memory_problem_allows(problem, b, m);
    COPY_LIST(reserved, reserved_ranges);
    COPY_LIST(separation, separations);
    COPY_LIST(colocation, colocations);
    COPY_LIST(exclusion, exclusions);
    COPY_LIST(pin, pins);
    search->limbo = memories;
    TRY(memory_classes_create(problem, &search->classes, error));
    TRY(memory_create(&search->pinned, search->classes.count, sizeof(bool), error));
    for (uint32_t p = 0; p < problem->pins; p++)
        search->pinned[search->classes.of[problem->pin[p].buffer]] = true;
    return STATUS_OK;
}

static uint64_t get_left_ns(const struct search *search)
{
    uint64_t now_ns = clock_thread_ns();
    return now_ns < search->until_ns ? search->until_ns - now_ns : 0;
}

/* Whether the relaxed problem fits; PLAN_TIMEOUT where that is not known in time. */
static enum status ask(struct search *search, uint32_t memory, enum plan_status *answer)
{
    SCOPED(memory_model_release) struct memory_model *model = NULL;
    SCOPED(memory_plan_release) struct memory_plan *plan = NULL;
    TRY(memory_model_create(search->relaxed, &model, search->error));
    TRY(memory_plan_create(search->relaxed, &plan, search->error));
    const struct memory_task task = {.model = model,
                                     .deadline_ns = clock_deadline_ns(get_left_ns(search) / 4),
                                     .exact = search->exact};
    TRY(memory_planner_plan(&memory_planner_hitting_set, &task, plan, search->error));
    *answer = plan->status;
    search->peak = plan->peak[memory];
    return STATUS_OK;
}

static void leave_out(struct search *search, uint32_t class, bool out)
{
    const struct memory_classes *classes = &search->classes;
    struct memory_problem *relaxed = search->relaxed;
    for (uint32_t i = classes->first[class]; i < classes->first[class + 1]; i++)
        relaxed->allowed[(size_t)classes->member[i] * relaxed->memories + search->limbo] = out;
}

static bool is_out(const struct search *search, uint32_t class)
{
    return memory_problem_allows(
        search->relaxed, search->classes.member[search->classes.first[class]], search->limbo);
}

/* Leaves out runs of classes for good where the rest still does not fit, long runs first. */
static enum status shrink(struct search *search)
{
    uint32_t count = search->classes.count;
    for (uint32_t length = (count + 1) / 2; length > 0; length = length > 1 ? (length + 1) / 2 : 0)
        for (uint32_t first = 0; first < count && get_left_ns(search); first += length) {
            uint32_t end = count - first < length ? count : first + length, changed = 0;
            enum plan_status answer;
            SCOPED(memory_release) bool *was_out = NULL;
            TRY(memory_create(&was_out, count, sizeof *was_out, search->error));
            for (uint32_t c = first; c < end; c++) {
                was_out[c] = is_out(search, c) || search->pinned[c];
                changed += !was_out[c];
                if (!was_out[c])
                    leave_out(search, c, true);
            }
            if (!changed)
                continue;
            TRY(ask(search, 0, &answer));
            for (uint32_t c = first; c < end && answer != PLAN_INFEASIBLE; c++)
                if (!was_out[c])
                    leave_out(search, c, false);
        }
    return STATUS_OK;
}

static enum status list_buffers(struct search *search, struct memory_shortage *shortage)
{
    const struct problem *plain = search->relaxed->problem;
    for (uint32_t b = 0; b < plain->buffers; b++)
        if (!is_out(search, search->classes.of[b]))
            shortage->buffer[shortage->buffers++] = b;
    for (uint32_t i = 0; i < shortage->buffers; i++) {
        uint32_t step = problem_lower(plain, shortage->buffer[i]);
        uint64_t bytes = 0;
        for (uint32_t k = 0; k < shortage->buffers; k++)
            for (uint32_t s = plain->first[shortage->buffer[k]];
                 s < plain->first[shortage->buffer[k] + 1]; s++)
                if (plain->lower[s] <= step && step < plain->upper[s])
                    bytes += plain->size[shortage->buffer[k]];
        if (bytes > shortage->live_bytes) {
            shortage->live_bytes = bytes;
            shortage->step = step;
        }
    }
    return STATUS_OK;
}

/* Finds the least capacity of one memory with which all fits, while the others stay as they are. */
static enum status narrow(struct search *search, uint32_t m, struct memory_shortage *shortage)
{
    uint64_t *capacity = &search->relaxed->memory[m].capacity_bytes, given = *capacity;
    uint64_t low = given, high = UINT64_MAX; /* low does not fit */
    if (given == UINT64_MAX)
        return STATUS_OK;
    for (*capacity = UINT64_MAX; high - low > 1 && get_left_ns(search);
         *capacity = low + (high - low) / 2) {
        enum plan_status answer;
        TRY(ask(search, m, &answer));
        if (plan_status_is_found(answer))
            high = search->peak > low ? search->peak : low + 1;
        else if (answer == PLAN_INFEASIBLE && *capacity != UINT64_MAX)
            low = *capacity;
        else
            break;
    }
    *capacity = given;
    shortage->least[m] = high;
    shortage->is_least[m] = high - low == 1;
    return STATUS_OK;
}

enum status memory_shortage_find(const struct memory_problem *problem, const struct planner *exact,
                                 uint64_t limit_ns, struct memory_shortage *shortage,
                                 struct error *error)
{
    SCOPED(clear_search)
    struct search search = {
        .exact = exact, .until_ns = clock_thread_ns() + limit_ns, .error = error};
    TRY(memory_create(&shortage->buffer, problem->problem->buffers, sizeof(uint32_t), error));
    TRY(memory_create_all(problem->memories, error, &shortage->least, &shortage->is_least));
    memset(shortage->least, 0xFF, problem->memories * sizeof *shortage->least);
    TRY(relax(&search, problem));
    for (uint32_t m = 0; m < problem->memories; m++)
        TRY(narrow(&search, m, shortage));
    TRY(shrink(&search));
    return list_buffers(&search, shortage);
}

void memory_shortage_clear(struct memory_shortage *shortage)
{
    memory_free_all(shortage->buffer, shortage->least, shortage->is_least);
    *shortage = (struct memory_shortage){0};
}

void memory_shortage_write(const struct memory_problem *problem,
                           const struct memory_shortage *shortage, struct text *text)
{
    enum { MOST_NAMES = 5 };
    for (uint32_t i = 0; i < shortage->buffers && i < MOST_NAMES; i++)
        text_append(text, "%s'%s'", i ? ", " : "",
                    names_get(&problem->problem->names, shortage->buffer[i]));
    if (shortage->buffers > MOST_NAMES)
        text_append(text, " and %" PRIu32 " more", shortage->buffers - MOST_NAMES);
    bool is_one = shortage->buffers == 1;
    text_append(text, "%s; at step %" PRIu32 " %s %" PRIu64 " bytes",
                is_one ? " has no place" : " do not fit together", shortage->step,
                is_one ? "it has" : "they have", shortage->live_bytes);
    for (uint32_t m = 0; m < problem->memories; m++)
        if (shortage->least[m] != UINT64_MAX)
            text_append(text, "; all fits with %" PRIu64 " bytes of '%s'%s", shortage->least[m],
                        names_get(&problem->names, m),
                        shortage->is_least[m] ? ", not with fewer" : "");
}
