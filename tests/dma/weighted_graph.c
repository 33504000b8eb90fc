#include "weighted_graph.h"
#include "planning/graph/build.h"
#include "planning/graph/dtype.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/testing.h"

static void add(struct graph *graph, size_t index, const struct weighted *weighted)
{
    struct error error = ERROR_NONE;
    uint32_t opened;
    uint8_t dtype;
    char name[32];
    snprintf(name, sizeof name, "op%zu", index);
    CU_ASSERT_EQUAL_FATAL(graph_open_operator(graph, name, "Any", &opened, &error), STATUS_OK);
    snprintf(name, sizeof name, "w%zu", index);
    CU_ASSERT_FATAL(graph_dtype_find(weighted->dtype, &dtype));
    CU_ASSERT_EQUAL_FATAL(graph_operator_weight(graph, name, dtype, weighted->bytes, &error),
                          STATUS_OK);
    graph_close_operator(graph);
}

struct graph *weighted_graph(const struct weighted *weighted, size_t count)
{
    struct graph *graph;
    struct error error = ERROR_NONE;
    CU_ASSERT_EQUAL_FATAL(graph_create(&graph, "weighted", &error), STATUS_OK);
    for (size_t i = 0; i < count; i++)
        add(graph, i, &weighted[i]);
    CU_ASSERT_EQUAL_FATAL(graph_finish(graph, NULL, 0, NULL, &error), STATUS_OK);
    return graph;
}

void weighted_write(char path[64], const void *bytes, size_t length)
{
    strcpy(path, "/tmp/memplan-weights-XXXXXX");
    int file = mkstemp(path);
    CU_ASSERT_FATAL(file >= 0);
    CU_ASSERT_FATAL(write(file, bytes, length) == (ssize_t)length);
    close(file);
}
