#include "harness/files/plan_read.h"

#include <string.h>

#include "core/file.h"
#include "core/gzip.h"
#include "core/memory.h"
#include "datasets/csv/problem.h"
#include "datasets/memplan_json/plan.h"
#include "harness/files/graph_memories.h"
#include "harness/files/offline_file.h"
#include "harness/files/plan_buffers.h"
#include "harness/files/plan_inplace.h"
#include "planning/policies/policy.h"
#include "solvers/mip/files/solution.h"

static const char packed_extension[] = ".gz";

/* A plan file that is being read. */
struct reading {
    const struct instance *instance;
    const char *path;
    const struct names *memories; /* in which the plan has to lie; NULL: in one arena */
    char *form;                   /* the path without ".gz", whose extension says the form */
    struct text text;
    struct plan_document *document; /* of a .json file; else NULL */
    struct names ids;               /* the names in a .csv file */
    int32_t *offset;                /* [tensors] of the graph, for a plan of TFLite Micro */
    struct placement *placement;    /* for a graph; else NULL */
    struct plan_buffers buffers;
    struct plan *plan;
};

/* Whether the tensor belongs in buffer b: it is the buffer's tensor, one that operators can write
   over it, or the result of a loop whose argument it is. */
static bool belongs_in(const struct plan_buffers *buffers, uint32_t tensor, uint32_t b)
{
    const struct graph *graph = buffers->instance->graph;
    for (uint32_t c = 0; c < graph->carried_count; c++)
        if (graph->carried[c].result == tensor)
            tensor = graph->carried[c].argument;
    if (buffers->liveness->root)
        tensor = buffers->liveness->root[tensor];
    return tensor == buffers->level->tensor[b];
}

/* Takes over what a document says of a buffer, and checks it. */
static enum status take_buffer(struct reading *reading, uint32_t index, struct error *error)
{
    const char *path = reading->path;
    const struct graph *graph = reading->instance->graph;
    const struct plan_document *document = reading->document;
    const struct problem *problem = reading->buffers.problem;
    const struct plan_document_buffer *buffer = &document->buffer[index];
    const char *name = names_get(&document->buffer_names, index);
    uint32_t b = names_find(&problem->names, name), lower, upper;
    if (b == NAMES_NONE)
        return error_set_at(error, STATUS_BAD_INPUT, path, 0,
                            "found buffer '%s', expected the instance's buffers", name);
    if (reading->plan->offset[b] != PROBLEM_FREE)
        return error_set_at(error, STATUS_BAD_INPUT, path, 0,
                            "found buffer '%s' again, expected each once", name);
    for (uint32_t i = 0; graph && i < buffer->tensors; i++) {
        const char *tensor_name = names_get(&document->tensor_names, buffer->first + i);
        uint32_t tensor = names_find(&graph->tensor_names, tensor_name);
        if (tensor == NAMES_NONE)
            return error_set_at(error, STATUS_BAD_INPUT, path, 0,
                                "found tensor '%s', expected tensors of the graph", tensor_name);
        if (!belongs_in(&reading->buffers, tensor, b))
            return error_set_at(error, STATUS_BAD_INPUT, path, 0,
                                "found tensor '%s' in buffer '%s', expected only what operators "
                                "can write there in place",
                                tensor_name, name);
    }
    problem_time_steps(problem, b, &lower, &upper);
    const struct {
        const char *name;
        uint64_t found, expected;
    } numbers[] = {{"size", buffer->size_bytes, problem->size[b]},
                   {"lower", buffer->lower, lower},
                   {"upper", buffer->upper, upper}};
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (numbers[i].found != numbers[i].expected)
            return error_set_at(error, STATUS_BAD_INPUT, path, 0,
                                "found %s %llu of buffer '%s', expected %llu", numbers[i].name,
                                (unsigned long long)numbers[i].found, name,
                                (unsigned long long)numbers[i].expected);
    reading->plan->offset[b] = buffer->offset_bytes;
    if (buffer->storage_id != STORAGE_IDS_NONE)
        TRY(storage_ids_set(&reading->plan->storage_id, problem->buffers, b, buffer->storage_id,
                            error));
    for (uint32_t i = 0; i < buffer->extents; i++) {
        const struct extent *extent = &document->extent[buffer->first_extent + i];
        TRY(plan_add_extent(reading->plan, b, extent->offset, extent->bytes, error));
    }
    return STATUS_OK;
}

/* Creates the placement of a graph, and says in it which tensors are in place: as the rules say
   that the caller gives, else as the file shows. */
