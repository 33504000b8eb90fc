#include "harness/files/offline_file.h"

#include <inttypes.h>
#include <string.h>

#include "core/file.h"
#include "core/memory.h"
#include "datasets/tflite/offline.h"
#include "datasets/tflite/tflite.h"
#include "harness/catalogue/planners.h"
#include "harness/files/plan_inplace.h"
#include "planning/problem/copy.h"
#include "planning/verify/problem/fixed.h"

/* Alignment of every buffer in the arena of TFLite Micro (MicroArenaBufferAlignment). */
enum { ARENA_ALIGNMENT = 16 };

static bool is_model(const char *path)
{
    return file_name_has_extension(path, ".tflite");
}

bool offline_file_is(const char *path)
{
    return is_model(path) || file_name_has_extension(path, ".bin");
}

/* The model from which an instance was read, and which of its tensors are in the graph. */
struct source {
    const struct instance *instance;
    struct text model;
    struct tflite_tensors tensors;
};

static void clear_source(struct source *source)
{
    text_free(&source->model);
    memory_free(source->tensors.tensor);
}

static enum status open_source(const struct instance *instance, struct source *source,
                               struct error *error)
{
    const struct graph *graph = instance->graph;
    *source = (struct source){.instance = instance};
    if (!graph || !is_model(instance->path))
        return error_set(error, STATUS_USAGE,
                         "'%s' is no .tflite model, which a plan of TFLite Micro belongs to",
                         instance->name);
    TRY(text_read_file(instance->path, &source->model, error));
    TRY(tflite_read_tensors(&source->model, instance->path, &source->tensors, error));
    for (uint32_t i = 0; i < source->tensors.count; i++)
        if (source->tensors.tensor[i] != GRAPH_NONE && source->tensors.tensor[i] >= graph->tensors)
            return error_set_at(error, STATUS_BAD_INPUT, instance->path, 0,
                                "found another model than before, expected the same");
    return STATUS_OK;
}

enum status offline_file_write(const struct plan_buffers *buffers, const struct plan *plan,
                               const char *path, struct text *text, struct error *error)
{
    const struct graph *graph = buffers->instance->graph;
    SCOPED(clear_source) struct source source = {0};
    SCOPED(tflite_offline_clear) struct tflite_offline offline = {0};
    SCOPED(memory_release) uint32_t *place = NULL;
    SCOPED(text_free) struct text bytes = {0};
    TRY(open_source(buffers->instance, &source, error));
    offline.tensors = source.tensors.count;
    TRY(memory_create(&offline.offset, offline.tensors, sizeof *offline.offset, error));
    TRY(memory_create(&place, graph->tensors, sizeof *place, error));
    /* place[tensors] becomes the buffer of each tensor of the graph, GRAPH_NONE for none. */
    const uint32_t *next = buffers->liveness->next;
    for (uint32_t t = 0; t < graph->tensors; t++)
        place[t] = GRAPH_NONE;
    for (uint32_t b = 0; b < buffers->problem->buffers; b++)
        for (uint32_t t = buffers->level->tensor[b]; t != GRAPH_NONE;
             t = next ? next[t] : GRAPH_NONE)
            place[t] = b;
    for (uint32_t i = 0; i < offline.tensors; i++) {
        uint32_t tensor = source.tensors.tensor[i];
        uint32_t b = tensor == GRAPH_NONE ? GRAPH_NONE : place[tensor];
        offline.offset[i] = TFLITE_OFFLINE_LATER;
        if (b == GRAPH_NONE)
            continue;
        const char *name = names_get(&buffers->problem->names, b);
        if (extents_count(plan->extents, b))
            return error_set(error, STATUS_BAD_INPUT,
                             "found buffer '%s' in several pieces, expected one place for each",
                             name);
        if (plan->offset[b] > INT32_MAX)
            return error_set(error, STATUS_BAD_INPUT,
                             "found buffer '%s' at %" PRIu64 ", expected at most 2^31 - 1", name,
                             plan->offset[b]);
        if (plan->offset[b] % ARENA_ALIGNMENT)
            return error_set(error, STATUS_BAD_INPUT,
                             "found buffer '%s' at %" PRIu64 ", expected a multiple of %d, which "
                             "the runtime relies on: plan with --alignment %d",
                             name, plan->offset[b], ARENA_ALIGNMENT, ARENA_ALIGNMENT);
        offline.offset[i] = (int32_t)plan->offset[b];
    }
    if (!is_model(path)) {
        tflite_offline_write(&offline, text);
        return text_check(text, error);
    }
    tflite_offline_write(&offline, &bytes);
    TRY(text_check(&bytes, error));
    return tflite_offline_embed(&source.model, source.instance->path, &bytes, text, error);
}

