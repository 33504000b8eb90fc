#include "api/graph.h"

#include <string.h>

#include "api/answer.h"
#include "datasets/memplan_json/graph.h"

static enum status read_graph(const struct memplan_graph *given, struct graph **graph,
                              struct error *error)
{
    SCOPED(text_free) struct text text = {0};
    struct error found = ERROR_NONE;
    TRY(api_read_json(given->json, given->json_bytes, &text, error));
    return graph_json_read(&text, "json", graph, &found) ? api_refuse_json(&found, error)
                                                         : STATUS_OK;
}

enum status api_graph_create(const struct memplan_graph *given, struct api_graph *graph,
                             struct error *error)
{
    *graph = (struct api_graph){.name = "graph"};
    graph->instance.name = graph->instance.path = graph->name;
    TRY(read_graph(given, &graph->instance.graph, error));
    const struct graph *read = graph->instance.graph;
    const char *policy = given->policy             ? given->policy
                         : graph_has_streams(read) ? "streams"
                                                   : "flat";
    const char *inplace = given->inplace ? given->inplace : "none";
    if (given->tensors != read->tensors)
        return error_set(error, STATUS_BAD_INPUT, "found %u tensors, expected the %u of the graph",
                         given->tensors, read->tensors);
    if (given->flags & ~(uint32_t)MEMPLAN_PIN_IO)
        return error_set(error, STATUS_BAD_INPUT, "found flags %u, expected those of the header",
                         given->flags);
    graph->job = (struct job){.instance = &graph->instance,
                              .policy = policy_find(policy),
                              .inplace = {inplace_find(inplace), given->disable_inplace},
                              .pin_io = given->flags & MEMPLAN_PIN_IO,
                              .alignment_bytes = given->alignment_bytes,
                              .capacity_bytes = given->capacity_bytes,
                              .time_limit_ns = given->time_limit_ns,
                              .threads = given->threads,
                              .seed = given->seed};
    if (!graph->job.policy)
        return policy_refuse(policy, strlen(policy), error);
    return graph->job.inplace.rules ? STATUS_OK : inplace_refuse(inplace, strlen(inplace), error);
}

void api_graph_clear(struct api_graph *graph)
{
    graph_free(graph->instance.graph);
}
