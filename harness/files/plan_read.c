#include "harness/files/plan_read.h"

#include <string.h>

#include "core/file_name.h"
#include "core/gzip.h"
#include "core/memory.h"
#include "datasets/csv/problem.h"
#include "datasets/memplan_json/plan.h"
#include "harness/files/offline_file.h"
#include "harness/files/plan_buffers.h"
#include "harness/files/plan_inplace.h"
#include "solvers/mip/files/solution.h"

static const char packed_extension[] = ".gz";

/* A plan file that is being read. */
struct reading {
    const struct instance *instance;
    const char *path;
    char *form; /* the path without ".gz", whose extension says the form */
    struct text text;
    struct plan_document *document; /* of a .json file; else NULL */
    struct names ids;               /* the names in a .csv file */
    int32_t *offset;                /* [tensors] of the graph, for a plan of TFLite Micro */
    struct placement *placement;    /* for a graph; else NULL */
    struct plan_buffers buffers;
    struct plan *plan;
};

/* A number that a file gives for a buffer and the one that the instance has. */
struct number {
    const char *name;
    uint64_t found, expected;
};

static enum status check_number(const char *path, const char *buffer, struct number number,
                                struct error *error)
{
    if (number.found == number.expected)
        return STATUS_OK;
    return error_set_at(
        error, STATUS_BAD_INPUT, path, 0, "found %s %llu of buffer '%s', expected %llu",
        number.name, (unsigned long long)number.found, buffer, (unsigned long long)number.expected);
}

static uint32_t find_place(const struct plan_buffers *buffers, uint32_t tensor)
{
    const struct graph *graph = buffers->instance->graph;
    for (uint32_t c = 0; c < graph->carried_count; c++)
        if (graph->carried[c].result == tensor)
            tensor = graph->carried[c].argument;
    return buffers->liveness->root ? buffers->liveness->root[tensor] : tensor;
}

/* Checks the tensors that the file lists for buffer b of a graph. All of them must belong there: a
   tensor, others that operators can write over it, and the result of the loop whose argument it
   is. */
static enum status check_tensors(const struct reading *reading, uint32_t index, uint32_t b,
                                 struct error *error)
{
    const struct graph *graph = reading->instance->graph;
    const struct plan_document *document = reading->document;
    const struct plan_document_buffer *buffer = &document->buffer[index];
    for (uint32_t i = 0; graph && i < buffer->tensors; i++) {
        const char *name = names_get(&document->tensor_names, buffer->first + i);
        uint32_t tensor = names_find(&graph->tensor_names, name);
        if (tensor == NAMES_NONE)
            return error_set_at(error, STATUS_BAD_INPUT, reading->path, 0,
                                "found tensor '%s', expected tensors of the graph", name);
        if (find_place(&reading->buffers, tensor) != reading->buffers.level->tensor[b])
            return error_set_at(error, STATUS_BAD_INPUT, reading->path, 0,
                                "found tensor '%s' in buffer '%s', expected only what operators "
                                "can write there in place",
                                name, names_get(&document->buffer_names, index));
    }
    return STATUS_OK;
}

static enum status take_offset(struct reading *reading, uint32_t index, struct error *error)
{
    const char *path = reading->path;
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
    TRY(check_tensors(reading, index, b, error));
    problem_time_steps(problem, b, &lower, &upper);
    const struct number numbers[] = {{"size", buffer->size_bytes, problem->size[b]},
                                     {"lower", buffer->lower, lower},
                                     {"upper", buffer->upper, upper}};
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++)
        TRY(check_number(path, name, numbers[i], error));
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

static enum status take_document(struct reading *reading, struct error *error)
{
    const struct problem *problem = reading->buffers.problem;
    struct plan *plan = reading->plan;
    for (uint32_t i = 0; i < reading->document->buffers; i++)
        TRY(take_offset(reading, i, error));
    for (uint32_t b = 0; b < problem->buffers; b++)
        if (plan->offset[b] == PROBLEM_FREE)
            return error_set_at(error, STATUS_BAD_INPUT, reading->path, 0,
                                "found no buffer '%s', expected all of the instance's buffers",
                                names_get(&problem->names, b));
    plan->status = PLAN_FEASIBLE;
    plan->measures.peak_bytes = reading->document->measures.peak_bytes;
    return STATUS_OK;
}

/* Fills buffer_of[tensors]: for a tensor that the file lists together with others, 1 + the number
   of the buffer; 0 for all other tensors. */
static enum status find_buffers(const struct graph *graph, const char *path,
                                const struct plan_document *document, uint32_t *buffer_of,
                                struct error *error)
{
    for (uint32_t b = 0; b < document->buffers; b++)
        for (uint32_t i = 0; document->buffer[b].tensors > 1 && i < document->buffer[b].tensors;
             i++) {
            const char *name = names_get(&document->tensor_names, document->buffer[b].first + i);
            uint32_t tensor = names_find(&graph->tensor_names, name);
            if (tensor == NAMES_NONE)
                return error_set_at(error, STATUS_BAD_INPUT, path, 0,
                                    "found tensor '%s', expected tensors of the graph", name);
            buffer_of[tensor] = b + 1;
        }
    return STATUS_OK;
}

/* Results of Ifs that the file lists have places of their own. Until the offsets of the file are
   read they are marked by an offset of 0. */