enum status offline_file_read(const struct instance *instance, const struct text *text,
                              const char *path, int32_t **offset, struct error *error)
{
    SCOPED(clear_source) struct source source = {0};
    SCOPED(tflite_offline_clear) struct tflite_offline offline = {0};
    TRY(open_source(instance, &source, error));
    TRY(is_model(path) ? tflite_offline_find(text, path, &offline, error)
                       : tflite_offline_read(text, path, &offline, error));
    const struct graph *graph = source.instance->graph;
    if (offline.tensors != source.tensors.count)
        return error_set_at(error, STATUS_BAD_INPUT, path, 0,
                            "found offsets of %u tensors, expected one for each of the model's %u",
                            offline.tensors, source.tensors.count);
    TRY(memory_create(offset, graph->tensors, sizeof **offset, error));
    for (uint32_t t = 0; t < graph->tensors; t++)
        (*offset)[t] = TFLITE_OFFLINE_LATER;
    for (uint32_t i = 0; i < offline.tensors; i++)
        if (source.tensors.tensor[i] != GRAPH_NONE)
            (*offset)[source.tensors.tensor[i]] = offline.offset[i];
    return STATUS_OK;
}

enum status offline_file_declare(const struct graph *graph, const int32_t *offset,
                                 struct placement *placement, struct error *error)
{
    SCOPED(memory_release) uint32_t *buffer_of = NULL;
    TRY(memory_create(&buffer_of, graph->tensors, sizeof *buffer_of, error));
    for (uint32_t t = 0; t < graph->tensors; t++)
        buffer_of[t] = offset[t] == TFLITE_OFFLINE_LATER ? 0 : (uint32_t)offset[t] + 1;
    plan_inplace_declare(graph, buffer_of, placement);
    return STATUS_OK;
}

/* Places the buffers to which the plan gives no offset around the others. */
static enum status complete(const struct problem *problem, struct plan *plan, struct error *error)
{
    SCOPED(problem_release) struct problem *fixed = NULL;
    SCOPED(plan_release) struct plan *rest = NULL;
    struct verdict verdict;
    uint32_t given = 0;
    while (given < plan->buffers && plan->offset[given] != PROBLEM_FREE)
        given++;
    if (given == plan->buffers)
        return STATUS_OK;
    TRY(problem_create(&fixed, "rest", error));
    for (uint32_t b = 0; b < problem->buffers; b++) {
        TRY(problem_add_copy(fixed, problem, b, error));
        TRY(problem_fix(fixed, b, plan->offset[b], error));
    }
    TRY(problem_finish(fixed, error));
    TRY(verify_fixed(fixed, &verdict, error));
    if (verdict.fault == VERIFY_VALID) {
        const struct planner_task task = {
            .problem = fixed, .capacity_bytes = UINT64_MAX, .time_limit_ns = UINT64_MAX};
        TRY(plan_create(fixed, &rest, error));
        TRY(planner_plan(planners_find("tflm_greedy"), &task, rest, error));
        memcpy(plan->offset, rest->offset, fixed->buffers * sizeof *plan->offset);
        return STATUS_OK;
    }
    /* Given buffers collide, so that no planner can place the others around them. The others go
       above all of them, and the checks then report the collision. */
    uint64_t top = problem_fixed_end(fixed);
    for (uint32_t b = 0; b < fixed->buffers; b++) {
        if (plan->offset[b] != PROBLEM_FREE)
            continue;
        plan->offset[b] = top;
        top += fixed->size[b];
    }
    return STATUS_OK;
}

enum status offline_file_take(const struct plan_buffers *buffers, const int32_t *offset,
                              struct plan *plan, struct error *error)
{
    for (uint32_t b = 0; b < plan->buffers; b++) {
        int32_t found = offset[buffers->level->tensor[b]];
        if (found != TFLITE_OFFLINE_LATER)
            plan->offset[b] = (uint64_t)found;
    }
    TRY(complete(buffers->problem, plan, error));
    return plan_set_feasible(plan, buffers->problem, error);
}
