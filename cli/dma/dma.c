/* The command dma: how long a graph takes when weights are transferred while it computes, and the
   memory of their buffers. */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/arguments/command.h"
#include "cli/arguments/select.h"
#include "cli/dma/figures.h"
#include "cli/dma/timeline.h"
#include "cli/output/json.h"
#include "cli/output/print.h"
#include "core/file.h"
#include "core/plural.h"
#include "core/text.h"
#include "dma/measured/calibration.h"
#include "dma/measured/measured.h"
#include "dma/program/paths.h"
#include "dma/program/pieces.h"
#include "dma/run.h"
#include "dma/timing/bound.h"
#include "harness/files/hardware_file.h"
#include "harness/transfers/session.h"
#include "harness/transfers/trace.h"
#include "plots/render.h"
#include "results/store/reconstructions.h"

/* These modes are always run, beside the mode that the user asks for. */
static const char *const always[] = {"sync", "pingpong"};

/* Runs a program on this machine along a path, and adds its times. */
static enum status execute_program(const struct transfer_program *program,
                                   const struct measured_model *model, const uint32_t *chosen,
                                   const char *mode, struct json_tree *facts, struct error *error)
{
    struct measured_times times;
    TRY(measured_run(program, model, chosen, &times, error));
    double modelled_ns = times.modelled_ns ? (double)times.modelled_ns : 1;
    json_build_open(facts, NULL, JSON_OBJECT);
    json_build_text(facts, "mode", mode);
    json_build_count(facts, "modelled_ns", times.modelled_ns);
    json_build_count(facts, "median_ns", times.median_ns);
    json_build_count(facts, "least_ns", times.least_ns);
    json_build_count(facts, "most_ns", times.most_ns);
    json_build_count(facts, "runs", times.runs);
    json_build_real(facts, "error_percent",
                    100 * ((double)times.median_ns - modelled_ns) / modelled_ns);
    json_build_close(facts);
    return STATUS_OK;
}

/* Runs the graph along its likeliest path on this machine, under sync, pingpong and the run's own
   mode, and adds "execution" to the outermost object: what was calibrated, and measured beside
   modelled times. */
static enum status add_execution(const struct transfer_run *run, struct json_tree *facts,
                                 struct error *error)
{
    SCOPED(measured_model_clear) struct measured_model model = {0};
    TRY(measured_model_create(run->regions, run->costs, &model, error));
    SCOPED(transfer_path_clear) struct transfer_path path = {0};
    TRY(transfer_paths_likeliest(run->regions, &path, error));
    json_build_open(facts, "execution", JSON_OBJECT);
    json_build_text(facts, "path", path.name.bytes ? path.name.bytes : "");
    json_build_count(facts, "copy_bytes_per_second", model.calibration.copy_bytes_per_second);
    json_build_count(facts, "copy_start_ns", model.calibration.copy_start_ns);
    json_build_real(facts, "round_ns", model.calibration.round_ns);
    json_build_real(facts, "contention", model.calibration.contention);
    json_build_real(facts, "scale", model.scale);
    json_build_open(facts, "modes", JSON_ARRAY);
    bool done = false;
    for (size_t i = 0; i < sizeof always / sizeof *always; i++) {
        const struct transfer_task task = {run->regions, &model.costs, 0};
        const struct transfer_mode *mode;
        SCOPED(transfer_program_release) struct transfer_program *program = NULL;
        TRY(transfer_modes_find(always[i], &mode, error));
        TRY(transfer_modes_build(mode, &task, &program, error));
        TRY(execute_program(program, &model, path.chosen, always[i], facts, error));
        done |= strcmp(always[i], run->mode->name) == 0;
    }
    if (!done)
        TRY(execute_program(run->program, &model, path.chosen, run->mode->name, facts, error));
    json_build_close(facts);
    json_build_close(facts);
    return STATUS_OK;
}

static double get_ms(const struct json_tree *facts, const struct json_value *object,
                     const char *key)
{
    return (double)json_get_integer(facts, object, key) / 1e6;
}

