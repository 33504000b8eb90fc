#include "harness/files/plan_write.h"

#include "core/file.h"
#include "core/memory.h"
#include "datasets/csv/problem.h"
#include "datasets/csv/xla.h"
#include "datasets/memplan_json/graph.h"
#include "datasets/memplan_json/plan.h"
#include "harness/files/graph_memories.h"
#include "harness/files/offline_file.h"
#include "harness/files/plan_buffers.h"
#include "harness/files/plan_header.h"

/* Adds the tensors of a graph that are in the buffer. */
static enum status add_tensor_names(const struct plan_buffers *buffers, uint32_t buffer,
                                    struct plan_document *document, struct error *error)
{
    const struct graph *graph = buffers->instance->graph;
    const uint32_t *next = buffers->liveness->next;
    uint32_t tensor = buffers->level->tensor[buffer];
    for (uint32_t t = tensor; t != GRAPH_NONE; t = next ? next[t] : GRAPH_NONE) {
        TRY(plan_document_add_tensor(document, names_get(&graph->tensor_names, t), error));
        /* The result of a loop is in the place of the argument, so it is listed with it. */
        for (uint32_t c = 0; c < graph->carried_count; c++)
            if (graph->carried[c].argument == t)
                TRY(plan_document_add_tensor(
                    document, names_get(&graph->tensor_names, graph->carried[c].result), error));
    }
    return STATUS_OK;
}

static enum status add_buffers(const struct plan_buffers *buffers, const struct plan *plan,
                               struct plan_document *document, struct error *error)
{
    const struct problem *problem = buffers->problem;
    const struct graph *graph = buffers->instance->graph;
    const struct extents *extents = plan->extents;
    for (uint32_t b = 0; b < problem->buffers; b++) {
        struct plan_document_buffer buffer = {
            .size_bytes = problem->size[b],
            .alignment_bytes = problem_alignment(problem, b),
            .offset_bytes = plan->offset[b],
            .storage_id = storage_ids_get(plan->storage_id, b),
            .device = graph ? graph->tensor[buffers->level->tensor[b]].device : 0};
        problem_time_steps(problem, b, &buffer.lower, &buffer.upper);
        TRY(plan_document_add_buffer(document, names_get(&problem->names, b), buffer, error));
        for (uint32_t i = 0; i < extents_count(extents, b); i++) {
            const struct extent *extent = &extents->extent[extents->of[b].first + i];
            TRY(plan_document_add_extent(document, extent->offset, extent->bytes, error));
        }
        if (graph)
            TRY(add_tensor_names(buffers, b, document, error));
    }
    return STATUS_OK;
}

/* The plan to write, and where it comes from. */
struct writing {
    const struct job *job;
    const struct outcome *outcome;
    const char *path;
    struct plan_buffers buffers;
    const struct plan *plan; /* plan of the flat problem's buffers */
};

static enum status add_memories(const struct writing *writing, struct plan_document *document,
                                struct error *error)
{
    const struct memory_problem *memories = writing->outcome->memories;
    if (!memories)
        return STATUS_OK;
    TRY(memory_create(&document->memory_peak, memories->memories, sizeof(uint64_t), error));
    for (uint32_t m = 0; m < memories->memories; m++)
        TRY(names_add(&document->memory_names, names_get(&memories->names, m), error));
    return graph_memories_find_peaks(writing->job->instance->graph, writing->outcome->placement,
                                     memories->memories, document->memory_peak, error);
}

static enum status write_json(const struct writing *writing, struct text *text, struct error *error)
{
    const struct job *job = writing->job;
    const struct outcome *outcome = writing->outcome;
    const struct plan_document_texts texts = {.instance = job->instance->name,
                                              .digest = job->instance->digest,
                                              .policy = job_policy_name(job),
                                              .planner = job->planner->name,
                                              .options = job->options};
    SCOPED(plan_document_release) struct plan_document *document = NULL;
    TRY(plan_document_create(&texts, &document, error));
    document->seed = job->seed;
    document->status = outcome->status;
    document->measures = outcome->measures;
    document->wall_ns = outcome_median_ns(outcome);
    TRY(add_memories(writing, document, error));
    TRY(add_buffers(&writing->buffers, writing->plan, document, error));
    TRY(plan_document_find_storages(document, error));
    return plan_json_write(document, text, error);
}

