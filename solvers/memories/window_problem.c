#include "solvers/memories/window_problem.h"

#include <assert.h>

#include "core/memory.h"
#include "planning/memories/finish.h"

static enum status copy_nodes(const struct window_problem *window, struct problem **created,
                              struct error *error)
{
    const struct problem *nodes = window->model->nodes;
    SCOPED(problem_release) struct problem *plain = NULL;
    TRY(problem_create(&plain, "window", error));
    for (uint32_t i = 0; i < window->count; i++) {
        uint32_t n = window->node[i];
        const struct problem_buffer buffer = {.name = names_get(&nodes->names, n),
                                              .size = nodes->size[n],
                                              .alignment = problem_alignment(nodes, n),
                                              .fixed_offset = PROBLEM_FREE,
                                              .hint = -1};
        TRY(problem_add_buffer(plain, &buffer, error));
        for (uint32_t s = nodes->first[n]; s < nodes->first[n + 1]; s++)
            TRY(problem_add_segment(
                plain, (struct problem_segment){nodes->lower[s], nodes->upper[s], 0, buffer.size},
                error));
    }
    TRY(problem_finish(plain, error));
    HAND_OVER(plain, created);
}

static enum status copy_memories(const struct memory_problem *whole, struct memory_problem *made,
                                 struct error *error)
{
    TRY(memory_create(&made->reserved, whole->reserved_ranges, sizeof *made->reserved, error));
    for (uint32_t m = 0; m < whole->memories; m++) {
        made->memory[m] = whole->memory[m];
        TRY(names_add(&made->names, names_get(&whole->names, m), error));
    }
    for (uint32_t r = 0; r < whole->reserved_ranges; r++)
        made->reserved[made->reserved_ranges++] = whole->reserved[r];
    return STATUS_OK;
}

/* What the members of a class move, and where they may lie; or where they stay. */
static void copy_choice(const struct window_problem *window, uint32_t i,
                        struct memory_problem *made)
{
    const struct memory_model *model = window->model;
    const struct memory_classes *classes = &model->classes;
    uint32_t n = window->node[i], a = window->arena[n];
    made->read_bytes[i] = made->write_bytes[i] = 0;
    for (uint32_t k = classes->first[n]; k < classes->first[n + 1] && i < window->frees; k++) {
        made->read_bytes[i] += model->problem->read_bytes[classes->member[k]];
        made->write_bytes[i] += model->problem->write_bytes[classes->member[k]];
    }
    for (uint32_t m = 0; m < made->memories; m++)
        made->allowed[(size_t)i * made->memories + m] = memory_classes_allow(classes, n, m);
    if (i >= window->frees)
        made->pin[made->pins++] =
            (struct memory_pin){.buffer = i,
                                .memory = model->arena[a].memory,
                                .offset = model->arena[a].base + window->offset[n]};
}

/* The penalties of free nodes, and the separations, which are conflicts at no step. */
static enum status copy_pairs(const struct window_problem *window, struct memory_problem *made,
                              struct error *error)
{
    const struct memory_model *model = window->model;
    size_t penalty_capacity = 0, separation_capacity = 0;
    for (uint32_t i = 0; i < window->frees; i++) {
        uint32_t n = window->node[i];
        for (uint32_t k = model->first_edge[n]; k < model->first_edge[n + 1]; k++) {
            const struct memory_edge *edge = &model->edge[model->edge_of[k]];
            uint32_t other = window->index[edge->first == n ? edge->second : edge->first];
            if (other == MEMORY_NONE || (other < window->frees && other < i))
                continue;
            TRY(memory_reserve(&made->penalty, &penalty_capacity, (size_t)made->penalties + 1,
                               sizeof *made->penalty, error));
            made->penalty[made->penalties++] = (struct memory_penalty){i, other, edge->cost};
        }
        for (uint64_t k = model->first[n]; k < model->first[n + 1]; k++) {
            uint32_t other = window->index[model->other[k]];
            if (other == MEMORY_NONE || (other < window->frees && other < i) ||
                problem_conflicts_in_time(model->nodes, n, model->other[k], UINT32_MAX))
                continue;
            TRY(memory_reserve(&made->separation, &separation_capacity,
                               (size_t)made->separations + 1, sizeof *made->separation, error));
            made->separation[made->separations++] = (struct problem_pair){i, other};
        }
    }
    return STATUS_OK;
}

enum status window_problem_create(const struct window_problem *window,
                                  struct memory_problem **created, struct error *error)
{
    SCOPED(memory_problem_release) struct memory_problem *made = NULL;
    struct problem *plain = NULL;
    struct memory_fault fault = {MEMORY_LIST_WHOLE, 0};
    const struct memory_problem *whole = window->model->problem;
    assert(!window->model->by_pairs && window->frees <= window->count);
    TRY(copy_nodes(window, &plain, error));
    TRY(memory_problem_create(&made, plain, whole->memories, error));
    TRY(memory_create(&made->pin, window->count, sizeof *made->pin, error));
    TRY(copy_memories(whole, made, error));
    for (uint32_t i = 0; i < window->count; i++)
        copy_choice(window, i, made);
    TRY(copy_pairs(window, made, error));
    TRY(memory_problem_finish(made, &fault, error));
    HAND_OVER(made, created);
}
