#include "harness/files/plan_write.h"

#include "core/file_name.h"
#include "datasets/csv/problem.h"
#include "datasets/csv/xla.h"
#include "datasets/memplan_json/graph.h"
#include "datasets/memplan_json/plan.h"
#include "harness/files/offline_file.h"
#include "harness/files/plan_buffers.h"
#include "harness/files/plan_header.h"

/* The result of a loop is in the place of the argument, so it is listed with it. */
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

static uint8_t get_device(const struct plan_buffers *buffers, uint32_t buffer)
{
    const struct graph *graph = buffers->instance->graph;
    return graph ? graph->tensor[buffers->level->tensor[buffer]].device : 0;
}

static enum status add_buffers(const struct plan_buffers *buffers, const struct plan *plan,
                               struct plan_document *document, struct error *error)
{
    const struct problem *problem = buffers->problem;
    for (uint32_t b = 0; b < problem->buffers; b++) {
        struct plan_document_buffer buffer = {.size_bytes = problem->size[b],
                                              .offset_bytes = plan->offset[b],
                                              .storage_id = storage_ids_get(plan->storage_id, b),
                                              .device = get_device(buffers, b)};
        problem_time_steps(problem, b, &buffer.lower, &buffer.upper);
        TRY(plan_document_add_buffer(document, names_get(&problem->names, b), buffer, error));
        TRY(add_extents(plan, b, document, error));
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
    TRY(add_buffers(&writing->buffers, writing->plan, document, error));
    TRY(plan_document_find_storages(document, error));
    return plan_json_write(document, text, error);
}

static enum status write_csv(const struct writing *writing, struct text *text, struct error *error)
{
    return problem_csv_write_plan(writing->buffers.problem, writing->plan, text, error);
}

static enum status write_xla(const struct writing *writing, struct text *text, struct error *error)
{
    return xla_csv_write_plan(writing->buffers.problem, writing->plan, text, error);
}

static enum status write_header(const struct writing *writing, struct text *text,
                                struct error *error)
{
    const struct plan_header header = {.path = writing->path,
                                       .instance = writing->job->instance->name,
                                       .planner = writing->job->planner->name,
                                       .alignment_bytes = writing->job->alignment_bytes,
                                       .problem = writing->buffers.problem,
                                       .plan = writing->plan};
    return plan_header_write(&header, text, error);
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
    bool as_launched; /* has the steps of the graph that the plan is right for */
} forms[] = {
    {".graph.json", write_graph, false}, {".xla.csv", write_xla, false},
    {".csv", write_csv, true},           {".json", write_json, false},
    {".h", write_header, false},         {".bin", write_offline, false},
    {".tflite", write_offline, false},
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

static enum status refuse_form(const char *path, struct error *error)
{
    SCOPED(text_free) struct text known = {0};
    plan_file_append_forms(&known);
    error_set(error, STATUS_USAGE, "plan file '%s', expected one of: %s", path,
              known.failed ? "" : known.bytes);
    return STATUS_USAGE;
}

static enum status write_plan(struct writing *writing, const struct form *form, struct text *text,
                              struct error *error)
{
    const struct placement *placement = writing->outcome->placement;
    const struct plan_buffers *buffers = &writing->buffers;
    SCOPED(plan_release) struct plan *copy = NULL;
    writing->plan = writing->outcome->plan;
    if (placement) {
        TRY(plan_create(buffers->problem, &copy, error));
        TRY(plan_buffers_from_placement(buffers, placement, copy, error));
        writing->plan = copy;
    }
    return form->write(writing, text, error);
}

enum status plan_file_write(const struct job *job, const struct outcome *outcome, const char *path,
                            struct text *text, struct error *error)
{
    const struct form *form = find_form(path);
    const struct placement *placement = outcome->placement;
    struct instance instance = *job->instance;
    SCOPED(graph_release) struct graph *launched = NULL;
    SCOPED(plan_buffers_clear) struct plan_buffers buffers = {0};
    if (!form)
        return refuse_form(path, error);
    /* Tensors of a graph that is launched otherwise than it stands keep their numbers. */
    if (placement && form->as_launched)
        TRY(job_launch(job, placement, &launched, error));
    if (launched)
        instance.graph = launched;
    TRY(plan_buffers_create(&instance, placement, &buffers, error));
    struct writing writing = {.job = job, .outcome = outcome, .path = path, .buffers = buffers};
    return write_plan(&writing, form, text, error);
}