static void declare_results(const struct graph *graph, const struct names *listed,
                            struct placement *placement)
{
    for (uint32_t o = 0; o < graph->operators; o++) {
        const struct graph_operator *owner = &graph->op[o];
        if (owner->first_region == GRAPH_NONE || owner->loop)
            continue;
        for (uint32_t i = 0; i < owner->outputs.count; i++) {
            uint32_t result = graph->list[owner->outputs.first + i];
            const char *name = names_get(&graph->tensor_names, result);
            if (!graph->tensor[result].external && names_find(listed, name) != NAMES_NONE)
                placement->offset[result] = 0;
        }
    }
}

/* Checks that the file was written for this instance. A plan whose buffers list tensors belongs to
   a graph, but also fits the problem that was made of it, whose digest is a different one. */
static enum status check_digest(const struct reading *reading, struct error *error)
{
    const char *expected = reading->instance->digest, *found = reading->document->digest;
    bool of_graph = reading->document->buffers && reading->document->buffer[0].tensors;
    if (strcmp(found, expected) == 0 || of_graph != (reading->instance->graph != NULL))
        return STATUS_OK;
    return error_set_at(error, STATUS_BAD_INPUT, reading->path, 0,
                        "the plan is for another instance ('%s'): found digest %s, expected %s of "
                        "'%s'",
                        reading->document->instance, found, expected, reading->instance->name);
}

static enum status create_placement(struct reading *reading, const struct inplace_choice *choice,
                                    struct error *error)
{
    const struct graph *graph = reading->instance->graph;
    const struct names *listed =
        reading->document ? &reading->document->buffer_names : &reading->ids;
    TRY(placement_create(graph, &reading->placement, error));
    declare_results(graph, listed, reading->placement);
    if (!choice->rules && reading->offset)
        return offline_file_declare(graph, reading->offset, reading->placement, error);
    if (choice->rules || !reading->document)
        return inplace_apply(graph, choice, reading->placement, error);
    SCOPED(memory_release) uint32_t *buffer_of = NULL;
    TRY(memory_create(&buffer_of, graph->tensors, sizeof *buffer_of, error));
    TRY(find_buffers(graph, reading->path, reading->document, buffer_of, error));
    plan_inplace_declare(graph, buffer_of, reading->placement);
    return STATUS_OK;
}

static enum status take_plan(struct reading *reading, struct error *error)
{
    const struct problem *problem = reading->buffers.problem;
    if (reading->document)
        return take_document(reading, error);
    if (reading->offset)
        return offline_file_take(&reading->buffers, reading->offset, reading->plan, error);
    return file_name_has_extension(reading->form, ".sol")
               ? mip_solution_read(&reading->text, reading->path, problem, reading->plan, error)
               : problem_csv_read_plan(&reading->text, reading->path, problem, reading->plan,
                                       error);
}

static enum status read_plan(struct reading *reading, const struct inplace_choice *choice,
                             struct error *error)
{
    bool packed = strcmp(reading->form, reading->path) != 0;
    TRY(packed ? gzip_read_file(reading->path, &reading->text, error)
               : text_read_file(reading->path, &reading->text, error));
    if (file_name_has_extension(reading->form, ".csv"))
        TRY(problem_csv_read_ids(&reading->text, reading->path, &reading->ids, error));
    else if (file_name_has_extension(reading->form, ".json"))
        TRY(plan_json_read(&reading->text, reading->path, &reading->document, error));
    else if (offline_file_is(reading->form))
        TRY(offline_file_read(reading->instance, &reading->text, reading->path, &reading->offset,
                              error));
    if (reading->document)
        TRY(check_digest(reading, error));
    if (reading->instance->graph)
        TRY(create_placement(reading, choice, error));
    TRY(plan_buffers_create(reading->instance, reading->placement, &reading->buffers, error));
    TRY(plan_create(reading->buffers.problem, &reading->plan, error));
    TRY(take_plan(reading, error));
    return reading->placement ? plan_buffers_to_placement(&reading->buffers, reading->plan,
                                                          reading->placement, error)
                              : STATUS_OK;
}

/* The caller frees *form. */
static enum status find_form(const char *path, char **form, struct error *error)
{
    *form = memory_copy_text(path);
    if (!*form)
        return error_no_memory(error);
    if (file_name_has_extension(path, packed_extension))
        (*form)[strlen(path) - strlen(packed_extension)] = '\0';
    if (file_name_has_extension(*form, ".csv") || file_name_has_extension(*form, ".json") ||
        file_name_has_extension(*form, ".sol") || offline_file_is(*form))
        return STATUS_OK;
    return error_set(error, STATUS_USAGE,
                     "plan file '%s', expected .csv, .json, .sol, .bin or .tflite, maybe with .gz "
                     "behind",
                     path);
}

enum status plan_file_read(const struct instance *instance, const char *path,
                           const struct inplace_choice *choice, struct plan_file *file,
                           struct error *error)
{
    struct reading reading = {.instance = instance, .path = path};
    *file = (struct plan_file){.plan = NULL};
    enum status status = find_form(path, &reading.form, error);
    if (!status)
        status = read_plan(&reading, choice, error);
    plan_buffers_clear(&reading.buffers);
    plan_document_free(reading.document);
    names_free(&reading.ids);
    memory_free(reading.offset);
    text_free(&reading.text);
    memory_free(reading.form);
    if (!status && reading.placement)
        file->placement = reading.placement;
    else
        placement_free(reading.placement);
    if (!status && !instance->graph)
        file->plan = reading.plan;
    else
        plan_free(reading.plan);
    return status;
}
