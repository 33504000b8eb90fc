#include "cli/reproduce/common/counted.h"

#include "planning/graph/dtype.h"

struct counted counted_graph(const struct graph *graph)
{
    struct counted counted = {0};
    for (uint32_t t = 0; t < graph->tensors; t++)
        if (!graph->tensor[t].external && graph->tensor[t].producer != GRAPH_NONE) {
            counted.intermediate++;
            counted.intermediate_bytes += graph->tensor[t].bytes;
        }
    for (uint32_t w = 0; w < graph->weights; w++) {
        counted.weight_bytes += graph->weight[w].bytes;
        counted.parameters += graph->weight[w].bytes * 8 / graph_dtype_bits(graph->weight[w].dtype);
    }
    return counted;
}
