#include "dma/transfer_regions.h"

#include "core/checked.h"
#include "core/memory.h"

struct builder {
    const struct graph *graph;
    struct transfer_regions *regions;
    uint32_t bearers;
    struct error *error;
};

static enum status sum_weights(const struct builder *builder, uint32_t operator, uint64_t * bytes)
{
    const struct graph *graph = builder->graph;
    struct span weights = graph->operator[operator].weights;
    *bytes = 0;
    for (uint32_t i = 0; i < weights.count; i++)
        if (!checked_add(*bytes, graph->weight[weights.first + i].bytes, bytes))
            return error_set(builder->error, STATUS_BAD_INPUT,
                             "the weights of '%s' add up to more than 2^64 bytes",
                             graph_label(graph, graph->operator[operator].name));
    if (!checked_add(builder->regions->weight_bytes, *bytes, &builder->regions->weight_bytes))
        return error_set(builder->error, STATUS_BAD_INPUT,
                         "the weights add up to more than 2^64 bytes");
    return STATUS_OK;
}

static enum status add_bearer(struct builder *builder, uint32_t operator)
{
    struct transfer_regions *regions = builder->regions;
    uint64_t bytes;
    TRY(sum_weights(builder, operator, & bytes));
    if (!bytes)
        return STATUS_OK;
    uint32_t turn = (builder->bearers - regions->first[regions->count]) % 2;
    if (bytes > regions->alloc_bytes[turn])
        regions->alloc_bytes[turn] = bytes;
    regions->bearer[builder->bearers] = operator;
    regions->bearer_bytes[builder->bearers++] = bytes;
    return STATUS_OK;
}

static void close_region(struct builder *builder)
{
    struct transfer_regions *regions = builder->regions;
    if (builder->bearers > regions->first[regions->count])
        regions->first[++regions->count] = builder->bearers;
}

/* A region ends before a control-flow operator and wherever execution enters or leaves one. */
static bool is_cut(const struct graph *graph, uint32_t o)
{
    if (o == 0)
        return false;
    const struct graph_operator *last = &graph->operator[o - 1], *next = &graph->operator[o];
    return next->first_region != GRAPH_NONE || last->first_region != GRAPH_NONE ||
           next->region != last->region;
}

static enum status cut_graph(struct builder *builder)
{
    for (uint32_t o = 0; o < builder->graph->operators; o++) {
        if (is_cut(builder->graph, o))
            close_region(builder);
        TRY(add_bearer(builder, o));
    }
    close_region(builder);
    return STATUS_OK;
}

enum status transfer_regions_create(const struct graph *graph, struct transfer_regions **created,
                                    struct error *error)
{
    struct builder builder = {.graph = graph, .error = error};
    struct transfer_regions *regions;
    enum status status;
    TRY(memory_create(&regions, 1, sizeof *regions, error));
    builder.regions = regions;
    TRY_OR_DONE(status, memory_create(&regions->first, (size_t)graph->operators + 2,
                                      sizeof *regions->first, error));
    TRY_OR_DONE(status,
                memory_create(&regions->bearer, graph->operators, sizeof *regions->bearer, error));
    TRY_OR_DONE(status, memory_create(&regions->bearer_bytes, graph->operators,
                                      sizeof *regions->bearer_bytes, error));
    TRY_OR_DONE(status, cut_graph(&builder));
    *created = regions;
done:
    if (status)
        transfer_regions_free(regions);
    return status;
}

void transfer_regions_free(struct transfer_regions *regions)
{
    if (!regions)
        return;
    memory_free(regions->first);
    memory_free(regions->bearer);
    memory_free(regions->bearer_bytes);
    memory_free(regions);
}
