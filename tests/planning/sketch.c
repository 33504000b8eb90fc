#include "planning/sketch.h"
#include "planning/graph/build.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LISTED = 16, NAME_BYTES = 32 };

static struct error error;

static void must(enum status status)
{
    if (status)
        printf("\n%s\n", error.text);
    CU_ASSERT_EQUAL_FATAL(status, STATUS_OK);
}

/* Copies the next word and returns what follows it, NULL at the end. */
static const char *next_word(const char *list, char word[NAME_BYTES])
{
    list += strspn(list, " ");
    size_t length = strcspn(list, " ");
    CU_ASSERT_FATAL(length < NAME_BYTES);
    memcpy(word, list, length);
    word[length] = 0;
    return length ? list + length : NULL;
}

uint32_t sketch_find(const struct sketch *sketch, const char *tensor)
{
    uint32_t found = names_find(&sketch->graph->tensor_names, tensor);
    if (found == NAMES_NONE)
        printf("\nno tensor '%s'\n", tensor);
    CU_ASSERT_NOT_EQUAL_FATAL(found, NAMES_NONE);
    return found;
}

static uint32_t find_all(const struct sketch *sketch, const char *list,
                         uint32_t tensors[MOST_LISTED])
{
    char word[NAME_BYTES];
    uint32_t count = 0;
    while ((list = next_word(list, word))) {
        CU_ASSERT_FATAL(count < MOST_LISTED);
        tensors[count++] = sketch_find(sketch, word);
    }
    return count;
}

/* Cuts the word at the mark and reads the number behind it. */
static uint64_t split_number(char *word, char mark, char **end)
{
    char *number = strchr(word, mark);
    CU_ASSERT_PTR_NOT_NULL_FATAL(number);
    *number = 0;
    return strtoull(number + 1, end, 10);
}

struct sketch sketch_start(const char *tensors)
{
    struct sketch sketch = {0};
    char word[NAME_BYTES];
    must(graph_create(&sketch.graph, "sketch", &error));
    while ((tensors = next_word(tensors, word))) {
        char *end;
        uint64_t bytes = split_number(word, ':', &end);
        uint32_t ignored;
        must(graph_add_tensor(
            sketch.graph,
            &(struct graph_tensor_spec){.name = word, .bytes = bytes, .external = *end == '!'},
            &ignored, &error));
    }
    return sketch;
}

void sketch_inputs(struct sketch *sketch, const char *tensors)
{
    uint32_t listed[MOST_LISTED];
    uint32_t count = find_all(sketch, tensors, listed);
    must(graph_set_inputs(sketch->graph, listed, count, &error));
}

static uint32_t open_operator(struct sketch *sketch, const char *name, const char *inputs,
                              const char *outputs)
{
    uint32_t listed[MOST_LISTED], opened;
    must(graph_open_operator(sketch->graph, name, "Any", &opened, &error));
    uint32_t count = find_all(sketch, inputs, listed);
    must(graph_operator_inputs(sketch->graph, listed, count, &error));
    count = find_all(sketch, outputs, listed);
    must(graph_operator_outputs(sketch->graph, listed, count, &error));
    return opened;
}

void sketch_plain(struct sketch *sketch, const char *name, const char *inputs, const char *outputs)
{
    open_operator(sketch, name, inputs, outputs);
    graph_close_operator(sketch->graph);
}

void sketch_if(struct sketch *sketch, const char *name, const char *inputs, const char *outputs)
{
    open_operator(sketch, name, inputs, outputs);
}

void sketch_loop(struct sketch *sketch, const char *name, const char *inputs, const char *outputs,
                 const char *carried)
{
    uint32_t listed[MOST_LISTED];
    uint32_t opened = open_operator(sketch, name, inputs, outputs);
    uint32_t count = find_all(sketch, carried, listed);
    sketch->graph->op[opened].loop = true;
    for (uint32_t i = 0; i + 4 <= count; i += 4) {
        struct graph_carried value = {listed[i], listed[i + 1], listed[i + 2], listed[i + 3]};
        must(graph_operator_carried(sketch->graph, &value, &error));
    }
}

void sketch_region(struct sketch *sketch, const char *name)
{
    must(graph_open_region(sketch->graph, name, -1, &error));
}

void sketch_yield(struct sketch *sketch, const char *tensors)
{
    uint32_t listed[MOST_LISTED];
    uint32_t count = find_all(sketch, tensors, listed);
    must(graph_close_region(sketch->graph, listed, count, &error));
}

void sketch_branch(struct sketch *sketch, const char *name, const char *operator_name,
                   const char *inputs, const char *tensors)
{
    sketch_region(sketch, name);
    sketch_plain(sketch, operator_name, inputs, tensors);
    sketch_yield(sketch, tensors);
}

void sketch_close(struct sketch *sketch)
{
    graph_close_operator(sketch->graph);
}

void sketch_finish(struct sketch *sketch, const char *outputs)
{
    uint32_t listed[MOST_LISTED];
    uint32_t count = find_all(sketch, outputs, listed);
    must(graph_finish(sketch->graph, listed, count, NULL, &error));
    must(placement_create(sketch->graph, &sketch->placement, &error));
}

void sketch_place(struct sketch *sketch, const char *offsets)
{
    struct placement *placement = sketch->placement;
    char word[NAME_BYTES];
    for (uint32_t t = 0; t < placement->tensors; t++)
        placement->offset[t] = PROBLEM_FREE;
    extents_free(placement->extents);
    placement->extents = NULL;
    placement->status = PLAN_FEASIBLE;
    placement->measures.peak_bytes = 0;
    while ((offsets = next_word(offsets, word))) {
        char *end;
        uint64_t offset = split_number(word, '@', &end);
        uint32_t tensor = sketch_find(sketch, word);
        placement->offset[tensor] = offset;
        if (offset + sketch->graph->tensor[tensor].bytes > placement->measures.peak_bytes)
            placement->measures.peak_bytes = offset + sketch->graph->tensor[tensor].bytes;
    }
}

void sketch_free(struct sketch *sketch)
{
    graph_free(sketch->graph);
    placement_free(sketch->placement);
}
