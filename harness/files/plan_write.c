#include "harness/files/plan_write.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "core/file_name.h"
#include "core/memory.h"
#include "core/text.h"
#include "datasets/csv/problem.h"
#include "datasets/csv/xla.h"
#include "datasets/memplan_json/graph.h"
#include "datasets/memplan_json/plan.h"
#include "harness/files/offline_file.h"
#include "harness/files/plan_buffers.h"
#include "planning/plan/plan.h"

/* A plan as a header for C11 and C++11: the bytes and the alignment of the arena, an offset and a
   size for each buffer, a list of all of them, and the arena itself for the one source that asks
   for it. Names begin with that of the file. */
struct plan_header {
    const char *path, *instance, *planner;
    uint64_t alignment_bytes; /* least alignment of the arena */
    const struct problem *problem;
    const struct plan *plan; /* must hold a plan */
};

/* Appends a name with every byte that cannot be part of an identifier replaced by _, in upper or
   lower case. It always follows another word, so that it may begin with a digit. */
static void append_identifier(struct text *text, const char *name, bool upper)
{
    for (; *name; name++) {
        unsigned char byte = (unsigned char)*name;
        char letter = '_';
        if (byte < 128 && isalnum(byte))
            letter = (char)(upper ? toupper(byte) : tolower(byte));
        text_append_bytes(text, &letter, 1);
    }
}

/* Appends a name as the inside of a C string, or of a comment, in letters of ASCII: compilers warn
   of others that change the direction of writing, of trigraphs ("??/"), and of comments in
   comments. */
static void append_text(struct text *text, const char *name)
{
    char before = '\0';
    for (; *name; before = *name++) {
        unsigned char byte = (unsigned char)*name;
        if (byte == '"' || byte == '\\' || (byte == '?' && before == '?'))
            text_append(text, "\\%c", byte);
        else if (byte < ' ' || byte >= 127 || (byte == '/' && before == '*') ||
                 (byte == '*' && before == '/'))
            text_append(text, "\\%03o", byte);
        else
            text_append_bytes(text, name, 1);
    }
}

/* The words with which all names in a header begin. */
struct prefix {
    struct text upper, lower;
};

static enum status create_prefix(const char *path, struct prefix *prefix, struct error *error)
{
    SCOPED(memory_release) char *stem = file_name_stem(path);
    if (!stem)
        return error_no_memory(error);
    const char *before = isdigit((unsigned char)*stem) ? "plan_" : "";
    append_identifier(&prefix->upper, before, true);
    append_identifier(&prefix->upper, stem, true);
    append_identifier(&prefix->lower, before, false);
    append_identifier(&prefix->lower, stem, false);
    TRY(text_check(&prefix->upper, error));
    return text_check(&prefix->lower, error);
}

static void clear_prefix(struct prefix *prefix)
{
    text_free(&prefix->upper);
    text_free(&prefix->lower);
}

/* Makes the name of a buffer an identifier of its own. As long as another buffer has the same one,
   the number of the buffer is appended. */
static enum status name_buffer(const struct problem *problem, uint32_t buffer, struct names *names,
                               struct error *error)
{
    SCOPED(text_free) struct text name = {0};
    append_identifier(&name, names_get(&problem->names, buffer), true);
    while (!name.failed && name.length && names_find(names, name.bytes) != NAMES_NONE)
        text_append(&name, "_%" PRIu32, buffer);
    TRY(text_check(&name, error));
    return names_add(names, name.length ? name.bytes : "_", error);
}

static uint64_t find_alignment(const struct plan_header *header)
{
    const struct problem *problem = header->problem;
    uint64_t alignment = header->alignment_bytes;
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (problem_alignment(problem, b) > alignment)
            alignment = problem_alignment(problem, b);
    return alignment;
}

/* The least power of two that is not below the alignment, since a compiler takes only powers of
   two. Where all alignments are powers of two it is exact. */
static uint64_t round_alignment(uint64_t alignment)
{
    enum { LEAST = 16 };
    uint64_t rounded = LEAST;
    while (rounded < alignment && rounded <= UINT64_MAX / 2)
        rounded *= 2;
    return rounded;
}

static void append_opening(const struct plan_header *header, const struct prefix *prefix,
                           struct text *text)
{
    const char *upper = prefix->upper.bytes;
    uint64_t alignment = round_alignment(find_alignment(header));
    text_append(text, "/* Where the buffers of ");
    append_text(text, header->instance);
    text_append(text, " are in one arena, planned by memplan's ");
    append_text(text, header->planner);
    text_append(text,
                ". One source defines\n"
                "   %s_ARENA before it includes this file, and has the arena. */\n",
                upper);
    text_append(text, "#ifndef %s_PLAN_H\n#define %s_PLAN_H\n\n", upper, upper);
    text_append(text, "#define %s_ARENA_BYTES %" PRIu64 "\n", upper,
                header->plan->measures.peak_bytes);
    text_append(text, "#define %s_ARENA_ALIGNMENT %" PRIu64 "\n", upper, alignment);
    text_append(text, "#define %s_BUFFERS %" PRIu32 "\n\n", upper, header->problem->buffers);
}