static enum status create_placement(struct reading *reading, const struct inplace_choice *choice,
                                    struct error *error)
{
    const struct graph *graph = reading->instance->graph;
    const struct plan_document *document = reading->document;
    const struct names *listed = document ? &document->buffer_names : &reading->ids;
    TRY(placement_create(graph, &reading->placement, error));
    /* Results of Ifs that the file lists have places of their own. Until the offsets of the file
       are read they are marked by an offset of 0. */
    for (uint32_t o = 0; o < graph->operators; o++) {
        const struct graph_operator *owner = &graph->op[o];
        if (owner->first_region == GRAPH_NONE || owner->loop)
            continue;
        for (uint32_t i = 0; i < owner->outputs.count; i++) {
            uint32_t result = graph->list[owner->outputs.first + i];
            const char *name = names_get(&graph->tensor_names, result);
            if (!graph->tensor[result].external && names_find(listed, name) != NAMES_NONE)
                reading->placement->offset[result] = 0;
        }
    }
    if (!choice->rules && reading->offset)
        return offline_file_declare(graph, reading->offset, reading->placement, error);
    if (choice->rules || !document)
        return inplace_apply(graph, choice, reading->placement, error);
    /* A tensor that the file lists together with others gets 1 + the number of their buffer. */
    SCOPED(memory_release) uint32_t *buffer_of = NULL;
    TRY(memory_create(&buffer_of, graph->tensors, sizeof *buffer_of, error));
    for (uint32_t b = 0; b < document->buffers; b++)
        for (uint32_t i = 0; document->buffer[b].tensors > 1 && i < document->buffer[b].tensors;
             i++) {
            const char *name = names_get(&document->tensor_names, document->buffer[b].first + i);
            uint32_t tensor = names_find(&graph->tensor_names, name);
            if (tensor == NAMES_NONE)
                return error_set_at(error, STATUS_BAD_INPUT, reading->path, 0,
                                    "found tensor '%s', expected tensors of the graph", name);
            buffer_of[tensor] = b + 1;
        }
    plan_inplace_declare(graph, buffer_of, reading->placement);
    return STATUS_OK;
}

/* A plan in other memories than those expected is none of these. */
static enum status check_memories(const struct reading *reading, struct error *error)
{
    const struct names *found = reading->document ? &reading->document->memory_names : NULL;
    uint32_t expected = reading->memories ? reading->memories->count : 0;
    if (!found || !found->count || !expected)
        return (found && found->count) == (expected > 0)
                   ? STATUS_OK
                   : error_set_at(error, STATUS_BAD_INPUT, reading->path, 0,
                                  "found a plan in %s, expected one in %s",
                                  expected ? "one arena" : "several memories",
                                  expected ? "several memories"
                                           : "one arena; --memories says which memories there are");
    for (uint32_t m = 0; m < found->count || m < expected; m++) {
        const char *name = m < found->count ? names_get(found, m) : "nothing";
        const char *wanted = m < expected ? names_get(reading->memories, m) : "nothing";
        if (strcmp(name, wanted) != 0)
            return error_set_at(error, STATUS_BAD_INPUT, reading->path, 0,
                                "found memory '%s', expected '%s'", name, wanted);
    }
    return STATUS_OK;
}

/* The peaks of memories in the file are where the highest tensors end. */
static enum status check_peaks(const struct reading *reading, struct error *error)
{
    const struct plan_document *document = reading->document;
    SCOPED(memory_release) uint64_t *peak = NULL;
    if (!reading->memories)
        return STATUS_OK;
    uint64_t sum = 0;
    TRY(memory_create(&peak, reading->memories->count, sizeof *peak, error));
    TRY(graph_memories_find_peaks(reading->instance->graph, reading->placement,
                                  reading->memories->count, peak, error));
    for (uint32_t m = 0; m < reading->memories->count; m++) {
        sum += peak[m];
        if (document->memory_peak[m] != peak[m])
            return error_set_at(error, STATUS_BAD_INPUT, reading->path, 0,
                                "found peak %llu of memory '%s', expected %llu",
                                (unsigned long long)document->memory_peak[m],
                                names_get(reading->memories, m), (unsigned long long)peak[m]);
    }
    if (document->measures.peak_bytes != sum)
        return error_set_at(error, STATUS_BAD_INPUT, reading->path, 0,
                            "found peak %llu, expected %llu, the sum of those of the memories",
                            (unsigned long long)document->measures.peak_bytes,
                            (unsigned long long)sum);
    return STATUS_OK;
}

