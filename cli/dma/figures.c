#include "cli/dma/figures.h"

#include "core/memory.h"
#include "dma/program/paths.h"
#include "dma/timing/timeline.h"
#include "plots/script/gantt.h"
#include "results/store/reconstructions.h"

enum { MOST_PANELS = 4, MOST_BARS = 5000 };

static enum gantt_kind get_kind(const struct transfer_instruction *instruction)
{
    if (instruction->action == TRANSFER_START)
        return instruction->buffer % 2 ? GANTT_OTHER_TRANSFER : GANTT_TRANSFER;
    return instruction->action == TRANSFER_COMPUTE ? GANTT_COMPUTE : GANTT_WAIT;
}

static enum status fill_panel(const struct transfer_run *run, const struct transfer_path *path,
                              struct gantt_panel *panel, struct error *error)
{
    SCOPED(transfer_timeline_clear) struct transfer_timeline timeline = {0};
    TRY(transfer_timeline_fill(run->program, run->costs, path->chosen, &timeline, error));
    const struct graph *graph = run->regions->graph;
    struct gantt_bar *bar;
    if (timeline.count > MOST_BARS)
        return error_set(error, STATUS_LIMIT,
                         "%u events, a chart shows at most %d; try .trace.json", timeline.count,
                         MOST_BARS);
    TRY(memory_create(&bar, timeline.count, sizeof *bar, error));
    for (uint32_t i = 0; i < timeline.count; i++) {
        const struct timeline_event *event = &timeline.event[i];
        uint32_t o = event->instruction.op;
        bar[i] = (struct gantt_bar){graph_label(graph, graph->op[o].name), event->begin_ns,
                                    event->end_ns, get_kind(&event->instruction)};
    }
    *panel = (struct gantt_panel){run->mode->name, bar, timeline.count, timeline.total_ns};
    return STATUS_OK;
}

static void write_subtitle(const struct instance *instance, const struct transfer_run *run,
                           const char *path, struct text *subtitle)
{
    text_append(subtitle, "instance %s%s, hardware %s%s%s", instance->name,
                instance->is_reconstruction ? RECONSTRUCTIONS_LABEL : "",
                run->costs->hardware->name, path && *path ? ", path " : "", path ? path : "");
}

static void clear_panels(struct gantt_panel (*panel)[MOST_PANELS])
{
    for (int i = 0; i < MOST_PANELS; i++)
        memory_free((void *)(*panel)[i].bar);
}

enum status dma_figures_gantt(const struct dma_figure *figure, const struct transfer_run *run,
                              unsigned runs, struct text *script, struct error *error)
{
    SCOPED(clear_panels) struct gantt_panel panel[MOST_PANELS] = {0};
    SCOPED(transfer_path_clear) struct transfer_path path = {0};
    SCOPED(text_free) struct text subtitle = {0};
    TRY(transfer_paths_likeliest(run->regions, &path, error));
    for (unsigned i = 0; i < runs; i++)
        TRY(fill_panel(&run[i], &path, &panel[i], error));
    write_subtitle(figure->instance, run, path.name.bytes, &subtitle);
    TRY(text_check(&subtitle, error));
    gantt_write(&(struct gantt_head){figure->name, "Transfers and computing", subtitle.bytes},
                panel, runs, script);
    return text_check(script, error);
}

static void map_region(const struct transfer_regions *regions, uint32_t r,
                       struct region_map_bar *bar, struct region_map_region *mapped)
{
    const struct graph *graph = regions->graph;
    const struct transfer_region *region = &regions->region[r];
    const struct graph_region *around = &graph->region[region->graph_region];
    *mapped = (struct region_map_region){
        around->owner == GRAPH_NONE ? "" : graph_label(graph, around->name), region->weighted.first,
        region->weighted.count, transfer_regions_depth(regions, r)};
    for (uint32_t i = 0; i < region->weighted.count; i++) {
        uint32_t o = transfer_regions_weighted(regions, r, i);
        bar[region->weighted.first + i] = (struct region_map_bar){
            graph_label(graph, graph->op[o].name), regions->weight_bytes[o], i % 2};
    }
}

enum status dma_figures_regions(const struct dma_figure *figure, const struct transfer_run *run,
                                struct text *script, struct error *error)
{
    const struct transfer_regions *regions = run->regions;
    SCOPED(memory_release) struct region_map_bar *bar = NULL;
    SCOPED(memory_release) struct region_map_region *mapped = NULL;
    SCOPED(text_free) struct text subtitle = {0};
    uint32_t count = 0;
    TRY(memory_create(&bar, regions->weighted_count, sizeof *bar, error));
    TRY(memory_create(&mapped, regions->count, sizeof *mapped, error));
    for (uint32_t r = 0; r < regions->count; r++)
        if (regions->region[r].weighted.count)
            map_region(regions, r, bar, &mapped[count++]);
    write_subtitle(figure->instance, run, NULL, &subtitle);
    TRY(text_check(&subtitle, error));
    region_map_write(
        &(struct gantt_head){figure->name, "Regions and their buffers", subtitle.bytes},
        &(struct region_map){bar, regions->weighted_count, mapped, count}, script);
    return text_check(script, error);
}
