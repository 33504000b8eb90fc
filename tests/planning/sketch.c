#include "planning/sketch.h"
#include "planning/graph/build.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/must.h"

enum { MOST_LISTED = 16, NAME_BYTES = 32, LIST_BYTES = 256, TEXT_BYTES = 16384 };

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

/* Copies what comes before the first of the marks, and goes on behind it. */
static void take(const char **text, const char *marks, char part[LIST_BYTES])
{
    *text += strspn(*text, " ");
    size_t length = strcspn(*text, marks);
    CU_ASSERT_FATAL(length < LIST_BYTES);
    memcpy(part, *text, length);
    part[length] = 0;
    *text += length;
}

static bool skip(const char **text, char mark)
{
    *text += strspn(*text, " ");
    if (**text != mark)
        return false;
    ++*text;
    return true;
}

static void expect_mark(const char **text, char mark)
{
    bool found = skip(text, mark);
    if (!found)
        printf("\nfound '%s', expected '%c'\n", *text, mark);
    CU_ASSERT_TRUE_FATAL(found);
}

/* Inputs, of which "name~" are ignored. */
static void add_inputs(struct sketch *sketch, const char *list)
{
    char word[NAME_BYTES];
    uint32_t read[MOST_LISTED], ignored[MOST_LISTED], reads = 0, ignores = 0;
    while ((list = next_word(list, word))) {
        char *mark = strchr(word, '~');
        CU_ASSERT_FATAL(reads < MOST_LISTED && ignores < MOST_LISTED);
        if (mark) {
            *mark = 0;
            ignored[ignores++] = sketch_find(sketch, word);
        } else
            read[reads++] = sketch_find(sketch, word);
    }
    must(graph_operator_inputs(sketch->graph, read, reads, &error));
    must(graph_operator_ignored(sketch->graph, ignored, ignores, &error));
}

/* "name: inputs > outputs" or "name Type: inputs > outputs". */
static void open_operator(struct sketch *sketch, const char **text)
{
    char head[LIST_BYTES], name[NAME_BYTES], type[NAME_BYTES], list[LIST_BYTES];
    uint32_t listed[MOST_LISTED], opened;
    take(text, ":", head);
    expect_mark(text, ':');
    const char *rest = next_word(head, name);
    CU_ASSERT_PTR_NOT_NULL_FATAL(rest);
    bool has_type = next_word(rest, type);
    must(graph_open_operator(sketch->graph, name, has_type ? type : "Any", &opened, &error));
    take(text, ">", list);
    expect_mark(text, '>');
    add_inputs(sketch, list);
    take(text, ";[{|)", list);
    uint32_t count = find_all(sketch, list, listed);
    must(graph_operator_outputs(sketch->graph, listed, count, &error));
}

static void read_operators(struct sketch *sketch, const char **text);

/* "name(operators | yields)" */
static void read_region(struct sketch *sketch, const char **text)
{
    char part[LIST_BYTES], name[NAME_BYTES];
    uint32_t listed[MOST_LISTED];
    take(text, "(", part);
    next_word(part, name);
    must(graph_open_region(sketch->graph, name, -1, &error));
    expect_mark(text, '(');
    read_operators(sketch, text);
    expect_mark(text, '|');
    take(text, ")", part);
    expect_mark(text, ')');
    uint32_t count = find_all(sketch, part, listed);
    must(graph_close_region(sketch->graph, listed, count, &error));
}

static void read_operators(struct sketch *sketch, const char **text)
{
    char list[LIST_BYTES];
    for (*text += strspn(*text, " "); **text && **text != '|'; *text += strspn(*text, " ")) {
        open_operator(sketch, text);
        if (skip(text, '[')) {
            take(text, "]", list);
            expect_mark(text, ']');
            uint32_t listed[MOST_LISTED], count = find_all(sketch, list, listed);
            struct graph *graph = sketch->graph;
            graph->op[graph->building->open_operator].loop = true;
            for (uint32_t i = 0; i + 4 <= count; i += 4) {
                struct graph_carried value = {listed[i], listed[i + 1], listed[i + 2],
                                              listed[i + 3]};
                must(graph_operator_carried(graph, &value, &error));
            }
        }
        if (skip(text, '{'))
            while (!skip(text, '}'))
                read_region(sketch, text);
        graph_close_operator(sketch->graph);
        skip(text, ';');
    }
}