static enum status write_csv(const struct writing *writing, struct text *text, struct error *error)
{
    const struct memory_problem *memories = writing->outcome->memories;
    return problem_csv_write_in_memories(writing->buffers.problem, writing->plan,
                                         memories ? &memories->names : NULL, text, error);
}

static enum status write_xla(const struct writing *writing, struct text *text, struct error *error)
{
    return xla_csv_write_plan(writing->buffers.problem, writing->plan, text, error);
}

static enum status write_header(const struct writing *writing, struct text *text,
                                struct error *error)
{
    const struct header_source source = {.instance = writing->job->instance->name,
                                         .planner = writing->job->planner->name,
                                         .path = writing->path,
                                         .problem = writing->buffers.problem,
                                         .plan = writing->plan,
                                         .memories = writing->outcome->memories};
    return plan_header_write(&source, text, error);
}

static enum status write_offline(const struct writing *writing, struct text *text,
                                 struct error *error)
{
    return offline_file_write(&writing->buffers, writing->plan, writing->path, text, error);
}

static enum status write_graph(const struct writing *writing, struct text *text,
                               struct error *error)
{
    const struct placement *placement = writing->outcome->placement;
    const struct instance *instance = writing->job->instance;
    SCOPED(graph_release) struct graph *launched = NULL;
    if (!placement)
        return error_set(error, STATUS_USAGE, "'%s' is a problem, '%s' holds the places of a graph",
                         instance->name, writing->path);
    TRY(job_launch(writing->job, placement, &launched, error));
    return graph_json_write_planned(launched ? launched : instance->graph, placement, text, error);
}

/* The forms of plan files. A path has the form of the first of these extensions with which it
   ends. */
static const struct form {
    const char *extension;
    enum status (*write)(const struct writing *writing, struct text *text, struct error *error);
    bool as_launched;  /* has the steps of the graph that the plan is right for */
    bool has_memories; /* can say in which of several memories a buffer is */
} forms[] = {
    {".graph.json", write_graph, false, false},
    {".xla.csv", write_xla, false, false},
    {".csv", write_csv, true, true},
    {".json", write_json, false, true},
    {".h", write_header, false, true},
    {".bin", write_offline, false, false},
    {".tflite", write_offline, false, false},
};

enum { FORMS = sizeof forms / sizeof *forms };

static const struct form *find_form(const char *path)
{
    for (size_t i = 0; i < FORMS; i++)
        if (file_name_has_extension(path, forms[i].extension))
            return &forms[i];
    return NULL;
}

bool plan_file_has_form(const char *path)
{
    return find_form(path) != NULL;
}

void plan_file_append_forms(struct text *text)
{
    for (size_t i = 0; i < FORMS; i++)
        text_append(text, "%s%s", i ? ", " : "", forms[i].extension);
}

enum status plan_file_write(const struct job *job, const struct outcome *outcome, const char *path,
                            struct text *text, struct error *error)
{
    const struct form *form = find_form(path);
    const struct placement *placement = outcome->placement;
    struct instance instance = *job->instance;
    SCOPED(graph_release) struct graph *launched = NULL;
    SCOPED(plan_buffers_clear) struct plan_buffers buffers = {0};
    SCOPED(plan_release) struct plan *copy = NULL;
    if (!form) {
        SCOPED(text_free) struct text known = {0};
        plan_file_append_forms(&known);
        return error_set(error, STATUS_USAGE, "plan file '%s', expected one of: %s", path,
                         known.failed ? "" : known.bytes);
    }
    if (outcome->memories && !form->has_memories)
        return error_set(error, STATUS_USAGE,
                         "output '%s', expected .json, .csv or .h for a plan in several memories",
                         path);
    /* Tensors of a graph that is launched otherwise than it stands keep their numbers. */
    if (placement && form->as_launched)
        TRY(job_launch(job, placement, &launched, error));
    if (launched)
        instance.graph = launched;
    TRY(plan_buffers_create(&instance, placement, job->alignment_bytes, &buffers, error));
    if (placement) {
        TRY(plan_create(buffers.problem, &copy, error));
        TRY(plan_buffers_from_placement(&buffers, placement, copy, error));
    }
    const struct writing writing = {.job = job,
                                    .outcome = outcome,
                                    .path = path,
                                    .buffers = buffers,
                                    .plan = placement ? copy : outcome->plan};
    return form->write(&writing, text, error);
}
