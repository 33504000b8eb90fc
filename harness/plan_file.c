#include "harness/plan_file.h"

#include <string.h>

#include "datasets/plan_json.h"
#include "datasets/problem_csv.h"
#include "harness/plan_buffers.h"

bool plan_file_has_extension(const char *path, const char *extension)
{
    size_t length = strlen(path), suffix = strlen(extension);
    return length > suffix && strcmp(path + length - suffix, extension) == 0;
}

/* The result of a loop is where the argument is. */
static enum status add_tensor_names(const struct plan_buffers *buffers, uint32_t buffer,
                                    struct plan_document *document, struct error *error)
{
    const struct graph *graph = buffers->instance->graph;
    if (!graph)
        return STATUS_OK;
    uint32_t tensor = buffers->level->tensor[buffer];
    TRY(plan_document_add_tensor(document, names_get(&graph->tensor_names, tensor), error));
    for (uint32_t c = 0; c < graph->carrieds; c++)
        if (graph->carried[c].argument == tensor)
            TRY(plan_document_add_tensor(
                document, names_get(&graph->tensor_names, graph->carried[c].result), error));
    return STATUS_OK;
}

static enum status add_extents(const struct plan *plan, uint32_t buffer,
                               struct plan_document *document, struct error *error)
{
    const struct extents *extents = plan->extents;
    for (uint32_t i = 0; i < extents_count(extents, buffer); i++) {
        const struct extent *extent = &extents->extent[extents->of[buffer].first + i];
        TRY(plan_document_add_extent(document, extent->offset, extent->bytes, error));
    }
    return STATUS_OK;
}

static enum status add_buffers(const struct plan_buffers *buffers, const struct plan *plan,
                               struct plan_document *document, struct error *error)
{
    const struct problem *problem = buffers->problem;
    for (uint32_t b = 0; b < problem->buffers; b++) {
        TRY(plan_document_add_buffer(document, names_get(&problem->names, b), problem->size[b],
                                     problem_lower(problem, b), problem_upper(problem, b),
                                     plan->offset[b], error));
        TRY(add_extents(plan, b, document, error));
        TRY(add_tensor_names(buffers, b, document, error));
    }
    return STATUS_OK;
}

static enum status write_json(const struct job *job, const struct outcome *outcome,
                              const struct plan_buffers *buffers, const struct plan *plan,
                              struct text *text, struct error *error)
{
    const struct plan_document_texts texts = {.instance = job->instance->name,
                                              .digest = job->instance->digest,
                                              .policy = job_policy_name(job),
                                              .planner = job->planner->name,
                                              .options = job->options};
    struct plan_document *document;
    TRY(plan_document_create(&texts, &document, error));
    document->seed = job->seed;
    document->status = outcome->status;
    document->peak_bytes = outcome->peak_bytes;
    document->lower_bound_bytes = outcome->lower_bound_bytes;
    document->naive_bytes = outcome->naive_bytes;
    document->nodes = outcome->nodes;
    document->wall_ns = outcome_median_ns(outcome);
    enum status status = add_buffers(buffers, plan, document, error);
    if (!status)
        status = plan_json_write(document, text, error);
    plan_document_free(document);
    return status;
}

static enum status write_plan(const struct job *job, const struct outcome *outcome,
                              const struct plan_buffers *buffers, const char *path,
                              struct text *text, struct error *error)
{
    struct plan *copy = NULL;
    const struct plan *plan = outcome->plan;
    enum status status;
    if (outcome->placement) {
        TRY(plan_create(buffers->problem, &copy, error));
        TRY_OR_DONE(status, plan_buffers_from_placement(buffers, outcome->placement, copy, error));
        plan = copy;
    }
    status = plan_file_has_extension(path, ".csv")
                 ? problem_csv_write_plan(buffers->problem, plan, text, error)
                 : write_json(job, outcome, buffers, plan, text, error);
done:
    plan_free(copy);
    return status;
}

static enum status check_extension(const char *path, struct error *error)
{
    if (plan_file_has_extension(path, ".csv") || plan_file_has_extension(path, ".json"))
        return STATUS_OK;
    return error_set(error, STATUS_USAGE, "plan file '%s', expected .csv or .json", path);
}

enum status plan_file_write(const struct job *job, const struct outcome *outcome, const char *path,
                            struct text *text, struct error *error)
{
    struct plan_buffers buffers;
    TRY(check_extension(path, error));
    TRY(plan_buffers_create(job->instance, &buffers, error));
    enum status status = write_plan(job, outcome, &buffers, path, text, error);
    plan_buffers_clear(&buffers);
    return status;
}

