#include "cli/dma_figures.h"

#include "core/memory.h"
#include "datasets/instance.h"
#include "dma/transfer_paths.h"
#include "dma/transfer_timeline.h"
#include "harness/hardware_file.h"
#include "plots/gantt.h"
#include "results/published.h"

enum { MOST_PANELS = 4, MOST_BARS = 5000 };

static enum gantt_kind get_kind(const struct transfer_instruction *instruction)
{
    if (instruction->action == TRANSFER_START)
        return instruction->buffer % 2 ? GANTT_OTHER_TRANSFER : GANTT_TRANSFER;
    return instruction->action == TRANSFER_COMPUTE ? GANTT_COMPUTE : GANTT_WAIT;
}

static enum status add_bars(const struct transfer_run *run,
                            const struct transfer_timeline *timeline, struct gantt_panel *panel,
                            struct error *error)
{
    const struct graph *graph = run->regions->graph;
    struct gantt_bar *bar;
    if (timeline->count > MOST_BARS)
        return error_set(error, STATUS_LIMIT,
                         "%u events, a chart shows at most %d; try .trace.json", timeline->count,
                         MOST_BARS);
    TRY(memory_create(&bar, timeline->count, sizeof *bar, error));
    for (uint32_t i = 0; i < timeline->count; i++) {
        const struct timeline_event *event = &timeline->event[i];
        uint32_t o = event->instruction.operator;
        bar[i] = (struct gantt_bar){graph_label(graph, graph->operator[o].name), event->begin_ns,
                                    event->end_ns, get_kind(&event->instruction)};
    }
    *panel = (struct gantt_panel){run->mode->name, bar, timeline->count, timeline->total_ns};
    return STATUS_OK;
}

static enum status fill_panel(const struct transfer_run *run, const struct transfer_path *path,
                              struct gantt_panel *panel, struct error *error)
{
    struct transfer_timeline timeline = {0};
    enum status status =
        transfer_timeline_fill(run->program, run->costs, path->chosen, &timeline, error);
    if (!status)
        status = add_bars(run, &timeline, panel, error);
    transfer_timeline_clear(&timeline);
    return status;
}

static void write_subtitle(const char *instance, const struct transfer_run *run, const char *path,
                           struct text *subtitle)
{
    text_append(subtitle, "instance %s%s, hardware %s%s%s", instance,
                published_is_reconstruction(instance) ? " (a reconstruction)" : "",
                run->costs->hardware->name, path && *path ? ", path " : "", path ? path : "");
}

enum status dma_figures_gantt(const char *instance, const char *name,
                              const struct transfer_run *run, unsigned runs, struct text *script,
                              struct error *error)
{
    struct gantt_panel panel[MOST_PANELS] = {0};
    struct transfer_path path = {0};
    struct text subtitle = {0};
    enum status status;
    TRY_OR_DONE(status, transfer_paths_likeliest(run->regions, &path, error));
    for (unsigned i = 0; i < runs; i++)
        TRY_OR_DONE(status, fill_panel(&run[i], &path, &panel[i], error));
    write_subtitle(instance, run, path.name.bytes, &subtitle);
    TRY_OR_DONE(status, text_check(&subtitle, error));
    gantt_write(&(struct gantt_head){name, "Transfers and computing", subtitle.bytes}, panel, runs,
                script);
    status = text_check(script, error);
done:
    for (unsigned i = 0; i < runs; i++)
        memory_free(panel[i].bar);
    transfer_path_clear(&path);
    text_free(&subtitle);
    return status;
}

static uint32_t count_depth(const struct graph *graph, uint32_t graph_region)
{
    uint32_t depth = 0;
    for (; graph->region[graph_region].owner != GRAPH_NONE; depth++)
        graph_region = graph->operator[graph->region[graph_region].owner].region;
    return depth;
}

