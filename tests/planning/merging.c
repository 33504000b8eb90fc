#include "planning/merging.h"
#include "planning/graph/build.h"
#include "support/must.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <string.h>

static struct graph_operator *find_operator(struct sketch *sketch, const char *name)
{
    for (uint32_t o = 0; o < sketch->graph->operators; o++)
        if (strcmp(graph_label(sketch->graph, sketch->graph->op[o].name), name) == 0)
            return &sketch->graph->op[o];
    CU_FAIL_FATAL("no such operator");
    return NULL;
}

void merging_set_type(struct sketch *sketch, const char *name, const char *type)
{
    must(names_add(&sketch->graph->labels, type, &error));
    find_operator(sketch, name)->type = sketch->graph->labels.count - 1;
}

void merging_declare(struct sketch *sketch, const char *name, const uint32_t *pairs, uint32_t count)
{
    struct graph *graph = sketch->graph;
    struct graph_building open = {.open_operator =
                                      (uint32_t)(find_operator(sketch, name) - graph->op)};
    graph->building = &open;
    must(graph_operator_inplace(graph, pairs, count, &error));
    graph->building = NULL;
}

void merging_declare_first(struct sketch *sketch, const char *name)
{
    static const uint32_t pair[] = {0, 0};
    merging_declare(sketch, name, pair, 1);
}

/* "u<t v=t": u overwrites t, v is a view of t; in the order of the tensors. */
static void list_merged(const struct sketch *sketch, char *text, size_t text_bytes)
{
    const struct placement *placement = sketch->placement;
    const struct names *names = &sketch->graph->tensor_names;
    size_t used = 0;
    *text = '\0';
    for (uint32_t t = 0; t < placement->tensors; t++)
        if (placement->overwrites[t] != GRAPH_NONE)
            used += (size_t)snprintf(text + used, text_bytes - used, "%s%s%c%s", used ? " " : "",
                                     names_get(names, t), placement->is_view[t] ? '=' : '<',
                                     names_get(names, placement->overwrites[t]));
}

void merging_expect_without(struct sketch *sketch, const char *rules, const char *disabled,
                            const char *expected)
{
    const struct inplace_choice choice = {inplace_find(rules), disabled};
    char found[128];
    placement_free(sketch->placement);
    must(placement_create(sketch->graph, &sketch->placement, &error));
    CU_ASSERT_PTR_NOT_NULL_FATAL(choice.rules);
    must(inplace_apply(sketch->graph, &choice, sketch->placement, &error));
    list_merged(sketch, found, sizeof found);
    if (strcmp(found, expected) != 0)
        printf("\n%s: found '%s', expected '%s'\n", rules, found, expected);
    CU_ASSERT_STRING_EQUAL(found, expected);
}

void merging_expect(struct sketch *sketch, const char *rules, const char *expected)
{
    merging_expect_without(sketch, rules, NULL, expected);
}
