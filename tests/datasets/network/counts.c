#include "datasets/network/counts.h"

#include "planning/graph/dtype.h"
#include <string.h>

static uint64_t dtype_bits(uint8_t dtype)
{
    static const uint64_t eight = 8;
    uint64_t bytes = 0;
    graph_shape_bytes(dtype, &eight, 1, &bytes);
    return bytes;
}

/* Layers that share weights name them alike. */
static bool is_counted(const struct graph *graph, uint32_t weight)
{
    for (uint32_t w = 0; w < weight; w++)
        if (graph->weight[w].name == graph->weight[weight].name)
            return true;
    return false;
}

uint64_t network_parameters(const struct graph *graph)
{
    uint64_t parameters = 0;
    for (uint32_t w = 0; w < graph->weights; w++)
        if (!is_counted(graph, w))
            parameters += graph->weight[w].bytes * 8 / dtype_bits(graph->weight[w].dtype);
    return parameters;
}

uint64_t network_multiply_adds(const struct graph *graph)
{
    static const char *const types[] = {"Conv", "DepthwiseConv", "ConvTranspose", "Dense",
                                        "MatMul"};
    uint64_t flops = 0;
    for (uint32_t o = 0; o < graph->operators; o++)
        for (size_t i = 0; i < sizeof types / sizeof *types; i++)
            if (strcmp(graph_label(graph, graph->op[o].type), types[i]) == 0)
                flops += (uint64_t)graph->op[o].flops;
    return flops / 2;
}
