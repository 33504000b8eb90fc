#include "harness/moves/stays.h"

#include <inttypes.h>
#include <string.h>

#include "core/memory.h"
#include "harness/files/plan_header.h"
#include "planning/memories/address.h"

static enum status add_buffer(const struct move_problem *problem, const struct move_stay *stay,
                              struct problem *plain, struct error *error)
{
    const struct move_item *item = &problem->item[stay->item];
    SCOPED(text_free) struct text name = {0};
    text_append(&name, "%s%s", move_item_name(problem, stay->item),
                move_is_weights(problem, stay->item) ? " weights" : "");
    TRY(text_check(&name, error));
    TRY(problem_add_buffer(plain,
                           &(struct problem_buffer){.name = name.bytes,
                                                    .size = item->bytes,
                                                    .alignment = item->alignment,
                                                    .fixed_offset = PROBLEM_FREE,
                                                    .hint = -1},
                           error));
    return problem_add_segment(
        plain, (struct problem_segment){stay->lower, stay->upper, 0, item->bytes}, error);
}

static enum status add_buffers(const struct move_problem *problem, const struct move_plan *plan,
                               struct move_stays *stays, struct problem *plain, struct error *error)
{
    TRY(memory_create(&stays->buffer, plan->count, sizeof *stays->buffer, error));
    for (uint32_t s = 0; s < plan->count; s++) {
        stays->buffer[s] = MEMORY_NONE;
        if (move_is_off_chip(problem, plan->stay[s].memory))
            continue;
        stays->buffer[s] = plain->buffers;
        TRY(add_buffer(problem, &plan->stay[s], plain, error));
    }
    return problem_finish(plain, error);
}

enum status move_stays_create(const struct move_problem *problem, const struct move_plan *plan,
                              struct move_stays *stays, struct error *error)
{
    SCOPED(problem_release) struct problem *plain = NULL;
    const struct memory_problem *chip = problem->chip;
    TRY(problem_create(&plain, graph_name(problem->graph), error));
    TRY(add_buffers(problem, plan, stays, plain, error));
    struct problem *handed = plain;
    plain = NULL;
    TRY(memory_problem_create(&stays->problem, handed, chip->memories, error));
    memcpy(stays->problem->memory, chip->memory, chip->memories * sizeof *chip->memory);
    for (uint32_t m = 0; m < chip->memories; m++)
        TRY(names_add(&stays->problem->names, names_get(&chip->names, m), error));
    TRY(memory_plan_create(stays->problem, &stays->plan, error));
    stays->plan->cost = plan->time;
    stays->plan->cost_bound = plan->time_bound;
    stays->plan->status = plan->time == plan->time_bound ? PLAN_OPTIMAL : PLAN_FEASIBLE;
    for (uint32_t s = 0; s < plan->count; s++) {
        uint32_t b = stays->buffer[s], m = plan->stay[s].memory;
        if (b == MEMORY_NONE)
            continue;
        uint64_t end = plan->stay[s].offset + handed->size[b];
        stays->plan->memory[b] = m;
        stays->plan->offset[b] = plan->stay[s].offset;
        stays->plan->peak[m] = end > stays->plan->peak[m] ? end : stays->plan->peak[m];
    }
    return STATUS_OK;
}

void move_stays_clear(struct move_stays *stays)
{
    memory_problem_free(stays->problem);
    memory_plan_free(stays->plan);
    memory_free(stays->buffer);
    *stays = (struct move_stays){.problem = NULL};
}

enum status move_stays_write_header(const struct move_stays *stays, const struct move_plan *plan,
                                    const char *planner, const char *path, struct text *text,
                                    struct error *error)
{
    enum { WRITTEN = -2, OFF_CHIP = -1 };
    const struct problem *plain = stays->problem->problem;
    SCOPED(text_free) struct text list = {0};
    SCOPED(plan_release) struct plan *places = NULL;
    TRY(plan_create(plain, &places, error));
    for (uint32_t b = 0; b < plain->buffers; b++)
        places->offset[b] = memory_address(stays->plan->memory[b], stays->plan->offset[b]);
    for (uint32_t s = 0; s < plan->count; s++) {
        const struct move_stay *stay = &plan->stay[s];
        uint32_t source = stay->source == MEMORY_NONE ? s : stays->buffer[stay->source];
        int64_t from = stay->source == MEMORY_NONE ? WRITTEN
                       : source == MEMORY_NONE     ? OFF_CHIP
                                                   : (int64_t)source;
        if (stays->buffer[s] != MEMORY_NONE)
            text_append(&list,
                        " \\\n    STAY(%" PRIu32 ", %" PRId64 ", %" PRIu32 ", %" PRIu32 ", %" PRIu32
                        ")",
                        stays->buffer[s], from, stay->lower, stay->ready, stay->upper);
    }
    TRY(text_check(&list, error));
    return plan_header_write(&(struct header_source){.instance = names_get(&plain->name, 0),
                                                     .planner = planner,
                                                     .path = path,
                                                     .problem = plain,
                                                     .plan = places,
                                                     .memories = stays->problem,
                                                     .stays = list.length ? list.bytes : ""},
                             text, error);
}