static enum status append_buffers(const struct plan_header *header, const struct prefix *prefix,
                                  const struct names *names, struct text *text, struct error *error)
{
    for (uint32_t b = 0; b < header->problem->buffers; b++) {
        if (extents_count(header->plan->extents, b))
            return error_set(error, STATUS_BAD_INPUT,
                             "found buffer '%s' in several pieces, expected one place for each",
                             names_get(&header->problem->names, b));
        text_append(text, "#define %s_OFFSET_%s %" PRIu64 "\n", prefix->upper.bytes,
                    names_get(names, b), header->plan->offset[b]);
        text_append(text, "#define %s_BYTES_%s %" PRIu64 "\n", prefix->upper.bytes,
                    names_get(names, b), header->problem->size[b]);
    }
    return STATUS_OK;
}

static void append_list(const struct plan_header *header, const struct prefix *prefix,
                        struct text *text)
{
    text_append(text,
                "\n/* All buffers, in the order of the problem: BUFFER(name, offset, bytes). */\n"
                "#define %s_EACH(BUFFER)",
                prefix->upper.bytes);
    for (uint32_t b = 0; b < header->problem->buffers; b++) {
        text_append(text, " \\\n    BUFFER(\"");
        append_text(text, names_get(&header->problem->names, b));
        text_append(text, "\", %" PRIu64 ", %" PRIu64 ")", header->plan->offset[b],
                    header->problem->size[b]);
    }
    text_append(text, "\n");
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
        /* The result of a loop is in the place of the argument, so it is listed with it. */
        for (uint32_t c = 0; c < graph->carried_count; c++)
            if (graph->carried[c].argument == t)
                TRY(plan_document_add_tensor(
                    document, names_get(&graph->tensor_names, graph->carried[c].result), error));
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
        const struct extents *extents = plan->extents;
        for (uint32_t i = 0; i < extents_count(extents, b); i++) {
            const struct extent *extent = &extents->extent[extents->of[b].first + i];
            TRY(plan_document_add_extent(document, extent->offset, extent->bytes, error));
        }
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

/* Appends a header. STATUS_BAD_INPUT for a plan that splits buffers. */
static enum status write_header(const struct writing *writing, struct text *text,
                                struct error *error)
{
    const struct plan_header header = {.path = writing->path,
                                       .instance = writing->job->instance->name,
                                       .planner = writing->job->planner->name,
                                       .alignment_bytes = writing->job->alignment_bytes,
                                       .problem = writing->buffers.problem,
                                       .plan = writing->plan};
    SCOPED(clear_prefix) struct prefix prefix = {0};
    SCOPED(names_free) struct names names = {0};
    TRY(create_prefix(header.path, &prefix, error));
    for (uint32_t b = 0; b < header.problem->buffers; b++)
        TRY(name_buffer(header.problem, b, &names, error));
    append_opening(&header, &prefix, text);
    TRY(append_buffers(&header, &prefix, &names, text, error));
    append_list(&header, &prefix, text);
    const char *upper = prefix.upper.bytes, *lower = prefix.lower.bytes;
    const char *more = header.plan->measures.peak_bytes ? "" : " + 1";
    text_append(text, "\n#endif\n\n#if defined(%s_ARENA) && !defined(%s_HAS_ARENA)\n", upper,
                upper);
    text_append(text,
                "#define %s_HAS_ARENA\n#ifdef __cplusplus\nalignas(%s_ARENA_ALIGNMENT)\n"
                "#else\n_Alignas(%s_ARENA_ALIGNMENT)\n#endif\n",
                upper, upper, upper);
    text_append(text, "static unsigned char %s_arena[%s_ARENA_BYTES%s];\n#endif\n", lower, upper,
                more);
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
    if (!form) {
        SCOPED(text_free) struct text known = {0};
        plan_file_append_forms(&known);
        error_set(error, STATUS_USAGE, "plan file '%s', expected one of: %s", path,
                  known.failed ? "" : known.bytes);
        return STATUS_USAGE;
    }
    /* Tensors of a graph that is launched otherwise than it stands keep their numbers. */
    if (placement && form->as_launched)
        TRY(job_launch(job, placement, &launched, error));
    if (launched)
        instance.graph = launched;
    TRY(plan_buffers_create(&instance, placement, &buffers, error));
    struct writing writing = {.job = job, .outcome = outcome, .path = path, .buffers = buffers};
    return write_plan(&writing, form, text, error);
}
