#include "cli/dma/dma_report.h"

#include <inttypes.h>
#include <stdio.h>

#include "cli/dma/dma_execute.h"
#include "cli/dma/dma_planned.h"
#include "cli/output/json.h"
#include "core/text.h"
#include "dma/program/paths.h"
#include "dma/timing/bound.h"
#include "results/published/published.h"

enum { MOST_PATHS = 64 };

static json_t *make_path(const struct transfer_path *path, const struct transfer_times *times,
                         const struct transfer_times *bound)
{
    return json_pack("{ss sf sI sI}", "path", path->name.bytes ? path->name.bytes : "",
                     "probability", path->probability, "total_ns", (json_int_t)times->worst_ns,
                     "bound_ns", (json_int_t)bound->worst_ns);
}

static enum status add_paths(const struct transfer_run *run, const struct transfer_paths *paths,
                             struct transfer_path *path, json_t *list, struct error *error)
{
    struct transfer_times times, bound;
    for (uint64_t i = 0; i < paths->count; i++) {
        TRY(transfer_paths_get(paths, i, path, error));
        TRY(transfer_times_compose(run->region_times, path->chosen, &times, error));
        TRY(transfer_bound_find(run->regions, run->costs, path->chosen, &bound, error));
        json_array_append_new(list, make_path(path, &times, &bound));
    }
    return STATUS_OK;
}

/* Of more paths than are worth a list only the number is said. */
static enum status list_paths(const struct transfer_run *run, json_t *facts, struct error *error)
{
    struct transfer_paths paths;
    struct transfer_path path = {0};
    json_t *list = json_array();
    enum status status = transfer_paths_create(&paths, run->regions, error);
    if (!status && paths.count <= MOST_PATHS)
        status = add_paths(run, &paths, &path, list, error);
    if (!status && paths.count <= INT64_MAX)
        json_object_set_new(facts, "path_count", json_integer((json_int_t)paths.count));
    transfer_path_clear(&path);
    transfer_paths_clear(&paths);
    json_object_set_new(facts, "paths", list);
    return status;
}

static json_t *list_buffers(const struct transfer_program *program)
{
    json_t *list = json_array();
    for (uint32_t b = 0; b < program->buffers; b++)
        json_array_append_new(list, json_integer((json_int_t)program->buffer_bytes[b]));
    return list;
}

static enum status make_facts(const struct dma_session *session, json_t **facts,
                              struct error *error)
{
    const struct transfer_run *run = &session->run;
    *facts = json_pack(
        "{ss ss ss sI sI sI sI sI sI sI sI sI sI so}", "name", session->instance->name, "hardware",
        session->hardware.name, "mode", run->mode->name, "total_ns",
        (json_int_t)run->times.expected_ns, "worst_ns", (json_int_t)run->times.worst_ns, "bound_ns",
        (json_int_t)run->bound.expected_ns, "worst_bound_ns", (json_int_t)run->bound.worst_ns,
        "transfer_regions", (json_int_t)run->regions->weighted_regions, "weight_bytes",
        (json_int_t)run->regions->total_bytes, "alloc0_bytes",
        (json_int_t)run->regions->alloc_bytes[0], "alloc1_bytes",
        (json_int_t)run->regions->alloc_bytes[1], "arena_bytes", (json_int_t)session->arena_bytes,
        "on_chip_bytes", (json_int_t)session->on_chip_bytes, "buffer_bytes",
        list_buffers(run->program));
    if (!*facts)
        return error_set(error, STATUS_INTERNAL,
                         "cannot make JSON: no memory, or text is no UTF-8");
    if (session->hardware.on_chip_bytes)
        json_object_set_new(
            *facts, "fits",
            json_boolean(session->on_chip_bytes <= session->hardware.on_chip_bytes));
    if (published_is_reconstruction(session->instance->name))
        json_object_set_new(*facts, "reconstruction", json_true());
    if (session->front)
        dma_planned_add(session->front, *facts);
    return list_paths(run, *facts, error);
}