static void print_execution(const struct json_tree *facts)
{
    const struct json_value *execution = json_tree_find(facts, json_tree_root(facts), "execution");
    const struct json_value *modes = json_tree_find(facts, execution, "modes");
    const char *path = json_get_text(facts, execution, "path");
    print_lines(
        "\nthis machine %.2f GB/s and %.0f ns for a copy, %.1f ns for a round of arithmetic\n"
        "             (%.0f %% more while copying), %.4g ns for each of computing there%s%s\n",
        (double)json_get_integer(facts, execution, "copy_bytes_per_second") / 1e9,
        (double)json_get_integer(facts, execution, "copy_start_ns"),
        json_get_real(facts, execution, "round_ns"),
        100 * json_get_real(facts, execution, "contention"),
        json_get_real(facts, execution, "scale"), *path ? ", path " : "", path);
    printf("\n%-12s %12s %12s %12s %12s %8s\n", "mode", "modelled ms", "median ms", "least ms",
           "most ms", "error %");
    for (const struct json_value *mode = json_tree_first(modes); mode;
         mode = json_tree_next(modes, mode))
        printf("%-12s %12.3f %12.3f %12.3f %12.3f %+8.1f\n", json_get_text(facts, mode, "mode"),
               get_ms(facts, mode, "modelled_ns"), get_ms(facts, mode, "median_ns"),
               get_ms(facts, mode, "least_ns"), get_ms(facts, mode, "most_ns"),
               json_get_real(facts, mode, "error_percent"));
}

enum { MOST_PATHS = 64 };

/* Adds the paths; where there are too many to list, only their number. */
static enum status add_paths(const struct transfer_run *run, struct json_tree *facts,
                             struct error *error)
{
    SCOPED(transfer_paths_clear) struct transfer_paths paths = {0};
    SCOPED(transfer_path_clear) struct transfer_path path = {0};
    TRY(transfer_paths_create(&paths, run->regions, error));
    if (paths.count <= INT64_MAX)
        json_build_count(facts, "path_count", paths.count);
    json_build_open(facts, "paths", JSON_ARRAY);
    for (uint64_t i = 0; i < paths.count && paths.count <= MOST_PATHS; i++) {
        struct transfer_times times, bound;
        TRY(transfer_paths_get(&paths, i, &path, error));
        TRY(transfer_times_compose(run->region_times, path.chosen, &times, error));
        TRY(transfer_bound_find(run->regions, run->costs, path.chosen, &bound, error));
        json_build_open(facts, NULL, JSON_OBJECT);
        json_build_text(facts, "path", path.name.bytes ? path.name.bytes : "");
        json_build_real(facts, "probability", path.probability);
        json_build_count(facts, "total_ns", times.worst_ns);
        json_build_count(facts, "bound_ns", bound.worst_ns);
        json_build_close(facts);
    }
    json_build_close(facts);
    return STATUS_OK;
}

static void add_sizes(const struct transfer_request *request,
                      const struct transfer_session *session, struct json_tree *facts)
{
    const struct transfer_regions *regions = session->run.regions;
    json_build_count(facts, "transfer_regions", regions->weighted_regions);
    json_build_count(facts, "weight_bytes", regions->total_bytes);
    json_build_count(facts, "alloc0_bytes", regions->alloc_bytes[0]);
    json_build_count(facts, "alloc1_bytes", regions->alloc_bytes[1]);
    json_build_count(facts, "arena_bytes", session->arena_bytes);
    json_build_count(facts, "on_chip_bytes", session->on_chip_bytes);
    json_build_open(facts, "buffer_bytes", JSON_ARRAY);
    for (uint32_t b = 0; b < session->run.program->buffers; b++)
        json_build_count(facts, NULL, session->run.program->buffer_bytes[b]);
    json_build_close(facts);
    if (request->setting.hardware->on_chip_bytes)
        json_build_boolean(facts, "fits",
                           session->on_chip_bytes <= request->setting.hardware->on_chip_bytes);
}

static void add_instructions(const struct transfer_run *run, struct json_tree *facts)
{
    const struct transfer_program *program = run->program;
    const struct graph *graph = run->regions->graph;
    json_build_open(facts, "instructions", JSON_ARRAY);
    for (uint32_t r = 0; r < run->regions->count; r++)
        for (uint32_t i = program->first[r]; i < program->first[r + 1]; i++) {
            const struct transfer_instruction *instruction = &program->instruction[i];
            json_build_open(facts, NULL, JSON_OBJECT);
            json_build_count(facts, "region", r);
            json_build_text(facts, "action", transfer_action_name(instruction->action));
            json_build_text(facts, "operator", graph_label(graph, graph->op[instruction->op].name));
            if (run->regions->weight_bytes[instruction->op])
                json_build_count(facts, "buffer", instruction->buffer);
            json_build_close(facts);
        }
    json_build_close(facts);
}

