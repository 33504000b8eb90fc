#include "harness/files/plan_write.h"

#include "core/file_name.h"
#include "datasets/csv/problem.h"
#include "datasets/memplan_json/graph.h"
#include "datasets/memplan_json/plan.h"
#include "harness/files/plan_buffers.h"

/* The result of a loop is where the argument is. */
static enum status add_result_name(const struct graph *graph, uint32_t argument,
                                   struct plan_document *document, struct error *error)
{
    for (uint32_t c = 0; c < graph->carried_count; c++)
        if (graph->carried[c].argument == argument)
            TRY(plan_document_add_tensor(
                document, names_get(&graph->tensor_names, graph->carried[c].result), error));
    return STATUS_OK;
}

static enum status add_tensor_names(const struct plan_buffers *buffers, uint32_t buffer,
                                    struct plan_document *document, struct error *error)
{
    const struct graph *graph = buffers->instance->graph;
    const uint32_t *next = graph ? buffers->liveness->next : NULL;
    if (!graph)
        return STATUS_OK;
    uint32_t tensor = buffers->level->tensor[buffer];
    for (uint32_t t = tensor; t != GRAPH_NONE; t = next ? next[t] : GRAPH_NONE) {
        TRY(plan_document_add_tensor(document, names_get(&graph->tensor_names, t), error));
        TRY(add_result_name(graph, t, document, error));
    }
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
        struct plan_document_buffer buffer = {.size_bytes = problem->size[b],
                                              .offset_bytes = plan->offset[b],
                                              .storage_id = storage_ids_get(plan->storage_id, b)};
        problem_time_steps(problem, b, &buffer.lower, &buffer.upper);
        TRY(plan_document_add_buffer(document, names_get(&problem->names, b), buffer, error));
        TRY(add_extents(plan, b, document, error));
        TRY(add_tensor_names(buffers, b, document, error));
    }
    return STATUS_OK;
}

/* What is written: a plan, and where it comes from. */
struct writing {
    const struct job *job;
    const struct outcome *outcome;
    struct plan_buffers buffers;
    const struct plan *plan; /* of the buffers */
};

static enum status write_json(const struct writing *writing, struct text *text, struct error *error)
{
    const struct job *job = writing->job;
    const struct outcome *outcome = writing->outcome;
    const struct plan_document_texts texts = {.instance = job->instance->name,
                                              .digest = job->instance->digest,
                                              .policy = job_policy_name(job),
                                              .planner = job->planner->name,
                                              .options = job->options};
    struct plan_document *document;
    TRY(plan_document_create(&texts, &document, error));
    document->seed = job->seed;
    document->status = outcome->status;
    document->measures = outcome->measures;
    document->wall_ns = outcome_median_ns(outcome);
    enum status status = add_buffers(&writing->buffers, writing->plan, document, error);
    if (!status)
        status = plan_document_find_storages(document, error);
    if (!status)
        status = plan_json_write(document, text, error);
    plan_document_free(document);
    return status;
}

static enum status write_plan(struct writing *writing, const char *path, struct text *text,
                              struct error *error)
{
    const struct placement *placement = writing->outcome->placement;
    const struct plan_buffers *buffers = &writing->buffers;
    struct plan *copy = NULL;
    enum status status;
    writing->plan = writing->outcome->plan;
    if (placement) {
        TRY(plan_create(buffers->problem, &copy, error));
        TRY_OR_DONE(status, plan_buffers_from_placement(buffers, placement, copy, error));
        writing->plan = copy;
    }
    status = file_name_has_extension(path, ".csv")
                 ? problem_csv_write_plan(buffers->problem, writing->plan, text, error)
                 : write_json(writing, text, error);
done:
    plan_free(copy);
    return status;
}

static const char graph_extension[] = ".graph.json";

static enum status write_planned_graph(const struct job *job, const struct outcome *outcome,
                                       const char *path, struct text *text, struct error *error)
{
    if (outcome->placement)
        return graph_json_write_planned(job->instance->graph, outcome->placement, text, error);
    return error_set(error, STATUS_USAGE, "'%s' is a problem, '%s' holds the places of a graph",
                     job->instance->name, path);
}

static enum status check_extension(const char *path, struct error *error)
{
    if (file_name_has_extension(path, ".csv") || file_name_has_extension(path, ".json"))
        return STATUS_OK;
    return error_set(error, STATUS_USAGE, "plan file '%s', expected .csv or .json", path);
}

enum status plan_file_write(const struct job *job, const struct outcome *outcome, const char *path,
                            struct text *text, struct error *error)
{
    struct writing writing = {.job = job, .outcome = outcome};
    TRY(check_extension(path, error));
    if (file_name_has_extension(path, graph_extension))
        return write_planned_graph(job, outcome, path, text, error);
    TRY(plan_buffers_create(job->instance, outcome->placement, &writing.buffers, error));
    enum status status = write_plan(&writing, path, text, error);
    plan_buffers_clear(&writing.buffers);
    return status;
}