static enum status add_instructions(const struct transfer_run *run, json_t *facts,
                                    struct error *error)
{
    const struct transfer_program *program = run->program;
    const struct graph *graph = run->regions->graph;
    json_t *list = json_array();
    for (uint32_t r = 0; r < run->regions->count; r++)
        for (uint32_t i = program->first[r]; i < program->first[r + 1]; i++) {
            const struct transfer_instruction *instruction = &program->instruction[i];
            json_t *made = json_pack("{si ss ss}", "region", (int)r, "action",
                                     transfer_action_name(instruction->action), "operator",
                                     graph_label(graph, graph->op[instruction->op].name));
            if (made && run->regions->weight_bytes[instruction->op])
                json_object_set_new(made, "buffer", json_integer(instruction->buffer));
            json_array_append_new(list, made);
        }
    return json_object_set_new(facts, "instructions", list) ? error_no_memory(error) : STATUS_OK;
}

static double get_ms(const json_t *facts, const char *key)
{
    return (double)json_integer_value(json_object_get(facts, key)) / 1e6;
}

static long long get_bytes(const json_t *facts, const char *key)
{
    return (long long)json_integer_value(json_object_get(facts, key));
}

static void print_paths(const json_t *facts)
{
    const json_t *paths = json_object_get(facts, "paths");
    if (json_array_size(paths) < 2)
        return;
    printf("\n%12s %16s %16s  path\n", "probability", "total ms", "bound ms");
    for (size_t i = 0; i < json_array_size(paths); i++) {
        const json_t *path = json_array_get(paths, i);
        printf("%12.4f %16.6f %16.6f  %s\n", json_real_value(json_object_get(path, "probability")),
               get_ms(path, "total_ns"), get_ms(path, "bound_ns"),
               json_string_value(json_object_get(path, "path")));
    }
}

static void print_facts(const struct dma_session *session, const json_t *facts)
{
    const struct transfer_run *run = &session->run;
    bool known = json_object_get(facts, "path_count") != NULL;
    printf("instance     %s%s\nhardware     %s\nmode         %s\n", session->instance->name,
           json_object_get(facts, "reconstruction") ? " (a reconstruction)" : "",
           session->hardware.name, run->mode->name);
    printf("total        %.6f ms, expected over ", get_ms(facts, "total_ns"));
    if (known)
        printf("%lld path%s\n", get_bytes(facts, "path_count"),
               get_bytes(facts, "path_count") == 1 ? "" : "s");
    else
        printf("2^63 paths or more\n");
    printf("worst        %.6f ms\nbound        %.6f ms, worst %.6f ms\n", get_ms(facts, "worst_ns"),
           get_ms(facts, "bound_ns"), get_ms(facts, "worst_bound_ns"));
    printf("weights      %lld bytes in %lld regions\nalloc0       %lld bytes\n"
           "alloc1       %lld bytes\n",
           get_bytes(facts, "weight_bytes"), get_bytes(facts, "transfer_regions"),
           get_bytes(facts, "alloc0_bytes"), get_bytes(facts, "alloc1_bytes"));
    if (run->mode->in_arena)
        printf("buffers      in the arena\n");
    else
        printf("buffers      %" PRIu64 " bytes in %" PRIu32 "\n", run->buffer_bytes,
               run->program->buffers);
    printf("arena        %" PRIu64 " bytes\n", session->arena_bytes);
    printf("on chip      %" PRIu64 " bytes", session->on_chip_bytes);
    if (session->hardware.on_chip_bytes)
        printf(" of %" PRIu64 "%s", session->hardware.on_chip_bytes,
               session->on_chip_bytes > session->hardware.on_chip_bytes ? ", do not fit" : "");
    printf("\n");
    print_paths(facts);
}

static enum status print_program(const struct transfer_program *program, struct error *error)
{
    struct text text = {0};
    transfer_program_print(program, &text);
    enum status status = text_check(&text, error);
    if (!status)
        printf("\n%s", text.bytes ? text.bytes : "");
    text_free(&text);
    return status;
}

enum status dma_report_print(const struct dma_session *session, struct error *error)
{
    json_t *facts = NULL;
    enum status status = make_facts(session, &facts, error);
    if (!status && session->arguments->execute)
        status = dma_execute_add(&session->run, facts, error);
    if (!status && session->arguments->json && session->arguments->instructions)
        status = add_instructions(&session->run, facts, error);
    if (!status && session->arguments->json)
        return json_print(facts, error);
    if (!status)
        print_facts(session, facts);
    if (!status && session->arguments->execute)
        dma_execute_print(facts);
    json_decref(facts);
    if (!status && session->front)
        dma_planned_print(session->front);
    if (!status && session->arguments->instructions)
        status = print_program(session->run.program, error);
    return status;
}