static void add_front(const struct planned_front *front, struct json_tree *facts)
{
    json_build_open(facts, "front", JSON_ARRAY);
    for (uint32_t i = 0; i < front->count; i++) {
        const struct planned_point *point = &front->point[i];
        json_build_open(facts, NULL, JSON_OBJECT);
        json_build_count(facts, "total_ns", point->times.expected_ns);
        json_build_count(facts, "worst_ns", point->times.worst_ns);
        json_build_count(facts, "on_chip_bytes", point->on_chip_bytes);
        json_build_count(facts, "load_bytes", point->load_bytes);
        json_build_close(facts);
    }
    json_build_close(facts);
    json_build_boolean(facts, "complete", front->complete);
    json_build_boolean(facts, "cut_short", front->cut_short);
}

static enum status add_facts(const struct arguments *arguments,
                             const struct transfer_request *request,
                             const struct transfer_session *session, struct json_tree *facts,
                             struct error *error)
{
    const struct transfer_run *run = &session->run;
    json_build_text(facts, "name", request->instance->name);
    json_build_text(facts, "hardware", request->setting.hardware->name);
    json_build_text(facts, "mode", run->mode->name);
    if (arguments->piece_bytes)
        json_build_count(facts, "piece_bytes", arguments->piece_bytes);
    json_build_count(facts, "total_ns", run->times.expected_ns);
    json_build_count(facts, "worst_ns", run->times.worst_ns);
    json_build_count(facts, "bound_ns", run->bound.expected_ns);
    json_build_count(facts, "worst_bound_ns", run->bound.worst_ns);
    add_sizes(request, session, facts);
    json_build_boolean(facts, "reconstruction", request->instance->is_reconstruction);
    if (session->front)
        add_front(session->front, facts);
    TRY(add_paths(run, facts, error));
    if (arguments->execute)
        TRY(add_execution(run, facts, error));
    if (arguments->json && arguments->instructions)
        add_instructions(run, facts);
    return STATUS_OK;
}

static void print_facts(const struct transfer_request *request,
                        const struct transfer_session *session, const struct json_tree *facts)
{
    const struct transfer_run *run = &session->run;
    const struct json_value *root = json_tree_root(facts);
    bool known = json_tree_find(facts, root, "path_count") != NULL;
    print_lines("instance     %s%s\nhardware     %s\nmode         %s\n", request->instance->name,
                request->instance->is_reconstruction ? RECONSTRUCTIONS_LABEL : "",
                request->setting.hardware->name, run->mode->name);
    printf("total        %.6f ms, expected over ", get_ms(facts, root, "total_ns"));
    if (known)
        printf("%lld path%s\n", json_get_integer(facts, root, "path_count"),
               plural_ending((uint64_t)json_get_integer(facts, root, "path_count")));
    else
        printf("2^63 paths or more\n");
    printf("worst        %.6f ms\nbound        %.6f ms, worst %.6f ms\n",
           get_ms(facts, root, "worst_ns"), get_ms(facts, root, "bound_ns"),
           get_ms(facts, root, "worst_bound_ns"));
    printf("weights      %lld bytes in %lld regions\nalloc0       %lld bytes\n"
           "alloc1       %lld bytes\n",
           json_get_integer(facts, root, "weight_bytes"),
           json_get_integer(facts, root, "transfer_regions"),
           json_get_integer(facts, root, "alloc0_bytes"),
           json_get_integer(facts, root, "alloc1_bytes"));
    if (run->mode->in_arena)
        printf("buffers      in the arena\n");
    else
        printf("buffers      %" PRIu64 " bytes in %" PRIu32 "\n", run->buffer_bytes,
               run->program->buffers);
    printf("arena        %" PRIu64 " bytes\n", session->arena_bytes);
    printf("on chip      %" PRIu64 " bytes", session->on_chip_bytes);
    if (request->setting.hardware->on_chip_bytes)
        printf(" of %" PRIu64 "%s", request->setting.hardware->on_chip_bytes,
               session->on_chip_bytes > request->setting.hardware->on_chip_bytes ? ", do not fit"
                                                                                 : "");
    printf("\n");
    const struct json_value *paths = json_tree_find(facts, json_tree_root(facts), "paths");
    if (json_tree_count(paths) < 2)
        return;
    printf("\n%12s %16s %16s  path\n", "probability", "total ms", "bound ms");
    for (const struct json_value *path = json_tree_first(paths); path;
         path = json_tree_next(paths, path))
        print_lines("%12.4f %16.6f %16.6f  %s\n", json_get_real(facts, path, "probability"),
                    get_ms(facts, path, "total_ns"), get_ms(facts, path, "bound_ns"),
                    json_get_text(facts, path, "path"));
}

