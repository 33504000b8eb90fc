#include "harness/files/plan_write.h"

#include <ctype.h>
#include <inttypes.h>

#include "core/file.h"
#include "core/memory.h"
#include "datasets/csv/problem.h"
#include "datasets/csv/xla.h"
#include "datasets/memplan_json/graph.h"
#include "datasets/memplan_json/plan.h"
#include "harness/files/c_name.h"
#include "harness/files/offline_file.h"
#include "harness/files/plan_buffers.h"
#include "planning/plan/plan.h"

/* Makes the names of the buffers identifiers of their own. As long as another buffer has the same
   one, the number of the buffer is appended. */
static enum status name_buffers(const struct problem *problem, struct names *names,
                                struct error *error)
{
    for (uint32_t b = 0; b < problem->buffers; b++) {
        SCOPED(text_free) struct text name = {0};
        c_name_append_identifier(&name, names_get(&problem->names, b), true);
        while (!name.failed && name.length && names_find(names, name.bytes) != NAMES_NONE)
            text_append(&name, "_%" PRIu32, b);
        TRY(text_check(&name, error));
        TRY(names_add(names, name.length ? name.bytes : "_", error));
    }
    return STATUS_OK;
}

/* The alignment of the arena: a compiler takes only powers of two, so it is the greatest one that
   divides some buffer's. Then an address in the arena is a multiple of as much of a buffer's
   alignment as any address that a compiler chooses can be, of all of it where that is a power of
   two. */
static uint64_t find_alignment(const struct problem *problem)
{
    uint64_t most = 1;
    for (uint32_t b = 0; b < problem->buffers; b++) {
        uint64_t alignment = problem_alignment(problem, b);
        alignment &= ~alignment + 1;
        most = alignment > most ? alignment : most;
    }
    return most;
}

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

/* Appends a header for C11 and C++11: the bytes and the alignment of the arena, an offset and a
   size for each buffer, a list of all of them, and the arena itself for the one source that asks
   for it. Names begin with that of the file. STATUS_BAD_INPUT for a plan that splits buffers. */
static enum status write_header(const struct writing *writing, struct text *text,
                                struct error *error)
{
    const struct job *job = writing->job;
    const struct problem *problem = writing->buffers.problem;
    const struct plan *plan = writing->plan;
    SCOPED(text_free) struct text upper_name = {0};
    SCOPED(text_free) struct text lower_name = {0};
    SCOPED(names_free) struct names names = {0};
    SCOPED(memory_release) char *stem = file_name_stem(writing->path);
    if (!stem)
        return error_no_memory(error);
    const char *before = isdigit((unsigned char)*stem) ? "plan_" : "";
    c_name_append_identifier(&upper_name, before, true);
    c_name_append_identifier(&upper_name, stem, true);
    c_name_append_identifier(&lower_name, before, false);
    c_name_append_identifier(&lower_name, stem, false);
    TRY(text_check(&upper_name, error));
    TRY(text_check(&lower_name, error));
    TRY(name_buffers(problem, &names, error));
    const char *upper = upper_name.bytes, *lower = lower_name.bytes;
    text_append(text, "/* Where the buffers of ");
    c_name_append_text(text, job->instance->name);
    text_append(text, " are in one arena, planned by memplan's ");
    c_name_append_text(text, job->planner->name);
    text_append(
        text,
        ". One source defines\n"
        "   %s_ARENA before it includes this file, and has the arena. Each offset is a\n"
        "   multiple of the buffer's ALIGNMENT: of what its dtype needs, or of what memplan\n"
        "   was told. */\n",
        upper);
    text_append(text, "#ifndef %s_PLAN_H\n#define %s_PLAN_H\n\n", upper, upper);
    text_append(text, "#define %s_ARENA_BYTES %" PRIu64 "\n", upper, plan->measures.peak_bytes);
    text_append(text, "#define %s_ARENA_ALIGNMENT %" PRIu64 "\n", upper, find_alignment(problem));
    text_append(text, "#define %s_BUFFERS %" PRIu32 "\n\n", upper, problem->buffers);
    for (uint32_t b = 0; b < problem->buffers; b++) {
        if (extents_count(plan->extents, b))
            return error_set(error, STATUS_BAD_INPUT,
                             "found buffer '%s' in several pieces, expected one place for each",
                             names_get(&problem->names, b));
        text_append(text, "#define %s_OFFSET_%s %" PRIu64 "\n", upper, names_get(&names, b),
                    plan->offset[b]);
        text_append(text, "#define %s_BYTES_%s %" PRIu64 "\n", upper, names_get(&names, b),
                    problem->size[b]);
        text_append(text, "#define %s_ALIGNMENT_%s %" PRIu64 "\n", upper, names_get(&names, b),
                    problem_alignment(problem, b));
    }
    text_append(text,
                "\n/* All buffers, in the order of the problem: BUFFER(name, offset, bytes). */\n"
                "#define %s_EACH(BUFFER)",
                upper);
    for (uint32_t b = 0; b < problem->buffers; b++) {
        text_append(text, " \\\n    BUFFER(\"");
        c_name_append_text(text, names_get(&problem->names, b));
        text_append(text, "\", %" PRIu64 ", %" PRIu64 ")", plan->offset[b], problem->size[b]);
    }
    text_append(text, "\n\n#endif\n\n#if defined(%s_ARENA) && !defined(%s_HAS_ARENA)\n", upper,
                upper);
    text_append(text,
                "#define %s_HAS_ARENA\n#ifdef __cplusplus\nalignas(%s_ARENA_ALIGNMENT)\n"
                "#else\n_Alignas(%s_ARENA_ALIGNMENT)\n#endif\n",
                upper, upper, upper);
    text_append(text, "static unsigned char %s_arena[%s_ARENA_BYTES%s];\n#endif\n", lower, upper,
                plan->measures.peak_bytes ? "" : " + 1");
    return text_check(text, error);
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
