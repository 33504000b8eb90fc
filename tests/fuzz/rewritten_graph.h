#ifndef MEMPLAN_TESTS_FUZZ_REWRITTEN_GRAPH_H
#define MEMPLAN_TESTS_FUZZ_REWRITTEN_GRAPH_H

#include "datasets/memplan_json/graph.h"
#include "fuzzing.h"

/* A graph is written, read and written again as the same bytes, and freed. False where it was not
   written at all. */
static inline bool rewritten_graph_check(struct graph *graph)
{
    SCOPED(text_free) struct text first = {0};
    SCOPED(text_free) struct text second = {0};
    SCOPED(graph_release) struct graph *again = NULL;
    struct error error;
    bool written = graph_json_write(graph, &first, &error) == STATUS_OK;
    graph_free(graph);
    if (!written)
        return false;
    fuzzing_require(graph_json_read(&first, "input", &again, &error) == STATUS_OK);
    fuzzing_require(graph_json_write(again, &second, &error) == STATUS_OK);
    fuzzing_require_same(&first, &second);
    return true;
}

#endif
