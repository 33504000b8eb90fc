#include "dma/program/regions.h"

#include <assert.h>

#include "core/checked.h"
#include "core/memory.h"

static enum status sum_weights(struct transfer_regions *regions, uint32_t o, struct error *error)
{
    const struct graph *graph = regions->graph;
    struct span weights = graph->op[o].weights;
    uint64_t *bytes = &regions->weight_bytes[o];
    for (uint32_t i = 0; i < weights.count; i++)
        if (!checked_add(*bytes, graph->weight[weights.first + i].bytes, bytes))
            return error_set(error, STATUS_BAD_INPUT,
                             "the weights of '%s' add up to more than 2^64 bytes",
                             graph_label(graph, graph->op[o].name));
    if (!checked_add(regions->total_bytes, *bytes, &regions->total_bytes))
        return error_set(error, STATUS_BAD_INPUT, "the weights add up to more than 2^64 bytes");
    return STATUS_OK;
}

/* Adds an empty transfer region that begins at an operator. *last is the transfer region before it
   in the same region of the graph, or GRAPH_NONE; afterwards it is the new one. */
static enum status open_region(struct transfer_regions *regions, uint32_t graph_region,
                               uint32_t begin, uint32_t *last, struct error *error)
{
    TRY(memory_reserve(&regions->region, &regions->region_capacity, (size_t)regions->count + 1,
                       sizeof *regions->region, error));
    if (*last == GRAPH_NONE)
        regions->first_of[graph_region] = regions->count;
    else
        regions->region[*last].next = regions->count;
    *last = regions->count;
    regions->region[regions->count++] =
        (struct transfer_region){.begin = begin,
                                 .end = begin,
                                 .owner = GRAPH_NONE,
                                 .next = GRAPH_NONE,
                                 .graph_region = graph_region,
                                 .weighted = {regions->weighted_count, 0}};
    return STATUS_OK;
}

/* Adds the operator to the last transfer region. */
static void add_operator(struct transfer_regions *regions, uint32_t o)
{
    struct transfer_region *region = &regions->region[regions->count - 1];
    uint64_t bytes = regions->weight_bytes[o];
    assert(region->end == o);
    region->end = o + 1;
    if (!bytes)
        return;
    uint64_t *alloc_bytes = &regions->alloc_bytes[region->weighted.count % 2];
    *alloc_bytes = bytes > *alloc_bytes ? bytes : *alloc_bytes;
    regions->weighted_regions += !region->weighted.count++;
    regions->weighted_op[regions->weighted_count++] = o;
}

static enum status cut_region(struct transfer_regions *regions, uint32_t graph_region,
                              struct error *error)
{
    const struct graph *graph = regions->graph;
    const struct graph_region *region = &graph->region[graph_region];
    uint32_t last = GRAPH_NONE;
    TRY(open_region(regions, graph_region, region->begin, &last, error));
    for (uint32_t o = region->begin; o < region->end; o = graph->op[o].end) {
        bool owns = graph->op[o].first_region != GRAPH_NONE;
        if (owns && regions->weight_bytes[o])
            TRY(open_region(regions, graph_region, o, &last, error));
        assert(last == regions->count - 1);
        add_operator(regions, o);
        if (!owns)
            continue;
        regions->region[last].owner = o;
        for (uint32_t g = graph->op[o].first_region; g != GRAPH_NONE; g = graph->region[g].next) {
            regions->before[g] = last;
            TRY(cut_region(regions, g, error));
        }
        TRY(open_region(regions, graph_region, graph->op[o].end, &last, error));
    }
    regions->last_of[graph_region] = last;
    return STATUS_OK;
}

/* Sets the probabilities of an operator's regions: branches for which the graph gives none share
   equally what the others leave of 1; the regions of a loop are certain. */
static void share_probability(struct transfer_regions *regions, uint32_t owner)
{
    const struct graph *graph = regions->graph;
    double left = 1;
    uint32_t open = 0;
    for (uint32_t r = graph->op[owner].first_region; r != GRAPH_NONE; r = graph->region[r].next) {
        open += graph->region[r].probability < 0;
        left -= graph->region[r].probability < 0 ? 0 : graph->region[r].probability;
    }
    for (uint32_t r = graph->op[owner].first_region; r != GRAPH_NONE; r = graph->region[r].next) {
        double given = graph->region[r].probability;
        double share = left > 0 && open ? left / open : 0;
        regions->probability[r] = graph->op[owner].loop ? 1 : given < 0 ? share : given;
    }
}

enum status transfer_regions_create(const struct graph *graph, struct transfer_regions **created,
                                    struct error *error)
{
    SCOPED(transfer_regions_release) struct transfer_regions *regions = NULL;
    TRY(memory_create(&regions, 1, sizeof *regions, error));
    regions->graph = graph;
    TRY(memory_create_all(graph->regions, error, &regions->first_of, &regions->last_of,
                          &regions->before, &regions->probability));
    TRY(memory_create_all(graph->operators, error, &regions->weighted_op, &regions->weight_bytes));
    for (uint32_t o = 0; o < graph->operators; o++) {
        TRY(sum_weights(regions, o, error));
        share_probability(regions, o);
    }
    regions->probability[0] = 1;
    TRY(cut_region(regions, 0, error));
    HAND_OVER(regions, created);
}

void transfer_regions_free(struct transfer_regions *regions)
{
    if (!regions)
        return;
    memory_free_all(regions->region, regions->first_of, regions->last_of, regions->before,
                    regions->probability, regions->weighted_op, regions->weight_bytes, regions);
}

uint32_t transfer_regions_weighted(const struct transfer_regions *regions, uint32_t region,
                                   uint32_t n)
{
    struct span weighted = regions->region[region].weighted;
    assert(n < weighted.count && weighted.first + weighted.count <= regions->weighted_count);
    return regions->weighted_op[weighted.first + n];
}

uint32_t transfer_regions_depth(const struct transfer_regions *regions, uint32_t region)
{
    const struct graph *graph = regions->graph;
    uint32_t depth = 0;
    for (uint32_t g = regions->region[region].graph_region; graph->region[g].owner != GRAPH_NONE;
         g = graph->op[graph->region[g].owner].region)
        depth++;
    return depth;
}