static void map_region(const struct transfer_regions *regions, uint32_t r,
                       struct region_map_bar *bar, struct region_map_region *mapped)
{
    const struct graph *graph = regions->graph;
    const struct transfer_region *region = &regions->region[r];
    const struct graph_region *around = &graph->region[region->graph_region];
    *mapped = (struct region_map_region){
        around->owner == GRAPH_NONE ? "" : graph_label(graph, around->name), region->bearers.first,
        region->bearers.count, count_depth(graph, region->graph_region)};
    for (uint32_t i = 0; i < region->bearers.count; i++) {
        uint32_t o = regions->bearer[region->bearers.first + i];
        bar[region->bearers.first + i] = (struct region_map_bar){
            graph_label(graph, graph->operator[o].name), regions->weight_bytes[o], i % 2};
    }
}

enum status dma_figures_regions(const char *instance, const char *name,
                                const struct transfer_run *run, struct text *script,
                                struct error *error)
{
    const struct transfer_regions *regions = run->regions;
    struct region_map_bar *bar = NULL;
    struct region_map_region *mapped = NULL;
    struct text subtitle = {0};
    uint32_t count = 0;
    enum status status;
    TRY_OR_DONE(status, memory_create(&bar, regions->bearers, sizeof *bar, error));
    TRY_OR_DONE(status, memory_create(&mapped, regions->count, sizeof *mapped, error));
    for (uint32_t r = 0; r < regions->count; r++)
        if (regions->region[r].bearers.count)
            map_region(regions, r, bar, &mapped[count++]);
    write_subtitle(instance, run, NULL, &subtitle);
    TRY_OR_DONE(status, text_check(&subtitle, error));
    region_map_write(&(struct gantt_head){name, "Regions and their buffers", subtitle.bytes}, bar,
                     regions->bearers, mapped, count, script);
    status = text_check(script, error);
done:
    memory_free(bar);
    memory_free(mapped);
    text_free(&subtitle);
    return status;
}

/* Figures 3 and 4 of Wang et al. show a graph without and with branches. */
static const struct figure {
    const char *name, *title, *instance;
    bool regions;
} figures[] = {
    {"luna-dma-figure3", "Transfers inserted without branches (Wang et al., Figure 3)",
     "luna/face_align", false},
    {"luna-dma-figure4", "Transfers inserted in each region (Wang et al., Figure 4)",
     "luna/fusion_detect", false},
    {"luna-dma-regions", "Transfer regions", "luna/fusion_detect", true},
};

static enum status draw(const struct figure *figure, const struct instance *instance,
                        const struct hardware *hardware, struct text *script, struct error *error)
{
    static const char *const modes[] = {"sync", "pingpong"};
    struct transfer_run run[2] = {{0}};
    enum status status = STATUS_OK;
    for (int i = 0; i < 2 && !status; i++) {
        const struct transfer_mode *mode;
        status = transfer_modes_find(modes[i], &mode, error);
        if (!status)
            status = transfer_run_fill(instance->graph, hardware, mode, 2, &run[i], error);
    }
    if (!status)
        status = figure->regions
                     ? dma_figures_regions(instance->name, figure->name, run, script, error)
                     : dma_figures_gantt(instance->name, figure->name, run, 2, script, error);
    transfer_run_clear(&run[0]);
    transfer_run_clear(&run[1]);
    return status;
}

static enum status add_figure(const struct figure *figure, const struct hardware *hardware,
                              struct report *report, struct error *error)
{
    struct instance *instance;
    struct text script = {0};
    TRY(instance_load(figure->instance, NULL, &instance, error));
    enum status status = draw(figure, instance, hardware, &script, error);
    if (!status)
        status = report_add_figure(report, figure->name, figure->title, script.bytes, error);
    text_free(&script);
    instance_free(instance);
    return status;
}

enum status dma_figures_add(struct report *report, struct error *error)
{
    struct hardware hardware = {0};
    enum status status = hardware_file_load("luna", &hardware, error);
    for (size_t i = 0; i < sizeof figures / sizeof *figures && !status; i++)
        status = add_figure(&figures[i], &hardware, report, error);
    hardware_clear(&hardware);
    return status;
}