static enum status check_number(const char *path, const char *buffer, const char *what,
                                uint64_t found, uint64_t expected, struct error *error)
{
    if (found == expected)
        return STATUS_OK;
    return error_set_at(error, STATUS_BAD_INPUT, path, 0,
                        "found %s %llu of buffer '%s', expected %llu", what,
                        (unsigned long long)found, buffer, (unsigned long long)expected);
}

static enum status take_offset(const struct problem *problem, const char *path,
                               const struct plan_document *document, uint32_t index,
                               struct plan *plan, struct error *error)
{
    const struct plan_document_buffer *buffer = &document->buffer[index];
    const char *name = names_get(&document->buffer_names, index);
    uint32_t b = names_find(&problem->names, name);
    if (b == NAMES_NONE)
        return error_set_at(error, STATUS_BAD_INPUT, path, 0,
                            "found buffer '%s', expected the instance's buffers", name);
    if (plan->offset[b] != PROBLEM_FREE)
        return error_set_at(error, STATUS_BAD_INPUT, path, 0,
                            "found buffer '%s' again, expected each once", name);
    TRY(check_number(path, name, "size", buffer->size_bytes, problem->size[b], error));
    TRY(check_number(path, name, "lower", buffer->lower, problem_lower(problem, b), error));
    TRY(check_number(path, name, "upper", buffer->upper, problem_upper(problem, b), error));
    plan->offset[b] = buffer->offset_bytes;
    for (uint32_t i = 0; i < buffer->extents; i++) {
        const struct extent *extent = &document->extent[buffer->first_extent + i];
        TRY(plan_add_extent(plan, b, extent->offset, extent->bytes, error));
    }
    return STATUS_OK;
}

static enum status take_offsets(const struct problem *problem, const char *path,
                                const struct plan_document *document, struct plan *plan,
                                struct error *error)
{
    for (uint32_t i = 0; i < document->buffers; i++)
        TRY(take_offset(problem, path, document, i, plan, error));
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (plan->offset[b] == PROBLEM_FREE)
            return error_set_at(error, STATUS_BAD_INPUT, path, 0,
                                "found no buffer '%s', expected all of the instance's buffers",
                                names_get(&problem->names, b));
    return STATUS_OK;
}

static enum status read_json(const struct problem *problem, const struct text *text,
                             const char *path, struct plan *plan, struct error *error)
{
    struct plan_document *document;
    TRY(plan_json_read(text, path, &document, error));
    enum status status = take_offsets(problem, path, document, plan, error);
    if (!status) {
        plan->status = PLAN_FEASIBLE;
        plan->peak_bytes = document->peak_bytes;
    }
    plan_document_free(document);
    return status;
}

static enum status read_plan(const struct problem *problem, const char *path, struct plan *plan,
                             struct error *error)
{
    struct text text;
    TRY(text_read_file(path, &text, error));
    enum status status = plan_file_has_extension(path, ".csv")
                             ? problem_csv_read_plan(&text, path, problem, plan, error)
                             : read_json(problem, &text, path, plan, error);
    text_free(&text);
    return status;
}

static enum status convert_plan(const struct plan_buffers *buffers, struct plan **plan,
                                struct placement **placement, struct error *error)
{
    TRY(placement_create(buffers->instance->graph, placement, error));
    enum status status = plan_buffers_to_placement(buffers, *plan, *placement, error);
    plan_free(*plan);
    *plan = NULL;
    return status;
}

enum status plan_file_read(const struct instance *instance, const char *path, struct plan **plan,
                           struct placement **placement, struct error *error)
{
    struct plan_buffers buffers;
    enum status status;
    *plan = NULL;
    *placement = NULL;
    TRY(check_extension(path, error));
    TRY(plan_buffers_create(instance, &buffers, error));
    TRY_OR_DONE(status, plan_create(buffers.problem, plan, error));
    TRY_OR_DONE(status, read_plan(buffers.problem, path, *plan, error));
    if (instance->graph)
        TRY_OR_DONE(status, convert_plan(&buffers, plan, placement, error));
done:
    if (status) {
        plan_free(*plan);
        placement_free(*placement);
        *plan = NULL;
        *placement = NULL;
    }
    plan_buffers_clear(&buffers);
    return status;
}