/* Prints the results of memplan dma as text or JSON. Where the arguments ask for them, it adds the
   instructions and times measured on this machine. */
static enum status dma_report_print(const struct arguments *arguments,
                                    const struct transfer_request *request,
                                    const struct transfer_session *session, struct error *error)
{
    SCOPED(json_tree_free) struct json_tree facts = {0};
    json_open_facts(&facts, "dma");
    TRY(add_facts(arguments, request, session, &facts, error));
    json_build_close(&facts);
    if (arguments->json)
        return json_print(&facts, error);
    TRY(json_build_check(&facts, error));
    print_facts(request, session, &facts);
    if (arguments->execute)
        print_execution(&facts);
    const struct planned_front *front = session->front;
    if (front)
        printf("\n%14s %14s  front%s\n", "total ms", "on chip bytes",
               front->cut_short  ? " (cut short by the time limit)"
               : front->complete ? " (of all schedules)"
                                 : "");
    for (uint32_t i = 0; front && i < front->count; i++)
        printf("%14.6f %14" PRIu64 "\n", (double)front->point[i].times.expected_ns / 1e6,
               front->point[i].on_chip_bytes);
    if (!arguments->instructions)
        return STATUS_OK;
    SCOPED(text_free) struct text text = {0};
    transfer_program_print(session->run.program, &text);
    TRY(text_check(&text, error));
    printf("\n%s", text.bytes ? text.bytes : "");
    return STATUS_OK;
}

static bool is_script(const char *path)
{
    return file_name_has_extension(path, ".gp");
}

static bool is_trace(const char *path)
{
    return file_name_has_extension(path, ".trace.json");
}

/* The timeline along the likeliest path: for Perfetto, or as a Gantt chart. */
static enum status write_output(const struct instance *instance, const struct transfer_run *run,
                                const char *path, struct error *error)
{
    SCOPED(text_free) struct text text = {0};
    SCOPED(transfer_path_clear) struct transfer_path likeliest = {0};
    SCOPED(transfer_timeline_clear) struct transfer_timeline timeline = {0};
    if (!path)
        return STATUS_OK;
    if (is_trace(path)) {
        TRY(transfer_paths_likeliest(run->regions, &likeliest, error));
        TRY(transfer_timeline_fill(run->program, run->costs, likeliest.chosen, &timeline, error));
        TRY(transfer_trace_write(run->regions->graph, &timeline, &text, error));
    } else {
        TRY(dma_figures_gantt(&(struct dma_figure){instance, "gantt"}, run, 1, &text, error));
    }
    return is_trace(path) || is_script(path) ? text_write_file(path, &text, error)
                                             : plot_render(text.bytes, path, error);
}

