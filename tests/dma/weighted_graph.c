#include "weighted_graph.h"
#include "planning/graph/build.h"
#include "planning/graph/dtype.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/must.h"

struct graph *weighted_graph(const struct weighted *weighted, size_t count)
{
    struct graph *graph;
    must(graph_create(&graph, "weighted", &error));
    for (size_t i = 0; i < count; i++) {
        uint32_t opened;
        uint8_t dtype;
        char name[32];
        snprintf(name, sizeof name, "op%zu", i);
        must(graph_open_operator(graph, name, "Any", &opened, &error));
        snprintf(name, sizeof name, "w%zu", i);
        CU_ASSERT_FATAL(graph_dtype_find(weighted[i].dtype, &dtype));
        must(graph_operator_weight(graph, name, dtype, weighted[i].bytes, &error));
        graph_close_operator(graph);
    }
    must(graph_finish(graph, NULL, 0, NULL, &error));
    return graph;
}

static bool skip(const char **text, char mark)
{
    bool found = **text == mark;
    *text += found;
    return found;
}

static void open_operator(struct graph *graph, const char **text)
{
    char name[32], *end;
    uint32_t opened;
    size_t length = strcspn(*text, " :@*{}");
    CU_ASSERT_FATAL(length < sizeof name);
    memcpy(name, *text, length);
    name[length] = '\0';
    *text += length;
    must(graph_open_operator(graph, name, "Any", &opened, &error));
    for (; skip(text, ':'); *text = end)
        must(graph_operator_weight(graph, "w", 0, strtoull(*text, &end, 10), &error));
    if (skip(text, '@')) {
        graph->op[opened].compute_ns = strtoll(*text, &end, 10);
        *text = end;
    }
    if (skip(text, '*')) {
        graph->op[opened].loop = true;
        graph->op[opened].trip_count = strtoll(*text, &end, 10);
        *text = end;
    }
}

/* Operators and, behind each, its regions. */
static void read_operators(struct graph *graph, const char **text)
{
    for (*text += strspn(*text, " "); **text && **text != '}'; *text += strspn(*text, " ")) {
        open_operator(graph, text);
        for (;;) {
            char *end;
            *text += strspn(*text, " ");
            double probability = strtod(*text, &end);
            if (*end != '{')
                break;
            must(graph_open_region(graph, "r", end == *text ? -1 : probability, &error));
            *text = end + 1;
            read_operators(graph, text);
            CU_ASSERT_TRUE_FATAL(skip(text, '}'));
            must(graph_close_region(graph, NULL, 0, &error));
        }
        graph_close_operator(graph);
    }
}

struct graph *weighted_read(const char *text)
{
    struct graph *graph;
    must(graph_create(&graph, "weighted", &error));
    read_operators(graph, &text);
    must(graph_finish(graph, NULL, 0, NULL, &error));
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