static enum status read_plan(struct reading *reading, const struct inplace_choice *choice,
                             struct error *error)
{
    const struct instance *instance = reading->instance;
    const struct text *text = &reading->text;
    const char *path = reading->path, *form = reading->form;
    bool packed = strcmp(form, path) != 0;
    TRY(packed ? gzip_read_file(path, &reading->text, error)
               : text_read_file(path, &reading->text, error));
    if (file_name_has_extension(form, ".csv"))
        TRY(problem_csv_read_ids(text, path, &reading->ids, error));
    else if (file_name_has_extension(form, ".json"))
        TRY(plan_json_read(text, path, &reading->document, error));
    else if (offline_file_is(form))
        TRY(offline_file_read(instance, text, path, &reading->offset, error));
    const struct plan_document *document = reading->document;
    /* A plan whose buffers list tensors belongs to a graph, but also fits the problem that was made
       of it, whose digest is a different one. */
    bool of_graph = document && document->buffers && document->buffer[0].tensors;
    if (document && strcmp(document->digest, instance->digest) != 0 &&
        of_graph == !!instance->graph)
        return error_set_at(error, STATUS_BAD_INPUT, path, 0,
                            "the plan is for another instance ('%s'): found digest %s, expected "
                            "%s of '%s'%s",
                            document->instance, document->digest, instance->digest, instance->name,
                            of_graph && strcmp(document->instance, instance->name) == 0
                                ? "; with --order, of the graph that -o NAME.graph.json writes"
                                : "");
    TRY(check_memories(reading, error));
    if (instance->graph)
        TRY(create_placement(reading, choice, error));
    TRY(plan_buffers_create(instance, reading->placement, 1, &reading->buffers, error));
    const struct problem *problem = reading->buffers.problem;
    TRY(plan_create(problem, &reading->plan, error));
    if (document) {
        for (uint32_t i = 0; i < document->buffers; i++)
            TRY(take_buffer(reading, i, error));
        for (uint32_t b = 0; b < problem->buffers; b++)
            if (reading->plan->offset[b] == PROBLEM_FREE)
                return error_set_at(error, STATUS_BAD_INPUT, path, 0,
                                    "found no buffer '%s', expected all of the instance's buffers",
                                    names_get(&problem->names, b));
        reading->plan->status = PLAN_FEASIBLE;
        reading->plan->measures.peak_bytes = document->measures.peak_bytes;
    } else if (reading->offset)
        TRY(offline_file_take(&reading->buffers, reading->offset, reading->plan, error));
    else if (file_name_has_extension(form, ".sol"))
        TRY(mip_solution_read(text, path, problem, reading->plan, error));
    else
        TRY(problem_csv_read_plan(text, path, problem, reading->plan, error));
    if (!reading->placement)
        return STATUS_OK;
    TRY(plan_buffers_to_placement(&reading->buffers, reading->plan, reading->placement, error));
    return check_peaks(reading, error);
}

static void clear_reading(struct reading *reading)
{
    plan_buffers_clear(&reading->buffers);
    plan_document_free(reading->document);
    names_free(&reading->ids);
    memory_free(reading->offset);
    text_free(&reading->text);
    memory_free(reading->form);
    placement_free(reading->placement);
    plan_free(reading->plan);
}

enum status plan_file_read(const struct instance *instance, const char *path,
                           const struct inplace_choice *choice, const struct names *memories,
                           struct plan_file *file, struct error *error)
{
    SCOPED(clear_reading)
    struct reading reading = {
        .instance = instance, .path = path, .memories = memories, .form = memory_copy_text(path)};
    char *form = reading.form;
    *file = (struct plan_file){.plan = NULL};
    if (!form)
        return error_no_memory(error);
    if (file_name_has_extension(path, packed_extension))
        form[strlen(path) - strlen(packed_extension)] = '\0';
    if (!file_name_has_extension(form, ".csv") && !file_name_has_extension(form, ".json") &&
        !file_name_has_extension(form, ".sol") && !offline_file_is(form))
        return error_set(error, STATUS_USAGE,
                         "plan file '%s', expected .csv, .json, .sol, .bin or .tflite, maybe with "
                         ".gz behind",
                         path);
    if (memories && !file_name_has_extension(form, ".json"))
        return error_set(error, STATUS_USAGE, "plan file '%s', expected .json for several memories",
                         path);
    TRY(read_plan(&reading, choice, error));
    const struct policy *policy =
        reading.document ? policy_find(reading.document->policy) : &policy_flat;
    file->policy = policy ? policy : &policy_flat;
    if (instance->graph && file->policy->launch)
        TRY(file->policy->launch(instance->graph, reading.placement, &file->launched, error));
    if (instance->graph) {
        file->placement = reading.placement;
        reading.placement = NULL;
    } else {
        file->plan = reading.plan;
        reading.plan = NULL;
    }
    return STATUS_OK;
}

void plan_file_free(struct plan_file *file)
{
    plan_free(file->plan);
    placement_free(file->placement);
    graph_free(file->launched);
    *file = (struct plan_file){0};
}