static enum status run_instance(const struct arguments *arguments, const struct instance *instance,
                                const struct planner *planner, struct error *error)
{
    SCOPED(hardware_clear) struct hardware hardware = {0};
    struct transfer_request request = {.instance = instance,
                                       .setting = {.hardware = &hardware},
                                       .planner = planner,
                                       .capacity_bytes = arguments->capacity_bytes,
                                       .time_limit_ns = arguments->time_limit_ns,
                                       .seed = arguments->seed};
    TRY(select_policy(arguments->policies, &request.policy, error));
    if (!instance->graph)
        return error_set(error, STATUS_USAGE, "'%s' is a problem, expected a graph with weights",
                         instance->name);
    SCOPED(transfer_session_clear) struct transfer_session session = {0};
    TRY(transfer_modes_find(arguments->mode, &request.setting.mode, error));
    TRY(hardware_file_load(arguments->hardware, &hardware, error));
    if (!request.setting.mode->in_arena)
        request.setting.buffers = (uint32_t)arguments->ring_buffers;
    TRY(transfer_session_fill(&request, &session, error));
    TRY(write_output(request.instance, &session.run, arguments->output, error));
    if (arguments->database) {
        SCOPED(store_release) struct store *store = NULL;
        struct record_context context;
        record_context_fill(&context, "dma");
        TRY(store_open(arguments->database, STORE_WRITE, &store, error));
        TRY(dma_timeline_store(instance, &session.run, store, &context, error));
    }
    TRY(dma_report_print(arguments, &request, &session, error));
    return transfer_session_fits(&request, &session, error);
}

static enum status run_dma(const struct arguments *arguments, struct error *error)
{
    SCOPED(instance_release) struct instance *instance = NULL;
    SCOPED(planner_release) struct planner *planner = NULL;
    SCOPED(graph_release) struct graph *pieces = NULL;
    const char *path = arguments->output;
    if (path && !is_script(path) && !is_trace(path) && !file_name_has_extension(path, ".svg") &&
        !file_name_has_extension(path, ".pdf") && !file_name_has_extension(path, ".png"))
        return error_set(error, STATUS_USAGE,
                         "output '%s', expected .trace.json, .svg, .pdf, .png or .gp", path);
    TRY(select_planner(arguments->registry,
                       arguments->planners ? arguments->planners : "large_first", &planner, error));
    TRY(select_instance(arguments, arguments->operand[0], &instance, error));
    if (!arguments->piece_bytes || !instance->graph)
        return run_instance(arguments, instance, planner, error);
    TRY(transfer_pieces(instance->graph, arguments->piece_bytes, &pieces, error));
    struct instance in_pieces = *instance;
    in_pieces.graph = pieces;
    return run_instance(arguments, &in_pieces, planner, error);
}

const struct command command_dma = {
    .name = "dma",
    .summary = "what weight transfers take beside computing, and their buffers",
    .operands = "GRAPH",
    .kind = "instances",
    .least = 1,
    .most = 1,
    .options = OPTIONS(OPTION_MODE, OPTION_HARDWARE, OPTION_BUFFERS, OPTION_PIECE, OPTION_CAPACITY,
                       OPTION_INSTRUCTIONS, OPTION_EXECUTE, OPTION_PLANNER, OPTION_POLICY,
                       OPTION_TIME_LIMIT, OPTION_SEED, OPTION_OUTPUT, OPTION_DB, OPTION_FACTS,
                       OPTION_BIND, OPTION_ASSUME_DIM, OPTION_PLUGIN, OPTION_EXTERNAL),
    .help =
        HELP({OPTION_PLANNER, "planner of the arena (default large_first)"},
             {OPTION_EXECUTE,
              "also run the program here, one thread copying weights and another computing, and "
              "print the measured times beside the modelled ones"},
             {OPTION_DB, "results database that the timeline is stored in, for the page of "
                         "memplan report"}),
    .needs_no_database = true,
    .description =
        "Times are expected over the probabilities of the branches; on chip are the arena, by the "
        "planner, and the buffers; in mode planned the arena holds both, and the fastest point "
        "within the capacity is taken. Exit code 1 where it is too small. The output is the "
        "timeline of the likeliest path: .trace.json, or a Gantt chart as .svg, .pdf, .png or "
        ".gp; memplan report shows stored ones.",
    .examples = "memplan dma luna/wake_up --mode sync\n"
                "memplan dma luna/fusion_detect --mode ring --buffers 4 --instructions\n"
                "memplan dma zoo/mobilenet_v1 --mode planned --hardware stm32h7 --capacity 8M\n"
                "memplan dma zoo/resnet50 --hardware stm32h7 --piece 1M\n"
                "memplan dma zoo/mobilenet_v1 --hardware ethos_u55 --execute\n"
                "memplan dma zoo/resnet50 --hardware ethos_u55 -o resnet50.trace.json",
    .run = run_dma,
};
