/* The command dma: how long a graph takes when weights are transferred while it computes, and the
   memory of their buffers. */

#include "cli/arguments/command.h"
#include "cli/arguments/select.h"
#include "cli/dma/figures.h"
#include "cli/dma/report.h"
#include "cli/dma/timeline.h"
#include "core/file.h"
#include "core/text.h"
#include "dma/program/paths.h"
#include "dma/program/pieces.h"
#include "harness/files/hardware_file.h"
#include "harness/transfers/trace.h"
#include "plots/render.h"

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
