#include "cli/dma/timeline.h"

#include "core/memory.h"
#include "dma/program/paths.h"
#include "dma/timing/timeline.h"
#include "results/store/timelines.h"

void dma_timeline_append_variant(const struct transfer_run *run, struct text *variant)
{
    text_append(variant, "%s %s", run->costs->hardware->name, run->mode->name);
    if (run->mode->takes_buffers)
        text_append(variant, " %u", run->program->buffers);
}

static struct timelines_event convert_event(const struct graph *graph,
                                            const struct timeline_event *event)
{
    enum transfer_action action = event->instruction.action;
    uint32_t name = graph->op[event->instruction.op].name;
    const char *kind = action == TRANSFER_COMPUTE ? "compute" : "wait";
    return (struct timelines_event){.lane = action == TRANSFER_START ? "channel" : "processor",
                                    .label = graph_label(graph, name),
                                    .kind = action == TRANSFER_START ? "transfer" : kind,
                                    .begin_ns = event->begin_ns,
                                    .end_ns = event->end_ns};
}

enum status dma_timeline_store(const struct instance *instance, const struct transfer_run *run,
                               struct store *store, const struct record_context *context,
                               struct error *error)
{
    SCOPED(transfer_path_clear) struct transfer_path path = {0};
    SCOPED(transfer_timeline_clear) struct transfer_timeline timeline = {0};
    SCOPED(text_free) struct text variant = {0};
    SCOPED(memory_release) struct timelines_event *event = NULL;
    uint32_t events = 0;
    TRY(transfer_paths_likeliest(run->regions, &path, error));
    TRY(transfer_timeline_fill(run->program, run->costs, path.chosen, &timeline, error));
    dma_timeline_append_variant(run, &variant);
    if (path.name.length)
        text_append(&variant, " %s", path.name.bytes);
    TRY(text_check(&variant, error));
    TRY(memory_create(&event, timeline.count, sizeof *event, error));
    for (uint32_t i = 0; i < timeline.count; i++)
        if (timeline.event[i].end_ns > timeline.event[i].begin_ns)
            event[events++] = convert_event(run->regions->graph, &timeline.event[i]);
    return timelines_write(store,
                           &(struct timelines_chart){.run = context->run,
                                                     .instance = instance->name,
                                                     .digest = instance->digest,
                                                     .variant = variant.bytes,
                                                     .host = context->host,
                                                     .build = context->build,
                                                     .started = context->started,
                                                     .event = event,
                                                     .events = events},
                           error);
}