static void add_operators(struct sketch *sketch, const char *operators, va_list arguments)
{
    char written[TEXT_BYTES];
    const char *text = written;
    int length = vsnprintf(written, sizeof written, operators, arguments);
    CU_ASSERT_FATAL(length >= 0 && length < TEXT_BYTES);
    read_operators(sketch, &text);
}

void sketch_add(struct sketch *sketch, const char *operators, ...)
{
    va_list arguments;
    va_start(arguments, operators);
    add_operators(sketch, operators, arguments);
    va_end(arguments);
}

struct sketch sketch_begin(const char *tensors, const char *inputs, const char *operators, ...)
{
    struct sketch sketch = {0};
    va_list arguments;
    char word[NAME_BYTES];
    uint32_t listed[MOST_LISTED];
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
    if (*inputs)
        must(graph_set_inputs(sketch.graph, listed, find_all(&sketch, inputs, listed), &error));
    va_start(arguments, operators);
    add_operators(&sketch, operators, arguments);
    va_end(arguments);
    return sketch;
}

struct sketch sketch_of(const struct sketch_text *text)
{
    return sketch_read(text->tensors, text->inputs, text->operators, text->outputs);
}

void sketch_merge(struct sketch *sketch, const char *merges)
{
    struct placement *placement = sketch->placement;
    char output[NAME_BYTES], input[NAME_BYTES], kind;
    int length;
    for (uint32_t t = 0; t < placement->tensors; t++) {
        placement->overwrites[t] = GRAPH_NONE;
        placement->is_view[t] = false;
    }
    for (; sscanf(merges, " %31[^<=]%c%31s%n", output, &kind, input, &length) == 3;
         merges += length) {
        uint32_t merged = sketch_find(sketch, output);
        placement->overwrites[merged] = sketch_find(sketch, input);
        placement->is_view[merged] = kind == '=';
    }
    CU_ASSERT_EQUAL(*merges, '\0');
}

struct sketch sketch_read(const char *tensors, const char *inputs, const char *operators,
                          const char *outputs)
{
    struct sketch sketch = sketch_begin(tensors, inputs, "%s", operators);
    sketch_finish(&sketch, outputs);
    return sketch;
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

struct problem *sketch_problem(const char *text)
{
    struct problem *problem;
    char word[NAME_BYTES], *end;
    must(problem_create(&problem, "sketch", &error));
    while ((text = next_word(text, word))) {
        if (strchr(word, ':')) {
            struct problem_buffer buffer = {word, 0, 1, PROBLEM_FREE, -1};
            buffer.size = split_number(word, ':', &end);
            if (*end == '%')
                buffer.alignment = strtoull(end + 1, &end, 10);
            if (*end == '@')
                buffer.fixed_offset = strtoull(end + 1, &end, 10);
            must(problem_add_buffer(problem, &buffer, &error));
        } else {
            struct problem_segment segment = {0, 0, 0, problem->size[problem->buffers - 1]};
            segment.lower = (uint32_t)strtoul(word, &end, 10);
            segment.upper = (uint32_t)strtoul(end + 1, &end, 10);
            if (*end == '/') {
                segment.window_lower = strtoull(end + 1, &end, 10);
                segment.window_upper = strtoull(end + 1, &end, 10);
            }
            must(problem_add_segment(problem, segment, &error));
        }
        CU_ASSERT_EQUAL_FATAL(*end, '\0');
    }
    if (problem_find_fault(problem) == problem->buffers)
        must(problem_finish(problem, &error));
    return problem;
}

void sketch_add_extent(struct placement *placement, uint32_t tensor, struct extent added)
{
    if (!extents_count(placement->extents, tensor))
        placement->offset[tensor] = added.offset;
    must(extents_add(&placement->extents, placement->tensors, tensor, added, &error));
}

void sketch_free(struct sketch *sketch)
{
    graph_free(sketch->graph);
    placement_free(sketch->placement);
}
